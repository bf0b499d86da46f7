/* src/workbench/load.h
 * What is said of a list that could not be loaded. */
#pragma once
#include "api/app.h"
#include "load/jobs.h"

/** Answer for a load that has failed. @return what a handler returns. */
int drg_curate_load_fail(struct drg_exchange *x, struct drg_loading *l);
