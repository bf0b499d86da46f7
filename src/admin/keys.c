#include "admin/keys.h"

#include <sodium.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/digest.h"
#include "model/key.h"
#include "store/fetch.h"
#include "text/stamp.h"
#include "text/utf8.h"

enum { RANDOM_CHARS = 43, PREFIX_CHARS = 5 };
_Static_assert(PREFIX_CHARS + RANDOM_CHARS + 1 == DRG_KEY_TEXT, "room for a key");

/* Picks the generator of random bytes and the fastest hash; safe to repeat, from any thread. */
static int start_sodium(struct drg_err *err)
{
	return sodium_init() >= 0 ? DRG_OK
	                          : drg_fail(err, DRG_EINTERNAL, NULL, NULL, "no source of random bytes");
}

static void make_text(const char *prefix, char *buf)
{
	static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
	memcpy(buf, prefix, PREFIX_CHARS);
	for (size_t i = 0; i < RANDOM_CHARS; i++)
		buf[PREFIX_CHARS + i] = alphabet[randombytes_uniform(sizeof alphabet - 1)];
	buf[PREFIX_CHARS + RANDOM_CHARS] = '\0';
}

/* Puts fresh key and secret texts in `made` and their hashes, which live in `hashes`, in the record. */
static void mint(struct drg_record *r, bool secret, char hashes[2][DRG_DIGEST_TEXT],
                 struct drg_key_made *made)
{
	make_text(r->v[DRG_F_API].i == DRG_API_A ? "drga_" : "drgb_", made->key);
	drg_digest_hex(drg_str_c(made->key), hashes[0]);
	drg_record_set_s(r, DRG_F_KEY_HASH, drg_str_c(hashes[0]));
	made->secret[0] = '\0';
	if (secret) {
		make_text("drgs_", made->secret);
		drg_digest_hex(drg_str_c(made->secret), hashes[1]);
		drg_record_set_s(r, DRG_F_SECRET_HASH, drg_str_c(hashes[1]));
	}
	made->id = r->v[DRG_F_ID].i;
}

/* "2027-01-31" or a full time into the canonical stamp, in @p buf (DRG_STAMP_TEXT). */
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
	drg_stamp_text(us, buf);
	return DRG_OK;
}

static int check_adapters(struct drg_store *s, const struct drg_key_spec *spec, struct drg_err *err)
{
	for (size_t i = 0; i < spec->n_adapters; i++) {
		struct drg_record a;
		drg_key_adapter(&a, spec->adapters[i]);
		int rc = drg_store_exists(s, &a, err);
		if (rc == DRG_ENOENT)
			return drg_fail(err, DRG_EINVAL, DRG_R(unknown_adapter), "adapter",
			                "adapter %lld does not exist; import it first",
			                (long long)spec->adapters[i]);
		if (rc != DRG_OK)
			return rc;
	}
	return DRG_OK;
}

static int highest_id(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	int64_t *max = ctx;
	if (r->v[DRG_F_ID].i > *max)
		*max = r->v[DRG_F_ID].i;
	return DRG_OK;
}

/* The next free id. Tombstones count, so that an id never comes back as another key. */
static int next_id(struct drg_store *s, int64_t *ret, struct drg_err *err)
{
	int64_t max = 0;
	const struct drg_filter keys = { .type = &drg_types[DRG_TYPE_API_KEY], .tombstones = true };
	int rc = drg_store_scan(s, &keys, highest_id, &max, NULL, err);
	if (rc == DRG_OK)
		*ret = max + 1;
	return rc;
}

/* The texts that the record of a new key borrows. */
struct new_key {
	char expires[DRG_STAMP_TEXT], created[DRG_WALL_TEXT], hashes[2][DRG_DIGEST_TEXT];
	struct drg_buf adapters; /* "7,9" */
};

static int check_spec(struct drg_store *s, const struct drg_key_spec *spec, struct drg_err *err)
{
	if (spec->api == DRG_API_A && (spec->secret || spec->n_adapters > 0))
		return drg_fail(err, DRG_EINVAL, DRG_R(invalid_option), "api",
		                "only keys of API b have a secret or adapters that they may write");
	if (!drg_utf8_valid(spec->name, NULL) || drg_utf8_has_control(spec->name))
		return drg_fail(err, DRG_EINVAL, DRG_R(invalid_text), "name",
		                "name: expected text in UTF-8 without control characters");
	return check_adapters(s, spec, err);
}

