/* What is sent to the socket, byte for byte, and what must come of it. */
#include "server_fixture.h"

#include <pthread.h>

static struct drg_http *h;

static int start(void **state)
{
	(void)state;
	struct drg_http_options o = short_options();
	h = start_with(&o, NULL);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	drg_http_stop(h, 1);
	return 0;
}

/* TWICE: libmicrohttpd 0.9.75 writes the head of its own answer twice, the second time as the body. */
enum after { GOES_ON, CLOSES, TWICE };

/* Each is followed by a second, good request on the same connection. */
static const struct {
	const char *name, *request;
	int status;
	const char *part;
	enum after after;
} cases[] = {
	{ "plain", "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", 200, "success", GOES_ON },
	{ "connection: close", "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200,
	  "success", CLOSES },
	{ "empty lines in front", "\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", 200, "success",
	  GOES_ON },

	/* framing */
	{ "two lengths",
	  "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 4\r\n\r\n{}xx", 400,
	  "bad_framing", CLOSES },
	{ "one length twice",
	  "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}", 400,
	  "bad_framing", CLOSES },
	{ "length and coding",
	  "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: "
	  "chunked\r\n\r\n0\r\n\r\n",
	  400, "bad_framing", CLOSES },
	{ "coding and length",
	  "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: "
	  "2\r\n\r\n0\r\n\r\n",
	  400, "bad_framing", CLOSES },
	{ "unknown coding",
	  "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400,
	  "bad_framing", CLOSES },
	{ "coding twice",
	  "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: "
	  "chunked\r\n\r\n0\r\n\r\n",
	  400, "bad_framing", CLOSES },
	{ "chunked in 1.0", "POST /json HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400,
	  "bad_framing", CLOSES },
	{ "space before colon", "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length : 2\r\n\r\n{}", 400,
	  "bad_header", CLOSES },
	{ "tab before colon", "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Api-Key\t: 2\r\n\r\n", 400, "bad_header",
	  CLOSES },
	{ "control character in a value", "GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\001b\r\n\r\n", 400,
	  "bad_header", CLOSES },
	{ "bare CR in a value", "GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\rEvil: b\r\n\r\n", 400,
	  "bad_header", CLOSES },
	{ "folded field", "GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n", 400, "bad_header",
	  CLOSES },
	{ "folded with a tab", "GET /healthz HTTP/1.1\r\nHost: a\r\n\tb\r\nX: a\r\n\r\n", 400, "bad_header",
	  CLOSES },
	{ "folded empty field", "GET /healthz HTTP/1.1\r\nHost: a\r\nX:\r\n b\r\n\r\n", 400, "bad_header",
	  CLOSES },
	{ "folded length", "GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Le: 38\r\n ngth\r\n\r\n", 400,
	  "bad_header", CLOSES },
	{ "bare line feeds", "GET /healthz HTTP/1.1\nHost:a\nX:\t b \nY:\n\n", 400, "bad_header", CLOSES },
	{ "mixed line ends", "GET /healthz HTTP/1.1\r\nHost: a\nX:\r\n\r\n", 400, "bad_header", CLOSES },
	{ "bare line feed behind the first line", "GET /healthz HTTP/1.1\nHost: a\r\n\r\n", 400, "bad_header",
	  CLOSES },
	{ "bare line feed at the end of the head", "GET /healthz HTTP/1.1\r\nHost: a\r\n\n", 400,
	  "bad_header", CLOSES },
	{ "bare line feed behind the last field", "GET /healthz HTTP/1.1\r\nHost: a\n\r\n", 400, "bad_header",
	  CLOSES },
	{ "spaces at the end of a field", "GET /healthz HTTP/1.1\r\nHost: a \t\r\nX:\t b \r\nY:\r\n\r\n", 200,
	  "success", GOES_ON },
	{ "bare line feed behind a chunk's size",
	  "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n", 400,
	  "bad_framing", CLOSES },
	{ "bare line feed behind a chunk's extension",
	  "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2;x\n{}\r\n0\r\n\r\n", 400,
	  "bad_framing", CLOSES },
	{ "bare line feed behind a chunk",
	  "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
	  "chunked\r\n\r\n1\r\n{\n1\r\n}\r\n0\r\n\r\n",
	  400, "bad_framing", CLOSES },
	{ "chunks with extensions",
	  "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
	  "chunked\r\n\r\n1;x=y\r\n{\r\n1;\"z\"\r\n}\r\n0\r\n\r\n",
	  200, "\"bytes\":2", GOES_ON },
	{ "a key header twice",
	  "POST /key HTTP/1.1\r\nHost: a\r\nX-Service-Api-Key: good\r\nx-service-api-key: good\r\n\r\n", 400,
	  "repeated_header", GOES_ON },
	{ "a key header twice where none is needed",
	  "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Service-Api-Key: good\r\nX-Service-Api-Key: bad\r\n\r\n",
	  200, "success", GOES_ON },
	{ "no host", "GET /healthz HTTP/1.1\r\n\r\n", 400, "bad_host", CLOSES },
	{ "two hosts", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "bad_host", CLOSES },
	{ "a host that is none", "GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n", 400, "bad_host", CLOSES },

	/* HTTP/1.0 */
	{ "1.0 needs no host", "GET /healthz HTTP/1.0\r\n\r\n", 200, "success", CLOSES },
	{ "1.0 keep-alive", "GET /healthz HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", 200,
	  "Connection: Keep-Alive", GOES_ON },

	/* addresses */
	{ "no such path", "GET /nope HTTP/1.1\r\nHost: a\r\n\r\n", 404, "not_found", GOES_ON },
	{ "letters count", "GET /Healthz HTTP/1.1\r\nHost: a\r\n\r\n", 404, "not_found", GOES_ON },
	{ "slash at the end", "GET /healthz/ HTTP/1.1\r\nHost: a\r\n\r\n", 404, "not_found", GOES_ON },
	{ "two slashes", "GET //healthz HTTP/1.1\r\nHost: a\r\n\r\n", 404, "not_found", GOES_ON },
	{ "dots", "GET /x/../healthz HTTP/1.1\r\nHost: a\r\n\r\n", 404, "not_found", GOES_ON },
	{ "encoded dots", "GET /x/%2e%2e/healthz HTTP/1.1\r\nHost: a\r\n\r\n", 404, "not_found", GOES_ON },
	{ "encoded letter", "GET /h%65althz HTTP/1.1\r\nHost: a\r\n\r\n", 200, "success", GOES_ON },
	{ "encoded slash is no slash", "GET /countries%2FTR HTTP/1.1\r\nHost: a\r\n\r\n", 404, "not_found",
	  GOES_ON },
	{ "encoded slash in a name", "GET /countries/T%2FR HTTP/1.1\r\nHost: a\r\n\r\n", 200, "\"T/R\"",
	  GOES_ON },
	{ "optional name left empty", "GET /countries/ HTTP/1.1\r\nHost: a\r\n\r\n", 200, "success",
	  GOES_ON },
	{ "bad escape", "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad_escape", GOES_ON },
	{ "cut escape", "GET /healthz% HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad_escape", GOES_ON },
	{ "encoded NUL", "GET /healthz%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad_encoding", GOES_ON },
	{ "not UTF-8", "GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad_encoding", GOES_ON },
	{ "bad escape in query", "GET /params?text=%4 HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad_escape",
	  GOES_ON },
	{ "NUL in query", "GET /params?text=%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad_encoding", GOES_ON },
	{ "not UTF-8 in query", "GET /params?text=%c3%28 HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad_encoding",
	  GOES_ON },
	{ "space in the address", "GET /hea lthz HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad_target", GOES_ON },
	{ "two spaces before the address", "GET  /healthz HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad_header",
	  CLOSES },
	{ "no slash", "GET healthz HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad_target", GOES_ON },
	{ "full address", "GET http://a.example/healthz?x=1 HTTP/1.1\r\nHost: a\r\n\r\n", 200, "success",
	  GOES_ON },

	/* methods */
	{ "method not there", "POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}", 405,
	  "Allow: GET, HEAD, OPTIONS\r\n", GOES_ON },
	{ "method unknown", "BREW /json HTTP/1.1\r\nHost: a\r\n\r\n", 405, "Allow: POST, OPTIONS\r\n",
	  GOES_ON },
	{ "method in small letters", "get /healthz HTTP/1.1\r\nHost: a\r\n\r\n", 405,
	  "Allow: GET, HEAD, OPTIONS\r\n", GOES_ON },
	{ "HEAD of what has no GET", "HEAD /json HTTP/1.1\r\nHost: a\r\n\r\n", 405, "", GOES_ON },

	/* bodies */
	{ "JSON",
	  "POST /json HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
	  200, "\"bytes\":2", GOES_ON },
	{ "JSON in UTF-8",
	  "POST /json HTTP/1.1\r\nHost: a\r\nContent-Type: Application/JSON; "
	  "charset=UTF-8\r\nContent-Length: 2\r\n\r\n{}",
	  200, "\"bytes\":2", GOES_ON },
	{ "no type is JSON", "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}", 200,
	  "\"bytes\":2", GOES_ON },
	{ "no body", "POST /json HTTP/1.1\r\nHost: a\r\n\r\n", 200, "\"bytes\":0", GOES_ON },
	{ "another type",
	  "POST /json HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: 2\r\n\r\n<>", 415,
	  "application/json", GOES_ON },
	{ "another type, but JSON",
	  "POST /json HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: 2\r\n\r\n{}", 200,
	  "\"bytes\":2", GOES_ON },
	{ "another charset",
	  "POST /json HTTP/1.1\r\nHost: a\r\nContent-Type: "
	  "application/json;charset=cp1251\r\nContent-Length: 2\r\n\r\n[]",
	  415, "UTF-8", GOES_ON },
	{ "form where JSON belongs",
	  "POST /json HTTP/1.1\r\nHost: a\r\nContent-Type: "
	  "application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=1",
	  415, "application/json", GOES_ON },
	{ "form",
	  "POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: "
	  "application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=1",
	  200, "\"form\":1", GOES_ON },
	{ "chunks",
	  "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
	  "chunked\r\n\r\n2\r\n[1\r\n2;ext=1\r\n,2\r\n1\r\n]\r\n0\r\n"
	  "Trailer: x\r\n\r\n",
	  200, "\"bytes\":5", GOES_ON },
	{ "body on GET", "GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", 200, "success",
	  GOES_ON },
	{ "chunks on GET",
	  "GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", 200,
	  "success", GOES_ON },
	{ "announced too large", "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 10001\r\n\r\n", 413,
	  "10000 bytes",
	  GOES_ON /* the rest is read, since it is small: see too_large_bodies_are_refused */ },
	{ "announced much too large", "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n{",
	  413, "10000 bytes", CLOSES },
	{ "too large with Expect",
	  "POST /json HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 10001\r\n\r\n", 413,
	  "body_too_large", CLOSES },

	/* keys come before bodies */
	{ "no key", "POST /key HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: 2\r\n\r\n{}",
	  403, "forbidden", GOES_ON },
	{ "no key, large body", "POST /key HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n{", 403,
	  "forbidden", CLOSES },
	{ "no key, chunks", "POST /key HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{", 403,
	  "forbidden", CLOSES },
	{ "no key, Expect",
	  "POST /key HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n", 403,
	  "forbidden", CLOSES },
	{ "key", "POST /key HTTP/1.1\r\nHost: a\r\nX-Service-Api-Key: good \r\nContent-Length: 2\r\n\r\n{}",
	  200, "\"bytes\":2", GOES_ON },
	{ "path before method before key", "GET /key HTTP/1.1\r\nHost: a\r\n\r\n", 405,
	  "Allow: POST, OPTIONS", GOES_ON },

	/* what libmicrohttpd refuses itself, in its own words */
	{ "no colon", "GET /healthz HTTP/1.1\r\nHost: a\r\nrubbish\r\n\r\n", 400, "<html>", CLOSES },
	{ "no version", "GET /healthz\r\n\r\n", 400, "<html>", CLOSES },
	{ "HTTP/2.0", "GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n", 505, "<html>", CLOSES },
	{ "length is a word", "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: two\r\n\r\n{}", 400, "",
	  TWICE },
	{ "length is negative", "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: -2\r\n\r\n{}", 400, "",
	  TWICE },
	{ "length has a plus", "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: +2\r\n\r\n{}", 400, "",
	  TWICE },
	{ "length beyond 64 bits",
	  "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n{}", 413, "",
	  TWICE },
	{ "bad chunk size", "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
	  400, "<html>", CLOSES },
	{ "chunk size beyond 64 bits",
	  "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n11111111111111111\r\n", 413,
	  "<html>", CLOSES },
};

