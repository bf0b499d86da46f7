/* src/store/moments_priv.h
 * Times of commits: a row (at, seq) for the first commit of each second, written with it. */
#pragma once
#include "store/store_priv.h"

/** For so many seconds each second has its row; before that each hour has one, its first. */
enum { DRG_MOMENTS_FINE = 31 * 86400 };

/** A commit at this second is to thin out the rows before the second that is returned; 0: it need not. Now and then, so
 * that the table stays small whatever is written. */
int64_t drg_moments_thin_before(int64_t at);
