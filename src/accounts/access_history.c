/* GET access/history: the changes of keys and users (decision E29). */
#include "access/reports.h"
#include "accounts/common.h"
#include "api/report.h"
#include "api/tables.h"

enum { HISTORY = 200, HISTORY_MAX = 1000 };

static int history_answer(struct drg_exchange *x)
{
	struct drg_access_history *h = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *h);
	if (h == NULL)
		return DRG_ENOMEM;
	const bool of_keys = drg_str_eq(drg_exchange_text(x, "of"), DRG_STR("key"));
	const size_t limit = (size_t)drg_exchange_int(x, "limit", HISTORY);
	*h = (struct drg_access_history){ .sort = of_keys ? DRG_ACCESS_KEY : DRG_ACCESS_PERSON,
		                          .number = of_keys ? drg_exchange_int(x, "id", 0) : 0,
		                          .name = of_keys ? DRG_STR("") : drg_exchange_text(x, "name"),
		                          .newest = (unsigned)limit + 1 };
	const struct drg_report_response a = { .report = &drg_access_report,
		                               .query = drg_access_query,
		                               .asked = h,
		                               .limit = limit,
		                               .tail = drg_report_more,
		                               .slow = true };
	return drg_report_respond(x, &a);
}

static int history_check_of(struct drg_str value, const char *name, struct drg_err *reterr)
{
	static const char *const words[] = { "key", "user", NULL };
	return drg_access_word(value, name, words, reterr);
}

static const struct drg_param access_history_params[] = {
	{ .name = "of",
	  .type = DRG_P_TEXT,
	  .required = true,
	  .max = 8,
	  .check = history_check_of,
	  .schema = "{\"enum\":[\"key\",\"user\"]}",
	  .doc = "of keys, or of people" },
	{ .name = "id", .type = DRG_P_INT, .min = 1, .max = INT64_MAX, .doc = "only of this key" },
	{ .name = "name", .type = DRG_P_TEXT, .max = DRG_CHARS_PERSON, .doc = "only this user" },
	{ .name = "limit",
	  .type = DRG_P_INT,
	  .min = 1,
	  .max = HISTORY_MAX,
	  .doc = "events at most; 200 when absent" },
	{ 0 },
};

const struct drg_endpoint drg_access_history[] = {
	{ .method = DRG_GET,
	  .path = "/v1/access/history",
	  .name = "accessHistory",
	  .handler = history_answer,
	  .auth = DRG_AUTH_ADMIN,
	  .params = access_history_params,
	  .summary = "List the changes of keys and users",
	  .app = DRG_COLUMNS(.report = &drg_access_report) },
	{ 0 },
};
