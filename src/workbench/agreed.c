#include "workbench/agreed.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct drg_agreed {
	pthread_mutex_t lock;
	struct drg_survey_days days; /* of all */
};

int drg_agreed_new(struct drg_agreed **ret, struct drg_err *reterr)
{
	struct drg_agreed *a = calloc(1, sizeof *a);
	if (a == NULL)
		return drg_fail_memory(reterr);
	pthread_mutex_init(&a->lock, NULL);
	drg_survey_days_init(&a->days, 0, DRG_KIND_NONE);
	*ret = a;
	return DRG_OK;
}

void drg_agreed_free(struct drg_agreed *a)
{
	if (a == NULL)
		return;
	drg_survey_days_done(&a->days);
	pthread_mutex_destroy(&a->lock);
	free(a);
}

/* Copy the last reading, whichever request made it. */
static int agreed_last(struct drg_agreed *a, struct drg_survey_days *ret)
{
	pthread_mutex_lock(&a->lock);
	int rc = drg_survey_days_copy(&a->days, ret);
	pthread_mutex_unlock(&a->lock);
	return rc;
}

/* Keep a reading. If there is no memory for it, the next answer reads more. */
static void agreed_keep(struct drg_agreed *a, const struct drg_survey_days *d)
{
	struct drg_survey_days next, was;
	drg_survey_days_init(&next, 0, DRG_KIND_NONE);
	if (drg_survey_days_copy(d, &next) == DRG_OK) {
		pthread_mutex_lock(&a->lock);
		was = a->days;
		a->days = next;
		pthread_mutex_unlock(&a->lock);
		next = was;
	}
	drg_survey_days_done(&next);
}

static bool agreed_same(const struct drg_clock *a, const struct drg_clock *b)
{
	return a->seq == b->seq && a->branch == b->branch && strcmp(a->epoch, b->epoch) == 0;
}

int drg_agreed_read(struct drg_agreed *a, struct drg_store *s, struct drg_survey_days *ret,
                    struct drg_err *reterr)
{
	drg_survey_days_init(ret, 0, DRG_KIND_NONE);
	int rc = agreed_last(a, ret);
	if (rc != DRG_OK)
		return drg_fail_memory(reterr);
	struct drg_clock was = ret->upto;
	rc = drg_survey_days_read(ret, s, reterr);
	if (rc == DRG_OK && !agreed_same(&ret->upto, &was))
		agreed_keep(a, ret);
	return rc;
}
