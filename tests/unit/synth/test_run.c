#include "synth/synth.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../unit.h"
#include "base/buf.h"

#define KNOWN_HASH UINT64_C(0x38b876141d78466e)

static int keep(void *ctx, struct drg_str bytes, struct drg_err *reterr)
{
	struct drg_buf *b = ctx;
	drg_buf_str(b, bytes);
	assert_int_equal(bytes.p[bytes.n - 1], '\n');
	return b->rc == DRG_OK ? DRG_OK : drg_fail(reterr, b->rc, NULL, NULL, "the test has no memory");
}

/** The whole output of a run. The caller releases it with free(). */
static struct drg_str run(struct drg_synth_options opt, struct drg_synth_totals *ret)
{
	struct drg_buf b;
	struct drg_err err = { 0 };
	drg_buf_init(&b, 1U << 30);
	struct drg_synth_sink sink = { .write = keep, .write_ctx = &b };
	int rc = drg_synth_run(&opt, &sink, ret, &err);
	if (rc != DRG_OK)
		print_message("%s\n", err.message);
	assert_int_equal(rc, DRG_OK);
	return drg_buf_view(&b);
}

static void done(struct drg_str s)
{
	free((char *)(uintptr_t)s.p);
}

static uint64_t fnv1a(struct drg_str s)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * UINT64_C(0x100000001b3);
	return h;
}

static void test_same_seed_same_bytes_other_seed_other_bytes(void **state)
{
	(void)state;
	struct drg_synth_options opt = { .hotels = 500, .adapters = 5, .seed = 42, .content_percent = 5 };
	struct drg_str a = run(opt, NULL), b = run(opt, NULL);
	opt.seed = 43;
	struct drg_str c = run(opt, NULL);
	assert_true(drg_str_eq(a, b));
	assert_false(drg_str_eq(a, c));
	done(a);
	done(b);
	done(c);
}

/* The same on every machine and with every compiler. A deliberate change of the generator or its tables changes
 * this number; nothing else may. */
static void test_the_bytes_are_known(void **state)
{
	(void)state;
	struct drg_synth_options opt = { .hotels = 300, .adapters = 16, .seed = 1, .content_percent = 20 };
	struct drg_str s = run(opt, NULL);
	uint64_t h = fnv1a(s);
	done(s);
	if (h != KNOWN_HASH)
		print_message("now 0x%016llx\n", (unsigned long long)h);
	assert_true(h == KNOWN_HASH);
}

static void test_totals_count_what_was_written(void **state)
{
	(void)state;
	struct drg_synth_options opt = { .hotels = 400, .adapters = 3, .seed = 9, .content_percent = 50 };
	struct drg_synth_totals t;
	struct drg_str s = run(opt, &t), rest = s, line;
	uint64_t lines = 0, sources = 0, contents = 0;
	while (drg_str_split(&rest, '\n', &line)) {
		lines += line.n > 0;
		sources += memmem(line.p, line.n, "\"kind\":\"hotel\",\"id\":\"", 21) != NULL;
		contents += memmem(line.p, line.n, "\"type\":\"hotel_content\"", 22) != NULL;
	}
	assert_int_equal(t.bytes, s.n);
	assert_int_equal(t.lines, lines);
	assert_int_equal(t.hotels, 400);
	assert_int_equal(t.sources, sources);
	assert_int_equal(t.contents, contents);
	assert_in_range(contents * 100, sources * 35, sources * 65);
	done(s);
}

/** The lines of @p all that contain @p word. The caller releases it with free(). */
static struct drg_str only(struct drg_str all, const char *word)
{
	struct drg_buf b;
	drg_buf_init(&b, 1U << 30);
	struct drg_str line;
	while (drg_str_split(&all, '\n', &line)) {
		if (memmem(line.p, line.n, word, strlen(word)) == NULL)
			continue;
		drg_buf_str(&b, line);
		drg_buf_char(&b, '\n');
	}
	return drg_buf_view(&b);
}

static void test_more_hotels_and_suppliers_leave_the_others_alone(void **state)
{
	(void)state;
	struct drg_synth_options opt = { .hotels = 300, .adapters = 2, .seed = 4, .content_percent = 5 };
	struct drg_str few = run(opt, NULL);
	opt.hotels = 500;
	opt.adapters = 6;
	struct drg_str many = run(opt, NULL);
	static const char *const words[] = { "\"dict\",\"kind\":\"hotel\",",
		                             "\"adapter_id\":101,\"kind\":\"hotel\"",
		                             "\"adapter_id\":102,\"kind\":\"city\"" };
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		struct drg_str a = only(few, words[i]), b = only(many, words[i]);
		assert_true(a.n > 0 && a.n <= b.n);
		assert_memory_equal(a.p, b.p, a.n);
		done(a);
		done(b);
	}
	done(few);
	done(many);
}

