/* POST access/keyCreate, keySet, keyRotate, keyRevoke: what an administrator does with keys (decision E31). */
#include "access/key_words.h"
#include "access/keys.h"
#include "access/people.h"

#include <assert.h>

#include "accounts/common.h"
#include "api/reading.h"
#include "api/tables.h"
#include "api/write.h"

enum { KEY_ADAPTERS = 500 };
static const char *const key_apis[] = { "a", "b", NULL };

/* Numbers of suppliers as they are sent, in the arena of the exchange. */
struct key_adapters {
	struct drg_exchange *x;
	const char *name;
	int64_t *v;
	size_t n;
};

/* In the arena of the exchange. */
struct key_request {
	struct drg_write write;
	drg_txn_fn *run;
	struct drg_str by;
	struct drg_key_creation create;
	struct drg_key_setting set;
	struct drg_key_change change;
};

static int key_run(void *request, struct drg_txn *t, struct drg_err *reterr)
{
	struct key_request *q = request;
	assert(q->run != NULL);
	void *what = q->run == drg_keys_create ? (void *)&q->create
	             : q->run == drg_keys_set  ? (void *)&q->set
	                                       : (void *)&q->change;
	int rc = drg_person_check_admin(t, q->by, reterr);
	return rc == DRG_OK ? q->run(what, t, reterr) : rc;
}

/* ---- the answer ------------------------------------------------------------------------------------------ */

static int key_answer(struct drg_exchange *x)
{
	struct key_request *q = drg_exchange_data(x);
	struct drg_jw w = { .b = drg_exchange_out(x) };
	const struct drg_key_made *made = q->run == drg_keys_create ? &q->create.made : &q->change.made;
	int rc = drg_api_write_finish(&q->write);
	if (rc != DRG_OK)
		return drg_access_refuse(x, rc);
	drg_exchange_add_header(x, "Cache-Control", "no-store");
	drg_data_begin(&w);
	drg_jw_object(&w);
	drg_jw_member_i64(&w, "id",
	                  q->run == drg_keys_create ? made->id
	                  : q->run == drg_keys_set  ? q->set.id
	                                            : q->change.id);
	if (q->run == drg_keys_create || q->run == drg_keys_rotate) {
		drg_jw_member_str_or_null(&w, "key", drg_str_c(made->key));
		drg_jw_member_str_or_null(&w, "secret", drg_str_c(made->secret));
	}
	drg_jw_object_end(&w);
	drg_data_end(&w);
	return DRG_OK;
}

static int key_send(struct drg_exchange *x, struct key_request *q, drg_txn_fn *run)
{
	q->run = run;
	q->by = drg_exchange_caller(x)->name;
	q->write = (struct drg_write){ .run = key_run, .ctx = q, .job.rows = 2 };
	drg_exchange_set_data(x, q);
	return drg_api_write(x, &q->write, key_answer);
}

/* ---- the requests ---------------------------------------------------------------------------------------- */

static int key_take_adapter(void *ctx, struct drg_str name, struct drg_str value)
{
	struct key_adapters *a = ctx;
	(void)name;
	if (drg_str_eq(value, DRG_STR("all")))
		return DRG_OK;
	if (a->n == KEY_ADAPTERS)
		return drg_fail(drg_exchange_err(a->x), DRG_EINVAL, DRG_R(too_many_elements), a->name,
		                "%s: at most %d", a->name, KEY_ADAPTERS);
	return drg_str_to_i64(value, &a->v[a->n++])
	               ? DRG_OK
	               : drg_fail(drg_exchange_err(a->x), DRG_EINVAL, DRG_R(bad_integer), a->name,
	                          "%s: expected the number of a supplier, found \"%.*s\"", a->name,
	                          DRG_STR_ARG(value));
}

static int key_adapters(struct drg_exchange *x, const char *name, const int64_t **ret, size_t *ret_n)
{
	struct key_adapters a = { .x = x, .name = name };
	a.v = drg_arena_alloc(drg_exchange_arena(x), KEY_ADAPTERS * sizeof *a.v);
	int rc = a.v != NULL ? drg_exchange_each(x, name, key_take_adapter, &a) : DRG_ENOMEM;
	*ret = a.v;
	*ret_n = a.n;
	return rc;
}

/* An empty value is as if it was not sent (L2), so that a word takes a text away. */
static struct drg_str key_text(struct drg_exchange *x, const char *name, const char *none)
{
	struct drg_str text = drg_exchange_text(x, name);
	return drg_str_eq(text, drg_str_c(none)) ? DRG_STR("") : text;
}

