/* Lines of the interchange format, and rows of CSV. What is accepted is written and read back as the same
 * record. */
#include "fuzz.h"
#include "model/csv.h"
#include "model/ndjson.h"
#include "text/cells.h"
#include "text/utf8.h"

enum { MEMORY = 64 << 20 };
static const char *const targets[] = { "source:hotel", "source:city",   "source:currency", "dict:country",
	                               "dict:hotel",   "dict:meal",     "adapter",         "direction",
	                               "air_place",    "hotel_content", "redirect",        "air_source" };

static void require_reference(void *ctx, int ref, int64_t id, struct drg_str text, const char *field)
{
	(void)ctx;
	(void)ref;
	(void)id;
	REQUIRE(drg_utf8_valid(text, NULL) && field[0] != '\0');
}

static void require_same_again(const struct drg_record *r)
{
	struct drg_arena arena;
	struct drg_buf line, again;
	struct drg_record back;
	struct drg_err err = { 0 };
	drg_arena_init(&arena, MEMORY);
	drg_buf_init(&line, SIZE_MAX);
	drg_buf_init(&again, SIZE_MAX);
	drg_ndjson_write(r, &line);
	REQUIRE(line.rc == DRG_OK && line.n > 0 && line.p[line.n - 1] == '\n');
	if (drg_ndjson_read(drg_str(line.p, line.n - 1), &arena, &back, &err) != DRG_OK) {
		fprintf(stderr, "%.*s%s\n", (int)line.n, line.p, err.message);
		abort();
	}
	REQUIRE(drg_record_eq(r, &back));
	REQUIRE(drg_record_refs(&back, require_reference, NULL) == DRG_OK);
	drg_ndjson_write(&back, &again);
	REQUIRE(drg_str_eq(drg_buf_view(&line), drg_buf_view(&again)));
	drg_buf_done(&line);
	drg_buf_done(&again);
	drg_arena_done(&arena);
}

static void read_line(struct drg_str line)
{
	struct drg_arena arena;
	struct drg_record r;
	struct drg_err err = { 0 };
	drg_arena_init(&arena, MEMORY);
	int rc = drg_ndjson_read(line, &arena, &r, &err);
	if (rc == DRG_OK)
		require_same_again(&r);
	else
		require_refusal(rc, &err);
	drg_arena_done(&arena);
}

static struct drg_str take_line(struct drg_str *rest)
{
	const char *end = memchr(rest->p, '\n', rest->n);
	struct drg_str line = { rest->p, end != NULL ? (size_t)(end - rest->p) : rest->n };
	size_t used = end != NULL ? line.n + 1 : line.n;
	*rest = drg_str(rest->p + used, rest->n - used);
	return line;
}

/* The next row: as many lines as its quotes want. */
static struct drg_str take_row(char separator, struct drg_str *rest)
{
	struct drg_cells cells = { .separator = separator };
	struct drg_str row = take_line(rest), line = row;
	while (drg_cells_pass(&cells, line) && rest->n > 0) {
		line = take_line(rest);
		row.n = (size_t)(line.p + line.n - row.p);
	}
	return row;
}

static void read_csv(unsigned options, struct drg_str text)
{
	static const char separators[] = ",;\t|";
	char pair[256];
	const char *const map[] = { pair, NULL };
	bool mapped = (options & 128) != 0; /* the first line is "field=Column" */
	struct drg_str first = mapped ? take_line(&text) : DRG_STR("");
	snprintf(pair, sizeof pair, "%.*s", DRG_STR_ARG(first));
	const struct drg_csv_options o = { .target = targets[options % (sizeof targets / sizeof *targets)],
		                           .adapter = (options & 64) != 0 ? 7 : 0,
		                           .separator = separators[options >> 4 & 3],
		                           .map = mapped ? map : NULL,
		                           .lang = mapped ? "pt-BR" : NULL };
	struct drg_csv *csv = NULL;
	struct drg_err err = { 0 };
	int rc = drg_csv_open(&o, take_line(&text), &csv, &err);
	if (rc != DRG_OK) {
		require_refusal(rc, &err);
		return;
	}
	while (text.n > 0) {
		struct drg_arena arena;
		struct drg_record r;
		drg_arena_init(&arena, MEMORY);
		rc = drg_csv_read(csv, take_row(o.separator, &text), &arena, &r, &err);
		if (rc == DRG_OK)
			require_same_again(&r);
		else
			require_refusal(rc, &err);
		drg_arena_done(&arena);
	}
	drg_csv_close(csv);
}

/* The first byte chooses: '{' begins a line of NDJSON, another one a kind of CSV. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct drg_str text = input_text(data, n);
	if (n > 0 && data[0] != '{')
		read_csv(data[0], drg_str(text.p + 1, text.n - 1));
	else
		read_line(text);
	return 0;
}
