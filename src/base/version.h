/* src/base/version.h
 * The version of this program. */
#pragma once

/** The version by tools/version: "0.3.0", or "0.3.1~dev5+g293c98e0a1b2" between releases. */
extern const char drg_version_text[];
/** The commit that it was built from, with "-dirty" at its end if files were changed since; "unknown"
 * (tools/commit). */
extern const char drg_commit_text[];
