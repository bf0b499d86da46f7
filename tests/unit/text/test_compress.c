#include "../unit.h"

#include <brotli/encode.h>
#include <stdio.h>
#include <zlib.h>
#include <zstd.h>

#include "text/compress.h"

/* Undo a coding; Brotli has only its encoder here, so its output is looked at from outside. */
static size_t expand(enum drg_coding c, struct drg_str packed, char *out, size_t cap)
{
	if (c == DRG_CODING_ZSTD)
		return ZSTD_decompress(out, cap, packed.p, packed.n);
	z_stream z = { 0 };
	assert_int_equal(inflateInit2(&z, 16 + MAX_WBITS), Z_OK);
	z.next_in = (Bytef *)(uintptr_t)packed.p;
	z.avail_in = (uInt)packed.n;
	z.next_out = (Bytef *)out;
	z.avail_out = (uInt)cap;
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.avail_in, 0);
	inflateEnd(&z);
	return cap - z.avail_out;
}

static struct drg_packer *packer; /* one for all, so that much came before */

static int new_packer(void **state)
{
	(void)state;
	return drg_packer_new(&packer, NULL);
}

static int free_packer(void **state)
{
	(void)state;
	drg_packer_free(packer);
	return 0;
}

static size_t make_list(char *text, size_t cap)
{
	size_t n = 0;
	for (int i = 0; n + 100 < cap; i++)
		n += (size_t)snprintf(text + n, cap - n, "{\"id\":%d,\"name\":\"Hotel %d\",\"city_id\":%d},",
		                      i, (int)(i * INT64_C(7919) % 1000), i % 97);
	return n;
}

static void what_is_packed_can_be_unpacked(void **state)
{
	(void)state;
	enum { CAP = 1 << 20 };
	char *text = malloc(CAP), *back = malloc(CAP);
	const size_t sizes[] = { 0, 1, 100, make_list(text, CAP) };
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		for (unsigned c = DRG_CODING_GZIP; c < DRG_CODING_COUNT; c++) {
			struct drg_buf once, twice;
			struct drg_err err;
			drg_buf_init(&once, 4 * CAP);
			drg_buf_init(&twice, 4 * CAP);
			drg_buf_lit(&once, "before");
			assert_int_equal(drg_packer_compress(packer, c, drg_str(text, sizes[i]), &once, &err),
			                 DRG_OK);
			assert_int_equal(
			        drg_packer_compress(packer, c, drg_str(text, sizes[i]), &twice, &err),
			        DRG_OK);
			assert_int_equal(once.n, twice.n + 6);
			assert_memory_equal(once.p, "before", 6);
			assert_memory_equal(once.p + 6, twice.p, twice.n);
			if (sizes[i] > 1000)
				assert_true(twice.n < sizes[i] / 4);
			if (c != DRG_CODING_BR) {
				assert_int_equal(expand(c, drg_buf_view(&twice), back, CAP), sizes[i]);
				assert_memory_equal(back, text, sizes[i]);
			}
			drg_buf_done(&once);
			drg_buf_done(&twice);
		}
	}
	free(text);
	free(back);
}

/* The same bytes as those of the libraries without what is kept, whatever came before; some of the last do
 * not fit the room. */
static void what_is_kept_does_not_show(void **state)
{
	(void)state;
	enum { CAP = 12 << 20 };
	static const size_t sizes[] = { 2000, 900000, 300, 1000001, 50000, CAP - 200, 2000 };
	char *text = malloc(CAP);
	uint8_t *plain = malloc(2 * (size_t)CAP);
	assert_true(make_list(text, CAP) >= CAP - 200);
	for (size_t i = 0; i < DRG_ARRAY_LEN(sizes); i++) {
		const bool big = sizes[i] > 1000000;
		struct drg_buf b;
		drg_buf_init(&b, 2 * (size_t)CAP);
		size_t n = 2 * (size_t)CAP;
		assert_int_equal(
		        drg_packer_compress(packer, DRG_CODING_BR, drg_str(text, sizes[i]), &b, NULL),
		        DRG_OK);
		assert_true(BrotliEncoderCompress(big ? 5 : 8, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT,
		                                  sizes[i], (const uint8_t *)text, &n, plain));
		assert_int_equal(b.n, n);
		assert_memory_equal(b.p, plain, n);
		drg_buf_clear(&b);
		assert_int_equal(
		        drg_packer_compress(packer, DRG_CODING_ZSTD, drg_str(text, sizes[i]), &b, NULL),
		        DRG_OK);
		n = ZSTD_compress(plain, 2 * (size_t)CAP, text, sizes[i], big ? 6 : 12);
		assert_int_equal(b.n, n);
		assert_memory_equal(b.p, plain, n);
		drg_buf_done(&b);
	}
	free(text);
	free(plain);
}

static void identity_copies(void **state)
{
	(void)state;
	struct drg_buf b;
	drg_buf_init(&b, 100);
	assert_int_equal(drg_packer_compress(packer, DRG_CODING_IDENTITY, DRG_STR("abc"), &b, NULL), DRG_OK);
	assert_true(drg_str_eq(drg_buf_view(&b), DRG_STR("abc")));
	drg_buf_done(&b);
}

static void a_full_buffer_is_an_error(void **state)
{
	(void)state;
	for (unsigned c = 0; c < DRG_CODING_COUNT; c++) {
		struct drg_buf b;
		struct drg_err err;
		drg_buf_init(&b, 2);
		assert_int_equal(drg_packer_compress(packer, c, DRG_STR("abc"), &b, &err), DRG_ELIMIT);
		assert_non_null(strstr(err.message, drg_coding_name(c)));
		drg_buf_done(&b);
	}
}

static void codings_have_their_http_names(void **state)
{
	(void)state;
	assert_string_equal(drg_coding_name(DRG_CODING_IDENTITY), "identity");
	assert_string_equal(drg_coding_name(DRG_CODING_GZIP), "gzip");
	assert_string_equal(drg_coding_name(DRG_CODING_BR), "br");
	assert_string_equal(drg_coding_name(DRG_CODING_ZSTD), "zstd");
}

GROUP(compress)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_packed_can_be_unpacked),
		cmocka_unit_test(what_is_kept_does_not_show),
		cmocka_unit_test(identity_copies),
		cmocka_unit_test(a_full_buffer_is_an_error),
		cmocka_unit_test(codings_have_their_http_names),
	};
	return cmocka_run_group_tests_name("text/compress", tests, new_packer, free_packer);
}