static int key_spec(struct drg_exchange *x, struct drg_key_spec *ret)
{
	*ret = (struct drg_key_spec){ .name = key_text(x, "name", "none"),
		                      .note = key_text(x, "note", "none"),
		                      .expires = key_text(x, "expires", "never"),
		                      .role = drg_access_word_of(x, "role", drg_key_role_words),
		                      .requests_per_second = drg_exchange_int(x, "requests_per_second", 0),
		                      .adds_per_day = drg_exchange_int(x, "adds_per_day", 0),
		                      .text_ids = drg_exchange_flag(x, "text_ids") };
	int rc = key_adapters(x, "writes", &ret->adapters, &ret->n_adapters);
	return rc == DRG_OK ? key_adapters(x, "reads", &ret->reads, &ret->n_reads) : rc;
}

static int key_create(struct drg_exchange *x)
{
	struct key_request *q = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *q);
	if (q == NULL)
		return DRG_ENOMEM;
	int rc = key_spec(x, &q->create.spec);
	q->create.spec.api = drg_str_eq(drg_exchange_text(x, "api"), DRG_STR("a")) ? DRG_API_A : DRG_API_B;
	q->create.spec.secret = drg_exchange_flag(x, "secret");
	q->create.by = drg_exchange_caller(x)->name;
	return rc == DRG_OK ? key_send(x, q, drg_keys_create) : rc;
}

static int key_set(struct drg_exchange *x)
{
	struct key_request *q = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *q);
	if (q == NULL)
		return DRG_ENOMEM;
	struct drg_key_setting *k = &q->set;
	int rc = key_spec(x, &k->spec);
	k->id = drg_exchange_int(x, "id", 0);
	k->by = drg_exchange_caller(x)->name;
	k->name = drg_exchange_has(x, "name");
	k->note = drg_exchange_has(x, "note");
	k->role = drg_exchange_has(x, "role");
	k->adapters = drg_exchange_has(x, "writes");
	k->reads = drg_exchange_has(x, "reads");
	k->expires = drg_exchange_has(x, "expires");
	k->requests_per_second = drg_exchange_has(x, "requests_per_second");
	k->adds_per_day = drg_exchange_has(x, "adds_per_day");
	k->text_ids = drg_exchange_has(x, "text_ids");
	return rc == DRG_OK ? key_send(x, q, drg_keys_set) : rc;
}

static int key_rotate(struct drg_exchange *x)
{
	struct key_request *q = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *q);
	if (q == NULL)
		return DRG_ENOMEM;
	q->change = (struct drg_key_change){ .id = drg_exchange_int(x, "id", 0),
		                             .by = drg_exchange_caller(x)->name,
		                             .force = drg_exchange_flag(x, "force") };
	int rc = drg_exchange_has(x, "overlap")
	                 ? drg_keys_parse_overlap(drg_exchange_text(x, "overlap"), &q->change.overlap_us,
	                                          drg_exchange_err(x))
	                 : DRG_OK;
	return rc == DRG_OK ? key_send(x, q, drg_keys_rotate) : rc;
}

static int key_revoke(struct drg_exchange *x)
{
	struct key_request *q = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *q);
	if (q == NULL)
		return DRG_ENOMEM;
	q->change = (struct drg_key_change){ .id = drg_exchange_int(x, "id", 0),
		                             .by = drg_exchange_caller(x)->name };
	return key_send(x, q, drg_keys_revoke);
}

/* ---- the rows -------------------------------------------------------------------------------------------- */

static int key_check_word(struct drg_str value, const char *name, struct drg_err *reterr)
{
	const char *const *words = strcmp(name, "api") == 0 ? key_apis : drg_key_role_words;
	return drg_access_word(value, name, words, reterr);
}

#define DRG_PARAM_KEY_ID                                                                                     \
	{                                                                                                    \
		.name = "id", .type = DRG_P_INT, .required = true, .doc = "of the key"                       \
	}
#define KEY_SUPPLIERS                                                                                        \
	"{\"type\":\"array\",\"items\":{\"type\":\"string\",\"pattern\":\"^(all|[0-9]{1,18})$\"}}"
