#include "http/conns/greetings.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"
#include "http/conns/proxy_header.h"

enum { EVENTS_MAX = 64 };

struct greeting {
	int fd;
	struct drg_address proxy;
	int64_t until_ns;
	struct greeting *prev, *next; /* the oldest is the last */
};

struct drg_greetings {
	struct drg_greetings_options opt;
	int set; /* epoll */
	struct greeting *first, *last;
	atomic_uint n;
};

int drg_greetings_new(const struct drg_greetings_options *o, struct drg_greetings **ret,
                      struct drg_err *reterr)
{
	struct drg_greetings *g = calloc(1, sizeof *g);
	if (g == NULL)
		return drg_fail_memory(reterr);
	g->opt = *o;
	g->set = epoll_create1(EPOLL_CLOEXEC);
	if (g->set < 0) {
		free(g);
		return drg_fail(reterr, DRG_EIO, NULL, NULL, "cannot watch connections: %s", strerror(errno));
	}
	*ret = g;
	return DRG_OK;
}

/** @return its socket. */
static int take_out(struct drg_greetings *g, struct greeting *w)
{
	int fd = w->fd;
	epoll_ctl(g->set, EPOLL_CTL_DEL, fd, NULL);
	if (w->prev != NULL)
		w->prev->next = w->next;
	else
		g->first = w->next;
	if (w->next != NULL)
		w->next->prev = w->prev;
	else
		g->last = w->prev;
	free(w);
	atomic_fetch_sub(&g->n, 1);
	return fd;
}

void drg_greetings_free(struct drg_greetings *g)
{
	if (g == NULL)
		return;
	while (g->first != NULL)
		close(take_out(g, g->first));
	close(g->set);
	free(g);
}

static void put_in(struct drg_greetings *g, struct greeting *w)
{
	w->next = g->first;
	if (g->first != NULL)
		g->first->prev = w;
	else
		g->last = w;
	g->first = w;
	atomic_fetch_add(&g->n, 1);
}

void drg_greetings_add(struct drg_greetings *g, int fd, const struct drg_address *proxy)
{
	struct greeting *w = calloc(1, sizeof *w);
	/* Edges: half a header must not wake us until there is more of it. */
	struct epoll_event e = { .events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.ptr = w };
	if (w == NULL || epoll_ctl(g->set, EPOLL_CTL_ADD, fd, &e) != 0) {
		free(w);
		close(fd);
		return;
	}
	w->fd = fd;
	w->proxy = *proxy;
	w->until_ns = drg_clock_ns() + g->opt.seconds * INT64_C(1000000000);
	put_in(g, w);
}

static void greetings_look_at(struct drg_greetings *g, struct greeting *w, bool ended)
{
	char bytes[DRG_PROXY_HEADER_MAX];
	struct drg_address client = w->proxy;
	size_t header_n = 0;
	enum drg_proxy_header what = DRG_PROXY_BAD;
	ssize_t n = recv(w->fd, bytes, sizeof bytes, MSG_PEEK | MSG_DONTWAIT);
	if (n > 0)
		what = drg_proxy_header_read(drg_str(bytes, (size_t)n), &header_n, &client);
	else if (n < 0 && (errno == EAGAIN || errno == EINTR))
		what = DRG_PROXY_MORE;
	if (what == DRG_PROXY_MORE && !ended)
		return;
	int fd = take_out(g, w);
	bool whole = (what == DRG_PROXY_LOCAL || what == DRG_PROXY_NAMED) &&
	             recv(fd, bytes, header_n, MSG_DONTWAIT) == (ssize_t)header_n;
	if (whole)
		g->opt.greeted(g->opt.ctx, fd, &client);
	else
		close(fd);
}

void drg_greetings_go_on(struct drg_greetings *g)
{
	struct epoll_event events[EVENTS_MAX];
	int n = epoll_wait(g->set, events, EVENTS_MAX, 0);
	for (int i = 0; i < n; i++)
		greetings_look_at(g, events[i].data.ptr,
		                  (events[i].events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0);
	int64_t now_ns = drg_clock_ns();
	while (g->last != NULL && g->last->until_ns <= now_ns)
		close(take_out(g, g->last));
}

int drg_greetings_fd(const struct drg_greetings *g)
{
	return g->set;
}

unsigned drg_greetings_count(const struct drg_greetings *g)
{
	return g != NULL ? atomic_load(&g->n) : 0;
}
