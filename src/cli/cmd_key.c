#include <inttypes.h>
#include <stdio.h>

#include "access/key_words.h"
#include "access/keys.h"
#include "base/buf.h"
#include "base/clock.h"
#include "cli/adapter.h"
#include "cli/listing.h"
#include "cli/person.h"
#include "cli/store.h"
#include "store/uses.h"
#include "text/json.h"

static void print_key(const struct drg_cli *cli, const struct drg_key_made *made)
{
	const char *secret = made->secret[0] != '\0' ? made->secret : NULL;
	if (drg_opt_flag(cli->options, "json")) {
		printf("{\"id\":%" PRId64 ",\"key\":\"%s\"", made->id, made->key);
		if (secret != NULL)
			printf(",\"secret\":\"%s\"", secret);
		puts("}");
		return;
	}
	printf("id      %" PRId64 "\nkey     %s\n", made->id, made->key);
	if (secret != NULL)
		printf("secret  %s\n", secret);
	puts("Keep them now: they are not shown again.");
}

/* What `key create` and `key set` say in the same way. */
static int key_read_spec(struct drg_cli *cli, struct drg_key_spec *spec)
{
	const struct drg_options *o = cli->options;
	spec->name = drg_str_c(drg_opt_text(o, "name"));
	spec->note = drg_str_c(drg_opt_text(o, "note"));
	spec->role = drg_opt_word(o, "role");
	spec->expires = drg_str_c(drg_opt_text(o, "expires"));
	if (drg_str_eq(spec->expires, DRG_STR("never")))
		spec->expires = DRG_STR("");
	spec->requests_per_second = drg_opt_int(o, "requests-per-second");
	spec->adds_per_day = drg_opt_int(o, "adds-per-day");
	spec->text_ids = drg_opt_word(o, "text-ids") == 1;
	int rc = drg_cli_adapters_option(cli, "adapter", &spec->adapters, &spec->n_adapters);
	return rc == DRG_OK ? drg_cli_adapters_option(cli, "reads", &spec->reads, &spec->n_reads) : rc;
}

int drg_cmd_key_create(struct drg_cli *cli)
{
	const struct drg_options *o = cli->options;
	if (drg_opt_word(o, "api") < 0)
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "api",
		                "--api is missing: give --api a or --api b");
	struct drg_key_creation c = { .by = drg_person(cli),
		                      .spec = { .api = (enum drg_api)drg_opt_word(o, "api"),
		                                .secret = drg_opt_flag(o, "secret") } };
	int rc = key_read_spec(cli, &c.spec);
	if (rc == DRG_OK)
		rc = drg_cli_txn(cli, DRG_STORE_CREATE, drg_keys_create, &c);
	if (rc == DRG_OK)
		print_key(cli, &c.made);
	return rc;
}

static const char *api_of(const struct drg_record *r)
{
	return drg_record_i(r, DRG_F_API, 0) == DRG_API_A ? "a" : "b";
}

static const struct drg_listing_column key_columns[] = {
	{ "id", 6 },         { "api", 3 },         { "secret", 6 },        { "state", 7 },    { "role", 9 },
	{ "created", 24 },   { "expires", 24 },    { "old_until", 24 },    { "writes", 12 },  { "reads", 12 },
	{ "last_used", 10 }, { "per_second", 10 }, { "adds_per_day", 12 }, { "text_ids", 8 }, { "name", 24 },
	{ "note", 0 },
};

static const enum drg_field key_limits[] = { DRG_F_REQUESTS_PER_SECOND, DRG_F_ADDS_PER_DAY };

/* A list of keys, and when each was used last. */
struct key_listing {
	struct drg_listing l;
	struct drg_jw w; /* as JSON */
	struct drg_cli_codes codes;
	struct drg_buf used; /* struct drg_use, ascending by key */
	struct drg_buf text;
};

static int key_gather_use(void *ctx, const struct drg_use *u)
{
	struct key_listing *x = ctx;
	drg_buf_add(&x->used, u, sizeof *u);
	return x->used.rc;
}

/* "2026-11-20"; empty: never, as far as is known. */
static struct drg_str key_last_used(const struct key_listing *x, int64_t id, char buf[static DRG_WALL_TEXT])
{
	const struct drg_use *u = (const struct drg_use *)(const void *)x->used.p;
	for (size_t i = 0; i < x->used.n / sizeof *u; i++)
		if (u[i].number == id) {
			drg_wall_text(u[i].day * 86400 * 1000000, buf);
			return drg_str(buf, 10);
		}
	return drg_str(NULL, 0);
}

static const char *key_role_of(const struct drg_record *r)
{
	bool secret = drg_record_has(r, DRG_F_SECRET_HASH);
	return drg_key_role_words[drg_record_i(r, DRG_F_ROLE, secret ? DRG_KEY_REGISTRAR : DRG_KEY_READER)];
}

