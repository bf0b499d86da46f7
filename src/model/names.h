/* src/model/names.h
 * The name of a dict record for people who were not asked for their language. */
#pragma once
#include "model/record.h"

/** Its name in English, or in the first language that it has; empty where it has none.
 * @param arena  May hold it. @return DRG_OK; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_main_name(const struct drg_record *r, struct drg_arena *arena, struct drg_str *ret);
