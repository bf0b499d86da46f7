#include <inttypes.h>
#include <stdio.h>

#include "admin/keys.h"
#include "base/buf.h"
#include "base/clock.h"
#include "cli/store.h"
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

int drg_cmd_key_create(struct drg_cli *cli)
{
	const struct drg_options *o = cli->options;
	if (drg_opt_word(o, "api") < 0)
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "api",
		                "--api is missing: give --api a or --api b");
	struct drg_key_creation c = { .spec = { .api = (enum drg_api)drg_opt_word(o, "api"),
		                                .secret = drg_opt_flag(o, "secret"),
		                                .name = drg_str_c(drg_opt_text(o, "name")),
		                                .expires = drg_str_c(drg_opt_text(o, "expires")) } };
	c.spec.adapters = drg_opt_ints(o, "adapter", &c.spec.n_adapters);
	int rc = drg_cli_decide(cli, DRG_STORE_CREATE, drg_keys_create, &c);
	if (rc == DRG_OK)
		print_key(cli, &c.made);
	return rc;
}

/* What a key may do now, in a word. */
static const char *state_of(const struct drg_record *r)
{
	if (drg_record_has(r, DRG_F_REVOKED))
		return "revoked";
	char now[DRG_WALL_TEXT];
	drg_wall_text(drg_wall_us(), now);
	/* Stamps are kept in one form, so their order as texts is their order in time. */
	if (drg_record_has(r, DRG_F_EXPIRES) && drg_str_cmp(r->v[DRG_F_EXPIRES].s, drg_str_c(now)) <= 0)
		return "expired";
	return "good";
}

static const char *api_of(const struct drg_record *r)
{
	return drg_record_i(r, DRG_F_API, 0) == DRG_API_A ? "a" : "b";
}

static int key_print_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)ctx;
	(void)m;
	struct drg_str adapters = drg_record_s(r, DRG_F_ADAPTERS), expires = drg_record_s(r, DRG_F_EXPIRES);
	printf("%-6" PRId64 " %-3s  %-6s  %-7s  %-20.*s  %-24.*s  %-12.*s  %.*s\n",
	       drg_record_i(r, DRG_F_ID, 0), api_of(r), drg_record_has(r, DRG_F_SECRET_HASH) ? "yes" : "no",
	       state_of(r), DRG_STR_ARG(drg_record_s(r, DRG_F_CREATED)),
	       DRG_STR_ARG(expires.n > 0 ? expires : DRG_STR("never")),
	       DRG_STR_ARG(adapters.n > 0 ? adapters : DRG_STR("all")),
	       DRG_STR_ARG(drg_record_s(r, DRG_F_NAME)));
	return DRG_OK;
}

static void json_text(struct drg_jw *w, const char *key, struct drg_str s)
{
	drg_jw_key(w, key);
	if (s.n > 0)
		drg_jw_str(w, s);
	else
		drg_jw_null(w);
}

static int print_json(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct drg_jw *w = ctx;
	drg_jw_object(w);
	drg_jw_key(w, "id");
	drg_jw_i64(w, drg_record_i(r, DRG_F_ID, 0));
	json_text(w, "api", drg_str_c(api_of(r)));
	drg_jw_key(w, "secret");
	drg_jw_bool(w, drg_record_has(r, DRG_F_SECRET_HASH));
	json_text(w, "state", drg_str_c(state_of(r)));
	json_text(w, "name", drg_record_s(r, DRG_F_NAME));
	json_text(w, "adapters", drg_record_s(r, DRG_F_ADAPTERS));
	json_text(w, "created", drg_record_s(r, DRG_F_CREATED));
	json_text(w, "expires", drg_record_s(r, DRG_F_EXPIRES));
	json_text(w, "revoked", drg_record_s(r, DRG_F_REVOKED));
	drg_jw_object_end(w);
	return w->b->rc;
}

static int list_json(struct drg_cli *cli, struct drg_store *s)
{
	struct drg_buf b;
	drg_buf_init(&b, SIZE_MAX);
	struct drg_jw w = { .b = &b };
	drg_jw_array(&w);
	int rc = drg_keys_list(s, print_json, &w, &cli->err);
	drg_jw_array_end(&w);
	if (rc == DRG_OK && b.rc != DRG_OK)
		rc = drg_fail(&cli->err, b.rc, NULL, NULL, "%s", drg_rc_text(b.rc));
	if (rc == DRG_OK)
		printf("%.*s\n", DRG_STR_ARG(drg_buf_view(&b)));
	drg_buf_done(&b);
	return rc;
}

int drg_cmd_key_list(struct drg_cli *cli)
{
	struct drg_store *s;
	int rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	if (drg_opt_flag(cli->options, "json")) {
		rc = list_json(cli, s);
	} else {
		printf("%-6s %-3s  %-6s  %-7s  %-20s  %-24s  %-12s  %s\n", "id", "api", "secret", "state",
		       "created", "expires", "adapters", "name");
		rc = drg_keys_list(s, key_print_row, NULL, &cli->err);
	}
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

int drg_cmd_key_revoke(struct drg_cli *cli)
{
	struct drg_key_change c = { .id = 0 };
	int rc = key_id(cli, &c.id);
	if (rc == DRG_OK)
		rc = drg_cli_decide(cli, DRG_STORE_WRITE, drg_keys_revoke, &c);
	if (rc == DRG_OK)
		printf("key %" PRId64 " is revoked\n", c.id);
	return rc;
}

int drg_cmd_key_rotate(struct drg_cli *cli)
{
	struct drg_key_change c = { .id = 0 };
	int rc = key_id(cli, &c.id);
	if (rc == DRG_OK)
		rc = drg_cli_decide(cli, DRG_STORE_WRITE, drg_keys_rotate, &c);
	if (rc == DRG_OK)
		print_key(cli, &c.made);
	return rc;
}
