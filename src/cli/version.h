/* src/cli/version.h
 * The version of the program, from meson.build. */
#pragma once

extern const char drg_version_text[];