/* "7,9" as codes. */
static struct drg_str key_codes(struct key_listing *x, struct drg_str list)
{
	struct drg_str part;
	int64_t id;
	drg_buf_clear(&x->text);
	if (list.n == 0)
		drg_buf_lit(&x->text, "all");
	while (drg_str_split(&list, ',', &part))
		if (drg_str_to_i64(drg_str_trim(part), &id)) {
			struct drg_str code = drg_cli_code(&x->codes, id);
			drg_buf_printf(&x->text, "%s%.*s", x->text.n > 0 ? "," : "", DRG_STR_ARG(code));
		}
	return drg_buf_view(&x->text);
}

static int key_print_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct key_listing *x = ctx;
	struct drg_listing *l = &x->l;
	char used[DRG_WALL_TEXT];
	(void)m;
	struct drg_str expires = drg_record_s(r, DRG_F_EXPIRES);
	struct drg_str last = key_last_used(x, drg_record_i(r, DRG_F_ID, 0), used);
	drg_listing_int(l, drg_record_i(r, DRG_F_ID, 0));
	drg_listing_text(l, drg_str_c(api_of(r)));
	drg_listing_text(l, drg_record_has(r, DRG_F_SECRET_HASH) ? DRG_STR("yes") : DRG_STR("no"));
	drg_listing_text(l, drg_str_c(drg_keys_state(r)));
	drg_listing_text(l, drg_str_c(key_role_of(r)));
	drg_listing_text(l, drg_record_s(r, DRG_F_CREATED));
	drg_listing_text(l, expires.n > 0 ? expires : DRG_STR("never"));
	drg_listing_text(l, drg_keys_older_until(r));
	drg_listing_text(l, key_codes(x, drg_record_s(r, DRG_F_ADAPTERS)));
	drg_listing_text(l, key_codes(x, drg_record_s(r, DRG_F_READS)));
	drg_listing_text(l, last.n > 0 ? last : DRG_STR("never"));
	for (size_t i = 0; i < DRG_ARRAY_LEN(key_limits); i++)
		if (drg_record_has(r, key_limits[i]))
			drg_listing_int(l, drg_record_i(r, key_limits[i], 0));
		else
			drg_listing_none(l);
	drg_listing_text(l, drg_record_i(r, DRG_F_TEXT_IDS, 0) != 0 ? DRG_STR("yes") : DRG_STR("no"));
	drg_listing_text(l, drg_record_s(r, DRG_F_NAME));
	drg_listing_text(l, drg_record_s(r, DRG_F_NOTE));
	return drg_listing_row(l);
}

static int print_json(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct key_listing *x = ctx;
	struct drg_jw *w = &x->w;
	char used[DRG_WALL_TEXT];
	(void)m;
	drg_jw_object(w);
	drg_jw_member_i64(w, "id", drg_record_i(r, DRG_F_ID, 0));
	drg_jw_member_str_or_null(w, "api", drg_str_c(api_of(r)));
	drg_jw_member_bool(w, "secret", drg_record_has(r, DRG_F_SECRET_HASH));
	drg_jw_member_str_or_null(w, "state", drg_str_c(drg_keys_state(r)));
	drg_jw_member_str_or_null(w, "name", drg_record_s(r, DRG_F_NAME));
	drg_jw_member_str_or_null(w, "role", drg_str_c(key_role_of(r)));
	drg_jw_member_str_or_null(w, "note", drg_record_s(r, DRG_F_NOTE));
	drg_jw_member_str_or_null(w, "adapters", drg_record_s(r, DRG_F_ADAPTERS));
	drg_jw_member_str_or_null(w, "reads", drg_record_s(r, DRG_F_READS));
	drg_jw_member_str_or_null(w, "last_used", key_last_used(x, drg_record_i(r, DRG_F_ID, 0), used));
	for (size_t i = 0; i < DRG_ARRAY_LEN(key_limits); i++)
		drg_jw_member_i64_or_null(w, drg_field_of(r->type, key_limits[i])->wire,
		                          drg_record_has(r, key_limits[i]),
		                          drg_record_i(r, key_limits[i], 0));
	drg_jw_member_bool(w, "text_ids", drg_record_i(r, DRG_F_TEXT_IDS, 0) != 0);
	drg_jw_member_str_or_null(w, "created", drg_record_s(r, DRG_F_CREATED));
	drg_jw_member_str_or_null(w, "expires", drg_record_s(r, DRG_F_EXPIRES));
	drg_jw_member_str_or_null(w, "old_until", drg_keys_older_until(r));
	drg_jw_member_str_or_null(w, "revoked", drg_record_s(r, DRG_F_REVOKED));
	drg_jw_object_end(w);
	return w->b->rc;
}

static int list_json(struct drg_cli *cli, struct drg_store *s, struct key_listing *x)
{
	struct drg_buf b;
	drg_buf_init(&b, SIZE_MAX);
	x->w = (struct drg_jw){ .b = &b };
	drg_jw_array(&x->w);
	int rc = drg_keys_list(s, print_json, x, &cli->err);
	drg_jw_array_end(&x->w);
	if (rc == DRG_OK && b.rc != DRG_OK)
		rc = drg_fail(&cli->err, b.rc, NULL, NULL, "%s", drg_rc_text(b.rc));
	if (rc == DRG_OK)
		printf("%.*s\n", DRG_STR_ARG(drg_buf_view(&b)));
	drg_buf_done(&b);
	return rc;
}

