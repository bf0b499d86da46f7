/* src/api/flags.h
 * The SVG flags at /flags/{1x1,4x3}/xx.svg (decision R4). */
#pragma once
#include "base/str.h"

/** File name, without ".svg", of the flag of an alpha-2 code: "tr"; "xx" when there is none. Static. */
const char *drg_flag_name(struct drg_str alpha_2);
