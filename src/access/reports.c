#include "access/reports.h"

#include "access/first_link.h"
#include "access/key_words.h"
#include "access/keys.h"
#include "access/people.h"
#include "base/clock.h"
#include "store/uses.h"

/* ---- keys ------------------------------------------------------------------------------------------------ */

struct key_row {
	const struct drg_record *record;
	const char *api, *state, *role;
	bool secret, text_ids;
	struct drg_str old_until;
	int64_t id, last_used;
	struct drg_report_suppliers writes, reads;
};

static const char *const api_words[] = { "a", "b", NULL };
static const char *const state_words[] = { "good", "expired", "revoked", NULL };

/* clang-format off */
#define KEY(...) DRG_REPORT_COLUMN(struct key_row, __VA_ARGS__)
#define FIELD(...) DRG_REPORT_STORED_COLUMN(struct key_row, __VA_ARGS__)
const struct drg_report drg_keys_report = { "AccessKey", (const struct drg_report_column[]){
	KEY(id, INT, 6, .doc = "number of the key"),
	KEY(api, WORD, 3, .words = api_words, .doc = "API that the key is for"),
	KEY(secret, BOOL, 6, .doc = "true if the key has a secret"),
	KEY(state, WORD, 7, .words = state_words, .doc = "whether the key works"),
	KEY(role, WORD, 9, .words = drg_key_role_words, .doc = "permissions of the key"),
	FIELD("name", TEXT, DRG_F_NAME, 24, .doc = "name of the key"),
	FIELD("note", TEXT, DRG_F_NOTE, 24, .doc = "note for people"),
	FIELD("requests_per_second", INT, DRG_F_REQUESTS_PER_SECOND, 19,
		.doc = "limit for each server; null: none"),
	FIELD("adds_per_day", INT, DRG_F_ADDS_PER_DAY, 12, .doc = "limit of elements; null: none"),
	KEY(text_ids, BOOL, 8, .doc = "true if every orig_id of sourceData is a text"),
	KEY(writes, SUPPLIERS, 12, .flags = DRG_REPORT_NULL, .none = "all",
		.doc = "suppliers that the key may write; null: all"),
	KEY(reads, SUPPLIERS, 12, .flags = DRG_REPORT_NULL, .none = "all",
		.doc = "suppliers that the key may read; null: all"),
	KEY(last_used, DAY, 10, .flags = DRG_REPORT_NULL, .none = "never",
		.doc = "day of the last use (UTC), as far as it is known"),
	FIELD("created", TEXT, DRG_F_CREATED, 24, .doc = "time at which the key was created"),
	FIELD("expires", TEXT, DRG_F_EXPIRES, 24, .none = "never",
		.doc = "time at which the key stops working"),
	KEY(old_until, TEXT, 24, .flags = DRG_REPORT_NULL,
		.doc = "time until which the key before the last rotation works"),
	FIELD("revoked", TEXT, DRG_F_REVOKED, 0, .doc = "time at which the key was revoked"),
	{ 0 } } };
#undef KEY
#undef FIELD
/* clang-format on */

struct keys_reading {
	struct drg_suppliers suppliers;
	struct drg_buf uses; /* struct drg_use */
	drg_report_row_fn *fn;
	void *ctx;
};

static int keys_take_use(void *ctx, const struct drg_use *u)
{
	struct keys_reading *k = ctx;
	drg_buf_add(&k->uses, u, sizeof *u);
	return k->uses.rc;
}

static int64_t keys_last_used(const struct keys_reading *k, int64_t id)
{
	const struct drg_use *u = (const struct drg_use *)(const void *)k->uses.p;
	for (size_t i = 0; i < k->uses.n / sizeof *u; i++)
		if (u[i].number == id)
			return u[i].day;
	return INT64_MIN;
}