static int list_keys(struct drg_cli *cli, struct drg_store *s, struct key_listing *x)
{
	int rc = drg_listing_open(cli, key_columns, DRG_ARRAY_LEN(key_columns), &x->l);
	return rc == DRG_OK ? drg_listing_close(&x->l, cli, drg_keys_list(s, key_print_row, x, &cli->err))
	                    : rc;
}

int drg_cmd_key_list(struct drg_cli *cli)
{
	struct key_listing x;
	struct drg_store *s;
	int rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	drg_buf_init(&x.used, SIZE_MAX);
	drg_buf_init(&x.text, SIZE_MAX);
	rc = drg_cli_codes_load(cli, s, &x.codes);
	if (rc == DRG_OK)
		rc = drg_store_uses(s, DRG_USE_KEY, 0, key_gather_use, &x, &cli->err);
	if (rc == DRG_OK)
		rc = drg_opt_flag(cli->options, "json") ? list_json(cli, s, &x) : list_keys(cli, s, &x);
	drg_cli_codes_done(&x.codes);
	drg_buf_done(&x.used);
	drg_buf_done(&x.text);
	drg_store_close(s);
	return rc;
}

/* The ID that `key revoke` and `key rotate` are given. */
static int key_id(struct drg_cli *cli, int64_t *ret)
{
	const char *text = drg_opt_args(cli->options, NULL)[0];
	if (drg_str_to_i64(drg_str_c(text), ret))
		return DRG_OK;
	return drg_fail(&cli->err, DRG_EUSAGE, NULL, "id",
	                "ID: expected the number of a key, found \"%s\"; 'dragoman key list' shows them",
	                text);
}

static int key_read_setting(struct drg_cli *cli, struct drg_key_setting *k)
{
	const struct drg_options *o = cli->options;
	*k = (struct drg_key_setting){ .by = drg_person(cli),
		                       .name = drg_opt_given(o, "name"),
		                       .note = drg_opt_given(o, "note"),
		                       .role = drg_opt_given(o, "role"),
		                       .adapters = drg_opt_given(o, "adapter"),
		                       .reads = drg_opt_given(o, "reads"),
		                       .expires = drg_opt_given(o, "expires"),
		                       .requests_per_second = drg_opt_given(o, "requests-per-second"),
		                       .adds_per_day = drg_opt_given(o, "adds-per-day"),
		                       .text_ids = drg_opt_given(o, "text-ids") };
	int rc = key_id(cli, &k->id);
	return rc == DRG_OK ? key_read_spec(cli, &k->spec) : rc;
}

int drg_cmd_key_set(struct drg_cli *cli)
{
	struct drg_key_setting k;
	int rc = key_read_setting(cli, &k);
	if (rc == DRG_OK && !(k.name || k.note || k.role || k.adapters || k.reads || k.expires ||
	                      k.requests_per_second || k.adds_per_day || k.text_ids))
		rc = drg_fail(&cli->err, DRG_EUSAGE, NULL, NULL,
		              "key set: nothing to change; see 'dragoman help key set'");
	if (rc == DRG_OK)
		rc = drg_cli_txn(cli, DRG_STORE_WRITE, drg_keys_set, &k);
	if (rc == DRG_OK)
		printf("key %" PRId64 " is changed\n", k.id);
	return rc;
}

int drg_cmd_key_revoke(struct drg_cli *cli)
{
	struct drg_key_change c = { .by = drg_person(cli) };
	int rc = key_id(cli, &c.id);
	if (rc == DRG_OK)
		rc = drg_cli_txn(cli, DRG_STORE_WRITE, drg_keys_revoke, &c);
	if (rc == DRG_OK)
		printf("key %" PRId64 " is revoked\n", c.id);
	return rc;
}

static int key_read_overlap(struct drg_cli *cli, int64_t *ret_us)
{
	struct drg_err e;
	int rc = drg_keys_parse_overlap(drg_str_c(drg_opt_text(cli->options, "overlap")), ret_us, &e);
	return rc == DRG_OK
	               ? rc
	               : drg_fail(&cli->err, DRG_EUSAGE, DRG_R(invalid_option), "overlap", "--%s", e.message);
}

int drg_cmd_key_rotate(struct drg_cli *cli)
{
	struct drg_key_change c = { .by = drg_person(cli), .force = drg_opt_flag(cli->options, "force") };
	int rc = key_id(cli, &c.id);
	if (rc == DRG_OK)
		rc = key_read_overlap(cli, &c.overlap_us);
	if (rc == DRG_OK)
		rc = drg_cli_txn(cli, DRG_STORE_WRITE, drg_keys_rotate, &c);
	if (rc == DRG_OK)
		print_key(cli, &c.made);
	return rc;
}
