/* src/api/reconcile/answering.h
 * What the endpoints of the reconciliation service share (docs/openrefine.md, decisions O1, O2). */
#pragma once
#include "api/reading.h"
#include "catalog/air/air.h"
#include "reconcile/find.h"
#include "reconcile/names.h"
#include "text/json_scan.h"

/** A request, while it is answered. */
struct drg_recon_reading {
	struct drg_reading *r;
	const struct drg_recon_index *index;
	struct drg_lang_pref pref;
};

/** Reads the request, with nothing locked. */
typedef int drg_recon_read_fn(struct drg_exchange *x, void *work);
/** Writes the answer, or a slice of it, in a read section. @return DRG_RECON_MORE: that was a slice; go on in
 * another read section, with the catalog and index of then, so that nothing that was replaced is held for
 * longer. */
typedef int drg_recon_write_fn(struct drg_recon_reading *g, void *work);
enum { DRG_RECON_MORE = 2000 };

/** Do it once the names are there. @param read  May be NULL. @param work  In the exchange's arena. @return what
 * a handler returns. */
DRG_MUSTCHECK
int drg_recon_work(struct drg_exchange *x, drg_recon_read_fn *read, drg_recon_write_fn *write, void *work);

/** A record of the reference as it is now. */
struct drg_recon_entity {
	unsigned type;
	int64_t id;
	struct drg_dict dict; /**< of a kind */
	struct drg_air_place place; /**< of an air place */
};
/** @return false: there is none. One that was merged away is the one that lives. */
bool drg_recon_entity_find(const struct drg_recon_reading *g, unsigned type, int64_t id,
                           struct drg_recon_entity *ret);
/** Its name in the language asked for, with JSON's escapes. */
struct drg_str drg_recon_entity_name(const struct drg_recon_reading *g, const struct drg_recon_entity *e,
                                     const struct drg_lang_pref *pref);
/** The value of a property of it. @return false: it has none. Names are texts with JSON's escapes. */
struct drg_recon_value {
	enum { DRG_RECON_IS_TEXT, DRG_RECON_IS_INT, DRG_RECON_IS_REAL, DRG_RECON_IS_ENTITY } is;
	struct drg_str text; /**< escaped; of an entity its name */
	int64_t i; /**< of an entity its id */
	double d;
};
bool drg_recon_entity_value(const struct drg_recon_reading *g, const struct drg_recon_entity *e,
                            enum drg_recon_property p, const struct drg_lang_pref *pref,
                            struct drg_recon_value *ret);

/** The members id, name and description. */
void drg_recon_entity_members(const struct drg_recon_reading *g, const struct drg_recon_entity *e);
/** {"id":…, "name":…} of a type, or of a property. */
void drg_recon_named_json(struct drg_jw *w, const char *id, const char *name);

/** @p text folded, at most DRG_SPELLED_MAX bytes, in the arena. Not in a read section. @return DRG_OK,
 * DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_recon_fold(struct drg_exchange *x, struct drg_str text, struct drg_str *ret);

/** The bit of the parameter `type`; all bits if it is absent, none if there is no such type. */
unsigned drg_recon_types_wanted(const struct drg_exchange *x);

/** The JSON object of the parameter or field @p name; it borrows from @p text and the exchange's arena. */
DRG_MUSTCHECK
int drg_recon_json(struct drg_exchange *x, const char *name, struct drg_str text, struct drg_json_item *ret);

/** The text of a value; empty: the value is not a text. */
static inline struct drg_str drg_recon_text(const struct drg_json_item *v)
{
	return v->type == DRG_JSON_STRING ? v->s : drg_str("", 0);
}

/* The two requests that the service's own address takes. */
DRG_MUSTCHECK
int drg_recon_answer_queries(struct drg_exchange *x, struct drg_str queries);
DRG_MUSTCHECK
int drg_recon_answer_extend(struct drg_exchange *x, struct drg_str extend);

#define DRG_PARAM_RECON_KEY                                                                                  \
	{                                                                                                    \
		.name = "key", .type = DRG_P_TEXT, .in_path = true, .required = true, .max = 64,             \
		.doc = "a key of API B of the role reader"                                                   \
	}