static int keys_take(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct keys_reading *k = ctx;
	const bool secret = drg_record_has(r, DRG_F_SECRET_HASH);
	(void)m;
	const struct key_row row = {
		.record = r,
		.id = r->v[DRG_F_ID].i,
		.api = api_words[drg_record_i(r, DRG_F_API, 0) == DRG_API_A ? 0 : 1],
		.secret = secret,
		.state = drg_keys_state(r),
		.role = drg_key_role_words[drg_record_i(r, DRG_F_ROLE,
		                                        secret ? DRG_KEY_REGISTRAR : DRG_KEY_READER)],
		.text_ids = drg_record_i(r, DRG_F_TEXT_IDS, 0) != 0,
		.last_used = keys_last_used(k, r->v[DRG_F_ID].i),
		.old_until = drg_keys_older_until(r),
		.writes = { drg_record_s(r, DRG_F_ADAPTERS), &k->suppliers },
		.reads = { drg_record_s(r, DRG_F_READS), &k->suppliers },
	};
	return k->fn(k->ctx, &row);
}

int drg_keys_query(struct drg_store *s, void *asked, struct drg_arena *arena, drg_report_row_fn *fn,
                   void *ctx, struct drg_err *reterr)
{
	struct keys_reading k = { .fn = fn, .ctx = ctx };
	(void)asked;
	drg_buf_init(&k.uses, SIZE_MAX);
	int rc = drg_suppliers_load(s, arena, &k.suppliers, reterr);
	if (rc == DRG_OK)
		rc = drg_store_uses(s, DRG_USE_KEY, 0, keys_take_use, &k, reterr);
	if (rc == DRG_OK)
		rc = drg_keys_list(s, keys_take, &k, reterr);
	drg_buf_done(&k.uses);
	return rc;
}

/* ---- users ----------------------------------------------------------------------------------------------- */

struct user_row {
	struct drg_str name, added;
	const char *role, *password;
	bool disabled;
	int64_t link_until;
};

static const char *const password_words[] = { "yes", "no", "link", "old_link", NULL };

/* clang-format off */
#define USER(...) DRG_REPORT_COLUMN(struct user_row, __VA_ARGS__)
const struct drg_report drg_users_report = { "AccessPerson", (const struct drg_report_column[]){
	USER(name, TEXT, 24, .doc = "name with which the user signs in"),
	USER(role, WORD, 8, .words = drg_person_role_words, .doc = "permissions of the user"),
	USER(disabled, BOOL, 8, .doc = "true if the user cannot sign in"),
	USER(password, WORD, 8, .words = password_words,
		.doc = "whether there is a password, or a link to choose one"),
	USER(link_until, TIME, 24, .flags = DRG_REPORT_NULL, .doc = "time at which the link ends"),
	USER(added, TEXT, 0, .flags = DRG_REPORT_NULL, .doc = "time at which the user was added"),
	{ 0 } } };
#undef USER
/* clang-format on */

struct users_reading {
	drg_report_row_fn *fn;
	void *ctx;
};

static int users_take(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	const struct users_reading *k = ctx;
	const int64_t until_us = drg_link_until(drg_record_s(r, DRG_F_PASSWORD));
	(void)m;
	const struct user_row row = {
		.name = drg_record_s(r, DRG_F_NAME),
		.role = drg_person_role_words[drg_record_i(r, DRG_F_PERSON_ROLE, DRG_PERSON_VIEWER)],
		.disabled = drg_record_i(r, DRG_F_DISABLED, 0) != 0,
		.password = until_us == 0              ? (drg_record_has(r, DRG_F_PASSWORD) ? "yes" : "no")
		            : until_us > drg_wall_us() ? "link"
		                                       : "old_link",
		.link_until = until_us != 0 ? until_us : INT64_MIN,
		.added = drg_record_s(r, DRG_F_ADDED),
	};
	return k->fn(k->ctx, &row);
}

int drg_users_query(struct drg_store *s, void *asked, struct drg_arena *arena, drg_report_row_fn *fn,
                    void *ctx, struct drg_err *reterr)
{
	struct users_reading k = { fn, ctx };
	(void)asked, (void)arena;
	return drg_people_list(s, users_take, &k, reterr);
}

/* ---- history --------------------------------------------------------------------------------------------- */

struct access_row {
	int64_t at, id;
	struct drg_str name, what, by, detail;
};

