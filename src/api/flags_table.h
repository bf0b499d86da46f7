/* src/api/flags_table.h
 * The flags that tools/pack_flags.py made part of the program. */
#pragma once
#include <stddef.h>

struct drg_flag_row {
	const char *ratio, *code; /**< "4x3", "tr" */
	size_t at, n, n_gzip; /**< the SVG in the blob, its gzip form right behind it */
	const char *etag;
};

/** By ratio, then by code. */
extern const struct drg_flag_row drg_flag_rows[];
extern const size_t drg_flag_count;
extern const char drg_flags_blob[];