static void each_request_gets_its_answer(void **state)
{
	(void)state;
	static const char second[] = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		int fd = dial(h);
		say(fd, cases[i].request);
		if (strcmp(cases[i].name, "announced too large") == 0) {
			static char rest[10001];
			say_n(fd, rest, sizeof rest);
		}
		say(fd, second);
		const struct heard *heard = hear(fd, 5000);
		close(fd);
		unsigned answers = count_of(heard->text, "\r\nDate: ");
		unsigned expected = cases[i].after == CLOSES ? 1 : 2;
		assert_true(cases[i].after != TWICE || strstr(heard->text, "success") == NULL);
		if (status_of(heard->text) != cases[i].status || answers != expected || !heard->end ||
		    strstr(heard->text, cases[i].part) == NULL)
			fail_msg("%s: %d expected, %u answers expected, %s, heard:\n%s", cases[i].name,
			         cases[i].status, expected,
			         heard->end     ? "closed"
			         : heard->reset ? "reset"
			                        : "open",
			         heard->text);
	}
}

static void a_nul_in_the_head_is_refused(void **state)
{
	(void)state;
	static const char good[] =
	        "GET /healthz HTTP/1.1\r\nHost: a\r\nXy: bc\r\nZ: d\r\nConnection: close\r\n\r\n";
	size_t end = strlen(good);
	assert_int_equal(status_of(ask(h, good)), 200);
	for (size_t at = 0; at < end; at++) {
		char request[sizeof good + 1];
		memcpy(request, good, at);
		request[at] = '\0';
		memcpy(request + at + 1, good + at, sizeof good - at);
		int fd = dial(h);
		say_n(fd, request, end + 1);
		const struct heard *heard = hear(fd, 100);
		close(fd);
		/* in the last line end it becomes a line of its own, which never ends */
		int status = status_of(heard->text);
		if (status != 400 && (status != 0 || at < end - 3))
			fail_msg("NUL at %zu: %s", at, heard->text);
	}
}

