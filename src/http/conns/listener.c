#include "http/conns/listener.h"

#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/thread.h"
#include "http/conns/local.h"

/* The kernel limits the queue to net.core.somaxconn, by default 4096. If the queue is full the client's first
 * packet is dropped; the client sends it again after a second. */
enum { BACKLOG = 65535, FULL_WAIT_MS = 20 };

struct drg_listener {
	/* wake is an eventfd: shutting the socket down would affect every process that has it */
	int fd, wake;
	uint16_t port;
	char path[DRG_LOCAL_PATH]; /* of a local socket; empty: the socket has a port */
	bool shared; /* another process has the socket too, and listens on it */
	struct drg_listener_calls calls;
	pthread_t thread;
	bool running;
	atomic_bool ending;
};

static int fail_bind(int e, const char *address, uint16_t port, struct drg_err *reterr)
{
	switch (e) {
	case EADDRINUSE:
		return drg_fail(reterr, DRG_EEXIST, NULL, NULL, "port %u of %s is taken by another program",
		                port, address);
	case EADDRNOTAVAIL:
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "%s is not an address of this machine",
		                address);
	case EACCES: return drg_fail(reterr, DRG_EIO, NULL, NULL, "port %u may be opened only by root", port);
	default:
		return drg_fail(reterr, DRG_EIO, NULL, NULL, "cannot listen on %s: %s", address, strerror(e));
	}
}

static uint16_t bound_port(int fd)
{
	struct sockaddr_storage a;
	socklen_t n = sizeof a;
	if (getsockname(fd, (struct sockaddr *)&a, &n) != 0)
		return 0;
	return ntohs(a.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&a)->sin6_port
	                                     : ((struct sockaddr_in *)&a)->sin_port);
}

/** @return the socket, which does not listen yet, or -1 with errno. */
static int bind_to(const struct addrinfo *a)
{
	int fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -1;
	/* A restarted server must not wait for connections of the previous one. */
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int));
	if (bind(fd, a->ai_addr, a->ai_addrlen) == 0)
		return fd;
	int e = errno;
	close(fd);
	errno = e;
	return -1;
}

static int open_socket(const char *address, uint16_t port, int *ret_fd, struct drg_err *reterr)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM },
	                *found;
	char service[8];
	snprintf(service, sizeof service, "%u", port);
	if (getaddrinfo(address, service, &hints, &found) != 0)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "%s is not an IPv4 or IPv6 address", address);
	int e;
	*ret_fd = bind_to(found);
	e = errno;
	freeaddrinfo(found);
	return *ret_fd >= 0 ? DRG_OK : fail_bind(e, address, port, reterr);
}

int drg_listener_open(const char *address, uint16_t port, int given, struct drg_listener **ret,
                      struct drg_err *reterr)
{
	const bool local = given <= 0 && address[0] == '/';
	int fd = given, rc = DRG_OK;
	if (local)
		rc = drg_local_bind(address, &fd, reterr);
	else if (given <= 0)
		rc = open_socket(address, port, &fd, reterr);
	if (rc != DRG_OK)
		return rc;
	int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	struct drg_listener *l = wake >= 0 ? calloc(1, sizeof *l) : NULL;
	if (l == NULL) {
		close(fd);
		if (wake >= 0)
			close(wake);
		return drg_fail_memory(reterr);
	}
	*l = (struct drg_listener){ .fd = fd, .wake = wake, .shared = given > 0 };
	if (local)
		strcpy(l->path, address);
	else
		l->port = bound_port(fd);
	*ret = l;
	return DRG_OK;
}

uint16_t drg_listener_port(const struct drg_listener *l)
{
	return l->port;
}

/** Accept the connections that wait. @return false: there is no room; pause. */
static bool accept_all(struct drg_listener *l)
{
	for (;;) {
		if (!l->calls.room(l->calls.ctx))
			return false;
		struct sockaddr_storage remote;
		socklen_t n = sizeof remote;
		int fd = accept4(l->fd, (struct sockaddr *)&remote, &n, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd >= 0)
			l->calls.accepted(l->calls.ctx, fd, (struct sockaddr *)&remote);
		else if (errno == EAGAIN || errno == EWOULDBLOCK)
			return true;
		else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
			return false;
		/* any other error concerns one connection only */
	}
}

static void *listener_run(void *arg)
{
	struct drg_listener *l = arg;
	bool room = true;
	while (!atomic_load(&l->ending)) {
		/* If there is no room the socket is left out: poll() ignores -1, but would spin on a readable
		 * socket. */
		struct pollfd p[] = { { .fd = room ? l->fd : -1, .events = POLLIN },
			              { .fd = l->wake, .events = POLLIN } };
		poll(p, DRG_ARRAY_LEN(p), room ? -1 : FULL_WAIT_MS);
		/* Accept once more at the end: a connection in the queue may have sent its request already. */
		if (!l->shared || !atomic_load(&l->ending))
			room = accept_all(l);
	}
	return NULL;
}

int drg_listener_run(struct drg_listener *l, const struct drg_listener_calls *calls, struct drg_err *reterr)
{
	assert(calls->room != NULL && calls->accepted != NULL && !l->running);
	l->calls = *calls;
	if (!l->shared && listen(l->fd, BACKLOG) != 0)
		return fail_bind(errno, "that address", l->port, reterr);
	int rc = drg_thread_start(&l->thread, listener_run, l, reterr);
	l->running = rc == DRG_OK;
	return rc;
}

void drg_listener_close(struct drg_listener *l)
{
	if (l == NULL)
		return;
	atomic_store(&l->ending, true);
	ssize_t n = write(l->wake, &(uint64_t){ 1 }, sizeof(uint64_t));
	(void)n; /* write() to an eventfd cannot fail here */
	if (l->running)
		pthread_join(l->thread, NULL);
	close(l->fd);
	close(l->wake);
	if (l->path[0] != '\0')
		unlink(l->path);
	free(l);
}
