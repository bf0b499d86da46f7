/* The floor: libmicrohttpd that answers every request with the same N bytes. bare_mhd PORT N */
#include <microhttpd.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As much memory for each connection as dragoman's limits on URL and headers need: libmicrohttpd clears it after
 * each answer, and a server that accepts the same requests pays it too. */
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

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	size_t n = strtoul(argv[2], NULL, 10);
	char *body = malloc(n + 1);
	if (body == NULL)
		return 1;
	memset(body, 'x', n);
	struct MHD_Response *r = MHD_create_response_from_buffer(n, body, MHD_RESPMEM_PERSISTENT);
	MHD_add_response_header(r, "Content-Type", "application/json");
	sigset_t stop;
	sigemptyset(&stop);
	sigaddset(&stop, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &stop,
	                NULL); /* before the daemon's threads: only sigwait() is to see it */
	unsigned threads = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	struct MHD_Daemon *d =
	        MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, (uint16_t)atoi(argv[1]), NULL, NULL, answer,
	                         r, MHD_OPTION_THREAD_POOL_SIZE, threads, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
	                         POOL_BYTES, MHD_OPTION_END);
	if (d == NULL)
		return 1;
	int number;
	sigwait(&stop, &number);
	return 0;
}