static void test_blind_leaves_out_nothing_but_the_mapping(void **state)
{
	(void)state;
	struct drg_synth_options opt = { .hotels = 300, .adapters = 4, .seed = 4, .content_percent = 5 };
	struct drg_str seeing = run(opt, NULL);
	opt.blind = true;
	struct drg_str blind = run(opt, NULL);
	assert_null(memmem(blind.p, blind.n, "\"dict_id\"", 9));
	struct drg_buf stripped;
	drg_buf_init(&stripped, 1U << 30);
	for (size_t i = 0; i < seeing.n; i++) {
		if (seeing.n - i > 11 && memcmp(seeing.p + i, ",\"dict_id\":", 11) == 0)
			for (i += 11; seeing.p[i] == '-' || (seeing.p[i] >= '0' && seeing.p[i] <= '9');)
				i++;
		drg_buf_char(&stripped, seeing.p[i]);
	}
	assert_true(drg_str_eq(drg_buf_view(&stripped), blind));
	drg_buf_done(&stripped);
	done(seeing);
	done(blind);
}

static void test_smallest_and_widest(void **state)
{
	(void)state;
	static const struct {
		uint64_t hotels;
		unsigned adapters;
	} cases[] = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { 1, 1 }, { 20, 200 } };
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct drg_synth_options opt = { .hotels = cases[i].hotels, .adapters = cases[i].adapters };
		struct drg_synth_totals t;
		struct drg_str s = run(opt, &t), adapters = only(s, "{\"type\":\"adapter\"");
		assert_int_equal(t.hotels, cases[i].hotels);
		assert_int_equal(t.contents, 0);
		uint64_t n = 0;
		for (size_t p = 0; p < adapters.n; p++)
			n += adapters.p[p] == '\n';
		assert_int_equal(n, cases[i].adapters + 2); /* and two of flights */
		done(adapters);
		done(s);
	}
}

static void test_options_out_of_range(void **state)
{
	(void)state;
	static const struct {
		struct drg_synth_options opt;
		const char *field;
	} cases[] = {
		{ { .hotels = DRG_SYNTH_MAX_HOTELS + UINT64_C(1) }, "hotels" },
		{ { .adapters = DRG_SYNTH_MAX_ADAPTERS + 1 }, "adapters" },
		{ { .content_percent = 101 }, "content" },
	};
	struct drg_buf b;
	drg_buf_init(&b, 1 << 20);
	struct drg_synth_sink sink = { .write = keep, .write_ctx = &b };
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct drg_err err;
		assert_int_equal(drg_synth_run(&cases[i].opt, &sink, NULL, &err), DRG_EUSAGE);
		assert_string_equal(err.field, cases[i].field);
	}
	assert_int_equal(b.n, 0);
}

/** Run on a base of this text; nothing may be written when it fails. */
static int run_on(const char *text, uint64_t hotels, struct drg_err *err)
{
	char path[128];
	int fd = mkstemp(temp_path("dragoman-test-XXXXXX", path, sizeof path));
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	struct drg_buf b;
	drg_buf_init(&b, 1 << 20);
	struct drg_synth_sink sink = { .write = keep, .write_ctx = &b };
	struct drg_synth_options opt = { .hotels = hotels, .adapters = 2, .base = path };
	int rc = drg_synth_run(&opt, &sink, NULL, err);
	assert_true(rc == DRG_OK || b.n == 0);
	if (rc == DRG_OK && text[0] != '\0') /* passed through as it was */
		assert_memory_equal(b.p, text, strlen(text));
	drg_buf_done(&b);
	unlink(path);
	return rc;
}

#define COUNTRY                                                                                              \
	"{\"type\":\"dict\",\"kind\":\"country\",\"id\":1,\"name\":\"Utopia\",\"iso_alpha_2\":\"UT\"}\n"
#define CITY                                                                                                 \
	"{ \"type\":\"dict\", \"kind\":\"city\",\"id\":-1,\"country_id\":1,\"name\":{\"en\":\"A "            \
	"\\\"B\\\"\"}}\n"
#define CATEGORY "{\"type\":\"dict\",\"kind\":\"hotel_category\",\"id\":1,\"name\":\"Any\"}\n"

static void test_bases_that_lack_something(void **state)
{
	(void)state;
	static const struct {
		const char *base;
		uint64_t hotels;
		int rc;
	} cases[] = {
		{ "", 0, DRG_OK },
		{ "", 1, DRG_EINVAL },
		{ COUNTRY, 1, DRG_EINVAL },
		{ COUNTRY CITY, 1, DRG_EINVAL },
		{ COUNTRY CATEGORY, 1, DRG_EINVAL },
		{ COUNTRY CITY CATEGORY, 50, DRG_OK },
		{ COUNTRY CITY "{\"type\":\"dict\"}\n", 0, DRG_EINVAL },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct drg_err err;
		assert_int_equal(run_on(cases[i].base, cases[i].hotels, &err), cases[i].rc);
		assert_true(cases[i].rc == DRG_OK || err.message[0] != '\0');
	}
}

