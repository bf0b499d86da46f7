#include "server/changes/changes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/worker.h"
#include "server/changes/page.h"

/* A request that waits costs memory only: it is in a list. When the catalog has a new version, one look at
 * the feed finds out what changed. Requests that wait for such records read a page; the cursors of the others
 * move on.
 *
 * No request misses a change. A page that was empty at a snapshot joins the list only if neither the catalog
 * nor the last look is beyond that snapshot, checked under the lock. A later publication finds it in the
 * list. */

enum { TRIES_MAX = 4 };

/* How many wait of each key and each address, by their hash: those with the same one share a count. */
enum { COUNTS = 4096 };

/* Places to wait: those of customers, or of those who curate. */
struct waits {
	unsigned max, n;
	unsigned of_key[COUNTS], of_client[COUNTS];
};

struct drg_changes {
	struct drg_readers *readers;
	struct drg_follower *follower;

	struct drg_worker timer; /* its lock protects what follows */
	struct drg_changes_page *waiting;
	struct waits waits[2]; /* by drg_changes_page.curating */
	int64_t next_until_ns; /* no waiting page ends before this time */
	int64_t looked; /* seq of the last look; every request in the list knows it */
	struct drg_read_job look;
	bool looking, look_again;
	struct drg_touched touched; /* result of the look in progress */
	bool draining;
};

/* ---- the list -------------------------------------------------------------------------------------------- */

/* Called under the lock. */

static unsigned *key_count(struct drg_changes *c, const struct drg_changes_page *p)
{
	uint64_t hash = drg_hash(&p->key_id, sizeof p->key_id, 0);
	return &c->waits[p->curating].of_key[hash % COUNTS];
}

static unsigned *client_count(struct drg_changes *c, const struct drg_changes_page *p)
{
	uint64_t hash = drg_hash(p->client, sizeof p->client, 0);
	return &c->waits[p->curating].of_client[hash % COUNTS];
}

static bool finds_place(struct drg_changes *c, const struct drg_changes_page *p)
{
	const struct waits *w = &c->waits[p->curating];
	assert(w->n <= w->max);
	unsigned share = (w->max - w->n + 1) / 2;
	return *key_count(c, p) < share && *client_count(c, p) < share;
}

static void link_page(struct drg_changes *c, struct drg_changes_page *p)
{
	assert(!p->waits && !p->left);
	p->prev = NULL;
	p->next = c->waiting;
	if (c->waiting != NULL)
		c->waiting->prev = p;
	c->waiting = p;
	p->waits = true;
	c->waits[p->curating].n++;
	++*key_count(c, p);
	++*client_count(c, p);
	if (p->until_ns < c->next_until_ns) {
		c->next_until_ns = p->until_ns;
		drg_worker_wake(&c->timer);
	}
}

static void unlink_page(struct drg_changes *c, struct drg_changes_page *p)
{
	assert(p->waits && (p->prev != NULL ? p->prev->next == p : c->waiting == p));
	assert(c->waits[p->curating].n > 0);
	p->waits = false;
	c->waits[p->curating].n--;
	--*key_count(c, p);
	--*client_count(c, p);
	if (p->prev != NULL)
		p->prev->next = p->next;
	else
		c->waiting = p->next;
	if (p->next != NULL)
		p->next->prev = p->prev;
}

/* Move a page from the list of waiting pages to another list, singly linked by `next`. */
static void changes_pick(struct drg_changes *c, struct drg_changes_page *p, struct drg_changes_page **picked)
{
	unlink_page(c, p);
	p->next = *picked;
	*picked = p;
}

/* Answer the pages that were picked. Called without the lock. */
static void changes_finish_all(struct drg_changes_page *picked)
{
	while (picked != NULL) {
		struct drg_changes_page *p = picked;
		picked = p->next;
		p->done(p->ctx);
	}
}

/* ---- pages ----------------------------------------------------------------------------------------------- */

static int read_page(struct drg_read_job *j, struct drg_store *s, struct drg_err *reterr)
{
	return drg_changes_read_page(DRG_CONTAINER_OF(j, struct drg_changes_page, job), s, reterr);
}

/* Read a page that waited. Called without the lock. If the readers' queue is full, the page is answered empty
 * with `more` set, so the client asks again. */
static void read_again(struct drg_changes_page *p)
{
	/* the page may be freed as soon as it is submitted */
	if (drg_readers_submit(p->changes->readers, &p->job) == DRG_OK)
		return;
	p->more = true;
	p->done(p->ctx);
}

