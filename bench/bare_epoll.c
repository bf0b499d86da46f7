/* The floor: an epoll loop per core that reads a request to the end of its body and sends the same bytes each
 * time. It parses as little as can be: the end of the head and Content-Length. bare_epoll PORT FILE */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REQUEST_MAX = 1 << 20, THREADS_MAX = 64 };

struct connection {
	int fd;
	size_t read, sent; /* bytes of the request, of the answer */
	char request[REQUEST_MAX + 1];
};

static char *answer;
static size_t answer_n;
static unsigned short port;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void load_answer(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY);
	if (fd < 0 || fstat(fd, &st) != 0)
		die(path);
	size_t body = (size_t)st.st_size;
	answer = malloc(body + 256);
	if (answer == NULL)
		die("malloc");
	int head = snprintf(
	        answer, 256,
	        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n", body);
	if (read(fd, answer + head, body) != (ssize_t)body)
		die(path);
	answer_n = (size_t)head + body;
	close(fd);
}

static int listen_on(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), on = 1;
	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) != 0 || listen(fd, 1024) != 0)
		die("listen");
	return fd;
}

/* The size of the whole request, 0 while its head is not complete. */
static size_t request_size(struct connection *c)
{
	c->request[c->read] = '\0';
	const char *end = strstr(c->request, "\r\n\r\n");
	if (end == NULL)
		return 0;
	const char *length = strcasestr(c->request, "\r\nContent-Length:");
	size_t body = length != NULL && length < end ? strtoul(length + 17, NULL, 10) : 0;
	return (size_t)(end - c->request) + 4 + body;
}

static int receive(struct connection *c)
{
	ssize_t n = recv(c->fd, c->request + c->read, REQUEST_MAX - c->read, 0);
	if (n <= 0)
		return 0;
	c->read += (size_t)n;
	return 1;
}

/* 0: the connection is over. */
static int serve(int epoll, struct connection *c, unsigned events)
{
	if ((events & EPOLLIN) != 0 && !receive(c))
		return 0;
	size_t size = request_size(c);
	if (size == 0 || c->read < size)
		return c->read < REQUEST_MAX;
	ssize_t n = send(c->fd, answer + c->sent, answer_n - c->sent, MSG_NOSIGNAL);
	if (n > 0)
		c->sent += (size_t)n;
	int done = c->sent == answer_n, waiting = c->sent > 0 && !done;
	if (done)
		c->read = c->sent = 0;
	if (waiting || (events & EPOLLOUT) != 0) {
		struct epoll_event e = { .events = done ? EPOLLIN : EPOLLOUT, .data.ptr = c };
		epoll_ctl(epoll, EPOLL_CTL_MOD, c->fd, &e);
	}
	return 1;
}

static void accept_one(int epoll, int listener)
{
	int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK), on = 1;
	struct connection *c = fd >= 0 ? malloc(sizeof *c) : NULL;
	if (c == NULL)
		return;
	c->fd = fd;
	c->read = c->sent = 0;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	struct epoll_event e = { .events = EPOLLIN, .data.ptr = c };
	epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e);
}

static void *loop(void *unused)
{
	int epoll = epoll_create1(0), listener = listen_on();
	struct epoll_event e = { .events = EPOLLIN, .data.ptr = NULL }, ready[64];
	epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &e);
	for (;;) {
		int n = epoll_wait(epoll, ready, 64, -1);
		for (int i = 0; i < n; i++) {
			struct connection *c = ready[i].data.ptr;
			if (c == NULL) {
				accept_one(epoll, listener);
			} else if (!serve(epoll, c, ready[i].events)) {
				close(c->fd);
				free(c);
			}
		}
	}
	return unused;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	port = (unsigned short)atoi(argv[1]);
	load_answer(argv[2]);
	pthread_t thread[THREADS_MAX];
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	for (long i = 0; i < n && i < THREADS_MAX; i++)
		if (pthread_create(&thread[i], NULL, loop, NULL) != 0)
			die("pthread_create");
	pthread_join(thread[0], NULL);
	return 0;
}
