/* src/base/version.h
 * The version of this program. */
#pragma once

/** The version from meson.build: "0.2.0". */
extern const char drg_version_text[];
/** The commit that it was built from, with "-dirty" at its end if files were changed since; "unknown"
 * (tools/commit). */
extern const char drg_commit_text[];
