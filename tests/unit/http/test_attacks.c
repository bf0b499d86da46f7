/* Requests that two readers could read in two ways (attacks.h). Each is sent at once and byte by byte, with a
 * good request behind it, and the answers are the same: either the good one is answered for itself, or
 * nothing is after the refusal. */
#include "attacks.h"
#include "shared_server.h"

/** Insert a Connection field after the first line, so that llhttp parses the head too: without it, only
 * our rules check a GET. @return the new length. */
static size_t add_field_for_parser(const char *text, size_t n, char *to, size_t room)
{
	static const char field[] = "Connection: keep-alive, te\r\n";
	const char *line = memmem(text, n, "\r\n", 2);
	size_t first = line != NULL ? (size_t)(line - text) + 2 : 0;
	assert_true(n + sizeof field <= room);
	memcpy(to, text, first);
	memcpy(to + first, field, sizeof field - 1);
	memcpy(to + first + sizeof field - 1, text + first, n - first);
	return n + sizeof field - 1;
}

static void each_is_one_request_or_none(void **state)
{
	(void)state;
	static const char second[] = "GET /params?n=77 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
	static const char *const ways[] = { "at once", "byte by byte", "with a field for the parser" };
	static char parsed[64 * 1024];
	for (size_t i = 0; i < DRG_ARRAY_LEN(attacks); i++)
		for (int way = 0; way <= 2; way++) {
			const char *text = attacks[i].request;
			size_t n = attacks[i].n > 0 ? attacks[i].n : strlen(text), piece = way == 1 ? 1 : n;
			if (way == 2 && memcmp(text, "GET /", 5) != 0)
				continue;
			if (way == 2) {
				piece = n = add_field_for_parser(text, n, parsed, sizeof parsed);
				text = parsed;
			}
			int fd = dial(h);
			setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
			for (size_t at = 0; at < n; at += piece)
				say_n(fd, text + at, piece);
			say(fd, second);
			const struct heard *heard = hear(fd);
			close(fd);
			bool answered = strstr(heard->text, "\"n\":77") != NULL;
			/* Who has said that it is his last request, and sends on, may be reset. */
			bool over = heard->end || (attacks[i].status == 200 && !attacks[i].goes_on);
			if (status_of(heard->text) != attacks[i].status || answered != attacks[i].goes_on ||
			    count_of(heard->text, "\r\nDate: ") != 1 + (unsigned)attacks[i].goes_on || !over)
				fail_msg("%s, %s: heard\n%s", attacks[i].name, ways[way], heard->text);
		}
}

/** A head and a body in every two pieces. */
static void where_it_is_cut_does_not_matter(void **state)
{
	(void)state;
	static const char text[] =
	        "\r\n" CHUNKED "1;a\r\n{\r\n01\r\n}\r\n0\r\nX: 1\r\n\r\n" HEAD "Connection: close\r\n\r\n";
	for (size_t at = 1; at < sizeof text - 1; at++) {
		int fd = dial(h);
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
		say_n(fd, text, at);
		wait_until(unread(fd) == 0);
		say_n(fd, text + at, sizeof text - 1 - at);
		const struct heard *heard = hear(fd);
		assert_int_equal(count_of(heard->text, "HTTP/1.1 200 "), 2);
		assert_has(heard->text, "\"bytes\":2");
		close(fd);
	}
}

/** Framing that is more than what it frames is refused, though each line of it is right. */
static void a_body_of_extensions_is_refused(void **state)
{
	(void)state;
	static char chunk[2100] = "1;";
	memset(chunk + 2, 'x', 2000);
	memcpy(chunk + 2002, "\r\n{\r\n", 6);
	int fd = dial(h);
	say(fd, CHUNKED);
	for (int i = 0; i < 20; i++)
		say(fd, chunk);
	const struct heard *heard = hear(fd);
	assert_int_equal(status_of(heard->text), 400);
	assert_has(heard->text, "bad_framing");
	close(fd);
}

/** Where a head ends that is too large, too, or whether the connection goes on would depend on the network. */
static void the_end_of_a_head_does_not_depend_on_its_pieces(void **state)
{
	(void)state;
	enum { MAX_URL = 100, MAX_HEADERS = 200 };
	static const struct {
		size_t url, header, pieces; /* letters; as large as these at least, to be quick */
	} cases[] = { { 10, 10, 1 },   { 90, 180, 1 },  { 101, 10, 1 },    { 10, 201, 1 },
		      { 200, 10, 1 },  { 10, 400, 1 },  { 170, 400, 1 },   { 3000, 10, 7 },
		      { 10, 3000, 7 }, { 99, 5000, 7 }, { 5000, 5000, 7 }, { 155, 130, 1 } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		char text[12000];
		size_t n = (size_t)snprintf(text, sizeof text, "GET /%0*d HTTP/1.1\r\nX: %0*d\r\n\r\n",
		                            (int)cases[i].url, 1, (int)cases[i].header, 1),
		       scanned = 0, whole = drg_head_end(drg_str(text, n), &scanned, MAX_URL, MAX_HEADERS);
		assert_true(whole > 0 && whole <= n);
		scanned = 0;
		for (size_t so_far = 1; so_far < n; so_far += cases[i].pieces) {
			size_t end = drg_head_end(drg_str(text, so_far), &scanned, MAX_URL, MAX_HEADERS);
			assert_true(end == 0 || end == whole);
			if (end > 0)
				break;
		}
	}
}

GROUP(attacks)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_one_request_or_none),
		cmocka_unit_test(where_it_is_cut_does_not_matter),
		cmocka_unit_test(a_body_of_extensions_is_refused),
		cmocka_unit_test(the_end_of_a_head_does_not_depend_on_its_pieces),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
