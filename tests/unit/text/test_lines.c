#include "../unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "text/input.h"
#include "text/lines.h"

enum { MAX_LINE = 10 };

static char path[128];

static int set_up(void **state)
{
	(void)state;
	int fd = mkstemp(temp_path("dragoman-test-XXXXXX", path, sizeof path));
	return fd < 0 ? -1 : close(fd);
}

static int tear_down(void **state)
{
	(void)state;
	return unlink(path);
}

static void write_file(const void *p, size_t n)
{
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

/* One gzip member, appended to out; returns the new length. */
static size_t gzip(const char *text, size_t n, unsigned char *out, size_t at, size_t cap)
{
	z_stream z = { 0 };
	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = (Bytef *)(uintptr_t)text;
	z.avail_in = (uInt)n;
	z.next_out = out + at;
	z.avail_out = (uInt)(cap - at);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return cap - z.avail_out;
}

static size_t zstd(const char *text, size_t n, unsigned char *out, size_t at, size_t cap)
{
	size_t len = ZSTD_compress(out + at, cap - at, text, n, 3);
	assert_false(ZSTD_isError(len));
	return at + len;
}

/* All lines, joined by '|', '!' for a line that is too long; then the code that ended the reading. */
static int read_all(char *out, size_t cap, struct drg_err *err)
{
	struct drg_lines *l;
	struct drg_str line;
	int rc = drg_lines_open(path, MAX_LINE, &l, err);
	assert_int_equal(rc, DRG_OK);
	size_t n = 0;
	uint64_t number = 0;
	while ((rc = drg_lines_next(l, &line, err)) == DRG_OK || rc == DRG_ELIMIT) {
		assert_int_equal(drg_lines_number(l), ++number);
		n += (size_t)snprintf(out + n, cap - n, "%.*s|", rc == DRG_OK ? (int)line.n : 1,
		                      rc == DRG_OK ? line.p : "!");
	}
	out[n] = '\0';
	if (rc == DRG_ENOENT) {
		assert_int_equal(drg_lines_next(l, &line, err), DRG_ENOENT);
	}
	drg_lines_close(l);
	return rc;
}

static const struct {
	const char *name, *text, *want;
} texts[] = {
	{ "nothing", "", "" },
	{ "one line", "abc\n", "abc|" },
	{ "no newline at the end", "abc\ndef", "abc|def|" },
	{ "empty lines are given", "\n\na\n\n", "||a||" },
	{ "carriage returns", "abc\r\ndef\r\n\r\n", "abc|def||" },
	{ "a carriage return inside stays", "a\rb\n", "a\rb|" },
	{ "byte order mark", "\xef\xbb\xbf{}\n", "{}|" },
	{ "a mark later on stays", "a\n\xef\xbb\xbf{}\n", "a|\xef\xbb\xbf{}|" },
	{ "one byte below the limit", "012345678\n012345678\r\n", "012345678|012345678|" },
	{ "exactly the limit", "0123456789\n0123456789\r\n", "0123456789|0123456789|" },
	{ "one byte too long", "0123456789x\nab\n", "!|ab|" },
	{ "too long at the end", "ab\n0123456789x", "ab|!|" },
	{ "two too long", "0123456789xxxxxxxxxxxxxx\n0123456789x\nab\n", "!|!|ab|" },
};

static void lines_are_cut_at_newlines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		unsigned char packed[1024];
		char got[256];
		struct drg_err err;
		size_t n = strlen(texts[i].text);
		write_file(texts[i].text, n);
		assert_int_equal(read_all(got, sizeof got, &err), DRG_ENOENT);
		assert_string_equal(got, texts[i].want);
		write_file(packed, gzip(texts[i].text, n, packed, 0, sizeof packed));
		assert_int_equal(read_all(got, sizeof got, &err), DRG_ENOENT);
		assert_string_equal(got, texts[i].want);
		write_file(packed, zstd(texts[i].text, n, packed, 0, sizeof packed));
		assert_int_equal(read_all(got, sizeof got, &err), DRG_ENOENT);
		assert_string_equal(got, texts[i].want);
	}
}

