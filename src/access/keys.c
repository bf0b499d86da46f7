#include "access/keys.h"

#include <assert.h>
#include <stdio.h>

#include "access/key_words.h"
#include "access/keys_priv.h"
#include "base/bound.h"
#include "base/clock.h"
#include "base/digest.h"
#include "model/key.h"
#include "model/value.h"
#include "store/access_events.h"
#include "store/fetch.h"
#include "text/stamp.h"

_Static_assert(PREFIX_CHARS + RANDOM_CHARS + 1 == DRG_KEY_TEXT, "room for a key");

/* Read "2027-01-31" or a full time, in the future. Write its canonical stamp to @p buf (DRG_STAMP_TEXT). */
static int read_expiry(struct drg_str text, char *buf, struct drg_err *err)
{
	enum { DATE_CHARS = 10 };
	char last_ms[DATE_CHARS + sizeof "T23:59:59.999Z"];
	int64_t us;
	struct drg_str time = text;
	if (text.n == DATE_CHARS)
		time = drg_str(last_ms, (size_t)snprintf(last_ms, sizeof last_ms, "%.*sT23:59:59.999Z",
		                                         DRG_STR_ARG(text)));
	if (!drg_stamp_parse(time, &us))
		return drg_fail(err, DRG_EINVAL, DRG_R(invalid_date), "expires",
		                "expires: expected a date such as 2027-01-31 or 2027-01-31T12:00:00Z, "
		                "found \"%.*s\"",
		                (int)(text.n < 64 ? text.n : 64), text.p);
	if (us <= drg_wall_us())
		return drg_fail(err, DRG_EINVAL, DRG_R(invalid_date), "expires",
		                "expires: %.*s is in the past; to end a key now, revoke it",
		                DRG_STR_ARG(text));
	drg_stamp_text(us, buf);
	return DRG_OK;
}

static int check_adapters(struct drg_store *s, const int64_t *ids, size_t n, const char *field,
                          struct drg_err *err)
{
	for (size_t i = 0; i < n; i++) {
		struct drg_record a;
		drg_key_adapter(&a, ids[i]);
		int rc = drg_store_exists(s, &a, err);
		if (rc == DRG_ENOENT)
			return drg_fail(err, DRG_EINVAL, DRG_R(unknown_adapter), field,
			                "adapter %lld does not exist; import it first", (long long)ids[i]);
		if (rc != DRG_OK)
			return rc;
	}
	return DRG_OK;
}

/* Check that the key may read each adapter that it may write. */
static int check_reads(const struct drg_key_spec *spec, struct drg_err *err)
{
	for (size_t i = 0; i < spec->n_adapters && spec->n_reads > 0; i++)
		if (!drg_id_is_among(spec->adapters[i], spec->reads, spec->n_reads))
			return drg_fail(
			        err, DRG_EINVAL, DRG_R(invalid_option), "reads",
			        "reads: the key may write the adapter %lld, and has to be able to read it",
			        (long long)spec->adapters[i]);
	return DRG_OK;
}

/* Get the next free id. Tombstones count, so that the id of a removed key is never used for another one. */
static int next_id(struct drg_store *s, int64_t *ret, struct drg_err *err)
{
	struct drg_rows rows;
	int64_t max = 0;
	const struct drg_filter keys = { .type = &drg_types[DRG_TYPE_API_KEY], .tombstones = true };
	for (drg_rows_scan(&rows, s, &keys, err); drg_rows_next(&rows);)
		if (rows.row.r.v[DRG_F_ID].i > max)
			max = rows.row.r.v[DRG_F_ID].i;
	int rc = drg_rows_end(&rows);
	if (rc == DRG_OK)
		*ret = max + 1;
	return rc;
}

/* The texts that the record of a new key borrows. */
struct new_key {
	char expires[DRG_STAMP_TEXT], created[DRG_WALL_TEXT], hashes[2][DRG_DIGEST_TEXT];
	struct drg_buf adapters, reads; /* "7,9" */
};

static int check_text(struct drg_str text, enum drg_field field, struct drg_err *err)
{
	return text.n > 0 ? drg_field_check_text(DRG_TYPE_API_KEY, field, text, err) : DRG_OK;
}

