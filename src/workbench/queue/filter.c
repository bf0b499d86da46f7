#include "workbench/queue/filter.h"
#include "workbench/queue/cases.h"

#include <math.h>
#include <stdlib.h>

/* "0.95": digits and a point, from 0 to 1. @return NAN: it is not. */
static double filter_share(struct drg_str value)
{
	char text[20];
	if (value.n == 0 || value.n >= sizeof text || strspn(value.p, "0123456789.") < value.n)
		return NAN;
	memcpy(text, value.p, value.n);
	text[value.n] = '\0';
	char *end = text;
	double share = strtod(text, &end);
	return *end == '\0' && end != text && share <= 1 ? share : NAN;
}

int drg_case_check_above(struct drg_str value, const char *name, struct drg_err *reterr)
{
	return !isnan(filter_share(value))
	               ? DRG_OK
	               : drg_fail(reterr, DRG_EINVAL, DRG_R(out_of_range), name,
	                          "%s: expected a probability from 0 to 1, such as 0.95, found \"%.*s\"",
	                          name, DRG_STR_ARG(value));
}

int drg_case_check_sort(struct drg_str value, const char *name, struct drg_err *reterr)
{
#define FILTER_WORD(id, word) " " word
	return drg_queue_sort_by_name(value) < DRG_QUEUE_SORT_COUNT
	               ? DRG_OK
	               : drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_word), name,
	                          "%s: expected one of" DRG_QUEUE_SORTS(FILTER_WORD) ", found \"%.*s\"", name,
	                          DRG_STR_ARG(value));
#undef FILTER_WORD
}

/* "7/hotel/A/1" */
static bool filter_like(struct drg_str value, struct drg_open_case *ret)
{
	const char *end = value.p + value.n;
	const char *kind = value.n > 0 ? memchr(value.p, '/', value.n) : NULL;
	const char *id = kind != NULL ? memchr(kind + 1, '/', (size_t)(end - kind - 1)) : NULL;
	char digits[DRG_I64_TEXT];
	size_t n = kind != NULL ? (size_t)(kind - value.p) : 0;
	if (id == NULL || n == 0 || n >= sizeof digits || strspn(value.p, "0123456789") < n)
		return false;
	memcpy(digits, value.p, n);
	digits[n] = '\0';
	enum drg_kind k = drg_kind_by_name(drg_str(kind + 1, (size_t)(id - kind - 1)));
	*ret = (struct drg_open_case){ .adapter = strtoll(digits, NULL, 10),
		                       .kind = (uint8_t)k,
		                       .id = drg_str(id + 1, (size_t)(end - id - 1)) };
	return k != DRG_KIND_NONE;
}

int drg_case_check_like(struct drg_str value, const char *name, struct drg_err *reterr)
{
	struct drg_open_case like;
	return filter_like(value, &like)
	               ? DRG_OK
	               : drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_word), name,
	                          "%s: expected ADAPTER_ID/KIND/ID, such as 7/hotel/12, found \"%.*s\"", name,
	                          DRG_STR_ARG(value));
}

int drg_case_filter_read(struct drg_exchange *x, struct drg_queue_filter *ret)
{
	struct drg_open_case *like = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *like);
	if (like == NULL)
		return DRG_ENOMEM;
	*ret = (struct drg_queue_filter){
		.adapter = drg_exchange_int(x, "adapter_id", 0),
		.kind = drg_kind_by_name(drg_exchange_text(x, "kind")),
		.country = drg_exchange_int(x, "country_id", INT64_MIN),
		.city = drg_exchange_int(x, "city_id", INT64_MIN),
		.reason = drg_curate_reason_of(drg_exchange_text(x, "reason")),
		.suggested = drg_exchange_has(x, "suggested") ? drg_exchange_flag(x, "suggested") : -1,
		.assigned = drg_exchange_text(x, "assigned"),
		.who = drg_exchange_caller(x)->name,
		.later = drg_exchange_has(x, "later") ? drg_exchange_flag(x, "later") : -1,
		.since_us = INT64_MIN
	};
	if (drg_exchange_has(x, "above"))
		ret->above = (float)filter_share(drg_exchange_text(x, "above"));
	if (drg_exchange_has(x, "like") && filter_like(drg_exchange_text(x, "like"), like))
		ret->like = like;
	return drg_curate_since(x, &ret->since_us);
}

enum drg_queue_sort drg_case_sort_read(const struct drg_exchange *x)
{
	return drg_exchange_has(x, "sort") ? drg_queue_sort_by_name(drg_exchange_text(x, "sort"))
	                                   : DRG_QUEUE_BY_WORTH;
}

bool drg_case_is_visible(struct drg_reading *r, const struct drg_open_case *c, struct drg_source *ret)
{
	const struct drg_adapter *a = drg_catalog_adapter(r->cat, c->adapter);
	return a != NULL && drg_api_can_read(r->x, a->id) &&
	       drg_catalog_source(r->cat, a, (enum drg_kind)c->kind, c->id, ret) &&
	       ret->dict == DRG_NO_HANDLE;
}

bool drg_case_may_count(const struct drg_exchange *x)
{
	return drg_exchange_caller(x)->reads == NULL || drg_exchange_has(x, "adapter_id");
}

int drg_case_await(struct drg_exchange *x, struct drg_keeper_wait *wait, int (*answer)(struct drg_exchange *))
{
	struct drg_keeper *keeper = drg_cases_keeper(drg_app_of(x)->cases);
	wait->done = drg_exchange_wake;
	wait->ctx = x;
	if (drg_keeper_request(keeper))
		return answer(x);
	/* Suspended before the thread can know of it. */
	drg_exchange_suspend(x, answer);
	drg_keeper_await(keeper, wait);
	return DRG_HTTP_SUSPENDED;
}