static void members_and_frames_follow_each_other(void **state)
{
	(void)state;
	unsigned char packed[1024];
	char got[256];
	struct drg_err err;
	size_t n = gzip("ab\nc", 4, packed, 0, sizeof packed);
	n = gzip("d\nef\n", 5, packed, n, sizeof packed);
	write_file(packed, n);
	assert_int_equal(read_all(got, sizeof got, &err), DRG_ENOENT);
	assert_string_equal(got, "ab|cd|ef|");
	n = zstd("ab\nc", 4, packed, 0, sizeof packed);
	n = zstd("d\nef\n", 5, packed, n, sizeof packed);
	write_file(packed, n);
	assert_int_equal(read_all(got, sizeof got, &err), DRG_ENOENT);
	assert_string_equal(got, "ab|cd|ef|");
}

static void compressed_data_cut_anywhere_is_told(void **state)
{
	(void)state;
	unsigned char packed[1024];
	char got[256];
	struct drg_err err;
	size_t n = gzip("ab\ncd\nef\n", 9, packed, 0, sizeof packed);
	for (size_t cut = 2; cut < n; cut++) {
		write_file(packed, cut);
		assert_int_equal(read_all(got, sizeof got, &err), DRG_ECORRUPT);
		assert_non_null(strstr(err.message, "cut off"));
	}
	n = zstd("ab\ncd\nef\n", 9, packed, 0, sizeof packed);
	for (size_t cut = 4; cut < n; cut++) {
		write_file(packed, cut);
		assert_int_equal(read_all(got, sizeof got, &err), DRG_ECORRUPT);
		assert_non_null(strstr(err.message, "cut off"));
	}
}

static void damaged_data_is_told(void **state)
{
	(void)state;
	unsigned char packed[1024];
	char got[256];
	struct drg_err err;
	size_t n = gzip("ab\ncd\nef\n", 9, packed, 0, sizeof packed);
	packed[n - 6] ^= 1; /* the checksum */
	write_file(packed, n);
	assert_int_equal(read_all(got, sizeof got, &err), DRG_ECORRUPT);
	assert_non_null(strstr(err.message, "damaged"));
	n = gzip("ab\n", 3, packed, 0, sizeof packed);
	memcpy(packed + n, "junk", 4);
	write_file(packed, n + 4);
	assert_int_equal(read_all(got, sizeof got, &err), DRG_ECORRUPT);
	n = zstd("ab\ncd\nef\n", 9, packed, 0, sizeof packed);
	packed[4] = 0xff;
	write_file(packed, n);
	assert_int_equal(read_all(got, sizeof got, &err), DRG_ECORRUPT);
}

/* Lines of many sizes over many chunks, each beginning with its number. */
static void long_files_come_whole(void **state)
{
	(void)state;
	enum { LINES = 60000, MAX = 200 };
	char *text = malloc(LINES * MAX);
	assert_non_null(text);
	size_t n = 0;
	for (unsigned i = 0; i < LINES; i++)
		n += (size_t)sprintf(text + n, "%u %*d\n", i, (int)(i % 150), 7);
	size_t cap = compressBound(n) + 64;
	unsigned char *packed = malloc(cap);
	assert_non_null(packed);
	for (int way = 0; way < 3; way++) {
		if (way == 0)
			write_file(text, n);
		else
			write_file(packed,
			           way == 1 ? gzip(text, n, packed, 0, cap) : zstd(text, n, packed, 0, cap));
		struct drg_lines *l;
		struct drg_str line;
		struct drg_err err;
		assert_int_equal(drg_lines_open(path, MAX, &l, &err), DRG_OK);
		for (unsigned i = 0; i < LINES; i++) {
			char want[MAX];
			size_t len = (size_t)sprintf(want, "%u %*d", i, (int)(i % 150), 7);
			assert_int_equal(drg_lines_next(l, &line, &err), DRG_OK);
			assert_int_equal(line.n, len);
			assert_memory_equal(line.p, want, len);
		}
		assert_int_equal(drg_lines_next(l, &line, &err), DRG_ENOENT);
		drg_lines_close(l);
	}
	free(packed);
	free(text);
}