#define DRG_PARAM_KEY_FIELDS                                                                                 \
	{ .name = "name",                                                                                    \
	  .type = DRG_P_TEXT,                                                                                \
	  .max = DRG_CHARS_KEY_NAME,                                                                         \
	  .schema = DRG_SCHEMA_LINE,                                                                         \
	  .doc = "for people; none: without" },                                                              \
	        { .name = "note",                                                                            \
		  .type = DRG_P_TEXT,                                                                        \
		  .max = DRG_CHARS_KEY_NOTE,                                                                 \
		  .schema = DRG_SCHEMA_LINE,                                                                 \
		  .doc = "for people, such as the key's owner; none: no note" },                             \
	        { .name = "role",                                                                            \
		  .type = DRG_P_TEXT,                                                                        \
		  .max = 16,                                                                                 \
		  .check = key_check_word,                                                                   \
		  .schema = "{\"enum\":[\"reader\",\"registrar\",\"curator\"]}",                             \
		  .doc = "of a key of API B: what it may do" },                                              \
	        { .name = "requests_per_second",                                                             \
		  .type = DRG_P_INT,                                                                         \
		  .min = 0,                                                                                  \
		  .max = DRG_KEY_RATE_MAX,                                                                   \
		  .doc = "that each server answers at most; 0: no limit" },                                  \
	        { .name = "adds_per_day",                                                                    \
		  .type = DRG_P_INT,                                                                         \
		  .min = 0,                                                                                  \
		  .max = DRG_KEY_ADDS_MAX,                                                                   \
		  .doc = "elements of sourceAdd at most; 0: no limit" },                                     \
	        { .name = "text_ids", .type = DRG_P_FLAG, .doc = "every orig_id of sourceData is a text" },  \
	        { .name = "writes",                                                                          \
		  .type = DRG_P_TEXT,                                                                        \
		  .repeated = true,                                                                          \
		  .max = 20,                                                                                 \
		  .schema = KEY_SUPPLIERS,                                                                   \
		  .doc = "suppliers that it may write, by number; or all" },                                 \
	        { .name = "reads",                                                                           \
		  .type = DRG_P_TEXT,                                                                        \
		  .repeated = true,                                                                          \
		  .max = 20,                                                                                 \
		  .schema = KEY_SUPPLIERS,                                                                   \
		  .doc = "suppliers that it may read, by number; or all" },                                  \
	{                                                                                                    \
		.name = "expires", .type = DRG_P_TEXT, .max = 64,                                            \
		.schema = "{\"anyOf\":[" DRG_STAMPS ",{\"type\":\"string\",\"const\":\"never\"}]}",          \
		.doc = "a date, or a time with its zone; or never"                                           \
	}

static const struct drg_param create_params[] = {
	{ .name = "api",
	  .type = DRG_P_TEXT,
	  .required = true,
	  .max = 1,
	  .check = key_check_word,
	  .schema = "{\"enum\":[\"a\",\"b\"]}",
	  .doc = "for which API" },
	{ .name = "secret", .type = DRG_P_FLAG, .doc = "with a secret, for what is protected; API B only" },
	DRG_PARAM_KEY_FIELDS,
	{ 0 },
};
static const struct drg_param set_params[] = { DRG_PARAM_KEY_ID, DRG_PARAM_KEY_FIELDS, { 0 } };
static const struct drg_param rotate_params[] = {
	DRG_PARAM_KEY_ID,
	{ .name = "overlap",
	  .type = DRG_P_TEXT,
	  .max = 16,
	  .schema = "{\"pattern\":\"^([0-9]{1,6}s|[0-9]{1,4}m|(1?[0-9]{1,3}|20[0-9]{2}|21[0-5][0-9]|2160)h|"
	            "[0-8]?[0-9]d|90d)?$\"}",
	  .doc = "for so long the old key goes on working: 90s, 30m, 24h, 7d, 90d at most" },
	{ .name = "force",
	  .type = DRG_P_FLAG,
	  .doc = "end the pair before the last rotation, if its overlap is still running" },
	{ 0 },
};
static const struct drg_param revoke_params[] = { DRG_PARAM_KEY_ID, { 0 } };

const struct drg_endpoint drg_key_changes[] = {
	{ .method = DRG_POST,
	  .path = "/v1/access/keyCreate",
	  .name = "keyCreate",
	  .handler = key_create,
	  .auth = DRG_AUTH_ADMIN,
	  .params = create_params,
	  .only_known = true,
	  .summary = "Make a key" },
	{ .method = DRG_POST,
	  .path = "/v1/access/keySet",
	  .name = "keySet",
	  .handler = key_set,
	  .auth = DRG_AUTH_ADMIN,
	  .params = set_params,
	  .only_known = true,
	  .summary = "Change what a key may do" },
	{ .method = DRG_POST,
	  .path = "/v1/access/keyRotate",
	  .name = "keyRotate",
	  .handler = key_rotate,
	  .auth = DRG_AUTH_ADMIN,
	  .params = rotate_params,
	  .summary = "Replace a key and its secret" },
	{ .method = DRG_POST,
	  .path = "/v1/access/keyRevoke",
	  .name = "keyRevoke",
	  .handler = key_revoke,
	  .auth = DRG_AUTH_ADMIN,
	  .params = revoke_params,
	  .summary = "Have a key work no more" },
	{ 0 },
};
