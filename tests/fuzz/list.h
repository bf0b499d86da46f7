/* tests/fuzz/list.h
 * A list of a supplier, from the file to records; for the targets that make such files. */
#pragma once
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "load/convert.h"
#include "text/utf8.h"

/** The path of a file in memory that has these bytes, in @p path. @return its descriptor, to be closed. */
static inline int file_of(const void *data, size_t n, char path[static 64])
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	REQUIRE(fd >= 0 && write(fd, data, n) == (ssize_t)n);
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

static inline void read_rows(struct drg_plan *p)
{
	enum { MOST_ROWS = 4096 };
	struct drg_sheet_row row;
	struct drg_converted c;
	struct drg_arena arena;
	struct drg_err err = { 0 };
	int rc = DRG_OK;
	drg_arena_init(&arena, 64 << 20);
	for (unsigned i = 0; i < MOST_ROWS && (rc = drg_plan_next(p, &row, &err)) == DRG_OK; i++) {
		REQUIRE(row.n > 0 && row.n <= DRG_SHEET_COLUMNS_MAX);
		REQUIRE(row.cells[row.n - 1].text.n > 0);
		for (unsigned k = 0; k < row.n; k++)
			REQUIRE(drg_utf8_valid(row.cells[k].text, NULL));
		drg_arena_reset(&arena);
		REQUIRE(drg_convert_row(p, 1, &row, &arena, &c, &err) == DRG_OK);
		REQUIRE(c.skipped != NULL || c.reasons.n > 0 || drg_record_has(&c.r, DRG_F_SOURCE_ID));
	}
	if (rc != DRG_OK && rc != DRG_ENOENT)
		require_refusal(rc, &err);
	drg_arena_done(&arena);
}

/** @param quote  As the user says it, like @p sheet. */
static inline void read_list(const char *path, enum drg_quote quote, const char *sheet)
{
	static const struct drg_profiles none = { .n = 0 };
	const struct drg_plan_wishes wishes = { .kind = DRG_KIND_NONE, .quote = quote, .sheet = sheet };
	static struct drg_plan plan;
	struct drg_arena arena;
	struct drg_err err = { 0 };
	drg_arena_init(&arena, 64 << 20);
	int rc = drg_plan_open(path, NULL, &none, &wishes, &arena, &plan, &err);
	if (rc == DRG_OK)
		read_rows(&plan);
	else
		require_refusal(rc, &err);
	drg_plan_close(&plan);
	drg_arena_done(&arena);
}