static void errors_have_the_body_of_e1(void **state)
{
	(void)state;
	const char *a = ask(h, "GET /params?n=x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
	assert_int_equal(status_of(a), 400);
	assert_has(a, "Content-Type: application/json\r\n");
	assert_has(a, "\r\n\r\n{\"status\":\"error\",\"error\":{\"code\":400,\"reason\":\"bad_integer\","
	              "\"field\":\"n\","
	              "\"message\":\"n must be an integer\"}}");
}

static void handlers_codes_become_statuses(void **state)
{
	(void)state;
	static const struct {
		int code, status;
	} codes[] = {
		{ DRG_EINVAL, 400 }, { DRG_EAUTH, 403 },     { DRG_ENOENT, 404 }, { DRG_EEXIST, 409 },
		{ DRG_ELIMIT, 503 }, { DRG_EBUSY, 503 },     { DRG_EFULL, 503 },  { DRG_EIO, 503 },
		{ DRG_ENOMEM, 500 }, { DRG_EINTERNAL, 500 },
	};
	for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
		char request[200];
		snprintf(request, sizeof request,
		         "GET /fail?code=%d HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", codes[i].code);
		const char *a = ask(h, request);
		assert_int_equal(status_of(a), codes[i].status);
		assert_int_equal(strstr(a, "Retry-After: ") != NULL, codes[i].status == 503);
		bool ours = codes[i].status == 500 || codes[i].code == DRG_EFULL || codes[i].code == DRG_EIO;
		assert_int_equal(strstr(a, "SELECT") == NULL, ours);
	}
}