/* Check that the members of @p spec fit together: API, secret, role, limits, texts and adapters. */
static int check_spec(struct drg_store *s, const struct drg_key_spec *spec, struct drg_err *err)
{
	bool narrow = spec->n_adapters > 0 || spec->n_reads > 0;
	if (spec->api == DRG_API_A && (spec->secret || narrow || spec->role > DRG_KEY_READER))
		return drg_fail(err, DRG_EINVAL, DRG_R(invalid_option), "api",
		                "only keys of API b have a secret, a role, or adapters that they may read or "
		                "write");
	if (!spec->secret && spec->role > DRG_KEY_READER)
		return drg_fail(err, DRG_EINVAL, DRG_R(invalid_option), "role",
		                "role: a key without a secret can only read; make one with a secret");
	if (spec->api == DRG_API_A && spec->text_ids)
		return drg_fail(err, DRG_EINVAL, DRG_R(invalid_option), "text-ids",
		                "text-ids: answers of API a have no ids of suppliers");
	if (!spec->secret && spec->adds_per_day > 0)
		return drg_fail(err, DRG_EINVAL, DRG_R(invalid_option), "adds-per-day",
		                "adds-per-day: a key without a secret adds nothing");
	int rc = check_text(spec->name, DRG_F_NAME, err);
	if (rc == DRG_OK)
		rc = check_text(spec->note, DRG_F_NOTE, err);
	if (rc == DRG_OK)
		rc = check_adapters(s, spec->adapters, spec->n_adapters, "adapter", err);
	if (rc == DRG_OK)
		rc = check_adapters(s, spec->reads, spec->n_reads, "reads", err);
	return rc == DRG_OK ? check_reads(spec, err) : rc;
}

static void keys_list_adapters(struct drg_buf *b, const int64_t *ids, size_t n)
{
	drg_buf_clear(b);
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			drg_buf_char(b, ',');
		drg_buf_i64(b, ids[i]);
	}
}

static void keys_set_text(struct drg_record *r, enum drg_field f, struct drg_str text)
{
	if (text.n > 0)
		drg_record_set_s(r, f, text);
	else
		drg_record_unset(r, f);
}

static void keys_set_limit(struct drg_record *r, enum drg_field f, int64_t limit)
{
	if (limit > 0)
		drg_record_set_i(r, f, limit);
	else
		drg_record_unset(r, f);
}

/* Fill the record of a new key, all but id, key and secret. */
static int describe(const struct drg_key_spec *spec, struct new_key *n, struct drg_record *r,
                    struct drg_err *err)
{
	drg_record_init(r, &drg_types[DRG_TYPE_API_KEY]);
	drg_record_set_i(r, DRG_F_API, spec->api);
	if (spec->name.n > 0)
		drg_record_set_s(r, DRG_F_NAME, spec->name);
	if (spec->note.n > 0)
		drg_record_set_s(r, DRG_F_NOTE, spec->note);
	drg_record_set_i(r, DRG_F_ROLE,
	                 spec->role >= 0 ? spec->role
	                 : spec->secret  ? DRG_KEY_REGISTRAR
	                                 : DRG_KEY_READER);
	keys_set_limit(r, DRG_F_REQUESTS_PER_SECOND, spec->requests_per_second);
	keys_set_limit(r, DRG_F_ADDS_PER_DAY, spec->adds_per_day);
	keys_set_limit(r, DRG_F_TEXT_IDS, spec->text_ids);
	drg_wall_text(drg_wall_us(), n->created);
	drg_record_set_s(r, DRG_F_CREATED, drg_str_c(n->created));
	if (spec->expires.n > 0) {
		int rc = read_expiry(spec->expires, n->expires, err);
		if (rc != DRG_OK)
			return rc;
		drg_record_set_s(r, DRG_F_EXPIRES, drg_str_c(n->expires));
	}
	keys_list_adapters(&n->adapters, spec->adapters, spec->n_adapters);
	keys_list_adapters(&n->reads, spec->reads, spec->n_reads);
	if (spec->n_adapters > 0)
		drg_record_set_s(r, DRG_F_ADAPTERS, drg_buf_view(&n->adapters));
	if (spec->n_reads > 0)
		drg_record_set_s(r, DRG_F_READS, drg_buf_view(&n->reads));
	return n->adapters.rc == DRG_OK && n->reads.rc == DRG_OK ? DRG_OK : drg_fail_memory(err);
}