/* clang-format off */
#define EVENT(...) DRG_REPORT_COLUMN(struct access_row, __VA_ARGS__)
const struct drg_report drg_access_report = { "AccessEvent", (const struct drg_report_column[]){
	EVENT(at, TIME, 24, .doc = "time of the event"),
	EVENT(id, INT, 6, .doc = "number of the key or user"),
	EVENT(name, TEXT, 24, .flags = DRG_REPORT_NULL, .doc = "name of the key or user"),
	EVENT(what, TEXT, 10, .doc = "event"),
	EVENT(by, TEXT, 16, .flags = DRG_REPORT_NULL, .doc = "user or key that did it"),
	EVENT(detail, TEXT, 0, .flags = DRG_REPORT_NULL, .doc = "changed fields, or the address of a client"),
	{ 0 } } };
#undef EVENT
/* clang-format on */

struct access_reading {
	const struct drg_access_history *asked;
	struct drg_arena *arena;
	int64_t number; /* of the key or user that is asked for; 0: not found, or all */
	struct access_named {
		int64_t id;
		struct drg_str name;
		struct access_named *next;
	} * names;
	drg_report_row_fn *fn;
	void *ctx;
};

static int access_take_name(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct access_reading *h = ctx;
	struct access_named *one = drg_arena_alloc(h->arena, sizeof *one);
	(void)m;
	if (one == NULL)
		return DRG_ENOMEM;
	*one = (struct access_named){ r->v[DRG_F_ID].i, drg_arena_str(h->arena, drg_record_s(r, DRG_F_NAME)),
		                      h->names };
	h->names = one;
	if (h->asked->sort == DRG_ACCESS_KEY ? one->id == h->asked->number
	                                     : drg_str_eq_nocase(one->name, h->asked->name))
		h->number = one->id;
	return one->name.p != NULL ? DRG_OK : DRG_ENOMEM;
}

static int access_take(void *ctx, const struct drg_access_event *e)
{
	const struct access_reading *h = ctx;
	const struct access_named *one = h->names;
	while (one != NULL && one->id != e->number)
		one = one->next;
	const struct access_row row = { .at = e->at_us,
		                        .id = e->number,
		                        .name = one != NULL ? one->name : DRG_STR(""),
		                        .what = e->what,
		                        .by = e->who,
		                        .detail = e->detail };
	return h->fn(h->ctx, &row);
}

int drg_access_query(struct drg_store *s, void *asked, struct drg_arena *arena, drg_report_row_fn *fn,
                     void *ctx, struct drg_err *reterr)
{
	const struct drg_access_history *a = asked;
	const bool keys = a->sort == DRG_ACCESS_KEY,
	           one = a->must_exist || (keys ? a->number != 0 : a->name.n > 0);
	const struct drg_filter all = { .type = &drg_types[keys ? DRG_TYPE_API_KEY : DRG_TYPE_PERSON] };
	struct access_reading h = { .asked = a, .arena = arena, .fn = fn, .ctx = ctx };
	struct drg_rows rows;
	int rc = drg_rows_each(drg_rows_scan(&rows, s, &all, reterr), access_take_name, &h);
	if (keys && !a->must_exist)
		h.number = a->number; /* its history stays when the key is removed */
	if (rc == DRG_OK && one && h.number == 0)
		return !a->must_exist ? DRG_OK
		       : keys         ? drg_fail(reterr, DRG_ENOENT, DRG_R(unknown_key), NULL,
		                                 "there is no key %lld; 'dragoman key list' shows them",
		                                 (long long)a->number)
		                      : drg_fail(reterr, DRG_ENOENT, DRG_R(unknown_user), NULL,
		                                 "there is no user %.*s; 'dragoman user list' shows them",
		                                 DRG_STR_ARG(a->name));
	if (rc != DRG_OK)
		return rc;
	return a->newest > 0
	               ? drg_store_access_newest(s, a->sort, h.number, a->newest, access_take, &h, reterr)
	               : drg_store_access_events(s, a->sort, h.number, access_take, &h, reterr);
}