static void internal_errors_tell_the_request_id_only(void **state)
{
	(void)state;
	const char *a = ask(
	        h, "GET /fail HTTP/1.1\r\nHost: a\r\nX-Request-Id: trace-77\r\nConnection: close\r\n\r\n");
	assert_has(a, "X-Request-Id: trace-77\r\n");
	assert_has(a, "\"message\":\"internal error; the id of this request is trace-77\"");
}

static void request_ids_are_unique_and_insane_ones_replaced(void **state)
{
	(void)state;
	static const char *const insane[] = { "a b", "\"quote\"", "<script>", "" };
	for (size_t i = 0; i < sizeof insane / sizeof insane[0]; i++) {
		char request[200], sent[100];
		snprintf(sent, sizeof sent, "X-Request-Id: %s\r\n", insane[i]);
		snprintf(request, sizeof request,
		         "GET /healthz HTTP/1.1\r\nHost: a\r\n%sConnection: close\r\n\r\n", sent);
		assert_has_not(ask(h, request), sent);
	}
	static const char plain[] = "GET /nope HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
	char first[40] = "", second[40] = "";
	assert_int_equal(sscanf(strstr(ask(h, plain), "X-Request-Id: "), "X-Request-Id: %39s", first), 1);
	assert_int_equal(sscanf(strstr(ask(h, plain), "X-Request-Id: "), "X-Request-Id: %39s", second), 1);
	assert_int_equal(strncmp(first, second, 9), 0);
	assert_string_not_equal(first, second);
}

static void request_ids_are_in_errors_and_where_they_were_sent(void **state)
{
	(void)state;
	static const struct {
		const char *path, *header;
		bool named;
	} asks[] = {
		{ "/healthz", "", false },
		{ "/content", "", false },
		{ "/nope", "", true },
		{ "/healthz", "X-Request-Id: r1\r\n", true },
		{ "/content", "X-Request-Id: r1\r\n", true },
		{ "/content", "X-Request-Id: r1\r\nIf-None-Match: \"v1\"\r\n", true },
	};
	for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++) {
		char request[200];
		snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: a\r\n%sConnection: close\r\n\r\n",
		         asks[i].path, asks[i].header);
		assert_int_equal(count_of(ask(h, request), "X-Request-Id: "), asks[i].named);
	}
}

