/* src/sheet/harmless.h
 * Cells of text files that a spreadsheet would take for a formula (decision P6), whatever separator it splits
 * the file by: an apostrophe makes them text, and is taken away where a file is read. */
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include "base/str.h"

/**
 * Write a cell of a file whose cells have @p separator between them. An apostrophe is put before = + - @,
 * also the full-width ones, where the cell begins or a part of it behind a comma, a semicolon, a tab or a
 * line end; before a tab and a carriage return where the cell begins. Blanks, quotes and apostrophes may
 * stand before the sign. A cell that is just a sign, or a number, has none.
 * @param quoted  In quotes in any case.
 */
void drg_cell_write(FILE *f, struct drg_str cell, char separator, bool quoted);
/** Make a cell what it was before these apostrophes, in its place, and of ="00123", which only makes it text,
 * 00123. @return its bytes, @p n at most. */
size_t drg_cell_unescape(char *p, size_t n);
