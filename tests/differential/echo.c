/* Our HTTP server, which tells what it took for a request, "X-Seen: METHOD ADDRESS BODY", the body in hex
 * digits, "?" where it was not kept; or why it took none, "X-Refused: …". `echo` serves until its standard
 * input ends, and says its port; `echo attacks` prints the requests of attacks.h in hex digits. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../unit/http/attacks.h"
#include "http/http_priv.h"

static void print_attacks(void)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(attacks); i++) {
		size_t n = attacks[i].n > 0 ? attacks[i].n : strlen(attacks[i].request);
		for (size_t at = 0; at < n; at++)
			printf("%02x", (unsigned char)attacks[i].request[at]);
		printf("\n");
	}
}

static int say_nothing(struct drg_exchange *x)
{
	(void)x;
	return DRG_OK;
}

/** Of every answer, also to what no handler has seen. */
static void tell(struct drg_exchange *x)
{
	if (x->broken != 0 || x->fail_status == 413) { /* it is no request, or not all of it */
		drg_exchange_add_header(x, "X-Refused", x->err.message);
		return;
	}
	struct drg_buf text;
	struct drg_str body = drg_exchange_body(x);
	drg_buf_init(&text, SIZE_MAX);
	drg_buf_printf(&text, "%.*s %.*s ", DRG_STR_ARG(x->method), DRG_STR_ARG(x->raw_target));
	if (drg_head_has_body(&x->head) && !x->body_kept)
		drg_buf_char(&text, '?');
	for (size_t i = 0; i < body.n; i++)
		drg_buf_printf(&text, "%02x", (unsigned char)body.p[i]);
	drg_buf_char(&text, '\0');
	drg_exchange_add_header(x, "X-Seen", text.p);
	drg_buf_done(&text);
}

#define TAKES(m, p)                                                                                          \
	{                                                                                                    \
		.method = (m), .path = (p), .handler = say_nothing, .auth = DRG_AUTH_PUBLIC,                 \
		.body = DRG_BODY_JSON                                                                        \
	}
#define EACH(p) TAKES(DRG_GET, p), TAKES(DRG_POST, p), TAKES(DRG_DELETE, p)

static const struct drg_endpoint endpoints[] = { EACH("/"), EACH("/:a"), EACH("/:a/:b"), { .path = NULL } };

int main(int argc, char **argv)
{
	static const struct drg_endpoint *const tables[] = { endpoints, NULL };
	static const struct drg_http_app app = { .tables = tables, .version = tell };
	struct drg_http_options o;
	struct drg_http *h;
	struct drg_err err = { 0 };
	char byte;
	if (argc > 1 && strcmp(argv[1], "attacks") == 0) {
		print_attacks();
		return 0;
	}
	drg_http_options_init(&o);
	o.port = 0;
	o.max_per_address = o.max_connections;
	o.header_seconds = 3600;
	if (drg_http_start(&o, &app, &h, &err) != DRG_OK) {
		fprintf(stderr, "%s\n", err.message);
		return 1;
	}
	printf("%u\n", drg_http_port(h));
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return drg_http_stop(h, 1) == DRG_OK ? 0 : 1;
}
