#include "api/tables.h"

const struct drg_columns *drg_columns_of(const struct drg_exchange *x)
{
	static const struct drg_columns none;
	const struct drg_columns *columns = drg_exchange_endpoint(x)->app;
	return columns != NULL ? columns : &none;
}
