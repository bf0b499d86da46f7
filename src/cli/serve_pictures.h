/* src/cli/serve_pictures.h
 * The options of `serve` that let the workbench show pictures of other hosts (decision W2). */
#pragma once
#include "api/web/pictures.h"
#include "console/options.h"

/** @param ret  Borrows the texts of the options. @return DRG_OK; DRG_EUSAGE. */
DRG_MUSTCHECK
int drg_serve_pictures(const struct drg_options *o, struct drg_pictures *ret, struct drg_err *err);
