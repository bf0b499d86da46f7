/* POST curate/load: a list of a supplier, looked at or loaded (decisions C8, E26). */
#include "workbench/load.h"

#include "api/curate_words.h"
#include "api/freshness.h"
#include "api/item.h"
#include "api/tables.h"
#include "base/log.h"
#include "decide/history.h"
#include "text/utf8.h"
#include "workbench/load_json.h"
#include "workbench/queue/cases.h"

enum { LOAD_MAPS = 64, LOAD_MAX_GONE = 10 };

struct load_request {
	struct drg_exchange *x;
	struct drg_loading l;
	struct drg_load_json told;
	const char *maps[LOAD_MAPS + 1];
	size_t n_maps;
	int rc; /* of the queueing */
	struct drg_err err;
};

/* ---- the answer ---------------------------------------------------------------------------------------- */

/* Options of the command are parameters here: --max-gone is max_gone. Not in 'match queue --output FILE'. */
static void load_option_names(char *message)
{
	char *to = message;
	bool word = false, quoted = false;
	for (const char *from = message; *from != '\0';) {
		if (*from == '\'' && (quoted || from == message || from[-1] == ' '))
			quoted = !quoted;
		if (!quoted && from[0] == '-' && from[1] == '-' && from[2] >= 'a' && from[2] <= 'z') {
			word = true;
			from += 2;
		}
		word = word && ((*from >= 'a' && *from <= 'z') || *from == '-');
		*to++ = word && *from == '-' ? '_' : *from;
		from++;
	}
	*to = '\0';
}

/* The field at fault if it is a parameter that says how to read the file. */
static const char *load_fault(const struct drg_err *e)
{
	return strcmp(e->field, "encoding") == 0 || strcmp(e->field, "quote") == 0 ||
	                       strcmp(e->field, "sheet") == 0
	               ? e->field
	               : NULL;
}

static int load_refuse(struct drg_exchange *x, struct drg_err *e, const struct drg_load_sums *s)
{
	const struct drg_reason *reason = drg_reason_find(e->reason);
	load_option_names(e->message);
	if (reason == DRG_R(bad_rows))
		return drg_exchange_fail_status(
		        x, 422, reason, NULL,
		        "%llu of %llu rows are bad, nothing was applied; dry_run lists them with what is "
		        "wrong, keep_going loads the others%s",
		        (unsigned long long)s->rejected, (unsigned long long)s->rows,
		        s->gone_left > 0 ? ", accept_rejected also removes what no row names" : "");
	if (reason == DRG_R(new_columns))
		return drg_exchange_fail_status(x, 422, reason, NULL,
		                                "nothing was applied: files with these columns are new for "
		                                "this supplier; check the columns that dry_run proposes, "
		                                "correct them with map, and load the file with accept");
	if (reason == NULL || (reason->status != 422 && reason->status != 413))
		reason = DRG_R(not_processable);
	return drg_exchange_fail_status(x, reason->status, reason, load_fault(e), "%s", e->message);
}

/* Failures that are not the list's fault, and pass. The store's own messages name its place: they are for the
 * log (decision E3). */
static const struct {
	int rc;
	const struct drg_reason *reason;
	const char *message;
} load_hindrances[] = {
	{ DRG_ESTOPPED, DRG_R(shutting_down),
	  "the server is shutting down; the same list loaded again completes it" },
	{ DRG_EFULL, DRG_R(not_stored),
	  "the server's disk is full or failing; once it is fixed, load the same list again to complete it" },
	{ DRG_ENOMEM, DRG_R(unavailable),
	  "the server has not enough memory for it at present; the same list loaded again completes it" },
	{ DRG_EBUSY, DRG_R(store_away), "the store cannot be written at present; try again later" },
	{ DRG_EIO, DRG_R(store_away), "the store cannot be written at present; try again later" },
	{ DRG_ENOENT, DRG_R(store_away), "the store is not in its place at present; try again later" },
	{ DRG_ELIMIT, DRG_R(store_away), "the store is not of this version of the server" },
};

int drg_curate_load_fail(struct drg_exchange *x, struct drg_loading *l)
{
	struct drg_err *e = &l->err;
	if (l->rc == DRG_EINVAL)
		return load_refuse(x, e, &l->sums);
	if (drg_reason_find(e->reason) == DRG_R(import_running))
		return drg_fail(drg_exchange_err(x), DRG_EBUSY, DRG_R(import_running), NULL,
		                DRG_CURATE_IMPORT_RUNNING);
	/* Data kept beside the store while the list is read fails as the disk does. */
	int rc = drg_reason_find(e->reason) == DRG_R(not_stored) ? DRG_EFULL : l->rc;
	for (size_t i = 0; i < DRG_ARRAY_LEN(load_hindrances); i++) {
		if (load_hindrances[i].rc != rc)
			continue;
		drg_log(DRG_LOG_WARN, "a list could not be loaded: %s", e->message);
		return drg_fail(drg_exchange_err(x), DRG_EBUSY, load_hindrances[i].reason, NULL, "%s",
		                load_hindrances[i].message);
	}
	*drg_exchange_err(x) = *e; /* a fault of ours, or a damaged store: logged, and told as that */
	return l->rc;
}