static int put_key(struct drg_txn *t, const struct drg_record *r, struct drg_err *err)
{
	enum drg_put_result what;
	return drg_txn_put(t, r, &what, err);
}

/* Store the key with its id, key and secret. Nobody else can take the same id meanwhile: this transaction is
 * the only one that writes. */
static int store_new(struct drg_txn *t, struct drg_key_creation *c, struct new_key *n, struct drg_record *r,
                     struct drg_err *err)
{
	struct drg_key_made made;
	int64_t id;
	int rc = next_id(drg_txn_store(t), &id, err);
	if (rc != DRG_OK)
		return rc;
	drg_record_set_i(r, DRG_F_ID, id);
	drg_keys_mint(r, c->spec.secret, n->hashes, &made);
	rc = put_key(t, r, err);
	if (rc == DRG_OK)
		c->made = made;
	return rc;
}

int drg_keys_create(void *creation, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_key_creation *c = creation;
	struct new_key n;
	struct drg_record r;
	drg_buf_init(&n.adapters, SIZE_MAX);
	drg_buf_init(&n.reads, SIZE_MAX);
	int rc = drg_keys_start_sodium(reterr);
	if (rc == DRG_OK)
		rc = check_spec(drg_txn_store(t), &c->spec, reterr);
	if (rc == DRG_OK)
		rc = describe(&c->spec, &n, &r, reterr);
	if (rc == DRG_OK)
		rc = store_new(t, c, &n, &r, reterr);
	if (rc == DRG_OK)
		rc = drg_txn_access_note(t, DRG_ACCESS_KEY, c->made.id, "created", c->by, c->spec.name,
		                         reterr);
	drg_buf_done(&n.adapters);
	drg_buf_done(&n.reads);
	return rc;
}

int drg_keys_list(struct drg_store *s, drg_row_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct drg_rows rows;
	const struct drg_filter keys = { .type = &drg_types[DRG_TYPE_API_KEY] };
	return drg_rows_each(drg_rows_scan(&rows, s, &keys, reterr), fn, ctx);
}

/* Load the record of a key that still works. */
static int find_working(struct drg_store *s, int64_t id, struct drg_arena *arena, struct drg_record *ret,
                        struct drg_err *err)
{
	struct drg_record key;
	drg_key_api_key(&key, id);
	int rc = drg_fetch(s, &key, arena, ret, err);
	if (rc == DRG_ENOENT)
		return drg_fail(err, DRG_ENOENT, DRG_R(unknown_key), "id",
		                "there is no key %lld; `dragoman key list` shows what there is",
		                (long long)id);
	if (rc == DRG_OK && drg_record_has(ret, DRG_F_REVOKED))
		return drg_fail(err, DRG_EEXIST, DRG_R(revoked_key), "id", "key %lld was revoked on %.*s",
		                (long long)id, DRG_STR_ARG(drg_record_s(ret, DRG_F_REVOKED)));
	return rc;
}

typedef int change_fn(struct drg_record *r, void *ctx, struct drg_err *err);

/* Read a working key, change it and write it back. */
static int change_key(struct drg_txn *t, int64_t id, change_fn *change, void *ctx, struct drg_err *err)
{
	struct drg_arena arena;
	struct drg_record r;
	drg_arena_init(&arena, 1024 * 1024);
	int rc = find_working(drg_txn_store(t), id, &arena, &r, err);
	if (rc == DRG_OK)
		rc = change(&r, ctx, err);
	if (rc == DRG_OK)
		rc = put_key(t, &r, err);
	drg_arena_done(&arena);
	return rc;
}

static int revoke(struct drg_record *r, void *ctx, struct drg_err *err)
{
	(void)err;
	drg_record_set_s(r, DRG_F_REVOKED, drg_str_c(ctx));
	return DRG_OK;
}

int drg_keys_revoke(void *change, struct drg_txn *t, struct drg_err *reterr)
{
	const struct drg_key_change *c = change;
	char now[DRG_WALL_TEXT];
	drg_wall_text(drg_wall_us(), now);
	int rc = change_key(t, c->id, revoke, now, reterr);
	return rc == DRG_OK
	               ? drg_txn_access_note(t, DRG_ACCESS_KEY, c->id, "revoked", c->by, DRG_STR(""), reterr)
	               : rc;
}