static bool is_behind(const struct drg_changes *c, const struct drg_changes_page *p)
{
	bool behind = p->cursor.base < c->looked;
	drg_read_lock();
	const struct drg_catalog *cat = drg_follower_catalog(c->follower);
	behind |= cat != NULL && drg_catalog_seq(cat) > p->cursor.base;
	drg_read_unlock();
	return behind;
}

enum fate { WAITS, READS_AGAIN, IS_DONE, FINDS_NO_PLACE };

static enum fate park(struct drg_changes *c, struct drg_changes_page *p)
{
	enum fate fate = WAITS;
	pthread_mutex_lock(&c->timer.lock);
	/* Looks are made only while pages wait, so the first page sets where the next look begins. */
	if (c->waiting == NULL && !c->looking)
		c->looked = p->cursor.base;
	if (c->draining || p->left || drg_clock_ns() >= p->until_ns)
		fate = IS_DONE;
	else if (is_behind(c, p))
		/* A store that was restored to an earlier state stays behind the catalog until the follower
		 * notices it. */
		fate = p->tries++ < TRIES_MAX ? READS_AGAIN : IS_DONE;
	else if (!finds_place(c, p))
		fate = FINDS_NO_PLACE;
	else
		link_page(c, p);
	pthread_mutex_unlock(&c->timer.lock);
	return fate;
}

static void page_read(struct drg_read_job *j)
{
	struct drg_changes_page *p = DRG_CONTAINER_OF(j, struct drg_changes_page, job);
	bool waits = j->rc == DRG_OK && p->n == 0 && !p->more && !p->gone && p->until_ns != 0;
	enum fate fate = waits ? park(p->changes, p) : IS_DONE;
	if (fate == READS_AGAIN)
		read_again(p);
	if (fate == WAITS || fate == READS_AGAIN)
		return;
	p->rc = j->rc;
	p->err = j->err;
	if (fate == FINDS_NO_PLACE)
		p->rc = drg_fail(
		        &p->err, DRG_EBUSY, DRG_R(queue_full), "wait",
		        "wait: too many requests, of this key, from this address or in all, wait for "
		        "changes already; try again later, or without wait");
	p->done(p->ctx);
}

void drg_changes_ask(struct drg_changes *c, struct drg_changes_page *p)
{
	assert(p->done != NULL && p->limit > 0);
	p->changes = c;
	p->rc = DRG_OK;
	p->tries = 0;
	p->waits = p->left = false;
	p->job = (struct drg_read_job){ .run = read_page, .done = page_read, .item.owner = p->key_id };
	if (drg_readers_submit(c->readers, &p->job) == DRG_OK)
		return;
	p->rc = p->job.rc;
	p->err = p->job.err;
	p->done(p->ctx);
}

void drg_changes_cancel(struct drg_changes_page *p)
{
	struct drg_changes *c = p->changes;
	pthread_mutex_lock(&c->timer.lock);
	bool waited = p->waits;
	p->left = true;
	if (waited)
		unlink_page(c, p);
	pthread_mutex_unlock(&c->timer.lock);
	if (waited)
		p->done(p->ctx);
}

unsigned drg_changes_waiting(struct drg_changes *c)
{
	pthread_mutex_lock(&c->timer.lock);
	unsigned n = c->waits[false].n + c->waits[true].n;
	pthread_mutex_unlock(&c->timer.lock);
	return n;
}

/* ---- looks at the feed ----------------------------------------------------------------------------------- */

static int changes_look(struct drg_read_job *j, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_changes *c = DRG_CONTAINER_OF(j, struct drg_changes, look);
	pthread_mutex_lock(&c->timer.lock);
	int64_t since = c->looked;
	pthread_mutex_unlock(&c->timer.lock);
	return drg_changes_touched(s, since, &c->touched, reterr);
}

/* Pick the pages whose key may not read any more. Under the lock. The catalog, which has the keys, is at
 * least as far as the look. */
static void pick_refused(struct drg_changes *c, struct drg_changes_page **picked)
{
	struct drg_changes_page *next;
	for (struct drg_changes_page *p = c->waiting; p != NULL; p = next) {
		next = p->next;
		if (!p->may(p->ctx))
			changes_pick(c, p, picked);
	}
}

/* Pick the pages that must read, after a look at the feed up to the clock. Under the lock. */
static void choose(struct drg_changes *c, bool failed, struct drg_changes_page **picked)
{
	const struct drg_cursor now = drg_cursor_at(&c->touched.clock);
	struct drg_changes_page *next;
	for (struct drg_changes_page *p = c->waiting; p != NULL; p = next) {
		next = p->next;
		bool other = p->cursor.history != now.history;
		if (failed || other || drg_change_filter_matches(&p->filter, &c->touched))
			changes_pick(c, p, picked);
		else if (p->cursor.base < now.base)
			p->cursor = now;
	}
	if (!failed)
		c->looked = now.base;
}

