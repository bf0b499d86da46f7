/* Chooses the server that is followed: a copy of the store, or the store itself (decision D4).
 *
 * A copy can stand still without an error: its server has lost the primary, or is on a history that ended
 * when another server took over. So a thread that is connected to the store itself reports the store's clock
 * regularly, and the copy must reach that clock. */
#include "server/follower_priv.h"

#include "base/clock.h"
#include "base/log.h"

/* A copy that is this far behind the store is left. That is less than the time a write waits for its
 * publication. */
static const int64_t LATE_NS = 5 * DRG_SECOND_NS;
/* A reported clock that is older than this is ignored. */
static const int64_t REPORTED_NS = 5 * DRG_SECOND_NS;

static void take_store(struct drg_follower *f, struct drg_store *s, enum drg_read_from from)
{
	drg_store_close(f->store);
	drg_store_allow_unknown_enums(s);
	f->store = s;
	f->listens = from != DRG_FROM_COPY && drg_store_listen(s, NULL) == DRG_OK;
	f->aim_ns = 0;
	f->copy_again_ns = drg_clock_ns() + DRG_COPY_AGAIN_NS;
	atomic_store(&f->from, from);
}

static void log_instead(void)
{
	drg_log(DRG_LOG_WARN, "the copy of the store that is to be read does not follow the store, or is far "
	                      "behind; reading the store itself, and looking for the copy every 30 s");
}

int drg_follower_open_store(struct drg_follower *f, unsigned wait_ms, struct drg_err *reterr)
{
	const struct drg_clock *shown = &f->followed.clock;
	struct drg_store *s;
	enum drg_read_from from;
	int rc = drg_store_open_reading(f->url, shown->epoch[0] != '\0' ? shown : &f->o.known, false, wait_ms,
	                                &s, &from, reterr);
	if (rc != DRG_OK)
		return rc;
	take_store(f, s, from);
	if (from == DRG_FROM_STORE_INSTEAD)
		log_instead();
	return DRG_OK;
}

void drg_follower_set_store_clock(struct drg_follower *f, const struct drg_clock *clock)
{
	pthread_mutex_lock(&f->worker.lock);
	f->reported = *clock;
	f->reported_behind = clock->seq < f->followed.clock.seq;
	f->reported_ns = drg_clock_ns();
	pthread_mutex_unlock(&f->worker.lock);
}

bool drg_follower_reads_copy(const struct drg_follower *f)
{
	return atomic_load(&f->from) == DRG_FROM_COPY;
}

bool drg_follower_avoids_copies(const struct drg_follower *f)
{
	return atomic_load(&f->from) == DRG_FROM_STORE_INSTEAD;
}

/* Take over the reported clock of the store. @return false: no clock was reported lately. */
static bool aim_at_reported(struct drg_follower *f, int64_t now)
{
	pthread_mutex_lock(&f->worker.lock);
	bool fresh = f->reported_ns != 0 && now - f->reported_ns < REPORTED_NS;
	bool begins = fresh && f->aim_ns == 0;
	if (begins)
		f->aim = f->reported;
	f->aim_behind = fresh && f->reported_behind && (begins || f->aim_behind);
	pthread_mutex_unlock(&f->worker.lock);
	if (begins || !fresh)
		f->aim_ns = fresh ? now : 0;
	return fresh;
}

/* Must the follower leave this copy? Yes, if it lags the primary by 5 s, or if it stays ahead of it: then the
 * primary was restored. */
static bool is_astray(struct drg_follower *f, const struct drg_clock *clock)
{
	int64_t now = drg_clock_ns();
	bool has = true;
	if (!drg_follower_reads_copy(f) || !aim_at_reported(f, now))
		return false;
	if (drg_store_has_commit(f->store, clock, &f->aim, &has, NULL) != DRG_OK)
		return false;
	if (has && !f->aim_behind) {
		f->aim_ns = 0;
		return false;
	}
	return now - f->aim_ns >= LATE_NS;
}

static void leave_copy(struct drg_follower *f)
{
	struct drg_store *s;
	enum drg_read_from from;
	f->aim_ns = 0;
	if (drg_store_open_primary(f->url, false, &s, &from, NULL) != DRG_OK)
		return;
	take_store(f, s, from);
	log_instead();
}

static void try_copy_again(struct drg_follower *f)
{
	struct drg_store *s;
	enum drg_read_from from;
	f->copy_again_ns = drg_clock_ns() + DRG_COPY_AGAIN_NS;
	if (drg_store_open_preferred(f->url, &f->followed.clock, false, &s, &from, NULL) != DRG_OK)
		return;
	take_store(f, s, from);
	drg_log(DRG_LOG_INFO, "the copy of the store follows it again, and is read again");
}

int drg_follower_choose_store(struct drg_follower *f, struct drg_clock *clock, struct drg_err *reterr)
{
	const struct drg_store *before = f->store;
	if (is_astray(f, clock))
		leave_copy(f);
	else if (drg_follower_avoids_copies(f) && drg_clock_ns() >= f->copy_again_ns)
		try_copy_again(f);
	return f->store == before ? DRG_OK : drg_store_clock(f->store, clock, reterr);
}