/* It went well, and there was no memory to say how. */
static int load_untold(struct drg_exchange *x, const struct drg_loading *l)
{
	return drg_fail(drg_exchange_err(x), DRG_EBUSY, DRG_R(unavailable), NULL,
	                "%s, but the server had not enough memory to tell about it; loaded again it changes "
	                "nothing",
	                l->o.dry_run ? "it was looked at" : "it was loaded");
}

static int load_answer(struct drg_exchange *x)
{
	struct load_request *q = drg_exchange_data(x);
	struct drg_jw w = { .b = drg_exchange_out(x) };
	int rc = q->rc;
	if (rc != DRG_OK)
		*drg_exchange_err(x) = q->err;
	else if (q->l.rc != DRG_OK)
		rc = drg_curate_load_fail(x, &q->l);
	else if (!drg_load_json_whole(&q->told))
		rc = load_untold(x, &q->l);
	if (rc == DRG_OK) {
		drg_data_begin(&w);
		drg_load_json_write(&w, &q->told, &q->l.sums, !q->l.o.dry_run);
		drg_data_end(&w);
		drg_api_set_version(x, &q->l.commit);
	}
	drg_load_json_done(&q->told);
	return rc;
}

static void load_ended(struct drg_loading *l)
{
	struct load_request *q = DRG_CONTAINER_OF(l, struct load_request, l);
	const struct drg_app *app = drg_app_of(q->x);
	if (!l->o.dry_run) {
		drg_follower_wake(app->follower);
		drg_cases_invalidate(app->cases);
	}
	drg_exchange_resume(q->x);
}

/* The client is gone: nobody waits for what is still being read. */
static void load_leave(struct drg_exchange *x)
{
	struct load_request *q = drg_exchange_data(x);
	drg_loading_cancel(&q->l);
}

/* ---- the request --------------------------------------------------------------------------------------- */

static int load_take_map(void *ctx, struct drg_str name, struct drg_str value)
{
	struct load_request *q = ctx;
	(void)name;
	if (value.n < 3 || memchr(value.p, '=', value.n) == NULL)
		return drg_fail(drg_exchange_err(q->x), DRG_EINVAL, DRG_R(bad_list), "map",
		                "map: expected FIELD=COLUMN, found \"%.*s\"", DRG_STR_ARG(value));
	if (q->n_maps == LOAD_MAPS)
		return drg_fail(drg_exchange_err(q->x), DRG_EINVAL, DRG_R(too_many_elements), "map",
		                "map: at most %d", LOAD_MAPS);
	const char *copy = drg_arena_str(drg_exchange_arena(q->x), value).p;
	q->maps[q->n_maps++] = copy;
	return copy != NULL ? DRG_OK : DRG_ENOMEM;
}

/* NULL: not said. */
static const char *load_word(struct drg_exchange *x, const char *name)
{
	struct drg_str s = drg_exchange_text(x, name);
	return s.n > 0 ? drg_arena_str(drg_exchange_arena(x), s).p : NULL;
}

/* Empty: said to be none. */
static const char *load_value(struct drg_exchange *x, const char *name)
{
	const char *word = load_word(x, name);
	return word != NULL && strcmp(word, "none") == 0 ? "" : word;
}

