/* src/api/web/pictures.h
 * What the workbench may show from other hosts: an operator's map, and suppliers' photos (decision W2). */
#pragma once
#include <stdbool.h>

enum { DRG_TILES_MAX = 500 };

struct drg_pictures {
	const char *tiles; /**< "https://tiles.example/{z}/{x}/{y}.png"; NULL: no map */
	const char *credit; /**< whose map it is; NULL: not said */
	bool photos; /**< of any https site, after a click */
	char sources[DRG_TILES_MAX + 16]; /**< for img-src: " https://tiles.example https:"; may be empty */
};
