/* Lends handles of a database to threads that read now and then: a server has many such threads, few of them
 * need a handle at the same time, and a database allows few connections. A handle that is given back waits
 * for the next borrower. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"
#include "store/store_priv.h"
#include "store/lend.h"

/* A borrower waits this long for a handle. An unused handle is kept this long, one of them for ever. */
static const int64_t LEND_WAIT_NS = 5 * DRG_SECOND_NS, LEND_KEEP_NS = 10 * DRG_SECOND_NS;

enum { LEND_MAX = 64 };

static struct {
	pthread_mutex_t lock; /* protects the members that follow */
	pthread_cond_t changed;
	pthread_once_t once;
	unsigned max; /* 0: no limit */
	unsigned out; /* handles that are lent or about to be */
	unsigned n; /* waiting handles; the one given back last is the last */
	struct {
		struct drg_store *s;
		int64_t since_ns;
	} waiting[LEND_MAX];
} lend = { .lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT };

static void lend_begin(void)
{
	drg_cond_init(&lend.changed);
}

static void lend_lock(void)
{
	pthread_once(&lend.once, lend_begin);
	pthread_mutex_lock(&lend.lock);
}

void drg_store_set_connections(unsigned n)
{
	assert(n > DRG_STORE_OWN_CONNECTIONS);
	lend_lock();
	lend.max = n - DRG_STORE_OWN_CONNECTIONS;
	pthread_mutex_unlock(&lend.lock);
}

unsigned drg_store_lendable(const char *url)
{
	return lend.max == 0 || drg_store_is_file(url) ? LEND_MAX : lend.max;
}

void drg_store_lending(struct drg_store_lending *ret)
{
	lend_lock();
	*ret = (struct drg_store_lending){ lend.out, lend.n, lend.max };
	pthread_mutex_unlock(&lend.lock);
}

/* Called under the lock. */
static struct drg_store *lend_take_out(unsigned i)
{
	assert(i < lend.n);
	struct drg_store *s = lend.waiting[i].s;
	memmove(&lend.waiting[i], &lend.waiting[i + 1], (--lend.n - i) * sizeof lend.waiting[0]);
	return s;
}

static struct drg_store *lend_find(const char *url, enum drg_store_mode mode)
{
	for (unsigned i = lend.n; i-- > 0;) {
		const struct drg_store_head *h = drg_store_head(lend.waiting[i].s);
		if (h->lent_mode == mode && strcmp(h->lent_url, url) == 0)
			return lend_take_out(i);
	}
	return NULL;
}

static void lend_free_place(unsigned n)
{
	lend_lock();
	assert(lend.out >= n);
	lend.out -= n;
	pthread_cond_broadcast(&lend.changed);
	pthread_mutex_unlock(&lend.lock);
}

void drg_store_lent_ended(char *lent_url)
{
	if (lent_url == NULL)
		return;
	free(lent_url);
	lend_free_place(1);
}

/* Close a waiting handle, since another one is needed. Called with the lock, which is released meanwhile. */
static void lend_close(unsigned i)
{
	struct drg_store *s = lend_take_out(i);
	lend.out++;
	pthread_mutex_unlock(&lend.lock);
	drg_store_close(s);
	pthread_mutex_lock(&lend.lock);
}

/* Take places, and with @p url a waiting handle.
 * @param ret  A handle that waited; NULL: none did, or @p url is NULL: the places are for new handles. */
static int lend_take(const char *url, enum drg_store_mode mode, unsigned places, int64_t until_ns,
                     struct drg_store **ret, struct drg_err *reterr)
{
	bool in_time = true;
	*ret = NULL;
	lend_lock();
	for (;;) {
		if (url != NULL && (*ret = lend_find(url, mode)) != NULL)
			break;
		bool room = lend.max == 0 || lend.out + places <= lend.max;
		if (room && (lend.max == 0 || lend.out + lend.n + places <= lend.max))
			break;
		if (room)
			lend_close(0);
		else if (!in_time)
			break;
		else
			in_time = drg_cond_wait(&lend.changed, &lend.lock, until_ns);
	}
	bool found = *ret != NULL || lend.max == 0 || lend.out + places <= lend.max;
	lend.out += found ? places : 0;
	assert(lend.max == 0 || lend.out <= lend.max);
	pthread_mutex_unlock(&lend.lock);
	return found ? DRG_OK
	             : drg_fail(reterr, DRG_EBUSY, DRG_R(busy), NULL,
	                        "every connection to the store is in use (--store-connections); try again "
	                        "later");
}

