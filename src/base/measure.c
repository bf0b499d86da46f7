#include "base/measure.h"

const uint32_t drg_duration_us[DRG_DURATIONS] = {
	50,    100,    250,    500,    1000,    2500,    5000,    10000,    25000,
	50000, 100000, 250000, 500000, 1000000, 2500000, 5000000, 10000000,
};

void drg_durations_gather(const struct drg_durations *d, struct drg_durations_sum *sum)
{
	for (unsigned i = 0; i <= DRG_DURATIONS; i++)
		sum->n[i] += drg_measure_of(&d->n[i]);
	sum->sum_us += drg_measure_of(&d->sum_us);
}
