/* The floor: libmicrohttpd that answers every request with the same N bytes. bare_mhd PORT N */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* As much memory for each connection as dragoman's limits on URL and headers need: libmicrohttpd clears it
 * after each answer, and a server that accepts the same requests pays it too. */
static const size_t POOL_BYTES = 20 * 1024;

static enum MHD_Result answer(void *response, struct MHD_Connection *c, const char *url, const char *method,
                              const char *version, const char *data, size_t *data_n, void **state)
{
	(void)url, (void)method, (void)version, (void)data;
	if (*state == NULL) {
		*state = response; /* the head is here; the body, if any, comes next */
		return MHD_YES;
	}
	if (*data_n > 0) {
		*data_n = 0; /* a piece of the body; once more without any at its end */
		return MHD_YES;
	}
	return MHD_queue_response(c, MHD_HTTP_OK, response);
}

static int listen_on(unsigned short port)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(port) };
	int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) != 0 || listen(fd, 1024) != 0)
		return -1;
	return fd;
}

/* As dragoman does it, so that the connections are spread over the threads in both. Left to its threads, all
 * connections of a load generator are often taken by one of them, which then needs fewer changes of thread
 * for each request. */
static void accept_all(struct MHD_Daemon *d, int listener)
{
	for (;;) {
		struct sockaddr_in from;
		socklen_t n = sizeof from;
		int fd = accept4(listener, (struct sockaddr *)&from, &n, SOCK_NONBLOCK | SOCK_CLOEXEC),
		    on = 1;
		if (fd < 0)
			return;
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
		MHD_add_connection(d, fd, (struct sockaddr *)&from, n);
	}
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	size_t n = strtoul(argv[2], NULL, 10);
	char *body = malloc(n + 1);
	int listener = listen_on((unsigned short)atoi(argv[1]));
	if (body == NULL || listener < 0)
		return 1;
	memset(body, 'x', n);
	struct MHD_Response *r = MHD_create_response_from_buffer(n, body, MHD_RESPMEM_PERSISTENT);
	MHD_add_response_header(r, "Content-Type", "application/json");
	unsigned threads = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	struct MHD_Daemon *d =
	        MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC, 0,
	                         NULL, NULL, answer, r, MHD_OPTION_THREAD_POOL_SIZE, threads,
	                         MHD_OPTION_CONNECTION_MEMORY_LIMIT, POOL_BYTES, MHD_OPTION_END);
	if (d == NULL)
		return 1;
	accept_all(d, listener);
	return 0;
}