/* Wait for another thread's handle, because the database itself has no connection left. @return false: no
 * other handle exists to wait for. */
static bool lend_await_another(int64_t until_ns)
{
	lend_lock();
	bool another = lend.n > 0;
	if (another)
		lend_close(0); /* it is of another mode */
	else
		another = lend.out > 0 && drg_cond_wait(&lend.changed, &lend.lock, until_ns);
	pthread_mutex_unlock(&lend.lock);
	return another;
}

int drg_store_borrow(const char *url, enum drg_store_mode mode, struct drg_store **ret,
                     struct drg_err *reterr)
{
	const int64_t until_ns = drg_clock_ns() + LEND_WAIT_NS;
	struct drg_store *s;
	int rc;
	if (drg_store_is_file(url))
		return drg_store_open(url, mode, ret, reterr);
	do {
		rc = lend_take(url, mode, 1, until_ns, &s, reterr);
		if (rc != DRG_OK)
			return rc;
		if (s != NULL && drg_store_in_place(s, NULL) != DRG_OK) {
			drg_store_close(s);
			s = NULL;
			continue;
		}
		if (s == NULL)
			rc = drg_store_open(url, mode, &s, reterr);
		if (rc != DRG_OK)
			lend_free_place(1);
	} while ((rc == DRG_OK && s == NULL) || (rc == DRG_EBUSY && lend_await_another(until_ns)));
	if (rc != DRG_OK)
		return rc;
	struct drg_store_head *h = drg_store_head(s);
	h->odd_words = false;
	h->lent_mode = mode;
	if (h->lent_url == NULL)
		h->lent_url = strdup(url);
	if (h->lent_url == NULL) {
		drg_store_close(s);
		lend_free_place(1);
		return drg_fail_memory(reterr);
	}
	*ret = s;
	return DRG_OK;
}

void drg_store_return(struct drg_store **s)
{
	if (*s == NULL || drg_store_head(*s)->lent_url == NULL)
		return;
	assert(drg_store_head(*s)->txn == NULL && !drg_store_head(*s)->held);
	lend_lock();
	bool kept = lend.n < LEND_MAX;
	if (kept) {
		lend.waiting[lend.n].s = *s;
		lend.waiting[lend.n++].since_ns = drg_clock_ns();
		assert(lend.out > 0);
		lend.out--;
		pthread_cond_broadcast(&lend.changed);
	}
	pthread_mutex_unlock(&lend.lock);
	if (!kept)
		drg_store_close(*s);
	*s = NULL;
}

int drg_store_reserve_connections(const char *url, unsigned n, struct drg_err *reterr)
{
	assert(n > 0);
	struct drg_store *none;
	if (drg_store_is_file(url))
		return DRG_OK;
	return lend_take(NULL, DRG_STORE_READ, n, drg_clock_ns() + LEND_WAIT_NS, &none, reterr);
}

void drg_store_unreserve_connections(const char *url, unsigned n)
{
	if (!drg_store_is_file(url))
		lend_free_place(n);
}

void drg_store_close_idle(bool shed)
{
	const int64_t now = drg_clock_ns();
	lend_lock();
	for (unsigned i = 0; i < lend.n;) {
		bool unused = i + 1 < lend.n && now - lend.waiting[i].since_ns >= LEND_KEEP_NS;
		if (shed || unused || drg_store_in_place(lend.waiting[i].s, NULL) != DRG_OK) {
			lend_close(i);
			i = 0; /* the list may have changed while the lock was released */
		} else {
			i++;
		}
	}
	pthread_mutex_unlock(&lend.lock);
}
