/* Another process that writes while an import runs: store_writer STORE_URL SECONDS prints the milliseconds of
 * each of its transactions (wait for the lock, one record, commit with its fsync), one in 20 ms. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "store/store.h"

static int write_one(struct drg_store *s, int64_t number, struct drg_err *err)
{
	char id[DRG_I64_TEXT];
	struct drg_record r;
	struct drg_txn *t;
	enum drg_put_result what;
	drg_record_init(&r, &drg_types[DRG_TYPE_SOURCE]);
	drg_record_set_i(&r, DRG_F_ADAPTER_ID, 101);
	drg_record_set_i(&r, DRG_F_KIND, DRG_KIND_MEAL);
	drg_record_set_s(&r, DRG_F_SOURCE_ID, drg_str(id, drg_i64_text(1000000 + number, id)));
	drg_record_set_s(&r, DRG_F_NAME, DRG_STR("written beside an import"));
	drg_record_set_s(&r, DRG_F_LANG, DRG_STR("en"));
	int rc = drg_store_begin(s, &t, err);
	if (rc != DRG_OK)
		return rc;
	rc = drg_txn_put(t, &r, &what, err);
	if (rc == DRG_OK)
		return drg_txn_commit(t, NULL, err);
	drg_txn_rollback(t);
	return rc;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	struct drg_err err = { 0 };
	struct drg_store *s;
	int rc = drg_store_open(argv[1], DRG_STORE_WRITE, &s, &err);
	int64_t end = drg_clock_ns() + atoll(argv[2]) * 1000000000;
	for (int64_t n = 0; rc == DRG_OK && drg_clock_ns() < end; n++) {
		int64_t t0 = drg_clock_ns();
		rc = write_one(s, n, &err);
		if (rc == DRG_OK && printf("%.3f\n", (double)(drg_clock_ns() - t0) / 1e6) < 0)
			break;
		usleep(20000);
	}
	if (rc != DRG_OK)
		fprintf(stderr, "%s\n", err.message);
	drg_store_close(s);
	return rc == DRG_OK ? 0 : 1;
}
