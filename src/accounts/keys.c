/* GET access/keys: the keys of both APIs, for administrators (decision E31). */
#include "access/key_words.h"
#include "access/keys.h"

#include "accounts/common.h"
#include "api/gather.h"
#include "api/store_work.h"
#include "api/tables.h"
#include "base/clock.h"
#include "store/uses.h"

enum { KEYS_MAX = 10000 };

struct keys_work {
	struct drg_copied found;
	struct drg_arena *arena;
	int64_t *days; /* when each was used last; 0: never, as far as is known */
};

static int keys_take_use(void *ctx, const struct drg_use *u)
{
	struct keys_work *k = ctx;
	for (size_t i = 0; i < k->found.n; i++)
		if (k->found.v[i].r.v[DRG_F_ID].i == u->number)
			k->days[i] = u->day;
	return DRG_OK;
}

static int keys_run(void *work, struct drg_store *s, struct drg_arena *arena, struct drg_err *reterr)
{
	struct keys_work *k = work;
	int rc = drg_copied_init(&k->found, arena, KEYS_MAX);
	if (rc == DRG_OK)
		rc = drg_copied_rc(&k->found, drg_keys_list(s, drg_copied_take, &k->found, reterr));
	k->days = rc == DRG_OK ? drg_arena_calloc(arena, k->found.n + 1, sizeof *k->days) : NULL;
	if (rc == DRG_OK && k->days == NULL)
		rc = drg_fail_memory(reterr);
	return rc == DRG_OK ? drg_store_uses(s, DRG_USE_KEY, 0, keys_take_use, k, reterr) : rc;
}

/* null: all. */
static void keys_write_adapters(struct drg_jw *w, const char *name, struct drg_str list)
{
	struct drg_str one;
	drg_jw_key(w, name);
	if (list.n == 0) {
		drg_jw_null(w);
		return;
	}
	drg_jw_array(w);
	while (list.n > 0 && drg_str_split(&list, ',', &one))
		drg_jw_raw(w, drg_str_trim(one));
	drg_jw_array_end(w);
}

/* null: none. */
static void keys_write_limit(struct drg_jw *w, const char *name, const struct drg_record *r, enum drg_field f)
{
	drg_jw_member_i64_or_null(w, name, drg_record_has(r, f), drg_record_i(r, f, 0));
}

static void keys_write_one(struct drg_jw *w, const struct drg_record *r, int64_t day)
{
	char used[DRG_WALL_TEXT] = "";
	const bool secret = drg_record_has(r, DRG_F_SECRET_HASH);
	const int64_t role = drg_record_i(r, DRG_F_ROLE, secret ? DRG_KEY_REGISTRAR : DRG_KEY_READER);
	if (day > 0)
		drg_wall_text(day * 86400 * 1000000, used);
	drg_jw_object(w);
	drg_jw_member_i64(w, "id", r->v[DRG_F_ID].i);
	drg_jw_member_str_or_null(w, "api",
	                          drg_record_i(r, DRG_F_API, 0) == DRG_API_A ? DRG_STR("a") : DRG_STR("b"));
	drg_jw_member_bool(w, "secret", secret);
	drg_jw_member_str_or_null(w, "state", drg_str_c(drg_keys_state(r)));
	drg_jw_member_str_or_null(w, "role", drg_str_c(drg_key_role_words[role]));
	drg_jw_member_str_or_null(w, "name", drg_record_s(r, DRG_F_NAME));
	drg_jw_member_str_or_null(w, "note", drg_record_s(r, DRG_F_NOTE));
	keys_write_limit(w, "requests_per_second", r, DRG_F_REQUESTS_PER_SECOND);
	keys_write_limit(w, "adds_per_day", r, DRG_F_ADDS_PER_DAY);
	drg_jw_member_bool(w, "text_ids", drg_record_i(r, DRG_F_TEXT_IDS, 0) != 0);
	keys_write_adapters(w, "writes", drg_record_s(r, DRG_F_ADAPTERS));
	keys_write_adapters(w, "reads", drg_record_s(r, DRG_F_READS));
	drg_jw_member_str_or_null(w, "last_used", drg_str(used, day > 0 ? 10 : 0));
	drg_jw_member_str_or_null(w, "created", drg_record_s(r, DRG_F_CREATED));
	drg_jw_member_str_or_null(w, "expires", drg_record_s(r, DRG_F_EXPIRES));
	drg_jw_member_str_or_null(w, "old_until", drg_keys_older_until(r));
	drg_jw_member_str_or_null(w, "revoked", drg_record_s(r, DRG_F_REVOKED));
	drg_jw_object_end(w);
}

/* Whom a key can be limited to, those of flights too. */
static void keys_write_suppliers(struct drg_reading *r)
{
	const struct drg_adapter *all;
	size_t n = drg_catalog_adapters(r->cat, &all);
	drg_jw_member_array(&r->w, "suppliers");
	for (size_t i = 0; i < n; i++) {
		drg_jw_object(&r->w);
		drg_jw_member_i64(&r->w, "adapter_id", all[i].id);
		drg_adapter_words(&r->w, &all[i], "adapter");
		drg_jw_object_end(&r->w);
	}
	drg_jw_array_end(&r->w);
}

static int keys_write(struct drg_reading *r, void *work)
{
	const struct keys_work *k = work;
	drg_items_begin(&r->w);
	for (size_t i = 0; i < k->found.n; i++)
		keys_write_one(&r->w, &k->found.v[i].r, k->days[i]);
	drg_jw_array_end(&r->w);
	keys_write_suppliers(r);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

static int keys_answer(struct drg_exchange *x)
{
	struct keys_work *k = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *k);
	return k != NULL ? drg_store_work_run(x, keys_run, keys_write, k) : DRG_ENOMEM;
}

const struct drg_endpoint drg_access_keys[] = {
	{ .method = DRG_GET,
	  .path = "/v1/access/keys",
	  .name = "keys",
	  .handler = keys_answer,
	  .auth = DRG_AUTH_ADMIN,
	  .summary = "The keys of both APIs" },
	{ 0 },
};