static void load_wishes(struct load_request *q)
{
	struct drg_exchange *x = q->x;
	struct drg_load_options *o = &q->l.o;
	const struct drg_str separator = drg_exchange_text(x, "separator"),
	                     decimal = drg_exchange_text(x, "decimal");
	o->wishes = (struct drg_plan_wishes){
		.kind = drg_kind_by_name(drg_exchange_text(x, "kind")),
		.encoding = load_word(x, "encoding"),
		.sheet = load_word(x, "sheet"),
		.lang = drg_exchange_has(x, "lang") ? drg_exchange_lang(x, "lang").p : NULL,
		.country = load_value(x, "country"),
		.category = load_value(x, "category"),
		.separator = drg_str_eq(separator, DRG_STR("tab")) ? '\t' : drg_utf8_only(separator),
		.quote = drg_quote_by_name(drg_exchange_text(x, "quote")),
		.decimal = decimal.n > 0 ? decimal.p[0] : '\0',
		.map = q->n_maps > 0 ? q->maps : NULL,
	};
	o->accept = drg_exchange_flag(x, "accept");
	o->dry_run = drg_exchange_flag(x, "dry_run");
	o->keep_going = drg_exchange_flag(x, "keep_going");
	o->complete = drg_exchange_flag(x, "complete");
	o->accept_rejected = drg_exchange_flag(x, "accept_rejected");
	o->max_gone = (double)drg_exchange_int(x, "max_gone", LOAD_MAX_GONE);
	o->wishes.look = o->dry_run && drg_exchange_flag(x, "anew");
	o->wishes.anew = o->wishes.look || q->n_maps > 0;
	o->planned = drg_load_json_plan;
	o->note = drg_load_json_note;
	o->sheet = drg_load_json_sheet;
	o->ctx = &q->told;
}

static int load_read(struct load_request *q)
{
	struct drg_exchange *x = q->x;
	struct drg_load_options *o = &q->l.o;
	struct drg_str by = drg_exchange_text(x, "by"), file = drg_exchange_text(x, "file");
	q->l.file = drg_exchange_body(x);
	q->l.name = drg_arena_str(drg_exchange_arena(x), file).p;
	o->adapter = drg_exchange_int(x, "adapter_id", 0);
	o->by = by.n > 0 && !drg_api_is_person(x) ? by : drg_exchange_caller(x)->name;
	o->why = drg_exchange_text(x, "why");
	int rc =
	        drg_audit_check(&(const struct drg_audit){ .by = o->by, .why = o->why }, drg_exchange_err(x));
	if (rc == DRG_OK && drg_audit_check(&(const struct drg_audit){ .why = file }, NULL) != DRG_OK)
		rc = drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(control_character), "file",
		              "file: expected a name without control characters");
	if (rc == DRG_OK && q->l.file.n == 0)
		rc = drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(missing_field), "body",
		              "the body must be the file, and it is empty");
	if (rc == DRG_OK)
		rc = drg_exchange_each(x, "map", load_take_map, q);
	if (rc == DRG_OK)
		load_wishes(q);
	return rc;
}

static int load_allowed(struct drg_exchange *x, int64_t adapter)
{
	int rc = drg_api_check_adapter(x, adapter);
	return rc == DRG_OK ? drg_api_check_write(x, adapter) : rc;
}

static int curate_load(struct drg_exchange *x)
{
	struct load_request *q = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *q);
	if (q == NULL)
		return DRG_ENOMEM;
	q->x = x;
	int rc = load_allowed(x, drg_exchange_int(x, "adapter_id", 0));
	if (rc == DRG_OK)
		rc = load_read(q);
	if (rc != DRG_OK)
		return rc;
	drg_load_json_init(&q->told);
	q->l.ended = load_ended;
	drg_exchange_set_data(x, q);
	/* Suspended before the thread can know of it. */
	drg_exchange_suspend(x, load_answer);
	drg_exchange_on_disconnect(x, load_leave);
	struct drg_err err;
	rc = drg_loads_submit(drg_app_of(x)->loads, &q->l, &err);
	if (rc == DRG_OK)
		return DRG_HTTP_SUSPENDED;
	q->rc = rc;
	q->err = err;
	drg_exchange_resume(x);
	return DRG_HTTP_SUSPENDED;
}

/* ---- the parameters ------------------------------------------------------------------------------------ */

static int load_check_separator(struct drg_str value, const char *name, struct drg_err *reterr)
{
	bool tab = drg_str_eq(value, DRG_STR("tab"));
	const uint32_t c = drg_utf8_only(value);
	if (tab || (c > ' ' && c != '"' && (c < 0x7f || c > 0xa0)))
		return DRG_OK;
	return drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_word), name,
	                "%s: expected one character, or tab, found \"%.*s\"", name, DRG_STR_ARG(value));
}

static int load_check_quote(struct drg_str value, const char *name, struct drg_err *reterr)
{
	if (drg_quote_by_name(value) != DRG_QUOTE_UNKNOWN)
		return DRG_OK;
	return drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_word), name,
	                "%s: expected double, backslash, none or dump, found \"%.*s\"", name,
	                DRG_STR_ARG(value));
}

static int load_check_decimal(struct drg_str value, const char *name, struct drg_err *reterr)
{
	if (value.n == 1 && (value.p[0] == '.' || value.p[0] == ','))
		return DRG_OK;
	return drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_word), name,
	                "%s: expected a point or a comma, found \"%.*s\"", name, DRG_STR_ARG(value));
}

