/* GET access/keys: the keys of both APIs, for administrators (decision E31). */
#include "access/reports.h"
#include "api/report.h"
#include "api/tables.h"

enum { KEYS_MAX = 10000 };

/* Write the suppliers that a key can be limited to, including those of flights. */
static int keys_write_suppliers(struct drg_reading *r, void *answer)
{
	(void)answer;
	drg_suppliers_member(r, 0, true);
	return DRG_OK;
}

static int keys_answer(struct drg_exchange *x)
{
	const struct drg_report_response a = { .report = &drg_keys_report,
		                               .query = drg_keys_query,
		                               .limit = KEYS_MAX,
		                               .tail = keys_write_suppliers };
	return drg_report_respond(x, &a);
}

const struct drg_endpoint drg_access_keys[] = {
	{ .method = DRG_GET,
	  .path = "/v1/access/keys",
	  .name = "keys",
	  .handler = keys_answer,
	  .auth = DRG_AUTH_ADMIN,
	  .summary = "The keys of both APIs",
	  .app = DRG_COLUMNS(.report = &drg_keys_report) },
	{ 0 },
};