static void head_is_get_without_a_body(void **state)
{
	(void)state;
	static const char *const paths[] = { "/healthz", "/content", "/much?n=2000", "/nope" };
	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
		char request[200], get_length[100], *length;
		snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
		         paths[i]);
		length = strstr(ask(h, request), "Content-Length: ");
		assert_int_equal(sscanf(length, "%99[^\r]", get_length), 1);
		snprintf(request, sizeof request, "HEAD %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
		         paths[i]);
		const char *head = ask(h, request);
		assert_has(head, get_length);
		assert_ptr_equal(strstr(head, "\r\n\r\n") + 4, head + strlen(head));
	}
}

static void pipelined_requests_are_answered_in_order(void **state)
{
	(void)state;
	char all[8000] = "";
	for (int i = 0; i < 50; i++)
		snprintf(all + strlen(all), sizeof all - strlen(all),
		         "GET /params?n=%d HTTP/1.1\r\nHost: a\r\n%s\r\n", i,
		         i == 49 ? "Connection: close\r\n" : "");
	const char *at = ask(h, all);
	for (int i = 0; i < 50; i++) {
		char part[20];
		snprintf(part, sizeof part, "\"n\":%d,", i);
		at = strstr(at, part);
		assert_non_null(at);
	}
}

static void a_body_may_come_in_pieces(void **state)
{
	(void)state;
	int fd = dial(h);
	static const char request[] =
	        "POST /json HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 10\r\n\r\n0123456789";
	for (size_t i = 0; i < sizeof request - 1; i++) {
		say_n(fd, request + i, 1);
		usleep(500);
	}
	assert_has(hear(fd, 3000)->text, "\"bytes\":10");
	close(fd);
}

static void continue_is_said_to_who_waits_for_it(void **state)
{
	(void)state;
	int fd = dial(h);
	say(fd, "POST /json HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: "
	        "100-continue\r\nContent-Length: 2\r\n\r\n");
	assert_string_equal(hear_some(fd, 2000, 25)->text, "HTTP/1.1 100 Continue\r\n\r\n");
	say(fd, "{}");
	assert_has(hear(fd, 2000)->text, "\"bytes\":2");
	close(fd);
}

static void bodies_up_to_the_limit_are_taken(void **state)
{
	(void)state;
	static const struct {
		size_t bytes;
		int status;
	} sizes[] = { { 9999, 200 }, { 10000, 200 }, { 10001, 413 } };
	for (size_t i = 0; i < 3; i++) {
		for (int chunked = 0; chunked < 2; chunked++) {
			static char body[10001];
			char head[200];
			int fd = dial(h);
			snprintf(head, sizeof head,
			         "POST /json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n");
			say(fd, head);
			if (chunked)
				snprintf(head, sizeof head, "Transfer-Encoding: chunked\r\n\r\n%zx\r\n",
				         sizes[i].bytes);
			else
				snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", sizes[i].bytes);
			say(fd, head);
			say_n(fd, body, sizes[i].bytes);
			if (chunked)
				say(fd, "\r\n0\r\n\r\n");
			const struct heard *heard = hear(fd, 3000);
			assert_int_equal(status_of(heard->text), sizes[i].status);
			assert_true(heard->end);
			close(fd);
		}
	}
}

/** Somebody who sends on and on still gets to read the 413, instead of a reset. */
static void an_endless_body_is_cut_with_an_answer(void **state)
{
	(void)state;
	static const char *const heads[] = {
		"POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
		"GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
		"POST /key HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
		"POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 400000\r\n\r\n",
	};
	static const int statuses[] = { 413, 413, 403, 413 };
	char chunk[1007] = "3e8\r\n";
	memset(chunk + 5, 'x', 1000);
	memcpy(chunk + 1005, "\r\n", 2);
	for (size_t i = 0; i < 4; i++) {
		int fd = dial(h);
		say(fd, heads[i]);
		for (int n = 0; n < 300; n++)
			say_n(fd, chunk, sizeof chunk);
		const struct heard *heard = hear(fd, 3000);
		assert_int_equal(status_of(heard->text), statuses[i]);
		assert_has(heard->text, "Connection: close\r\n");
		assert_has(heard->text, "\"status\":\"error\"");
		assert_true(heard->end);
		close(fd);
	}
}

static char *long_request(size_t url, size_t header)
{
	char *text = malloc(url + header + 200), *at = text;
	at += sprintf(at, "GET /healthz?");
	memset(at, 'u', url - 9);
	at += url - 9;
	at += sprintf(at, " HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: ");
	memset(at, 'h', header);
	at += header;
	strcpy(at, "\r\n\r\n");
	return text;
}

