/* src/load/plan.h
 * A file, opened behind its header row, with the profile by which it is read: a stored profile whose columns
 * the file has, or one that is proposed from the names of its columns. */
#pragma once
#include "load/columns.h"
#include "load/profile.h"
#include "sheet/sheet.h"
#include "store/store.h"

enum { DRG_PLAN_PROFILES_MAX = 16 };

/** Options of the command line; they override the profile. */
struct drg_plan_wishes {
	/** DRG_KIND_NONE: the kind of the profile; for a proposal the kind of the only profile if `anew`,
	 * else hotel */
	enum drg_kind kind;
	const char *encoding, *sheet, *lang; /**< NULL: not given */
	const char *country, *category; /**< of rows that name none; NULL: not given; empty: none */
	uint32_t separator; /**< a character; 0: not given */
	char decimal; /**< 0: not given */
	enum drg_quote quote; /**< DRG_QUOTE_UNKNOWN: not given */
	const char *const
	        *map; /**< "field=Column", or "field=": no column feeds it; NULL-terminated; NULL: none */
	/** propose columns although there is a profile, based on that profile: `map` names some */
	bool anew;
	/** propose as much as possible, for a caller that asks for the rest: also without a column of ids,
	 * and if no row looks like a header */
	bool look;
};

/** The stored profiles of a supplier. */
struct drg_profiles {
	struct drg_profile list[DRG_PLAN_PROFILES_MAX];
	unsigned n;
};
/** Load the profiles of a supplier. @param arena  Owns their texts. */
DRG_MUSTCHECK
int drg_profiles_load(struct drg_store *s, int64_t adapter, struct drg_arena *arena, struct drg_profiles *ret,
                      struct drg_err *reterr);

/** The first rows, which are read to find the header, and the ceiling of their bytes. */
enum { DRG_PLAN_KEPT = 30, DRG_PLAN_KEPT_MAX = 16 << 20 };
/** Most sheets among which the list is sought. */
enum { DRG_PLAN_SHEETS = 16 };

enum { DRG_COLUMN_UNREAD = -1, DRG_COLUMN_IGNORED = -2 };

struct drg_plan {
	const char *path;
	const atomic_bool *stop;
	struct drg_sheet *sheet; /**< NULL: closed */
	struct drg_sheet_row kept[DRG_PLAN_KEPT];
	unsigned n_kept, next_kept; /**< rows from next_kept on are the first data */
	struct drg_profile profile;
	bool proposed; /**< the profile is a proposal, not stored yet */
	bool wished; /**< the wishes changed what is remembered of such lists: columns, the language ... */
	bool headless; /**< no row of the sheet looks like a header: it may be notes */
	int rc; /**< code of comparing column names while the file is opened */
	/** index of the last header row in `kept`, and number of header rows */
	unsigned header_at, header_rows;
	uint64_t header_line;
	unsigned n_columns;
	struct drg_column header[DRG_SHEET_COLUMNS_MAX];
	int bound[DRG_SHEET_COLUMNS_MAX]; /**< first index in profile.columns, or DRG_COLUMN_... */
	unsigned at[DRG_PROFILE_COLUMNS_MAX]; /**< the column that feeds profile.columns[k] */
	int part[DRG_PROFILE_COLUMNS_MAX]; /**< the part of its cells that does, 0 or 1; -1: the whole cell */
	/** true if minutes and seconds of coordinates have their own columns, so no coordinates are
	 * proposed */
	bool minutes;
	/** for a proposal: the other kind that the columns look like; DRG_KIND_NONE: none */
	enum drg_kind looks_like;
	/** what people are told of the order of coordinates, "lat,lng" or "lng,lat"; NULL: nothing */
	const char *coordinates;
	bool coordinates_sure; /**< the values fit no other order, or the stored profile says it */
};

/**
 * Open a file.
 * @param stop  As in struct drg_sheet_options.
 * @param arena  Owns the texts of @p ret: the first rows, at most DRG_PLAN_KEPT_MAX bytes.
 * @return DRG_OK; DRG_EINVAL: no header row, missing columns of the profile, or a --map that names no column;
 *         errors of drg_sheet_open().
 */
DRG_MUSTCHECK
int drg_plan_open(const char *path, const atomic_bool *stop, const struct drg_profiles *stored,
                  const struct drg_plan_wishes *w, struct drg_arena *arena, struct drg_plan *ret,
                  struct drg_err *reterr);
/** The wire names of the fields that a column feeds, in @p ret. @return how many: 0 to 2. */
unsigned drg_plan_feeds(const struct drg_plan *p, unsigned column, const char *ret[2]);
/** Get the next row of data, as drg_sheet_next(). */
DRG_MUSTCHECK
int drg_plan_next(struct drg_plan *p, struct drg_sheet_row *ret, struct drg_err *reterr);
void drg_plan_close(struct drg_plan *p);
