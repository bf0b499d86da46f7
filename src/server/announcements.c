#include "server/announcements.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/worker.h"

/* WAIT_MS: the longest single wait. RETRY_MS: the pause after a failure. ASK_AGAIN_MS: a store that announces
 * nothing is asked again after this time, because the connection may lead to another server by then. */
enum { WAIT_MS = 250, RETRY_MS = 1000, ASK_AGAIN_MS = 30000 };
/* How often the thread gives the store's clock to a follower that reads a copy. */
static const int64_t REPORT_NS = DRG_SECOND_NS;

struct drg_announcements {
	char *url;
	struct drg_follower *follower;
	struct drg_store *store; /* the handle that listens; NULL: not connected */
	int64_t reported_ns; /* when the follower last got the store's clock */
	struct drg_worker worker;
};

/* Connect to the primary, because only the primary announces commits. A follower of the primary itself
 * listens on its own connection. */
static int announcements_connect(struct drg_announcements *l)
{
	int rc = drg_store_open(l->url, DRG_STORE_WRITE, &l->store, NULL);
	if (rc == DRG_OK)
		rc = drg_store_listen(l->store, NULL);
	if (rc == DRG_OK)
		drg_follower_wake(l->follower);
	return rc;
}

static int announcements_pass_clock(struct drg_announcements *l)
{
	struct drg_clock clock;
	int64_t now = drg_clock_ns();
	if (!drg_follower_reads_copy(l->follower) || now - l->reported_ns < REPORT_NS)
		return DRG_OK;
	int rc = drg_store_clock(l->store, &clock, NULL);
	if (rc == DRG_OK)
		drg_follower_set_store_clock(l->follower, &clock);
	l->reported_ns = now;
	return rc;
}

/* Wait for an announcement. The follower logs outages.
 * @return the pause before the next wait, in milliseconds. */
static int64_t announcements_wait(struct drg_announcements *l)
{
	bool news = false;
	if (!drg_follower_reads_copy(l->follower)) {
		drg_store_close(l->store);
		l->store = NULL;
		return RETRY_MS;
	}
	int rc = l->store == NULL ? announcements_connect(l) : DRG_OK;
	if (rc == DRG_OK)
		rc = drg_store_wait_commit(l->store, -1, WAIT_MS, &news, NULL);
	if (news)
		drg_follower_wake(l->follower);
	if (rc == DRG_OK)
		rc = announcements_pass_clock(l);
	if (rc == DRG_OK)
		return 0;
	drg_store_close(l->store);
	l->store = NULL;
	return rc == DRG_ENOENT ? ASK_AGAIN_MS : RETRY_MS;
}

static int64_t announcements_step(void *announcements)
{
	struct drg_announcements *l = announcements;
	if (l->worker.stopping)
		return DRG_WHEN_WOKEN;
	pthread_mutex_unlock(&l->worker.lock);
	int64_t pause_ms = announcements_wait(l);
	pthread_mutex_lock(&l->worker.lock);
	return pause_ms == 0 ? DRG_AT_ONCE : drg_clock_ns() + pause_ms * 1000000;
}

int drg_announcements_start(const char *store_url, struct drg_follower *follower,
                            struct drg_announcements **ret, struct drg_err *reterr)
{
	struct drg_announcements *l = calloc(1, sizeof *l);
	if (l == NULL)
		return drg_fail_memory(reterr);
	l->follower = follower;
	l->url = strdup(store_url);
	drg_worker_init(&l->worker);
	int rc = l->url != NULL ? drg_worker_start(&l->worker, announcements_step, l, DRG_AT_ONCE, reterr)
	                        : drg_fail_memory(reterr);
	if (rc == DRG_OK)
		*ret = l;
	else
		drg_announcements_stop(l);
	return rc;
}

void drg_announcements_stop(struct drg_announcements *l)
{
	if (l == NULL)
		return;
	drg_worker_done(&l->worker);
	drg_store_close(l->store);
	free(l->url);
	free(l);
}