#define LOAD_TEXT(name_, max_, doc_)                                                                         \
	{                                                                                                    \
		.name = name_, .type = DRG_P_TEXT, .max = max_, .schema = DRG_SCHEMA_LINE, .doc = doc_       \
	}
#define LOAD_FLAG(name_, doc_)                                                                               \
	{                                                                                                    \
		.name = name_, .type = DRG_P_FLAG, .doc = doc_                                               \
	}

static const struct drg_param load_params[] = {
	{ .name = "adapter_id", .type = DRG_P_INT, .required = true, .doc = "the supplier whose list it is" },
	{ .name = "file",
	  .type = DRG_P_TEXT,
	  .required = true,
	  .min = 1,
	  .max = 200,
	  .schema = DRG_SCHEMA_LINE,
	  .doc = "the name of the file, for messages and the batch" },
	LOAD_FLAG("dry_run", "only look at it: nothing is changed"),
	{ .name = "kind",
	  .type = DRG_P_TEXT,
	  .max = 32,
	  .check = drg_item_check_kind,
	  .schema = DRG_SCHEMA_SOURCE_KIND,
	  .doc = "the kind of each row; hotel in a file of a new sort" },
	LOAD_TEXT("sheet", 2000,
	          "sheet of a workbook: its name or number; several with / between them are one list; all"),
	LOAD_TEXT("encoding", 63, "of a text file, such as windows-1251; recognised when absent"),
	{ .name = "separator",
	  .type = DRG_P_TEXT,
	  .max = 3, /* bytes */
	  .check = load_check_separator,
	  .schema = "{\"pattern\":\"^(tab|[!#-~\\u00a1-\\ud7ff\\ue000-\\uffff])?$\"}",
	  .doc = "between the cells of a text file: one character, or tab" },
	{ .name = "quote",
	  .type = DRG_P_TEXT,
	  .max = 9,
	  .check = load_check_quote,
	  .schema = "{\"enum\":[\"double\",\"backslash\",\"none\",\"dump\"]}",
	  .doc = "how a text file quotes its cells: double (a quote within quotes is doubled), backslash (a "
	         "backslash is before it), none, or dump (only backslashes); recognised when absent" },
	{ .name = "decimal",
	  .type = DRG_P_TEXT,
	  .max = 1,
	  .check = load_check_decimal,
	  .schema = "{\"enum\":[\".\",\",\"]}",
	  .doc = "decimal point or comma of numbers" },
	{ .name = "lang", .type = DRG_P_LANG, .doc = "language of its names" },
	LOAD_TEXT("country", DRG_PROFILE_VALUE_MAX,
	          "of rows that name none: the country of a list of one country; or none"),
	LOAD_TEXT("category", DRG_PROFILE_VALUE_MAX, "of rows that name none: the hotels' category; or none"),
	{ .name = "map",
	  .type = DRG_P_TEXT,
	  .repeated = true,
	  .max = 400,
	  .schema = "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"pattern\":\"^[a-z_]{2,40}=[^=]{0,"
	            "40}$\"}}",
	  .doc = "FIELD=COLUMN: which column feeds a field; FIELD=: none does" },
	LOAD_FLAG("anew", "with dry_run: as a file of a new sort, even if no column of ids is recognised; to "
	                  "see its columns and name them"),
	LOAD_FLAG("accept",
	          "keep what is proposed for a file of a new sort; take one whose ids are not known"),
	LOAD_FLAG("complete", "the file is the whole list: records missing from it are removed"),
	{ .name = "max_gone",
	  .type = DRG_P_INT,
	  .min = 0,
	  .max = 100,
	  .doc = "per cent that a complete file may remove; 10 when absent" },
	LOAD_FLAG("keep_going", "load the good rows although there are bad ones"),
	LOAD_FLAG("accept_rejected", "likewise, and with complete remove what no row names"),
	LOAD_TEXT("why", DRG_CHARS_WHY, "the reason, for the batch"),
	LOAD_TEXT("by", DRG_CURATE_BY_MAX, "the person who loads the list, if several people share a key"),
	{ 0 },
};

const struct drg_endpoint drg_curate_load[] = {
	{ .method = DRG_POST,
	  .path = "/v1/curate/load",
	  .name = "curateLoad",
	  .handler = curate_load,
	  .auth = DRG_AUTH_CURATOR,
	  .params = load_params,
	  .body = DRG_BODY_FILE,
	  .max_body = DRG_FILE_MAX,
	  .summary = "Look at a supplier's list, or load it",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter) },
	{ 0 },
};
