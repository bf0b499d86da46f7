/* src/api/web/assets.h
 * The files of web/ that tools/pack_web.py made part of the program. */
#pragma once
#include <stddef.h>

struct drg_asset {
	const char *name, *type; /**< "demo.js", its Content-Type */
	size_t at, n, n_gzip,
	        n_br; /**< in the blob: as it is, its gzip form right behind it, then its Brotli form */
	const char *etag;
};

/** By name, as bytes sort. */
extern const struct drg_asset drg_assets[];
extern const size_t drg_asset_count;
extern const char drg_web_blob[];
