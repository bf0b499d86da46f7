/* src/load/plan.h
 * A file, opened behind its header row, with the profile by which it is read: a stored one whose columns it
 * has, or one that is proposed from the names of its columns. */
#pragma once
#include "load/columns.h"
#include "load/profile.h"
#include "sheet/sheet.h"
#include "store/store.h"

enum { DRG_PLAN_PROFILES_MAX = 16 };

/** What the user said on the command line; it goes before what a profile says. */
struct drg_plan_wishes {
	/** DRG_KIND_NONE: by the profile; in a proposal that of the only one if anew, else hotel */
	enum drg_kind kind;
	const char *encoding, *sheet, *lang; /**< NULL: not said */
	char separator, decimal; /**< 0: not said */
	const char *const
	        *map; /**< "field=Column", or "field=": no column feeds it; NULL-terminated; NULL: none */
	/** propose columns although there is a profile, on top of what that says: `map` names some */
	bool anew;
	/** propose what can be, for who names the rest: without a column of ids too, and where no row is
	 * like a header */
	bool look;
};

/** The stored profiles of a supplier. */
struct drg_profiles {
	struct drg_profile list[DRG_PLAN_PROFILES_MAX];
	unsigned n;
};
/** @param arena  Owns their texts. */
DRG_MUSTCHECK
int drg_profiles_load(struct drg_store *s, int64_t adapter, struct drg_arena *arena, struct drg_profiles *ret,
                      struct drg_err *reterr);

/** The first rows, which were read to find the header. */
enum { DRG_PLAN_KEPT = 30, DRG_PLAN_KEPT_MAX = 16 << 20 };
/** Sheets among which the list is sought. */
enum { DRG_PLAN_SHEETS = 16 };

enum { DRG_COLUMN_UNREAD = -1, DRG_COLUMN_IGNORED = -2 };

struct drg_plan {
	const char *path;
	const atomic_bool *stop;
	struct drg_sheet *sheet; /**< NULL: closed */
	struct drg_sheet_row kept[DRG_PLAN_KEPT];
	unsigned n_kept, next_kept; /**< from next_kept on they are data, at first */
	struct drg_profile profile;
	bool proposed; /**< not stored yet */
	int rc; /**< of comparing names of columns, while it is opened */
	unsigned header_at, header_rows; /**< the last row of the header among `kept`, and how many it has */
	uint64_t header_line;
	unsigned n_columns;
	struct drg_column header[DRG_SHEET_COLUMNS_MAX];
	int bound[DRG_SHEET_COLUMNS_MAX]; /**< first index in profile.columns, or DRG_COLUMN_... */
	unsigned at[DRG_PROFILE_COLUMNS_MAX]; /**< which column feeds profile.columns[k] */
	int part[DRG_PROFILE_COLUMNS_MAX]; /**< which part of its cells, 0 or 1; -1: all of them */
};

/**
 * @param stop  As of struct drg_sheet_options.
 * @param arena  Owns the texts of @p ret: the first rows, DRG_PLAN_KEPT_MAX bytes at most.
 * @return DRG_OK; DRG_EINVAL: no header row, columns of the profile are missing, a --map that names nothing;
 *         errors of drg_sheet_open().
 */
DRG_MUSTCHECK
int drg_plan_open(const char *path, const atomic_bool *stop, const struct drg_profiles *stored,
                  const struct drg_plan_wishes *w, struct drg_arena *arena, struct drg_plan *ret,
                  struct drg_err *reterr);
/** The wire names of what a column feeds, in @p ret. @return how many: 0 to 2. */
unsigned drg_plan_feeds(const struct drg_plan *p, unsigned column, const char *ret[2]);
/** The next row of data, as drg_sheet_next(). */
DRG_MUSTCHECK
int drg_plan_next(struct drg_plan *p, struct drg_sheet_row *ret, struct drg_err *reterr);
void drg_plan_close(struct drg_plan *p);
