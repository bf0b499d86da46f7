/* src/accounts/common.h
 * What answers about keys and people say alike. */
#pragma once
#include "api/reading.h"

/** Write the error of a library that commands share, with the names of the API's parameters. @return what a
 * handler returns. */
int drg_access_refuse(struct drg_exchange *x, int rc);
/** Check of a parameter: one of the words. */
DRG_MUSTCHECK
int drg_access_word(struct drg_str value, const char *name, const char *const *words, struct drg_err *reterr);
/** The number of a word of the parameter @p name; below 0: not said. */
int drg_access_word_of(struct drg_exchange *x, const char *name, const char *const *words);
