/* The snapshot file of a server: a whole one, damaged as the input says, or any other bytes. Only what is
 * whole is loaded. */
#include "list.h"

#include <fcntl.h>

#include "base/checksum.h"
#include "catalog/rcu.h"
#include "model/ndjson.h"
#include "server/image/file.h"

static char *whole;
static size_t whole_n;

static struct drg_catalog *small_catalog(void)
{
	static const char *const lines[] = {
		"{\"type\":\"adapter\",\"id\":7,\"code\":\"c\",\"name\":\"C\",\"domain\":\"tour\"}",
		"{\"type\":\"dict\",\"kind\":\"country\",\"id\":1,\"name\":{\"en\":\"Turkey\",\"uk\":\"T\"},"
		"\"iso_"
		"alpha_2\":\"TR\"}",
		"{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":\"AI\"}",
		"{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"AI\",\"name\":\"All\","
		"\"dict_"
		"id\":1}",
		"{\"type\":\"air_place\",\"source_id\":1,\"place\":\"city\",\"code\":\"IEV\",\"name\":"
		"\"Kyiv\","
		"\"country_code\":\"UA\"}",
	};
	struct drg_catalog *c;
	struct drg_arena arena;
	struct drg_record r;
	struct drg_err err = { 0 };
	drg_arena_init(&arena, 1 << 20);
	REQUIRE(drg_catalog_new(&(struct drg_catalog_options){ .max_bytes = 1 << 24 }, &c, &err) == DRG_OK);
	for (unsigned i = 0; i < DRG_ARRAY_LEN(lines); i++)
		REQUIRE(drg_ndjson_read(drg_str_c(lines[i]), &arena, &r, &err) == DRG_OK &&
		        drg_catalog_apply(c, &r, &err) == DRG_OK);
	REQUIRE(drg_catalog_publish(c, 5, "epoch", &err) == DRG_OK);
	drg_arena_done(&arena);
	return c;
}

static void write_whole(const char *path)
{
	struct drg_branch branch = { .seq = 1, .id = 3 };
	const struct drg_image_of of = { .clock = { .seq = 5, .epoch = "epoch", .branch = 3 },
		                         .branches = { &branch, 1 } };
	struct drg_newfile w;
	struct drg_err err = { 0 };
	struct drg_catalog *c = small_catalog();
	REQUIRE(drg_image_begin(path, 1 << 20, &w, &err) == DRG_OK);
	drg_read_lock();
	REQUIRE(drg_image_write(&w, c, &of, INT64_MAX, &err) == DRG_OK);
	drg_read_unlock();
	REQUIRE(drg_newfile_end(&w, true, &err) == DRG_OK);
	drg_catalog_free(c);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	char dir[] = "/tmp/dragoman-fuzz-XXXXXX", path[64];
	REQUIRE(mkdtemp(dir) != NULL);
	snprintf(path, sizeof path, "%s/snapshot", dir);
	write_whole(path);
	FILE *f = fopen(path, "re");
	REQUIRE(f != NULL && fseek(f, 0, SEEK_END) == 0);
	whole_n = (size_t)ftell(f);
	whole = malloc(whole_n);
	rewind(f);
	REQUIRE(whole != NULL && fread(whole, 1, whole_n, f) == whole_n);
	fclose(f);
	unlink(path);
	rmdir(dir);
	return 0;
}

static void load(const void *bytes, size_t n, bool is_whole)
{
	static const struct drg_catalog_options o = { .max_bytes = 1 << 24 };
	char path[64];
	struct drg_image_file *f;
	struct drg_catalog *c;
	struct drg_err err = { 0 };
	int fd = file_of(bytes, n, path), rc = drg_image_open(path, &f, &err);
	if (rc == DRG_OK) {
		rc = drg_image_load(f, &o, NULL, &c, &err);
		drg_image_close(f);
	}
	close(fd);
	REQUIRE((rc == DRG_OK) == is_whole);
	if (rc == DRG_OK) {
		REQUIRE(drg_catalog_seq(c) == 5);
		drg_catalog_free(c);
	} else {
		require_refusal(rc, &err);
	}
}

/* Damage: after 'd' pieces of five bytes, a place and what is changed there; after 'c' the length that is
 * left, after 't' what is written behind the end. */
static size_t damage(char *bytes, struct drg_str how)
{
	char what = how.p[0];
	uint32_t at = 0;
	how = drg_str(how.p + 1, how.n - 1);
	if (what == 't') {
		size_t more = how.n < 4096 ? how.n : 4096;
		memcpy(bytes + whole_n, how.p, more);
		return whole_n + more;
	}
	for (; how.n >= 5; how = drg_str(how.p + 5, how.n - 5)) {
		memcpy(&at, how.p, sizeof at);
		if (what == 'c')
			return at % (whole_n + 1);
		bytes[at % whole_n] ^= how.p[4];
	}
	return whole_n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct drg_str input = input_text(data, n);
	if (n == 0 || strchr("dct", input.p[0]) == NULL) {
		load(data, n, false);
		return 0;
	}
	char *bytes = malloc(whole_n + 4096);
	REQUIRE(bytes != NULL);
	memcpy(bytes, whole, whole_n);
	size_t left = damage(bytes, input);
	load(bytes, left, left == whole_n && memcmp(bytes, whole, whole_n) == 0);
	free(bytes);
	return 0;
}