static void a_line_of_a_gigabyte_is_skipped(void **state)
{
	(void)state;
	/* A sparse file: a gigabyte of NUL bytes without a newline. */
	int fd = open(path, O_WRONLY | O_TRUNC);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 1 << 30), 0);
	assert_int_equal(pwrite(fd, "\nlast\n", 6, 1 << 30), 6);
	close(fd);
	char got[256];
	struct drg_err err;
	assert_int_equal(read_all(got, sizeof got, &err), DRG_ENOENT);
	assert_string_equal(got, "!|last|");
}

static void pipes_are_read(void **state)
{
	(void)state;
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "ab\ncd", 5), 5);
	close(ends[1]);
	int saved = dup(STDIN_FILENO);
	assert_true(dup2(ends[0], STDIN_FILENO) >= 0);
	struct drg_lines *l;
	struct drg_str line;
	struct drg_err err;
	assert_int_equal(drg_lines_open("-", MAX_LINE, &l, &err), DRG_OK);
	assert_int_equal(drg_lines_next(l, &line, &err), DRG_OK);
	assert_int_equal(drg_lines_next(l, &line, &err), DRG_OK);
	assert_memory_equal(line.p, "cd", 2);
	assert_int_equal(drg_lines_next(l, &line, &err), DRG_ENOENT);
	assert_int_equal(drg_lines_bytes(l), 5);
	drg_lines_close(l);
	dup2(saved, STDIN_FILENO);
	close(saved);
	close(ends[0]);
}

/* Write so many newlines, compressed, and read them. @return what ended the reading. */
static int read_newlines(size_t n, uint64_t *ret_lines, struct drg_err *err)
{
	char *text = malloc(n), *packed = malloc(ZSTD_compressBound(n));
	struct drg_lines *l;
	struct drg_str line;
	memset(text, '\n', n);
	write_file(packed, zstd(text, n, (unsigned char *)packed, 0, ZSTD_compressBound(n)));
	assert_int_equal(drg_lines_open(path, MAX_LINE, &l, err), DRG_OK);
	int rc;
	do
		rc = drg_lines_next(l, &line, err);
	while (rc == DRG_OK);
	*ret_lines = drg_lines_number(l);
	drg_lines_close(l);
	free(text);
	free(packed);
	return rc;
}

static void data_that_unfolds_beyond_all_measure_is_told(void **state)
{
	(void)state;
	const uint64_t from = DRG_INPUT_GROWTH_FROM;
	struct drg_err err;
	uint64_t lines;
	assert_int_equal(read_newlines(from, &lines, &err), DRG_ENOENT);
	assert_int_equal(lines, from);
	assert_int_equal(read_newlines(2 * from, &lines, &err), DRG_ECORRUPT);
	assert_in_range(lines, from - (1 << 20), from);
	assert_non_null(strstr(err.message, "unfolds to more than 1000 times its size"));
}

static void what_cannot_be_opened_is_named(void **state)
{
	(void)state;
	struct drg_lines *l = NULL;
	struct drg_err err;
	assert_int_equal(drg_lines_open("/nowhere/at/all", MAX_LINE, &l, &err), DRG_ENOENT);
	assert_non_null(strstr(err.message, "/nowhere/at/all"));
	assert_int_equal(drg_lines_open("/", MAX_LINE, &l, &err), DRG_EIO);
	assert_null(l);
	drg_lines_close(NULL);
}

GROUP(lines)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_cut_at_newlines),
		cmocka_unit_test(members_and_frames_follow_each_other),
		cmocka_unit_test(compressed_data_cut_anywhere_is_told),
		cmocka_unit_test(damaged_data_is_told),
		cmocka_unit_test(long_files_come_whole),
		cmocka_unit_test(a_line_of_a_gigabyte_is_skipped),
		cmocka_unit_test(data_that_unfolds_beyond_all_measure_is_told),
		cmocka_unit_test(pipes_are_read),
		cmocka_unit_test(what_cannot_be_opened_is_named),
	};
	return cmocka_run_group_tests_name("text/lines", tests, set_up, tear_down);
}