static void looked(struct drg_read_job *j)
{
	struct drg_changes *c = DRG_CONTAINER_OF(j, struct drg_changes, look);
	struct drg_changes_page *picked = NULL, *refused = NULL;
	pthread_mutex_lock(&c->timer.lock);
	assert(c->looking); /* one look at a time: there is one place for its result */
	pick_refused(c, &refused);
	choose(c, j->rc != DRG_OK, &picked);
	bool again = c->look_again;
	c->looking = c->look_again = false;
	pthread_mutex_unlock(&c->timer.lock);
	changes_finish_all(refused);
	while (picked != NULL) {
		struct drg_changes_page *p = picked;
		picked = p->next;
		read_again(p);
	}
	if (again)
		drg_changes_published(c);
}

void drg_changes_published(struct drg_changes *c)
{
	pthread_mutex_lock(&c->timer.lock);
	bool start = c->waiting != NULL && !c->looking;
	c->look_again |= c->looking;
	c->looking |= start;
	pthread_mutex_unlock(&c->timer.lock);
	/* If the queue is full, the next publication starts a look, or the clients ask again when their time
	 * is over. */
	if (start && drg_readers_submit(c->readers, &c->look) != DRG_OK) {
		pthread_mutex_lock(&c->timer.lock);
		c->looking = false;
		pthread_mutex_unlock(&c->timer.lock);
	}
}

/* ---- the end of waiting ---------------------------------------------------------------------------------- */

/* Pick the pages whose time to wait is over. Under the lock. */
static void pick_over(struct drg_changes *c, int64_t now_ns, struct drg_changes_page **picked)
{
	struct drg_changes_page *next;
	c->next_until_ns = INT64_MAX;
	for (struct drg_changes_page *p = c->waiting; p != NULL; p = next) {
		next = p->next;
		if (p->until_ns <= now_ns)
			changes_pick(c, p, picked);
		else if (p->until_ns < c->next_until_ns)
			c->next_until_ns = p->until_ns;
	}
}

/* A step of the timer. */
static int64_t changes_end_waits(void *changes)
{
	struct drg_changes *c = changes;
	struct drg_changes_page *picked = NULL;
	if (c->timer.stopping)
		return DRG_WHEN_WOKEN;
	pick_over(c, c->draining ? INT64_MAX : drg_clock_ns(), &picked);
	if (picked == NULL)
		return c->next_until_ns;
	pthread_mutex_unlock(&c->timer.lock);
	changes_finish_all(picked);
	pthread_mutex_lock(&c->timer.lock);
	return DRG_AT_ONCE;
}

void drg_changes_drain(struct drg_changes *c)
{
	if (c == NULL)
		return;
	pthread_mutex_lock(&c->timer.lock);
	c->draining = true;
	drg_worker_wake(&c->timer);
	pthread_mutex_unlock(&c->timer.lock);
}

/* ---- start and stop -------------------------------------------------------------------------------------- */

int drg_changes_start(const struct drg_changes_options *o, struct drg_changes **ret, struct drg_err *reterr)
{
	struct drg_changes *c = calloc(1, sizeof *c);
	if (c == NULL)
		return drg_fail_memory(reterr);
	c->follower = o->follower;
	c->waits[true].max = (o->max_waiting + 3) / 4;
	c->waits[false].max = o->max_waiting - c->waits[true].max;
	c->next_until_ns = INT64_MAX;
	c->look = (struct drg_read_job){ .run = changes_look, .done = looked };
	drg_worker_init(&c->timer);
	const struct drg_readers_options readers = { .store_url = o->store_url,
		                                     .follower = o->follower,
		                                     .odd_words = true };
	int rc = drg_readers_start(&readers, &c->readers, reterr);
	if (rc == DRG_OK)
		rc = drg_worker_start(&c->timer, changes_end_waits, c, DRG_WHEN_WOKEN, reterr);
	if (rc == DRG_OK)
		*ret = c;
	else
		drg_changes_stop(c);
	return rc;
}

void drg_changes_stop(struct drg_changes *c)
{
	if (c == NULL)
		return;
	drg_readers_stop(c->readers);
	drg_worker_done(&c->timer);
	assert(c->waiting == NULL && c->waits[false].n == 0 && c->waits[true].n == 0);
	free(c);
}
