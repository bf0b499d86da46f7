#include "server/copies.h"

#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "store/lend.h"

enum { LOOK_MS = 20 };

static bool clock_is_known(const struct drg_clock *c)
{
	return c->epoch[0] != '\0';
}

int drg_store_has_commit(struct drg_store *s, const struct drg_clock *clock, const struct drg_clock *known,
                         bool *ret, struct drg_err *reterr)
{
	int64_t branch = clock->branch;
	bool reached = strcmp(clock->epoch, known->epoch) == 0 && clock->seq >= known->seq;
	int rc = DRG_OK;
	if (clock_is_known(known) && reached && branch != known->branch)
		rc = drg_store_branch_at(s, known->seq, &branch, reterr);
	if (rc == DRG_OK)
		*ret = !clock_is_known(known) || (reached && branch == known->branch);
	return rc;
}

static int open_handle(const char *url, enum drg_store_mode mode, bool lent, struct drg_store **ret,
                       struct drg_err *reterr)
{
	return lent ? drg_store_borrow(url, mode, ret, reterr) : drg_store_open(url, mode, ret, reterr);
}

int drg_store_open_preferred(const char *url, const struct drg_clock *known, bool lent,
                             struct drg_store **ret, enum drg_read_from *ret_from, struct drg_err *reterr)
{
	struct drg_store *s;
	struct drg_clock clock = { .copy = false };
	bool has = true;
	int rc = open_handle(url, DRG_STORE_READ, lent, &s, reterr);
	if (rc != DRG_OK)
		return rc;
	if (!drg_store_is_file(url))
		rc = drg_store_clock(s, &clock, reterr);
	if (rc == DRG_OK && clock.copy)
		rc = drg_store_has_commit(s, &clock, known, &has, reterr);
	if (rc == DRG_OK && !has)
		rc = drg_fail(reterr, DRG_EBUSY, NULL, NULL,
		              "a copy of the store is behind it, or of another history");
	if (rc == DRG_EBUSY)
		drg_store_return(&s); /* the copy may reach that commit soon */
	if (rc != DRG_OK) {
		drg_store_close(s);
		return rc;
	}
	*ret = s;
	*ret_from = clock.copy ? DRG_FROM_COPY : DRG_FROM_STORE;
	return DRG_OK;
}

/* May the failure mean that a copy is late? Only if the store is known to exist already. */
static bool may_be_late(int rc)
{
	return rc == DRG_EBUSY || rc == DRG_ENOENT || rc == DRG_ELIMIT;
}

int drg_store_open_reading(const char *url, const struct drg_clock *known, bool lent, unsigned wait_ms,
                           struct drg_store **ret, enum drg_read_from *ret_from, struct drg_err *reterr)
{
	const int64_t until_ns = drg_clock_ns() + (int64_t)wait_ms * 1000000;
	const struct timespec look = { .tv_nsec = LOOK_MS * 1000000 };
	const bool copies = !drg_store_is_file(url) && clock_is_known(known);
	int rc = drg_store_open_preferred(url, known, lent, ret, ret_from, reterr);
	while (copies && may_be_late(rc) && drg_clock_ns() < until_ns) {
		nanosleep(&look, NULL);
		rc = drg_store_open_preferred(url, known, lent, ret, ret_from, reterr);
	}
	return copies && may_be_late(rc) ? drg_store_open_primary(url, lent, ret, ret_from, reterr) : rc;
}

int drg_store_open_primary(const char *url, bool lent, struct drg_store **ret, enum drg_read_from *ret_from,
                           struct drg_err *reterr)
{
	int rc = open_handle(url, DRG_STORE_WRITE, lent, ret, reterr);
	if (rc == DRG_OK)
		*ret_from = DRG_FROM_STORE_INSTEAD;
	return rc;
}
