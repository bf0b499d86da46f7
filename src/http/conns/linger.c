#include "http/conns/linger.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

static const int64_t LINGER_NS = INT64_C(2000000000);
static const int64_t LINGER_BYTES = 1024 * 1024;

static void linger_drop(struct drg_linger *l, unsigned at)
{
	assert(at < l->n);
	close(l->sockets[at].fd);
	l->n--;
	for (unsigned i = at; i < l->n; i++)
		l->sockets[i] = l->sockets[i + 1];
}

void drg_linger_add(struct drg_linger *l, int fd, int64_t now_ns)
{
	if (l->n == DRG_LINGER_MAX)
		linger_drop(l, 0);
	assert(l->n < DRG_LINGER_MAX);
	l->sockets[l->n].fd = fd;
	l->sockets[l->n].until_ns = now_ns + LINGER_NS;
	l->sockets[l->n].bytes_left = LINGER_BYTES;
	l->n++;
}

/** Read until there is nothing more for now; true when it is time to close. */
static bool linger_drain(struct drg_linger *l, unsigned at)
{
	char rubbish[16 * 1024];
	while (l->sockets[at].bytes_left > 0) {
		ssize_t n = recv(l->sockets[at].fd, rubbish, sizeof rubbish, MSG_DONTWAIT);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno != EAGAIN && errno != EWOULDBLOCK;
		if (n == 0)
			return true;
		l->sockets[at].bytes_left -= n;
	}
	return true;
}

void drg_linger_tick(struct drg_linger *l, int64_t now_ns)
{
	for (unsigned i = l->n; i-- > 0;)
		if (now_ns >= l->sockets[i].until_ns || linger_drain(l, i))
			linger_drop(l, i);
}

void drg_linger_done(struct drg_linger *l)
{
	while (l->n > 0)
		linger_drop(l, l->n - 1);
}