/* ---- changing what a key may do -------------------------------------------------------------------------- */

/* Read "7,9" as numbers, into the arena. */
static int keys_read_list(struct drg_arena *arena, struct drg_str list, const int64_t **ret, size_t *ret_n)
{
	struct drg_str part;
	size_t n = 0, max = list.n / 2 + 1;
	int64_t *ids = drg_arena_alloc(arena, max * sizeof *ids);
	if (ids == NULL)
		return DRG_ENOMEM;
	while (drg_str_split(&list, ',', &part) && n < max)
		n += drg_str_to_i64(drg_str_trim(part), &ids[n]);
	*ret = ids;
	*ret_n = n;
	return DRG_OK;
}

/* Make the new specification of a key: the settings that are given, and the present ones for the others. */
static int keys_merge_spec(const struct drg_key_setting *set, const struct drg_record *r,
                           struct drg_arena *arena, struct drg_key_spec *ret)
{
	int rc = DRG_OK;
	*ret = set->spec;
	ret->api = (enum drg_api)drg_record_i(r, DRG_F_API, DRG_API_A);
	ret->secret = drg_record_has(r, DRG_F_SECRET_HASH);
	if (!set->role)
		ret->role = (int)drg_record_i(r, DRG_F_ROLE, -1);
	if (!set->requests_per_second)
		ret->requests_per_second = drg_record_i(r, DRG_F_REQUESTS_PER_SECOND, 0);
	if (!set->adds_per_day)
		ret->adds_per_day = drg_record_i(r, DRG_F_ADDS_PER_DAY, 0);
	if (!set->text_ids)
		ret->text_ids = drg_record_i(r, DRG_F_TEXT_IDS, 0) != 0;
	if (!set->adapters)
		rc = keys_read_list(arena, drg_record_s(r, DRG_F_ADAPTERS), &ret->adapters, &ret->n_adapters);
	if (!set->reads && rc == DRG_OK)
		rc = keys_read_list(arena, drg_record_s(r, DRG_F_READS), &ret->reads, &ret->n_reads);
	return rc;
}

static int keys_apply(const struct drg_key_setting *set, const struct drg_key_spec *spec, struct new_key *n,
                      struct drg_record *r, struct drg_err *err)
{
	int rc = DRG_OK;
	if (set->name)
		keys_set_text(r, DRG_F_NAME, spec->name);
	if (set->note)
		keys_set_text(r, DRG_F_NOTE, spec->note);
	if (set->role)
		drg_record_set_i(r, DRG_F_ROLE, spec->role);
	keys_set_limit(r, DRG_F_REQUESTS_PER_SECOND, spec->requests_per_second);
	keys_set_limit(r, DRG_F_ADDS_PER_DAY, spec->adds_per_day);
	keys_set_limit(r, DRG_F_TEXT_IDS, spec->text_ids);
	if (set->expires && spec->expires.n > 0)
		rc = read_expiry(spec->expires, n->expires, err);
	if (set->expires)
		keys_set_text(r, DRG_F_EXPIRES, spec->expires.n > 0 ? drg_str_c(n->expires) : spec->expires);
	keys_list_adapters(&n->adapters, spec->adapters, spec->n_adapters);
	keys_list_adapters(&n->reads, spec->reads, spec->n_reads);
	keys_set_text(r, DRG_F_ADAPTERS, drg_buf_view(&n->adapters));
	keys_set_text(r, DRG_F_READS, drg_buf_view(&n->reads));
	if (rc == DRG_OK && (n->adapters.rc != DRG_OK || n->reads.rc != DRG_OK))
		rc = drg_fail_memory(err);
	return rc;
}

