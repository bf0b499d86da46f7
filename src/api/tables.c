#include "api/tables.h"

#define LISTED(name) name,

const struct drg_endpoint *const drg_api_tables[] = { DRG_API_TABLES(LISTED) NULL };
