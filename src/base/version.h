/* src/base/version.h
 * Which program this is. */
#pragma once

/** From meson.build: "0.2.0". */
extern const char drg_version_text[];
/** What it was built of: the commit, "-dirty" behind it where files were changed since; "unknown"
 * (tools/commit). */
extern const char drg_commit_text[];
