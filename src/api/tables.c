#include "api/tables.h"

/* clang-format off */
const struct drg_endpoint *const drg_api_tables[] = {
	drg_lists_a,
	drg_lists_b,
	drg_source_info,
	drg_source_data,
	drg_hotel_check,
	drg_hotel_description,
	drg_source_add,
	drg_compared,
	drg_avia_detail,
	drg_avia_compared,
	drg_avia_reference,
	drg_changes_endpoints,
	drg_export_sources,
	drg_flags_endpoints,
	drg_health,
	NULL,
};
/* clang-format on */
