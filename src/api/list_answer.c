#include "api/list_answer.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/freshness.h"
#include "api/list_build.h"
#include "api/reading.h"
#include "api/tables.h"
#include "base/clock.h"
#include "http/ready.h"

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

/* A list as HTTP has it. */
struct list_content {
	struct drg_content content;
	struct drg_ready ready;
};

void *drg_list_content_new(const struct drg_list *list)
{
	struct list_content *c = calloc(1, sizeof *c);
	if (c == NULL)
		return NULL;
	c->content.type = "application/json";
	c->content.ready = &c->ready;
	c->content.coded_when_asked = list->pays;
	drg_data_version_write(&list->version, c->content.version);
	memcpy(c->content.body, list->body, sizeof c->content.body);
	memcpy(c->content.etag, list->etag, sizeof c->content.etag);
	return c;
}

void drg_list_content_free(void *attached)
{
	struct list_content *c = attached;
	drg_ready_done(&c->ready);
	free(c);
}

/* Takes the list over. */
static int send_list(struct drg_exchange *x, const struct drg_list *list)
{
	const struct list_content *c = list->attached;
	if (list->total != DRG_LIST_UNCOUNTED)
		drg_total_header(x, (uint64_t)list->total);
	drg_exchange_content(x, &c->content, drg_list_release, (void *)(uintptr_t)list);
	return DRG_OK;
}

/* A request for a list on its way. */
struct asking {
	struct drg_list_wish wish;
	struct drg_list_wait wait;
	/* that it is sent in, if it is sent; who may have it already wishes for none at first */
	enum drg_coding coding;
	int rc; /* set when the list cannot be had: the exchange's err says why */
};

static void give_up(struct drg_exchange *x, struct asking *a, int rc, const struct drg_err *err)
{
	*drg_exchange_err(x) = *err;
	a->rc = rc == DRG_ESTOPPED ? DRG_EBUSY : rc;
}

/* Have a look. @return DRG_OK; or DRG_EBUSY: it is not there, or not in the coding that it is to be sent in. */
static int list_answer_look(struct drg_exchange *x, struct asking *a, const struct drg_list **ret,
                            struct drg_err *err)
{
	struct drg_lists *lists = drg_app_of(x)->lists;
	int rc = drg_lists_get(lists, &a->wish, NULL, ret, err);
	if (rc != DRG_OK || drg_list_has(*ret, a->coding) || drg_exchange_has_etag(x, (*ret)->etag))
		return rc;
	drg_list_release((void *)(uintptr_t)*ret);
	a->wish.coding = a->coding;
	return drg_lists_get(lists, &a->wish, NULL, ret, err);
}

/* What nobody waits for is not built. */
static void list_answer_leave(struct drg_exchange *x)
{
	struct asking *a = drg_exchange_data(x);
	if (!drg_lists_cancel(drg_app_of(x)->lists, &a->wait))
		return;
	a->rc = drg_fail(drg_exchange_err(x), DRG_EBUSY, NULL, NULL, "the client has left");
	drg_exchange_resume(x);
}

/* Runs for the first time in the handler and again after each wake-up. The exchange is suspended before the
 * builder can know of it, so that its call finds it so. */
static int list_answer_ask(struct drg_exchange *x)
{
	struct asking *a = drg_exchange_data(x);
	struct drg_lists *lists = drg_app_of(x)->lists;
	const struct drg_list *list;
	struct drg_err err = { 0 };
	if (a->rc != DRG_OK)
		return a->rc;
	int rc = list_answer_look(x, a, &list, &err);
	if (rc == DRG_OK)
		return send_list(x, list);
	drg_exchange_suspend(x, list_answer_ask);
	drg_exchange_on_disconnect(x, list_answer_leave);
	rc = drg_lists_get(lists, &a->wish, &a->wait, &list, &err);
	if (rc == DRG_EBUSY)
		return DRG_HTTP_SUSPENDED;
	if (rc == DRG_OK) /* it came between the two looks: the next look finds it */
		drg_list_release((void *)(uintptr_t)list);
	else
		give_up(x, a, rc, &err);
	drg_exchange_resume(x);
	return DRG_HTTP_SUSPENDED;
}

int drg_list_answer(struct drg_exchange *x, const struct drg_list_key *key)
{
	struct asking *a = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *a);
	if (a == NULL)
		return DRG_ENOMEM;
	memcpy(&a->wish.key, key, sizeof a->wish.key);
	a->wish.asked_ns = drg_clock_ns();
	a->wish.min_seq = drg_api_min_seq(x);
	a->coding = drg_exchange_coding(x);
	a->wish.coding = drg_exchange_revalidates(x) ? DRG_CODING_IDENTITY : a->coding;
	a->wait.key_id = drg_exchange_caller(x)->id;
	a->wait.wake = drg_exchange_wake;
	a->wait.ctx = x;
	const struct drg_from from = drg_exchange_from(x);
	memcpy(a->wait.client, from.client, sizeof a->wait.client);
	drg_exchange_set_data(x, a);
	return list_answer_ask(x);
}
