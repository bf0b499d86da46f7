/* src/text/fold_priv.h
 * The tables of fold.c, which tools/fold_tables.c makes of ICU's rules when the program is built. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/** The result of folding a letter of the basic plane. */
enum { DRG_FOLD_TEXT = 7, DRG_FOLD_SPACE = 0xfe, DRG_FOLD_ITSELF = 0xff };
struct drg_fold_cell {
	uint8_t n; /**< bytes of text, or DRG_FOLD_SPACE: between words, or DRG_FOLD_ITSELF */
	char text[DRG_FOLD_TEXT];
};
enum { DRG_FOLD_PAGE_CELLS = 256, DRG_FOLD_PAGES = 0x10000 / DRG_FOLD_PAGE_CELLS };
extern const struct drg_fold_cell drg_fold_cells[][DRG_FOLD_PAGE_CELLS];
/** The row of drg_fold_cells for each 256 letters. */
extern const uint8_t drg_fold_pages[DRG_FOLD_PAGES];

/** A letter and a mark, U+0300 to U+037F, that are one letter together; ascending. */
extern const struct drg_fold_pair {
	uint16_t letter, mark, both;
} drg_fold_pairs[];
extern const size_t drg_fold_n_pairs;