/* Note in the history which settings were given: "role, expires". */
static int keys_note_setting(const struct drg_key_setting *set, struct drg_txn *t, struct drg_err *err)
{
	const struct {
		bool said;
		const char *name;
	} parts[] = {
		{ set->name, "name" },
		{ set->note, "note" },
		{ set->role, "role" },
		{ set->adapters, "adapter" },
		{ set->reads, "reads" },
		{ set->expires, "expires" },
		{ set->requests_per_second, "requests-per-second" },
		{ set->adds_per_day, "adds-per-day" },
		{ set->text_ids, "text-ids" },
	};
	char detail[120] = "";
	for (size_t i = 0; i < DRG_ARRAY_LEN(parts); i++)
		if (parts[i].said)
			strcat(strcat(detail, detail[0] != '\0' ? ", " : ""), parts[i].name);
	assert(strlen(detail) < sizeof detail);
	return drg_txn_access_note(t, DRG_ACCESS_KEY, set->id, "changed", set->by, drg_str_c(detail), err);
}

static int keys_set_found(const struct drg_key_setting *set, struct drg_txn *t, struct drg_arena *arena,
                          struct drg_record *r, struct drg_err *err)
{
	struct drg_key_spec spec;
	struct new_key n;
	drg_buf_init(&n.adapters, SIZE_MAX);
	drg_buf_init(&n.reads, SIZE_MAX);
	int rc = keys_merge_spec(set, r, arena, &spec);
	if (rc == DRG_OK)
		rc = check_spec(drg_txn_store(t), &spec, err);
	if (rc == DRG_OK)
		rc = keys_apply(set, &spec, &n, r, err);
	if (rc == DRG_OK)
		rc = put_key(t, r, err);
	if (rc == DRG_OK)
		rc = keys_note_setting(set, t, err);
	drg_buf_done(&n.adapters);
	drg_buf_done(&n.reads);
	return rc;
}

int drg_keys_set(void *setting, struct drg_txn *t, struct drg_err *reterr)
{
	const struct drg_key_setting *set = setting;
	struct drg_arena arena;
	struct drg_record r;
	drg_arena_init(&arena, 4 << 20);
	int rc = find_working(drg_txn_store(t), set->id, &arena, &r, reterr);
	if (rc == DRG_OK)
		rc = keys_set_found(set, t, &arena, &r, reterr);
	drg_arena_done(&arena);
	return rc;
}

struct rotation {
	char hashes[2][DRG_DIGEST_TEXT], until[DRG_STAMP_TEXT];
	int64_t overlap_us;
	bool force;
	struct drg_key_made made;
};

/* A request that is sent twice, or a second administrator, must not end a pair that a partner was promised. */
static int rotate(struct drg_record *r, void *ctx, struct drg_err *err)
{
	struct rotation *n = ctx;
	const bool overlap = n->overlap_us > 0, secret = drg_record_has(r, DRG_F_SECRET_HASH);
	const struct drg_str older = drg_keys_older_until(r);
	if (older.n > 0 && !n->force)
		return drg_fail(err, DRG_EEXIST, DRG_R(overlap_running), "id",
		                "the pair of key %lld before the last rotation works until %.*s, and would "
		                "end now; repeat with --force",
		                (long long)r->v[DRG_F_ID].i, DRG_STR_ARG(older));
	drg_stamp_text(drg_wall_us() + n->overlap_us, n->until);
	keys_set_text(r, DRG_F_OLD_HASH, overlap ? drg_record_s(r, DRG_F_KEY_HASH) : DRG_STR(""));
	keys_set_text(r, DRG_F_OLD_SECRET_HASH,
	              overlap && secret ? drg_record_s(r, DRG_F_SECRET_HASH) : DRG_STR(""));
	keys_set_text(r, DRG_F_OLD_UNTIL, overlap ? drg_str_c(n->until) : DRG_STR(""));
	drg_keys_mint(r, secret, n->hashes, &n->made);
	return DRG_OK;
}

int drg_keys_rotate(void *change, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_key_change *c = change;
	struct rotation n = { .overlap_us = c->overlap_us, .force = c->force };
	char detail[sizeof "the old one works until " + DRG_STAMP_TEXT] = "";
	int rc = drg_keys_start_sodium(reterr);
	if (rc == DRG_OK)
		rc = change_key(t, c->id, rotate, &n, reterr);
	if (rc == DRG_OK && c->overlap_us > 0)
		snprintf(detail, sizeof detail, "the old one works until %s", n.until);
	if (rc == DRG_OK)
		rc = drg_txn_access_note(t, DRG_ACCESS_KEY, c->id, "rotated", c->by, drg_str_c(detail),
		                         reterr);
	if (rc == DRG_OK)
		c->made = n.made;
	return rc;
}
