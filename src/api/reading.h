/* src/api/reading.h
 * What answers are written with: the read section, and the parts that several answers share. */
#pragma once
#include "api/app.h"
#include "text/json.h"

/** The catalog of now, and where to write what it says. */
struct drg_reading {
	struct drg_exchange *x;
	const struct drg_catalog *cat;
	const struct drg_adapter *adapter; /**< as the endpoint's row has it; NULL where it has none */
	struct drg_jw w; /**< into drg_exchange_out() */
	bool mixed; /**< True if the data can have another version than the catalog; set by the writer of the
	             * answer */
};

/** @return DRG_OK, or what a handler returns. */
typedef int drg_reading_fn(struct drg_reading *r, void *ctx);

/** Run @p fn inside a read section. @return what it returned; DRG_EBUSY: the data is being loaded. */
DRG_MUSTCHECK
int drg_reading_run(struct drg_exchange *x, drg_reading_fn *fn, void *ctx);
/** The same, with the adapter of this id, of the sort that the endpoint's row wants. @return also DRG_EINVAL:
 * there is none. */
DRG_MUSTCHECK
int drg_reading_run_adapter(struct drg_exchange *x, int64_t adapter_id, drg_reading_fn *fn, void *ctx);

/** The names of records in the answer, in the language of the parameter `lang`. */
struct drg_lang_pref drg_reading_langs(const struct drg_reading *r);

/** {"status":"success","data": and what comes behind the value of it. */
void drg_data_begin(struct drg_jw *w);
void drg_data_end(struct drg_jw *w);

/** The same, of a `data` that is an object whose first member, `items`, is an array: up to its first item. */
void drg_items_begin(struct drg_jw *w);
/** Behind its last item, where `items` is the last member. */
void drg_items_end(struct drg_jw *w);

/** The members code and @p name ("name" or "title") of an adapter. */
void drg_adapter_words(struct drg_jw *w, const struct drg_adapter *a, const char *name);
/** The same, and its id before them. */
void drg_adapter_members(struct drg_jw *w, const struct drg_adapter *a, const char *name);
/** The whole object. */
void drg_adapter_json(struct drg_jw *w, const struct drg_adapter *a, const char *name);

/** The member `suppliers`: id, code and name of those that the request's key can read. @param adapter  Only
 * this one; 0: all. @param air  With those of air. */
void drg_suppliers_member(struct drg_reading *r, int64_t adapter, bool air);

/** The member @p name: a text whose escapes are in place, null where there is none. */
void drg_escaped_or_null(struct drg_jw *w, const char *name, struct drg_str text);
/** The member @p name: a text, null where there is none. */
void drg_text_or_null(struct drg_jw *w, const char *name, struct drg_str text);
