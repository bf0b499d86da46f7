#include "api/list_answer.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/freshness.h"
#include "api/list_build.h"
#include "api/reading.h"
#include "api/tables.h"
#include "base/clock.h"

int drg_check_alpha_2(struct drg_str value, const char *name, struct drg_err *reterr)
{
	if (value.n == 2 && isalpha((unsigned char)value.p[0]) && isalpha((unsigned char)value.p[1]))
		return DRG_OK;
	return drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_country), name,
	                "%s: expected an ISO 3166-1 alpha-2 code of two letters, found \"%.*s\"", name,
	                (int)(value.n < 40 ? value.n : 40), value.p);
}

int drg_check_with(struct drg_str value, const char *name, struct drg_err *reterr)
{
	struct drg_str word;
	while (drg_str_split(&value, ',', &word)) {
		word = drg_str_trim(word);
		if (word.n > 0 && !drg_str_eq(word, DRG_STR("description")))
			return drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_word), name,
			                "%s: expected description, found \"%.*s\"", name, DRG_STR_ARG(word));
	}
	return DRG_OK;
}

void drg_total_header(struct drg_exchange *x, uint64_t total)
{
	char text[DRG_I64_TEXT];
	drg_i64_text((int64_t)total, text);
	drg_exchange_add_header(x, "X-Total-Count", text);
}

/* However it is written: a key has room for what was meant alone, else clients could fill the cache. */
static bool wants_description(const struct drg_exchange *x)
{
	struct drg_str words = drg_exchange_has(x, "with") ? drg_exchange_text(x, "with") : DRG_STR(""), word;
	while (drg_str_split(&words, ',', &word))
		if (drg_str_trim(word).n > 0)
			return true;
	return false;
}

static bool code_exists(const struct drg_catalog *cat, struct drg_str code)
{
	const drg_handle *all;
	size_t n = drg_catalog_kind_handles(cat, DRG_KIND_COUNTRY, &all);
	struct drg_dict d;
	for (size_t i = 0; i < n; i++)
		if (drg_catalog_dict_at(cat, all[i], &d) && drg_str_eq(d.code, code))
			return true;
	return false;
}

/* Two letters (decision L3). A code that no country has becomes one and the same key, so that made-up codes
 * do not fill the cache. */
static void key_country(struct drg_reading *r, struct drg_list_key *key)
{
	struct drg_str text = drg_exchange_text(r->x, "country");
	char code[2] = { (char)toupper((unsigned char)text.p[0]), (char)toupper((unsigned char)text.p[1]) };
	bool known = code_exists(r->cat, drg_str(code, sizeof code));
	memcpy(key->country_code, known ? code : "--", sizeof code);
}

/* Unknown ids are refused (E2). */
static int key_direction(struct drg_reading *r, struct drg_list_key *key)
{
	struct drg_err *err = drg_exchange_err(r->x);
	int64_t dep_city = drg_exchange_int(r->x, "dep_city", 0),
	        country = drg_exchange_int(r->x, "country", 0);
	int rc = drg_dict_known(r->cat, DRG_KIND_DEP_CITY, dep_city, &key->dep_city, err);
	return rc == DRG_OK ? drg_dict_known(r->cat, DRG_KIND_COUNTRY, country, &key->country, err) : rc;
}

static bool takes_country(const struct drg_exchange *x)
{
	const struct drg_param *p = drg_exchange_endpoint(x)->params;
	while (p->name != NULL && strcmp(p->name, "country") != 0)
		p++;
	return p->name != NULL && drg_exchange_has(x, "country");
}

static int list_answer_read_key(struct drg_reading *r, void *ctx)
{
	struct drg_list_key *key = ctx;
	const struct drg_list_form *form = drg_columns_of(r->x)->list;
	key->build = drg_list_build;
	key->form = form;
	key->demo = drg_exchange_flag(r->x, "demo");
	key->description = wants_description(r->x);
	drg_lists_lang(r->cat, drg_exchange_lang(r->x, "lang"), key->lang);
	if (form->of_direction)
		return key_direction(r, key);
	if (takes_country(r->x))
		key_country(r, key);
	return DRG_OK;
}

int drg_list_endpoint(struct drg_exchange *x)
{
	struct drg_list_key key;
	memset(&key, 0, sizeof key); /* compared as bytes */
	int rc = drg_reading_run(x, list_answer_read_key, &key);
	return rc == DRG_OK ? drg_list_answer(x, &key) : rc;
}

/* Called twice: by the handler when the request waits, and when the wait ends, perhaps before that. The
 * second call continues the request. */
static void go_on(struct drg_list_ask *ask)
{
	if (atomic_exchange(&ask->met, true))
		drg_exchange_resume(ask->ctx);
}

/* Leave the list: a list without a waiting client is not built. */
static void list_answer_leave(struct drg_exchange *x)
{
	struct drg_list_ask *ask = drg_exchange_data(x);
	if (!drg_lists_cancel(drg_app_of(x)->lists, ask))
		return;
	ask->rc = drg_fail(drg_exchange_err(x), DRG_ESTOPPED, NULL, NULL, "the client has disconnected");
	go_on(ask);
}

/* Runs first in the handler, then after each wake-up. */
static int list_answer_ask(struct drg_exchange *x)
{
	struct drg_list_ask *ask = drg_exchange_data(x);
	if (ask->rc == DRG_EBUSY) {
		atomic_store_explicit(&ask->met, false, memory_order_relaxed);
		int rc = drg_lists_get(drg_app_of(x)->lists, ask);
		if (rc == DRG_EBUSY) {
			drg_exchange_suspend(x, list_answer_ask);
			drg_exchange_on_disconnect(x, list_answer_leave);
			go_on(ask);
			return DRG_HTTP_SUSPENDED;
		}
		ask->rc = rc;
	}
	if (ask->rc == DRG_OK)
		drg_exchange_content(x, ask->content, &ask->version);
	return ask->rc == DRG_ESTOPPED ? DRG_EBUSY : ask->rc;
}

int drg_list_answer(struct drg_exchange *x, const struct drg_list_key *key)
{
	struct drg_list_ask *ask = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *ask);
	if (ask == NULL)
		return DRG_ENOMEM;
	memcpy(&ask->key, key, sizeof ask->key);
	ask->coding = drg_exchange_coding(x);
	ask->tags = drg_exchange_tags(x);
	ask->asked_ns = drg_clock_ns();
	ask->min_seq = drg_api_min_seq(x);
	ask->key_id = drg_exchange_caller(x)->id;
	ask->wake = go_on;
	ask->ctx = x;
	ask->rc = DRG_EBUSY;
	ask->err = drg_exchange_err(x);
	const struct drg_from from = drg_exchange_from(x);
	memcpy(ask->client, from.client, sizeof ask->client);
	drg_exchange_set_data(x, ask);
	return list_answer_ask(x);
}
