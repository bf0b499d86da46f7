/* tour/sourceAdd: a server registers what tour/sourceInfo did not know (spec 4.2; decisions M6 to M11). */
#include "api/tables.h"

#include <inttypes.h>
#include <stdio.h>

#include "api/submission.h"

/* Reject elements with one id and different data: it is not known which of them is meant (M7). */
static int refuse_differing(struct drg_submission *s, struct drg_element *first)
{
	return drg_element_refuse(
	        first, drg_exchange_arena(s->x), DRG_R(duplicate_id),
	        "id: expected the %s elements with this id to be the same, found a difference; "
	        "none of them was added",
	        drg_kind_name(first->kind));
}

static void error_member(struct drg_jw *w, const struct drg_reason *reason, struct drg_str message)
{
	drg_jw_object(w);
	drg_jw_member_object(w, "error");
	drg_jw_member_i64(w, "code", 400);
	drg_jw_member_str(w, "reason", drg_str_c(reason->word));
	drg_jw_member_str(w, "message", message);
	drg_jw_object_end(w);
	drg_jw_object_end(w);
}

static void exists_member(const struct drg_submission *s, const struct drg_element *e, struct drg_jw *w)
{
	char text[400];
	int n = snprintf(text, sizeof text,
	                 "id: the %s %.*s of the adapter %" PRId64 " exists already, and stays as it is",
	                 drg_kind_name(e->kind), DRG_STR_ARG(e->key), s->reg.adapter);
	error_member(w, DRG_R(already_exists), drg_str(text, (size_t)n));
}

static void created_member(const struct drg_element *e, struct drg_jw *w)
{
	drg_jw_object(w);
	drg_jw_key(w, "source");
	drg_element_json(e, w);
	drg_jw_member_null(w, "dict");
	drg_jw_object_end(w);
}

static void source_add_member(const struct drg_submission *s, const struct drg_element *e, struct drg_jw *w)
{
	if (e->state == DRG_ELEMENT_REPEATED)
		return;
	drg_jw_key_str(w, e->key);
	if (e->state == DRG_ELEMENT_CREATED)
		created_member(e, w);
	else if (e->state == DRG_ELEMENT_EXISTS)
		exists_member(s, e, w);
	else
		error_member(w, e->reason, drg_str_c(e->message));
}

/* From an http thread, or, where the answer may be kept, from the writer's. It is kept if something was added,
 * or counted (E30): a repetition of another finds the same. */
static bool source_add_write_answer(void *registration, struct drg_buf *out)
{
	const struct drg_submission *s = DRG_CONTAINER_OF(registration, struct drg_submission, reg);
	struct drg_jw w = { .b = out };
	bool keep = s->reg.adds.per_day > 0;
	drg_submission_begin(s, &w, s->lang_code);
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++) {
		if (!s->kind[k].given)
			continue;
		drg_jw_key(&w, drg_kind_name((enum drg_kind)k));
		drg_jw_object(&w);
		for (size_t i = 0; i < s->kind[k].n; i++) {
			const struct drg_element *e = &s->reg.elements[s->kind[k].first + i];
			keep = keep || e->state == DRG_ELEMENT_CREATED;
			source_add_member(s, e, &w);
		}
		drg_jw_object_end(&w);
	}
	drg_submission_end(&w);
	return keep;
}

static int source_add_answer(struct drg_exchange *x)
{
	struct drg_submission *s = drg_exchange_data(x);
	if (s->write.retry == NULL)
		(void)source_add_write_answer(&s->reg, drg_exchange_out(x));
	return DRG_OK;
}

static int source_add(struct drg_exchange *x)
{
	struct drg_submission *s;
	int rc = drg_submission_read(x, &s);
	if (rc == DRG_OK)
		rc = drg_api_write_set_idempotency_key(x, &s->write);
	if (rc == DRG_OK)
		rc = drg_submission_merge(s, refuse_differing);
	if (rc != DRG_OK)
		return rc;
	s->write.answer = source_add_write_answer;
	return drg_submission_register(s, true, source_add_answer);
}

static const struct drg_body_field fields[] = { DRG_SUBMISSION_FIELDS, { 0 } };

const struct drg_endpoint drg_source_add[] = {
	{ .method = DRG_POST,
	  .path = "/v1/tour/sourceAdd",
	  .name = "sourceAdd",
	  .handler = source_add,
	  .auth = DRG_AUTH_SECRET_B,
	  .body = DRG_BODY_JSON,
	  .summary = "Register supplier elements that are new",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter, .fields = fields,
	                     .elements = &drg_source_add_elements) },
	{ 0 },
};