static void long_addresses_and_headers_are_refused(void **state)
{
	(void)state;
	static const struct {
		size_t url, header;
		int status;
		const char *part;
	} sizes[] = {
		{ 8 * 1024, 10, 200, "success" },
		{ 8 * 1024 + 1, 10, 414, "address_too_long" },
		{ 100, 8 * 1024 - 100, 200, "success" },
		{ 8 * 1024, 8 * 1024 - 100, 200, "success" },
		{ 100, 8 * 1024, 431, "headers_too_large" },
		/* beyond the memory of a connection libmicrohttpd itself answers */
		{ 200000, 10, 414, "<html>" },
		{ 100, 200000, 431, "<html>" },
	};
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		char *request = long_request(sizes[i].url, sizes[i].header);
		const char *a = ask(h, request);
		free(request);
		assert_int_equal(status_of(a), sizes[i].status);
		assert_has(a, sizes[i].part);
	}
}

static void many_parameters_and_header_fields(void **state)
{
	(void)state;
	static char request[40000];
	char *at = request + sprintf(request, "GET /params?");
	for (int i = 0; i < 4000; i++)
		at += sprintf(at, "a&");
	strcpy(at, "n=5 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
	const char *a = ask(h, request);
	assert_int_equal(status_of(a), 200);
	assert_has(a, "\"n\":5");
	at = request + sprintf(request, "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n");
	for (int i = 0; i < 6000; i++)
		at += sprintf(at, "a:\r\n");
	strcpy(at, "\r\n");
	assert_int_equal(status_of(ask(h, request)), 431);
}

static void half_requests_leave_no_trace(void **state)
{
	(void)state;
	static const char *const halves[] = {
		"",
		"G",
		"GET /heal",
		"GET /healthz HTTP/1.1\r\n",
		"GET /healthz HTTP/1.1\r\nHost: a\r\n",
		"POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc",
		"POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
		"GET /much?n=5000000 HTTP/1.1\r\nHost: a\r\n\r\n",
	};
	for (int round = 0; round < 20; round++) {
		for (size_t i = 0; i < sizeof halves / sizeof halves[0]; i++) {
			int fd = dial(h);
			say(fd, halves[i]);
			if (round % 2 == 0)
				usleep(1000);
			if (round % 3 == 0)
				shutdown(fd, SHUT_WR);
			close(fd);
		}
	}
	assert_int_equal(status_of(ask(h, "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")),
	                 200);
}

static void options_answers_preflights_before_keys(void **state)
{
	(void)state;
	const char *a = ask(h, "OPTIONS /key HTTP/1.1\r\nHost: a\r\nOrigin: "
	                       "http://b\r\nAccess-Control-Request-Method: POST\r\n"
	                       "Connection: close\r\n\r\n");
	assert_int_equal(status_of(a), 204);
	assert_has(a, "Access-Control-Allow-Origin: *\r\n");
	assert_has(a, "Access-Control-Allow-Methods: POST\r\n");
	assert_has(a, "Access-Control-Allow-Headers: X-Service-Api-Key, Content-Type, If-None-Match\r\n");
	assert_has(a, "Access-Control-Max-Age: 7200\r\n");
	assert_has(a, "Allow: POST, OPTIONS\r\n");
	assert_has_not(a, "Content-Length");
	a = ask(h, "OPTIONS /both HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
	assert_has(a, "Access-Control-Allow-Methods: GET, HEAD\r\n");
	assert_has(a, "Allow: GET, HEAD, POST, OPTIONS\r\n");
	a = ask(h, "OPTIONS /hidden HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
	assert_int_equal(status_of(a), 204);
	assert_has_not(a, "Access-Control");
	assert_int_equal(status_of(ask(h, "OPTIONS /nope HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")),
	                 404);
}

static void errors_can_be_read_by_scripts_of_other_sites(void **state)
{
	(void)state;
	static const char *const requests[] = {
		"GET /nope HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nConnection: close\r\n\r\n",
		"GET /key HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nConnection: close\r\n\r\n",
		"POST /key HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nConnection: close\r\n\r\n",
		"GET /fail HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nConnection: close\r\n\r\n",
		"GET /params?n=x HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nConnection: close\r\n\r\n",
	};
	for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
		const char *a = ask(h, requests[i]);
		assert_has(a, "Access-Control-Allow-Origin: *\r\n");
		assert_has(a, "Access-Control-Expose-Headers: ETag, Retry-After, X-Request-Id, "
		              "X-Ignored-Fields, Deprecation, "
		              "Link, X-Total-Count, X-Data-Version\r\n");
	}
	const char *a =
	        ask(h, "POST /hidden HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nConnection: close\r\n\r\n");
	assert_int_equal(status_of(a), 200);
	assert_has_not(a, "Access-Control");
}

static void parameters_reach_the_handler(void **state)
{
	(void)state;
	static const struct {
		const char *query;
		int status;
		const char *part;
	} queries[] = {
		{ "", 200, "{\"lang\":\"en\",\"demo\":0,\"n\":-1,\"text\":\"\"}" },
		{ "?lang=UK-ua&demo&n=-5&text=a%20b+c", 200,
		  "{\"lang\":\"uk-ua\",\"demo\":1,\"n\":-5,\"text\":\"a b c\"}" },
		{ "?n=-6", 400, "out_of_range" },
		{ "?n=1&n=1", 400, "repeated_parameter" },
		{ "?zz=1&y%0d%0aX=1", 200, "X-Ignored-Fields: zz, y%0D%0AX\r\n" },
	};
	for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
		char request[300];
		snprintf(request, sizeof request,
		         "GET /params%s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", queries[i].query);
		const char *a = ask(h, request);
		assert_int_equal(status_of(a), queries[i].status);
		assert_has(a, queries[i].part);
	}
	assert_has(ask(h, "GET /required HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), "missing_field");
}

static void contents_are_negotiated(void **state)
{
	(void)state;
	static const struct {
		const char *header;
		int status;
		const char *etag, *body;
	} asks[] = {
		{ "", 200, "ETag: \"v1\"\r\n", "{\"a\":\"list\"}" },
		{ "Accept-Encoding: gzip\r\n", 200, "ETag: \"v1-gzip\"\r\n", "gz-bytes" },
		{ "Accept-Encoding: gzip;q=0.5, br\r\n", 200, "ETag: \"v1-br\"\r\n", "br-bytes!" },
		{ "If-None-Match: \"v1\"\r\n", 304, "ETag: \"v1\"\r\n", "" },
		{ "If-None-Match: W/\"v1-gzip\"\r\nAccept-Encoding: br\r\n", 304, "ETag: \"v1-gzip\"\r\n",
		  "" },
		{ "If-None-Match: \"v2\"\r\n", 200, "ETag: \"v1\"\r\n", "{\"a\":\"list\"}" },
	};
	int before = atomic_load(&content_releases);
	for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++) {
		char request[300];
		snprintf(request, sizeof request,
		         "GET /content HTTP/1.1\r\nHost: a\r\n%sConnection: close\r\n\r\n", asks[i].header);
		const char *a = ask(h, request);
		assert_int_equal(status_of(a), asks[i].status);
		assert_has(a, asks[i].etag);
		assert_has(a, "Vary: Accept-Encoding\r\n");
		assert_has(a, "Cache-Control: private, max-age=0, must-revalidate\r\n");
		assert_string_equal(strstr(a, "\r\n\r\n") + 4, asks[i].body);
	}
	assert_int_equal(atomic_load(&content_releases) - before, sizeof asks / sizeof asks[0]);
}

/* Every kept answer, and those that are made for a request between them. */
static void *ask_for_all_forms(void *failed)
{
	static const struct {
		const char *header;
		int status;
		const char *has, *has_not;
	} asks[] = {
		{ "", 200, "{\"a\":\"list\"}", "Access-Control-Expose" },
		{ "Accept-Encoding: gzip\r\n", 200, "\r\n\r\ngz-bytes", "Access-Control-Expose" },
		{ "Accept-Encoding: br\r\nOrigin: http://b\r\n", 200, "Access-Control-Expose",
		  "X-Request-Id: " },
		{ "Accept-Encoding: br\r\n", 200, "\r\n\r\nbr-bytes!", "Access-Control-Expose" },
		{ "X-Request-Id: r9\r\n", 200, "X-Request-Id: r9\r\n", "gz-bytes" },
		{ "If-None-Match: \"v1\"\r\n", 304, "ETag: \"v1\"\r\n", "Content-Type" },
		{ "If-None-Match: \"v1-gzip\"\r\n", 304, "ETag: \"v1-gzip\"\r\n", "Content-Encoding" },
		{ "If-None-Match: \"v1\"\r\nOrigin: http://b\r\n", 304, "Access-Control-Expose", "list" },
	};
	for (size_t i = 0; i < 25 * (sizeof asks / sizeof asks[0]); i++) {
		size_t n = i % (sizeof asks / sizeof asks[0]);
		char request[300];
		snprintf(request, sizeof request,
		         "GET /content HTTP/1.1\r\nHost: a\r\n%sConnection: close\r\n\r\n", asks[n].header);
		const char *a = ask(h, request);
		if (status_of(a) != asks[n].status || strstr(a, asks[n].has) == NULL ||
		    strstr(a, asks[n].has_not) != NULL || count_of(a, "Access-Control-Allow-Origin: *") != 1)
			atomic_fetch_add((atomic_int *)failed, 1);
	}
	return NULL;
}

static void kept_answers_are_shared_by_threads(void **state)
{
	(void)state;
	enum { CLIENTS = 4 };
	pthread_t clients[CLIENTS];
	atomic_int failed = 0;
	for (int i = 0; i < CLIENTS; i++)
		assert_int_equal(pthread_create(&clients[i], NULL, ask_for_all_forms, &failed), 0);
	for (int i = 0; i < CLIENTS; i++)
		pthread_join(clients[i], NULL);
	assert_int_equal(atomic_load(&failed), 0);
	assert_non_null(atomic_load(&content_ready.of[DRG_CODING_GZIP][0][DRG_READY_CORS]));
	assert_non_null(atomic_load(&content_ready.of[DRG_CODING_GZIP][1][DRG_READY_CORS]));
	assert_null(atomic_load(&content_ready.of[DRG_CODING_GZIP][0][DRG_READY_NO_CORS]));
	drg_ready_done(&content_ready);
	assert_null(atomic_load(&content_ready.of[DRG_CODING_GZIP][0][DRG_READY_CORS]));
}

static void an_answer_at_the_limit_and_one_beside_it(void **state)
{
	(void)state;
	enum { MOST = 200000 };
	struct drg_http_options o = short_options();
	o.max_answers = MOST;
	struct drg_http *small = start_with(&o, NULL);
	char request[128];
	for (int n = MOST - 1; n <= MOST + 1; n++) {
		snprintf(request, sizeof request,
		         "GET /much?n=%d HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", n);
		const char *text = ask(small, request);
		assert_int_equal(status_of(text), n <= MOST ? 200 : 400);
		if (n > MOST)
			assert_has(text, "answer_too_large");
	}
	drg_http_stop(small, 1);
}

/** Who does not read holds what there is; further large answers are refused, small ones are not. */
static void large_answers_that_wait_are_bounded(void **state)
{
	(void)state;
	enum { MOST = 32 * 1024 * 1024 };
	struct drg_http_options o = short_options();
	o.max_answers = MOST;
	o.header_seconds = 10;
	struct drg_http *small = start_with(&o, NULL);
	int fd = dial(small);
	say(fd, "GET /much?n=20000000 HTTP/1.1\r\nHost: a\r\n\r\n");
	hear_some(fd, 5000, 1);
	static const char large[] = "GET /much?n=20000000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
	const char *text = ask(small, large);
	assert_int_equal(status_of(text), 503);
	assert_has(text, "answers_waiting");
	assert_has(text, "Retry-After: ");
	assert_int_equal(
	        status_of(ask(small, "GET /much?n=1000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")),
	        200);
	close(fd);
	int status = 0;
	for (int i = 0; i < 100 && status != 200; i++) {
		usleep(20000);
		status = status_of(ask(small, large));
	}
	assert_int_equal(status, 200);
	drg_http_stop(small, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_request_gets_its_answer),
		cmocka_unit_test(a_nul_in_the_head_is_refused),
		cmocka_unit_test(errors_have_the_body_of_e1),
		cmocka_unit_test(handlers_codes_become_statuses),
		cmocka_unit_test(internal_errors_tell_the_request_id_only),
		cmocka_unit_test(request_ids_are_unique_and_insane_ones_replaced),
		cmocka_unit_test(request_ids_are_in_errors_and_where_they_were_sent),
		cmocka_unit_test(head_is_get_without_a_body),
		cmocka_unit_test(pipelined_requests_are_answered_in_order),
		cmocka_unit_test(a_body_may_come_in_pieces),
		cmocka_unit_test(continue_is_said_to_who_waits_for_it),
		cmocka_unit_test(bodies_up_to_the_limit_are_taken),
		cmocka_unit_test(an_endless_body_is_cut_with_an_answer),
		cmocka_unit_test(long_addresses_and_headers_are_refused),
		cmocka_unit_test(many_parameters_and_header_fields),
		cmocka_unit_test(half_requests_leave_no_trace),
		cmocka_unit_test(options_answers_preflights_before_keys),
		cmocka_unit_test(errors_can_be_read_by_scripts_of_other_sites),
		cmocka_unit_test(parameters_reach_the_handler),
		cmocka_unit_test(contents_are_negotiated),
		cmocka_unit_test(kept_answers_are_shared_by_threads),
		cmocka_unit_test(an_answer_at_the_limit_and_one_beside_it),
		cmocka_unit_test(large_answers_that_wait_are_bounded),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