static int refuse(void *ctx, struct drg_str bytes, struct drg_err *reterr)
{
	(void)bytes;
	return --*(int *)ctx > 0 ? DRG_OK : drg_fail(reterr, DRG_EFULL, NULL, NULL, "no more of this");
}

static void test_a_sink_that_fails_ends_the_run(void **state)
{
	(void)state;
	struct drg_synth_options opt = { .hotels = 100000000, .adapters = 10000, .content_percent = 5 };
	for (int after = 1; after < 12; after += 5) {
		int left = after;
		struct drg_synth_sink sink = { .write = refuse, .write_ctx = &left };
		struct drg_synth_totals t = { .lines = 77 };
		struct drg_err err;
		assert_int_equal(drg_synth_run(&opt, &sink, &t, &err), DRG_EFULL);
		assert_string_equal(err.message, "no more of this");
		assert_int_equal(left, 0);
		assert_int_equal(t.lines, 77);
	}
}

static void test_file_descriptors(void **state)
{
	(void)state;
	struct drg_err err;
	int full = open("/dev/full", O_WRONLY), pipes[2];
	assert_true(full >= 0);
	assert_int_equal(drg_synth_write_fd(&full, DRG_STR("x\n"), &err), DRG_EFULL);
	close(full);

	assert_int_equal(pipe(pipes), 0);
	assert_int_equal(drg_synth_write_fd(&pipes[1], DRG_STR("x\n"), &err), DRG_OK);
	close(pipes[0]);
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(drg_synth_write_fd(&pipes[1], DRG_STR("x\n"), &err), DRG_ESTOPPED);
	close(pipes[1]);
	assert_int_equal(drg_synth_write_fd(&pipes[1], DRG_STR("x\n"), &err), DRG_EIO);
}

struct watch {
	uint64_t done, total, calls;
};

static void watch(void *ctx, uint64_t done, uint64_t total)
{
	struct watch *w = ctx;
	assert_true(done >= w->done && done <= total);
	assert_true(w->calls == 0 || total == w->total);
	*w = (struct watch){ done, total, w->calls + 1 };
}

static void test_progress_reaches_its_end(void **state)
{
	(void)state;
	struct watch w = { 0 };
	struct drg_buf b;
	drg_buf_init(&b, 1U << 30);
	struct drg_synth_options opt = { .hotels = 10000, .adapters = 2 };
	struct drg_synth_sink sink = { keep, &b, watch, &w };
	assert_int_equal(drg_synth_run(&opt, &sink, NULL, NULL), DRG_OK);
	drg_buf_done(&b);
	assert_int_equal(w.done, 30000);
	assert_int_equal(w.total, 30000);
	assert_true(w.calls > 3);
}

static int forget(void *ctx, struct drg_str bytes, struct drg_err *reterr)
{
	(void)ctx, (void)bytes, (void)reterr;
	return DRG_OK;
}

/** Peak memory of a run in its own process, in KiB. */
static long peak(uint64_t hotels)
{
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct drg_synth_options opt = { .hotels = hotels, .adapters = 4, .content_percent = 5 };
		struct drg_synth_sink sink = { .write = forget };
		_exit(drg_synth_run(&opt, &sink, NULL, NULL));
	}
	int status;
	struct rusage usage;
	assert_int_equal(wait4(pid, &status, 0, &usage), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	return usage.ru_maxrss;
}

static void test_memory_does_not_grow_with_the_hotels(void **state)
{
	(void)state;
	long few = peak(10000), many = peak(200000);
	assert_true(many < few + 1024);
}

GROUP(run)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_seed_same_bytes_other_seed_other_bytes),
		cmocka_unit_test(test_the_bytes_are_known),
		cmocka_unit_test(test_totals_count_what_was_written),
		cmocka_unit_test(test_more_hotels_and_suppliers_leave_the_others_alone),
		cmocka_unit_test(test_blind_leaves_out_nothing_but_the_mapping),
		cmocka_unit_test(test_smallest_and_widest),
		cmocka_unit_test(test_options_out_of_range),
		cmocka_unit_test(test_bases_that_lack_something),
		cmocka_unit_test(test_a_sink_that_fails_ends_the_run),
		cmocka_unit_test(test_file_descriptors),
		cmocka_unit_test(test_progress_reaches_its_end),
		cmocka_unit_test(test_memory_does_not_grow_with_the_hotels),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
