/* An fsync of the log fails, and all who had the store open end before they could put anything in the place of
 * that commit. Whoever opens the store next finds it in the system's memory, and commits behind it. */
#include "../../sim/disk.h"
#include "place.h"

static uint64_t loses_all(void)
{
	return 1; /* a sector that no fsync has confirmed is not on the disk */
}

static void die(struct place *p)
{
	disk_die();
	place_close(p);
}

static bool try_to_put(struct place *p, int64_t id)
{
	struct drg_record r = adapter(id);
	enum drg_put_result result;
	struct drg_txn *t;
	int rc = drg_store_begin(p->s, &t, &p->err);
	if (rc != DRG_OK)
		return false;
	rc = drg_txn_put(t, &r, &result, &p->err);
	if (rc == DRG_OK)
		return drg_txn_commit(t, NULL, &p->err) == DRG_OK;
	drg_txn_rollback(t);
	return false;
}

static bool is_there(struct place *p, int64_t id)
{
	struct drg_record r = adapter(id);
	return drg_store_exists(p->s, &r, &p->err) == DRG_OK;
}

/* Adapters 1 and 3 are acknowledged. 2 fails at the operation of that number; @return false: it did not. */
static bool lose_power_after_failure(struct place *p, unsigned operation)
{
	place_close(p);
	in_folder(p, "rm -rf t.db*");
	disk_forget();
	MUST(p, drg_store_open(p->url, DRG_STORE_CREATE, &p->s, &p->err));
	put_one(p, adapter(1));
	disk_fail(&(const struct disk_failure){ .in = operation, .n = 1 });
	bool stored = try_to_put(p, 2);
	disk_heal();
	die(p);
	disk_revive();

	MUST(p, drg_store_open(p->url, DRG_STORE_WRITE, &p->s, &p->err));
	put_one(p, adapter(3));
	die(p);
	disk_lose_power();
	disk_revive();

	MUST(p, drg_store_open(p->url, DRG_STORE_WRITE, &p->s, &p->err));
	if (!is_there(p, 1) || !is_there(p, 3))
		fail_msg("lost after the failure of operation %u: %s", operation, is_there(p, 1) ? "3" : "1");
	return !stored;
}

static void what_is_committed_behind_a_lost_sync_is_on_the_disk(void **state)
{
	unsigned operation = 1;
	disk_begin(loses_all);
	while (lose_power_after_failure(*state, operation))
		operation++;
	assert_true(operation > 3); /* the frames of a commit, its end, the fsync */
}

GROUP(lost_sync)
{
	const struct CMUnitTest tests[] = {
		on_new_store(what_is_committed_behind_a_lost_sync_is_on_the_disk),
	};
	return cmocka_run_group_tests_name("store/lost_sync", tests, NULL, NULL);
}
