#include "../unit.h"

#include <stdio.h>

#include "model/ndjson.h"
#include "text/json.h"

struct fixture {
	struct drg_arena arena;
	struct drg_buf out;
	struct drg_err err;
};

static int set_up(void **state)
{
	static struct fixture f;
	drg_arena_init(&f.arena, 1 << 24);
	drg_buf_init(&f.out, 1 << 24);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	drg_arena_done(&f->arena);
	drg_buf_done(&f->out);
	return 0;
}

static int read_line(struct fixture *f, const char *line, struct drg_record *ret)
{
	return drg_ndjson_read(drg_str_c(line), &f->arena, ret, &f->err);
}

/* The line that the record of @p line is written as. */
static const char *canonical(struct fixture *f, const char *line)
{
	struct drg_record r;
	int rc = read_line(f, line, &r);
	if (rc != DRG_OK)
		return f->err.message;
	drg_buf_clear(&f->out);
	drg_ndjson_write(&r, &f->out);
	drg_buf_char(&f->out, '\0');
	assert_int_equal(f->out.p[f->out.n - 2], '\n');
	f->out.p[f->out.n - 2] = '\0';
	return f->out.p;
}

static void every_line_of_the_fixture_goes_round(void **state)
{
	struct fixture *f = *state;
	char path[512], line[8192], first[8192];
	FILE *file = fopen(fixture("mini.ndjson", path, sizeof path), "r");
	assert_non_null(file);
	unsigned lines = 0;
	while (fgets(line, sizeof line, file) != NULL) {
		struct drg_record a, b;
		line[strcspn(line, "\n")] = '\0';
		if (read_line(f, line, &a) != DRG_OK)
			fail_msg("%s: %s: %s", line, f->err.field, f->err.message);
		snprintf(first, sizeof first, "%s", canonical(f, line));
		assert_int_equal(read_line(f, first, &b), DRG_OK);
		assert_true(drg_record_eq(&a, &b));
		assert_string_equal(canonical(f, first), first);
		lines++;
	}
	fclose(file);
	assert_int_equal(lines, 57);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_line_of_the_fixture_goes_round, set_up, tear_down),
	};
	return cmocka_run_group_tests_name("model/ndjson", tests, NULL, NULL);
}
