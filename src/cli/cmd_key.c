#include <inttypes.h>
#include <stdio.h>

#include "access/key_words.h"
#include "access/keys.h"
#include "access/reports.h"
#include "base/buf.h"
#include "cli/adapter.h"
#include "cli/listing.h"
#include "cli/person.h"
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

/* Read the options that `key create` and `key set` share. */
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

/* The ID that commands are given. */
static int key_id(struct drg_cli *cli, int64_t *ret)
{
	const char *text = drg_opt_args(cli->options, NULL)[0];
	if (drg_str_to_i64(drg_str_c(text), ret))
		return DRG_OK;
	return drg_fail(&cli->err, DRG_EUSAGE, NULL, "id",
	                "ID: expected the number of a key, found \"%s\"; 'dragoman key list' shows them",
	                text);
}

/* ---- list and history ------------------------------------------------------------------------------------ */

static int key_print_json(void *ctx, const void *row)
{
	struct drg_jw *w = ctx;
	drg_report_json(w, &drg_keys_report, row, 0);
	return w->b->rc;
}

int drg_cmd_key_list(struct drg_cli *cli)
{
	struct drg_buf b;
	struct drg_jw w = { .b = &b };
	struct drg_store *s;
	if (!drg_opt_flag(cli->options, "json"))
		return drg_cli_report(cli, &drg_keys_report, drg_keys_query, NULL, 0);
	int rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	drg_buf_init(&b, SIZE_MAX);
	drg_jw_array(&w);
	rc = drg_keys_query(s, NULL, cli->arena, key_print_json, &w, &cli->err);
	drg_jw_array_end(&w);
	if (rc == DRG_OK && b.rc == DRG_OK)
		printf("%.*s\n", DRG_STR_ARG(drg_buf_view(&b)));
	rc = b.rc != DRG_OK ? drg_fail_memory(&cli->err) : rc;
	drg_buf_done(&b);
	drg_store_close(s);
	return rc;
}

int drg_cmd_key_history(struct drg_cli *cli)
{
	size_t n;
	(void)drg_opt_args(cli->options, &n);
	struct drg_access_history h = { .sort = DRG_ACCESS_KEY, .must_exist = n > 0 };
	int rc = n > 0 ? key_id(cli, &h.number) : DRG_OK;
	return rc == DRG_OK ? drg_cli_report(cli, &drg_access_report, drg_access_query, &h, 0) : rc;
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
