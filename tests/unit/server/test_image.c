/* The snapshot file: what is read is what was written, and nothing else is taken for it. */
#include "../serving.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/image/file.h"
#include "store/fetch.h"

static struct serving node;
static char path[300];

static const char data[] =
        "{\"type\":\"adapter\",\"id\":7,\"code\":\"c\",\"name\":\"C \\\"x\\\"\",\"domain\":\"tour\"}\n"
        "{\"type\":\"adapter\",\"id\":8,\"code\":\"d\",\"name\":\"D\",\"logo\":\"https://d.example/"
        "l\",\"domain\":\"tour\"}\n"
        "{\"type\":\"adapter\",\"id\":21,\"code\":\"s\",\"name\":\"S\",\"domain\":\"air\"}\n"
        "{\"type\":\"dict\",\"kind\":\"country\",\"id\":1,\"name\":{\"en\":\"Turkey\",\"uk\":\"T\"},\"iso_"
        "alpha_2\":\"TR\"}\n"
        "{\"type\":\"dict\",\"kind\":\"dep_city\",\"id\":10,\"name\":\"Kyiv\",\"country_id\":1}\n"
        "{\"type\":\"dict\",\"kind\":\"city\",\"id\":331,\"name\":\"Antalya\",\"country_id\":1,\"is_resort\":"
        "true}\n"
        "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":\"AI\",\"description\":{\"en\":\"All\"}}\n"
        "{\"type\":\"dict\",\"kind\":\"hotel_category\",\"id\":5,\"name\":\"5*\"}\n"
        "{\"type\":\"dict\",\"kind\":\"hotel\",\"id\":55,\"name\":\"Blue\",\"country_id\":1,\"city_id\":331,"
        "\"hotel_category_id\":5}\n"
        "{\"type\":\"direction\",\"adapter_id\":7,\"dep_city_id\":10,\"country_id\":1}\n"
        "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"hotel\",\"id\":\"1\",\"name\":\"B\",\"country_"
        "name\":\"T\",\"dict_id\":55}\n"
        "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"hotel\",\"id\":\"2\",\"name\":\"B "
        "\\\"2\\\"\",\"dict_id\":55}\n"
        "{\"type\":\"source\",\"adapter_id\":8,\"kind\":\"meal\",\"id\":\"AI\",\"name\":\"All\",\"dict_id\":"
        "1}\n"
        "{\"type\":\"air_place\",\"source_id\":1,\"place\":\"city\",\"code\":\"IEV\",\"name\":{\"en\":"
        "\"Kyiv\"},"
        "\"country_code\":\"UA\",\"weight\":900,\"lat\":50.45,\"lng\":30.5}\n"
        "{\"type\":\"air_source\",\"adapter_id\":21,\"source_id\":1,\"external_id\":\"x\",\"data\":{\"a\":1}}"
        "\n";

/* ---- a catalog and its snapshot -------------------------------------------------------------------------- */

/* The follower sets the clock for snapshots after it has published the catalog. */
static int64_t image_seq(void)
{
	struct drg_image_of of;
	assert_int_equal(drg_follower_image_of(node.follower, &of), DRG_OK);
	free(of.branches.v);
	return of.clock.seq;
}

static int begin(void **state)
{
	(void)state;
	serving_begin(&node, data, (struct drg_follower_options){ 0 });
	snprintf(path, sizeof path, "%s/snapshot", node.store.dir.path);
	assert_int_equal(drg_follower_run(node.follower, NULL), DRG_OK);
	wait_until(atomic_load(&node.published) == 1);
	/* Some dead records and removed slots. */
	serving_change(
	        &node,
	        "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"hotel\",\"id\":\"2\",\"deleted\":true}\n"
	        "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"hotel\",\"id\":\"3\",\"name\":\"3\",\"dict_"
	        "id\":55}\n");
	serving_change(
	        &node,
	        "{\"type\":\"dict\",\"kind\":\"country\",\"id\":1,\"name\":{\"en\":\"Turkiye\",\"uk\":\"T\"},"
	        "\"iso_alpha_2\":\"TR\"}\n");
	wait_until(image_seq() == 3);
	return 0;
}

static int end(void **state)
{
	(void)state;
	drg_follower_stop(node.follower);
	serving_end(&node);
	return 0;
}

static int write_image(int64_t until_ns, struct drg_image_of *of)
{
	struct drg_newfile w;
	struct drg_err err;
	assert_int_equal(drg_follower_image_of(node.follower, of), DRG_OK);
	assert_int_equal(drg_image_begin(path, 1 << 20, &w, &err), DRG_OK);
	drg_read_lock();
	int rc = drg_image_write(&w, drg_follower_catalog(node.follower), of, until_ns, &err);
	drg_read_unlock();
	assert_int_equal(drg_newfile_end(&w, rc == DRG_OK, &err), DRG_OK);
	return rc;
}