/* Everything but id, key and secret. */
static int describe(const struct drg_key_spec *spec, struct new_key *n, struct drg_record *r,
                    struct drg_err *err)
{
	drg_record_init(r, &drg_types[DRG_TYPE_API_KEY]);
	drg_record_set_i(r, DRG_F_API, spec->api);
	if (spec->name.n > 0)
		drg_record_set_s(r, DRG_F_NAME, spec->name);
	drg_wall_text(drg_wall_us(), n->created);
	drg_record_set_s(r, DRG_F_CREATED, drg_str_c(n->created));
	if (spec->expires.n > 0) {
		int rc = read_expiry(spec->expires, n->expires, err);
		if (rc != DRG_OK)
			return rc;
		drg_record_set_s(r, DRG_F_EXPIRES, drg_str_c(n->expires));
	}
	for (size_t i = 0; i < spec->n_adapters; i++) {
		if (i > 0)
			drg_buf_char(&n->adapters, ',');
		drg_buf_i64(&n->adapters, spec->adapters[i]);
	}
	if (spec->n_adapters > 0)
		drg_record_set_s(r, DRG_F_ADAPTERS, drg_buf_view(&n->adapters));
	return n->adapters.rc == DRG_OK ? DRG_OK : drg_fail_memory(err);
}

static int put_key(struct drg_txn *t, const struct drg_record *r, struct drg_err *err)
{
	enum drg_put_result what;
	return drg_txn_put(t, r, &what, err);
}

/* Number, key and secret. Nobody else can take the number: he would have to write. */
static int store_new(struct drg_txn *t, struct drg_key_creation *c, struct new_key *n, struct drg_record *r,
                     struct drg_err *err)
{
	struct drg_key_made made;
	int64_t id;
	int rc = next_id(drg_txn_store(t), &id, err);
	if (rc != DRG_OK)
		return rc;
	drg_record_set_i(r, DRG_F_ID, id);
	mint(r, c->spec.secret, n->hashes, &made);
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
	int rc = start_sodium(reterr);
	if (rc == DRG_OK)
		rc = check_spec(drg_txn_store(t), &c->spec, reterr);
	if (rc == DRG_OK)
		rc = describe(&c->spec, &n, &r, reterr);
	if (rc == DRG_OK)
		rc = store_new(t, c, &n, &r, reterr);
	drg_buf_done(&n.adapters);
	return rc;
}

int drg_keys_list(struct drg_store *s, drg_row_fn *fn, void *ctx, struct drg_err *reterr)
{
	const struct drg_filter keys = { .type = &drg_types[DRG_TYPE_API_KEY] };
	return drg_store_scan(s, &keys, fn, ctx, NULL, reterr);
}

/* The stored record of a key that still works. */
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
		                (long long)id, DRG_STR_ARG(ret->v[DRG_F_REVOKED].s));
	return rc;
}

typedef void change_fn(struct drg_record *r, void *ctx);

/* Read a working key, change it and write it back. */
static int change_key(struct drg_txn *t, int64_t id, change_fn *change, void *ctx, struct drg_err *err)
{
	struct drg_arena arena;
	struct drg_record r;
	drg_arena_init(&arena, 1024 * 1024);
	int rc = find_working(drg_txn_store(t), id, &arena, &r, err);
	if (rc == DRG_OK) {
		change(&r, ctx);
		rc = put_key(t, &r, err);
	}
	drg_arena_done(&arena);
	return rc;
}

static void revoke(struct drg_record *r, void *ctx)
{
	drg_record_set_s(r, DRG_F_REVOKED, drg_str_c(ctx));
}

int drg_keys_revoke(void *change, struct drg_txn *t, struct drg_err *reterr)
{
	const struct drg_key_change *c = change;
	char now[DRG_WALL_TEXT];
	drg_wall_text(drg_wall_us(), now);
	return change_key(t, c->id, revoke, now, reterr);
}

struct rotation {
	char hashes[2][DRG_DIGEST_TEXT];
	struct drg_key_made made;
};

static void rotate(struct drg_record *r, void *ctx)
{
	struct rotation *n = ctx;
	mint(r, drg_record_has(r, DRG_F_SECRET_HASH), n->hashes, &n->made);
}

int drg_keys_rotate(void *change, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_key_change *c = change;
	struct rotation n;
	int rc = start_sodium(reterr);
	if (rc == DRG_OK)
		rc = change_key(t, c->id, rotate, &n, reterr);
	if (rc == DRG_OK)
		c->made = n.made;
	return rc;
}
