/* /v1/access/users …: people who may sign in, for administrators (decision E31). */
#include <assert.h>
#include <stdio.h>

#include "access/people.h"
#include "access/reports.h"
#include "accounts/common.h"
#include "api/report.h"
#include "api/tables.h"
#include "api/write.h"
#include "base/clock.h"
#include "text/stamp.h"

enum { USERS_MAX = 10000 };

/* ---- the list -------------------------------------------------------------------------------------------- */

static int users_list(struct drg_exchange *x)
{
	const struct drg_report_response a = { .report = &drg_users_report,
		                               .query = drg_users_query,
		                               .limit = USERS_MAX };
	return drg_report_respond(x, &a);
}

/* ---- adding and changing --------------------------------------------------------------------------------- */

/* In the arena of the exchange. */
struct user_request {
	struct drg_write write;
	bool is_new, with_link;
	struct drg_person_addition add;
	struct drg_person_change set;
	char link[DRG_LINK_TEXT], kept[DRG_PASSWORD_HASH];
};

/* A drg_txn_fn; @p request is a struct user_request. */
static int user_run(void *request, struct drg_txn *t, struct drg_err *reterr)
{
	struct user_request *q = request;
	assert(!q->with_link || q->kept[0] != '\0');
	int rc = drg_person_check_admin(t, q->is_new ? q->add.by : q->set.by, reterr);
	if (rc != DRG_OK)
		return rc;
	return q->is_new ? drg_person_add(&q->add, t, reterr) : drg_person_set(&q->set, t, reterr);
}

/* The number tells the server whose link it is; what stands behind # is in no log and sent nowhere. */
static void user_write_link(struct drg_jw *w, struct drg_str public_url, int64_t id,
                            const struct user_request *q)
{
	char until[DRG_STAMP_TEXT];
	drg_jw_key(w, "link");
	if (!q->with_link) {
		drg_jw_null(w);
		drg_jw_member_str_or_null(w, "link_until", DRG_STR(""));
		return;
	}
	drg_jw_sep(w);
	drg_buf_printf(w->b, "\"%.*s/sign-in#link=%lld-%s\"", DRG_STR_ARG(public_url), (long long)id,
	               q->link);
	drg_stamp_text(drg_link_until(drg_str_c(q->kept)), until);
	drg_jw_member_str_or_null(w, "link_until", drg_str_c(until));
}

static int user_answer(struct drg_exchange *x)
{
	struct user_request *q = drg_exchange_data(x);
	struct drg_jw w = { .b = drg_exchange_out(x) };
	int rc = drg_api_write_finish(&q->write);
	if (rc != DRG_OK)
		return drg_access_refuse(x, rc);
	drg_exchange_add_header(x, "Cache-Control", "no-store");
	drg_data_begin(&w);
	drg_jw_object(&w);
	drg_jw_member_str_or_null(&w, "name", q->is_new ? q->add.name : q->set.name);
	drg_jw_member_str_or_null(&w, "role",
	                          drg_str_c(drg_person_role_words[q->is_new ? q->add.role : q->set.is]));
	drg_jw_member_bool(&w, "disabled", !q->is_new && q->set.is_disabled);
	user_write_link(&w, drg_app_of(x)->public_url, q->is_new ? q->add.id : q->set.id, q);
	drg_jw_object_end(&w);
	drg_data_end(&w);
	return DRG_OK;
}

static int user_send(struct drg_exchange *x, struct user_request *q)
{
	int rc = q->with_link ? drg_link_make(drg_wall_us(), q->link, q->kept, drg_exchange_err(x)) : DRG_OK;
	if (rc != DRG_OK)
		return rc;
	q->write = (struct drg_write){ .run = user_run, .ctx = q, .job.rows = 2 };
	drg_exchange_set_data(x, q);
	return drg_api_write(x, &q->write, user_answer);
}

static int user_add(struct drg_exchange *x)
{
	struct user_request *q = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *q);
	if (q == NULL)
		return DRG_ENOMEM;
	q->is_new = true;
	q->with_link = !drg_exchange_flag(x, "no_password");
	q->add = (struct drg_person_addition){ .name = drg_exchange_text(x, "name"),
		                               .by = drg_exchange_caller(x)->name,
		                               .role = (enum drg_person_role)drg_access_word_of(
		                                       x, "role", drg_person_role_words),
		                               .hash = q->with_link ? q->kept : NULL };
	return user_send(x, q);
}

