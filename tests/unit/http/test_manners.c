/* What is sent to the socket, byte for byte, and what must come of it. */
#include "shared_server.h"

enum after { GOES_ON, CLOSES };

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
	  "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501,
	  "not_implemented", CLOSES },
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
	  "chunked\r\n\r\n1;x=y\r\n{\r\n1;y=\"z\"\r\n}\r\n0\r\n\r\n",
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
	{ "encoded letter", "GET /h%65althz HTTP/1.1\r\nHost: a\r\n\r\n", 404, "not_found", GOES_ON },
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
	{ "space in the address", "GET /hea lthz HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad_target", CLOSES },
	{ "two spaces before the address", "GET  /healthz HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad_target",
	  CLOSES },
	{ "no slash", "GET healthz HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad_target", CLOSES },
	{ "full address", "GET http://a.example/healthz?x=1 HTTP/1.1\r\nHost: a\r\n\r\n", 200, "success",
	  GOES_ON },

	/* methods */
	{ "method not there", "POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}", 405,
	  "Allow: GET, HEAD, OPTIONS\r\n", GOES_ON },
	{ "method known, and taken nowhere", "PATCH /json HTTP/1.1\r\nHost: a\r\n\r\n", 405,
	  "Allow: POST, OPTIONS\r\n", GOES_ON },
	{ "method unknown", "BREW /json HTTP/1.1\r\nHost: a\r\n\r\n", 501, "not_implemented", CLOSES },
	{ "method in small letters", "get /healthz HTTP/1.1\r\nHost: a\r\n\r\n", 501, "not_implemented",
	  CLOSES },
	{ "CONNECT", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bad_target", CLOSES },
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

	/* what is no HTTP/1 */
	{ "no colon", "GET /healthz HTTP/1.1\r\nHost: a\r\nrubbish\r\n\r\n", 400, "bad_header", CLOSES },
	{ "no version", "GET /healthz\r\n\r\n", 400, "bad_target", CLOSES },
	{ "HTTP/2.0", "GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n", 505, "version_not_supported", CLOSES },
	{ "HTTP/0.9", "GET /healthz HTTP/0.9\r\nHost: a\r\n\r\n", 505, "version_not_supported", CLOSES },
	{ "upgrade", "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n", 200,
	  "success", GOES_ON },
	{ "length is a word", "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: two\r\n\r\n{}", 400,
	  "bad_framing", CLOSES },
	{ "length is negative", "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: -2\r\n\r\n{}", 400,
	  "bad_framing", CLOSES },
	{ "length has a plus", "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: +2\r\n\r\n{}", 400,
	  "bad_framing", CLOSES },
	{ "length beyond 64 bits",
	  "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n{}", 400,
	  "bad_framing", CLOSES },
	{ "bad chunk size", "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
	  400, "bad_framing", CLOSES },
	{ "chunk size beyond 64 bits",
	  "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n11111111111111111\r\n", 400,
	  "bad_framing", CLOSES },
	{ "a length in trailers",
	  "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
	  "chunked\r\n\r\n2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n",
	  400, "bad_framing", CLOSES },
	{ "a key in trailers",
	  "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
	  "chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Service-Api-Key: a\r\n\r\n",
	  400, "bad_framing", CLOSES },
	{ "folded trailers",
	  "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
	  "chunked\r\n\r\n2\r\n{}\r\n0\r\nX: a\r\n b\r\n\r\n",
	  400, "bad_header", CLOSES },
};

static void each_request_gets_its_answer(void **state)
{
	(void)state;
	static const char second[] = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		static char
		        all[16 *
		            1024]; /* at once: who has said his last request, and sends on, may be reset */
		size_t n = (size_t)snprintf(all, sizeof all, "%s", cases[i].request);
		if (strcmp(cases[i].name, "announced too large") == 0) {
			memset(all + n, ' ', 10001);
			n += 10001;
		}
		memcpy(all + n, second, sizeof second);
		int fd = dial(h);
		say_n(fd, all, n + sizeof second - 1);
		const struct heard *heard = hear(fd);
		close(fd);
		unsigned answers = count_of(heard->text, "\r\nDate: ");
		unsigned expected = cases[i].after == CLOSES ? 1 : 2;
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
		shutdown(fd, SHUT_WR);
		const struct heard *heard = hear(fd);
		close(fd);
		/* in the last line end it becomes a line of its own, which does not end */
		int status = status_of(heard->text);
		if (status != 400 && (status != 0 || at < end - 3))
			fail_msg("NUL at %zu: %s", at, heard->text);
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
		{ 64 * 1024, 10, 200, "success" },
		{ 64 * 1024 + 1, 10, 414, "address_too_long" },
		{ 100, 64 * 1024 - 100, 200, "success" },
		{ 64 * 1024, 64 * 1024 - 100, 200, "success" },
		{ 100, 64 * 1024, 431, "headers_too_large" },
		/* not read to their ends */
		{ 2000000, 10, 414, "address_too_long" },
		{ 100, 2000000, 431, "headers_too_large" },
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
	static char request[100000];
	char *at = request + sprintf(request, "GET /params?");
	for (int i = 0; i < 4000; i++)
		at += sprintf(at, "a&");
	strcpy(at, "n=5 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
	const char *a = ask(h, request);
	assert_int_equal(status_of(a), 200);
	assert_has(a, "\"n\":5");
	at = request + sprintf(request, "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n");
	for (int i = 0; i < 20000; i++)
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
				wait_until(unread(fd) == 0);
			if (round % 3 == 0)
				shutdown(fd, SHUT_WR);
			close(fd);
		}
	}
	assert_int_equal(status_of(ask(h, "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")),
	                 200);
}

GROUP(manners)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_request_gets_its_answer),
		cmocka_unit_test(a_nul_in_the_head_is_refused),
		cmocka_unit_test(head_is_get_without_a_body),
		cmocka_unit_test(pipelined_requests_are_answered_in_order),
		cmocka_unit_test(long_addresses_and_headers_are_refused),
		cmocka_unit_test(many_parameters_and_header_fields),
		cmocka_unit_test(half_requests_leave_no_trace),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
