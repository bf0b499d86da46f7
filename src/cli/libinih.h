/* src/cli/libinih.h
 * libinih, loaded with the file of --config (base/library.h): most commands have none. */
#pragma once
#include <ini.h>

#include "base/library.h"

#define ini_parse_stream DRG_LATE(INIH, ini_parse_stream)