static int user_link(struct drg_exchange *x)
{
	struct user_request *q = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *q);
	if (q == NULL)
		return DRG_ENOMEM;
	q->with_link = true;
	q->set = (struct drg_person_change){ .name = drg_exchange_text(x, "name"),
		                             .by = drg_exchange_caller(x)->name,
		                             .role = -1,
		                             .disabled = -1,
		                             .hash = q->kept };
	return user_send(x, q);
}

/* Else the last administrator could lock the door from outside. */
static int user_set(struct drg_exchange *x)
{
	struct user_request *q = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *q);
	if (q == NULL)
		return DRG_ENOMEM;
	struct drg_str name = drg_exchange_text(x, "name");
	if (drg_str_eq_nocase(name, drg_exchange_caller(x)->name))
		return drg_fail(drg_exchange_err(x), DRG_EAUTH, DRG_R(role_not_allowed), "name",
		                "name: another administrator has to change yours");
	q->set = (struct drg_person_change){ .name = name,
		                             .by = drg_exchange_caller(x)->name,
		                             .role = drg_access_word_of(x, "role", drg_person_role_words),
		                             .disabled = drg_exchange_has(x, "disabled")
		                                                 ? drg_exchange_flag(x, "disabled")
		                                                 : -1 };
	return user_send(x, q);
}

/* ---- the rows -------------------------------------------------------------------------------------------- */

static int user_check_role(struct drg_str value, const char *name, struct drg_err *reterr)
{
	return drg_access_word(value, name, drg_person_role_words, reterr);
}

/* A character that is neither a control character nor white space, as drg_utf8_is_blank() knows it. */
#define USER_VISIBLE                                                                                         \
	"[^\\\\x00-\\\\x20\\\\x7F-\\\\xA0\\\\u1680\\\\u2000-"                                                \
	"\\\\u200A\\\\u2028\\\\u2029\\\\u202F\\\\u205F\\\\u3000]"
/* No name begins as that of a key in histories does, "key 7". */
#define DRG_PARAM_USER                                                                                       \
	{                                                                                                    \
		.name = "name", .type = DRG_P_TEXT, .required = true, .min = 1, .max = DRG_CHARS_PERSON,     \
		.schema = "{\"pattern\":\"^(?![Kk][Ee][Yy] )" USER_VISIBLE                                   \
		          "([^\\\\x00-\\\\x1F\\\\x7F-\\\\x9F]*" USER_VISIBLE ")?$\"}",                       \
		.doc = "of the person, as they sign in"                                                      \
	}
#define DRG_PARAM_USER_ROLE(required_)                                                                       \
	{                                                                                                    \
		.name = "role", .type = DRG_P_TEXT, .required = required_, .max = 16,                        \
		.check = user_check_role, .schema = "{\"enum\":[\"viewer\",\"curator\",\"admin\"]}",         \
		.doc = "their permissions"                                                                   \
	}

static const struct drg_param add_params[] = {
	DRG_PARAM_USER,
	DRG_PARAM_USER_ROLE(true),
	{ .name = "no_password", .type = DRG_P_FLAG, .doc = "only a proxy in front can sign them in" },
	{ 0 },
};
static const struct drg_param user_set_params[] = {
	DRG_PARAM_USER,
	DRG_PARAM_USER_ROLE(false),
	{ .name = "disabled",
	  .type = DRG_P_FLAG,
	  .doc = "they may sign in no more, and their sessions are over; 0: again" },
	{ 0 },
};
static const struct drg_param link_params[] = { DRG_PARAM_USER, { 0 } };

const struct drg_endpoint drg_users[] = {
	{ .method = DRG_GET,
	  .path = "/v1/access/users",
	  .name = "users",
	  .handler = users_list,
	  .auth = DRG_AUTH_ADMIN,
	  .summary = "People who may sign in",
	  .app = DRG_COLUMNS(.report = &drg_users_report) },
	{ .method = DRG_POST,
	  .path = "/v1/access/userAdd",
	  .name = "userAdd",
	  .handler = user_add,
	  .auth = DRG_AUTH_ADMIN,
	  .params = add_params,
	  .summary = "Add a person, with a link to choose a password" },
	{ .method = DRG_POST,
	  .path = "/v1/access/userSet",
	  .name = "userSet",
	  .handler = user_set,
	  .auth = DRG_AUTH_ADMIN,
	  .params = user_set_params,
	  .summary = "Give a person another role, disable or enable them" },
	{ .method = DRG_POST,
	  .path = "/v1/access/userLink",
	  .name = "userLink",
	  .handler = user_link,
	  .auth = DRG_AUTH_ADMIN,
	  .params = link_params,
	  .summary = "Give a person a new link to choose a password" },
	{ 0 },
};