static int load(struct drg_catalog **ret, struct drg_err *err)
{
	const struct drg_catalog_options o = { .max_bytes = 1 << 26 };
	struct drg_image_file *f;
	int rc = drg_image_open(path, &f, err);
	if (rc != DRG_OK)
		return rc;
	rc = drg_image_load(f, &o, NULL, ret, err);
	drg_image_close(f);
	return rc;
}

/* Every record of a catalog as a text, in the order of their texts. */
struct texts {
	struct drg_buf packed;
	char *of[100];
	unsigned n;
};

static int add_text(void *ctx, const struct drg_record *r)
{
	struct texts *t = ctx;
	struct drg_buf b;
	drg_buf_init(&b, 1 << 20);
	drg_record_pack(r, &b);
	char *hex = calloc(1, 2 * b.n + 1);
	for (size_t i = 0; i < b.n; i++)
		snprintf(hex + 2 * i, 3, "%02x", (unsigned char)b.p[i]);
	drg_buf_done(&b);
	assert_in_range(t->n, 0, DRG_ARRAY_LEN(t->of) - 1);
	t->of[t->n++] = hex;
	return DRG_OK;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct texts texts_of(const struct drg_catalog *c)
{
	struct texts t = { .n = 0 };
	assert_int_equal(drg_catalog_each(c, add_text, &t), DRG_OK);
	qsort(t.of, t.n, sizeof t.of[0], by_text);
	return t;
}

static void assert_same(const struct drg_catalog *a, const struct drg_catalog *b)
{
	struct texts x = texts_of(a), y = texts_of(b);
	assert_int_equal(x.n, y.n);
	for (unsigned i = 0; i < x.n; i++) {
		assert_string_equal(x.of[i], y.of[i]);
		free(x.of[i]);
		free(y.of[i]);
	}
}

/* ---- tests ----------------------------------------------------------------------------------------------- */

static void what_is_read_is_what_was_written(void **state)
{
	(void)state;
	struct drg_image_of of;
	struct drg_image_file *f;
	struct drg_catalog *again;
	struct drg_err err;
	assert_int_equal(write_image(INT64_MAX, &of), DRG_OK);
	assert_int_equal(drg_image_open(path, &f, &err), DRG_OK);
	assert_int_equal(drg_image_file_of(f)->clock.seq, of.clock.seq);
	assert_int_equal(drg_image_file_of(f)->clock.branch, of.clock.branch);
	assert_string_equal(drg_image_file_of(f)->clock.epoch, of.clock.epoch);
	assert_int_equal(drg_image_file_of(f)->branches.n, of.branches.n);
	assert_memory_equal(drg_image_file_of(f)->branches.v, of.branches.v,
	                    of.branches.n * sizeof *of.branches.v);
	drg_image_close(f);
	free(of.branches.v);
	assert_int_equal(load(&again, &err), DRG_OK);
	const struct drg_catalog *c = drg_follower_catalog(node.follower);
	assert_same(c, again);
	struct drg_catalog_stats a, b;
	drg_catalog_stats(c, &a);
	drg_catalog_stats(again, &b);
	assert_int_equal(a.sources, b.sources);
	assert_int_equal(a.dicts, b.dicts);
	assert_int_equal(drg_catalog_seq(again), drg_catalog_seq(c));
	struct drg_dict d;
	assert_true(drg_catalog_country(again, DRG_STR("TR"), &d));
	drg_catalog_free(again);
}

static void what_takes_too_long_is_given_up(void **state)
{
	(void)state;
	struct drg_image_of of;
	unlink(path);
	assert_int_equal(write_image(0, &of), DRG_ESTOPPED);
	free(of.branches.v);
	assert_int_equal(access(path, F_OK), -1);
	char aside[320];
	snprintf(aside, sizeof aside, "%s.new", path);
	assert_int_equal(access(aside, F_OK), -1);
}

static void only_one_writes_at_a_time(void **state)
{
	(void)state;
	struct drg_newfile w, other;
	struct drg_err err;
	assert_int_equal(drg_image_begin(path, 1 << 20, &w, &err), DRG_OK);
	assert_int_equal(drg_image_begin(path, 1 << 20, &other, &err), DRG_EBUSY);
	assert_int_equal(drg_newfile_end(&w, false, &err), DRG_OK);
	assert_int_equal(drg_image_begin(path, 1 << 20, &w, &err), DRG_OK);
	assert_int_equal(drg_newfile_end(&w, false, &err), DRG_OK);
}

/* As where the disk becomes full. */
static void what_cannot_be_written_leaves_the_one_of_before(void **state)
{
	(void)state;
	struct drg_image_of of;
	struct stat before, after;
	struct rlimit was;
	assert_int_equal(write_image(INT64_MAX, &of), DRG_OK);
	free(of.branches.v);
	assert_int_equal(stat(path, &before), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	signal(SIGXFSZ, SIG_IGN);
	for (off_t most = 0; most < before.st_size; most += 1 + before.st_size / 7) {
		const struct rlimit small = { .rlim_cur = (rlim_t)most, .rlim_max = was.rlim_max };
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
		int rc = write_image(INT64_MAX, &of);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
		free(of.branches.v);
		assert_int_not_equal(rc, DRG_OK);
		assert_int_equal(stat(path, &after), 0);
		assert_int_equal(after.st_ino, before.st_ino);
	}
	struct drg_catalog *c;
	struct drg_err err;
	assert_int_equal(load(&c, &err), DRG_OK);
	drg_catalog_free(c);
}

static void a_disk_without_room_to_spare_is_left_alone(void **state)
{
	(void)state;
	struct drg_newfile w;
	struct drg_err err;
	assert_int_equal(drg_image_begin(path, SIZE_MAX / 4, &w, &err), DRG_EFULL);
	assert_non_null(strstr(err.message, path));
}

static void refuse(const char *what, off_t at)
{
	struct drg_catalog *c;
	struct drg_err err = { 0 };
	int rc = load(&c, &err);
	if (rc != DRG_ECORRUPT)
		fail_msg("%s at %lld: %d %s", what, (long long)at, rc, err.message);
	assert_non_null(strstr(err.message, path));
}

static void a_byte_that_is_changed_anywhere_is_found(void **state)
{
	(void)state;
	struct drg_image_of of;
	struct stat st;
	unsigned char byte, other;
	assert_int_equal(write_image(INT64_MAX, &of), DRG_OK);
	free(of.branches.v);
	int fd = open(path, O_RDWR);
	assert_int_equal(fstat(fd, &st), 0);
	unsigned seed = 1;
	/* Every byte of the header, the last 64, which are hashes, and some of all others. */
	for (off_t at = 0; at < st.st_size;
	     at += at < 4096 || at > st.st_size - 64 ? 1 : 1 + rand_r(&seed) % 997) {
		assert_int_equal(pread(fd, &byte, 1, at), 1);
		other = (unsigned char)(byte ^ (1 << rand_r(&seed) % 8));
		assert_int_equal(pwrite(fd, &other, 1, at), 1);
		refuse("a bit was changed", at);
		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	}
	close(fd);
}

static void a_file_that_is_cut_or_longer_is_found(void **state)
{
	(void)state;
	struct drg_image_of of;
	struct stat st;
	assert_int_equal(write_image(INT64_MAX, &of), DRG_OK);
	free(of.branches.v);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(truncate(path, st.st_size + 1), 0);
	refuse("it is longer", st.st_size + 1);
	for (off_t n = st.st_size - 1; n > 4096; n -= 1 + st.st_size / 50) {
		assert_int_equal(truncate(path, n), 0);
		refuse("it is cut", n);
	}
	for (off_t n = 4096; n >= 0; n -= 512) {
		assert_int_equal(truncate(path, n), 0);
		refuse("it is cut", n);
	}
}

/* Who waits for a version is told by it, though nothing in the store is news. */
static void what_is_shown_of_a_snapshot_is_a_publication(void **state)
{
	(void)state;
	struct drg_image_of of;
	assert_int_equal(write_image(INT64_MAX, &of), DRG_OK);
	free(of.branches.v);
	drg_follower_close(node.follower);
	atomic_store(&node.published, 0);
	const struct drg_follower_options o = { .store_url = node.store.store_url,
		                                .image_path = path,
		                                .poll_ms = 5,
		                                .catalog.max_bytes = 1 << 26,
		                                .published = serving_published,
		                                .ctx = &node };
	assert_int_equal(drg_follower_open(&o, &node.follower, NULL), DRG_OK);
	assert_int_equal(drg_follower_run(node.follower, NULL), DRG_OK);
	wait_until(atomic_load(&node.published) > 0);
	struct drg_clock from = { .seq = -1 };
	drg_follower_started_from(node.follower, &from);
	assert_int_equal(from.seq, of.clock.seq);
	assert_int_equal(serving_seq(&node), of.clock.seq);
}

GROUP(image)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read_is_what_was_written),
		cmocka_unit_test(what_is_shown_of_a_snapshot_is_a_publication),
		cmocka_unit_test(what_takes_too_long_is_given_up),
		cmocka_unit_test(only_one_writes_at_a_time),
		cmocka_unit_test(what_cannot_be_written_leaves_the_one_of_before),
		cmocka_unit_test(a_disk_without_room_to_spare_is_left_alone),
		cmocka_unit_test(a_byte_that_is_changed_anywhere_is_found),
		cmocka_unit_test(a_file_that_is_cut_or_longer_is_found),
	};
	return cmocka_run_group_tests(tests, begin, end);
}
