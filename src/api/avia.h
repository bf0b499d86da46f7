/* src/api/avia.h
 * What avia/detail and avia/compared have in common. */
#pragma once
#include "api/air_json.h"

/** {"id":…,"code":…,"title":…} */
void drg_avia_adapter(struct drg_jw *w, const struct drg_adapter *a);
