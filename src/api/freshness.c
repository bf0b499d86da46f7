#include "api/freshness.h"

#include "api/people/sign_in.h"
#include "http/endpoint.h"
#include "server/branch.h"

static const char HEADER[] = "X-Min-Data-Version";

static bool read_wanted(struct drg_exchange *x, struct drg_data_version *ret, bool *ret_valid)
{
	struct drg_str text = drg_exchange_header_at(x, DRG_HEADER_MIN_VERSION);
	*ret_valid = text.p != NULL && drg_data_version_read(text, ret);
	return text.p != NULL;
}

static int fail_late(struct drg_exchange *x, const struct drg_version_wait *w)
{
	char wanted[DRG_DATA_VERSION_TEXT];
	drg_data_version_write(&w->version, wanted);
	if (w->reached == DRG_OTHER_HISTORY)
		return drg_exchange_fail_status(x, 412, DRG_R(other_history), HEADER,
		                                "%s: the data have no version %s; it is of another store, or "
		                                "of a history that is over, since the data were restored to "
		                                "an earlier state; ask without it, and "
		                                "take the version of the answer",
		                                HEADER, wanted);
	return drg_fail(drg_exchange_err(x), DRG_EBUSY, DRG_R(version_not_reached), HEADER,
	                "%s: this server has not come to the version %s yet; try again later, or without it",
	                HEADER, wanted);
}

/* A request that waits for its version. */
struct freshness {
	struct drg_version_wait wait;
	void *before; /* drg_exchange_data() */
};

/* The version is there: is the session? */
static int admitted(struct drg_exchange *x)
{
	return drg_session_is_open(x) ? drg_session_resolve(x) : drg_exchange_handle(x);
}

static int waited(struct drg_exchange *x)
{
	const struct freshness *f = drg_exchange_data(x);
	drg_exchange_set_data(x, f->before);
	return f->wait.reached == DRG_REACHED ? admitted(x) : fail_late(x, &f->wait);
}

static int await_version(struct drg_exchange *x, const struct drg_data_version *wanted)
{
	struct freshness *f = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *f);
	if (f == NULL)
		return DRG_ENOMEM;
	f->before = drg_exchange_data(x);
	f->wait.version = *wanted;
	f->wait.done = drg_exchange_wake;
	f->wait.ctx = x;
	drg_exchange_set_data(x, f);
	drg_exchange_suspend(x, waited);
	drg_version_await(drg_app_of(x)->version_waits, &f->wait);
	return DRG_HTTP_SUSPENDED;
}

int drg_api_admit(struct drg_exchange *x)
{
	struct drg_data_version wanted;
	bool valid;
	int auth = drg_exchange_endpoint(x)->auth;
	if (auth == DRG_AUTH_PUBLIC || auth == DRG_AUTH_SIGN_IN || !read_wanted(x, &wanted, &valid))
		return admitted(x);
	if (!valid)
		return drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(invalid_data_version), HEADER,
		                "%s: expected a version as X-Data-Version of an answer has it", HEADER);
	bool reached = drg_follower_reached(drg_app_of(x)->follower, &wanted) == DRG_REACHED;
	return reached ? admitted(x) : await_version(x, &wanted);
}

int64_t drg_api_min_seq(struct drg_exchange *x)
{
	struct drg_data_version wanted;
	bool valid;
	return read_wanted(x, &wanted, &valid) && valid ? wanted.seq : 0;
}

/** Is it for people, who are told of the store and of each other, and not of the catalog alone? */
static bool is_about_people(const struct drg_exchange *x)
{
	const struct drg_endpoint *e = drg_exchange_endpoint(x);
	return e != NULL && e->auth >= DRG_AUTH_SIGN_IN;
}

void drg_api_version(struct drg_exchange *x)
{
	drg_read_lock();
	const struct drg_catalog *cat = drg_follower_catalog(drg_app_of(x)->follower);
	if (cat != NULL) {
		const struct drg_catalog_read_mark look = drg_catalog_read_begin(cat);
		struct drg_data_version v = drg_catalog_read_end(cat, &look);
		v.open |= is_about_people(x);
		drg_exchange_set_version(x, &v);
	}
	drg_read_unlock();
}

void drg_api_set_version(struct drg_exchange *x, const struct drg_clock *commit)
{
	if (commit->seq == 0)
		return;
	struct drg_data_version v = drg_version_of(commit);
	drg_exchange_set_version(x, &v);
}
