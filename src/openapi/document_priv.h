/* src/openapi/document_priv.h
 * A document while it is made, as jansson values. What fails for lack of memory is noted once, in `failed`. */
#pragma once
#include <jansson.h>
#include "openapi/embedded_priv.h"
#include "openapi/openapi.h"

enum drg_openapi_api { DRG_OPENAPI_BOTH, DRG_OPENAPI_A, DRG_OPENAPI_B, DRG_OPENAPI_COUNT };

struct drg_openapi_work {
	const struct drg_openapi_options *o;
	enum drg_openapi_api api;
	struct drg_str public_url;
	json_t *shapes; /**< answers.json */
	json_t *all; /**< every component there can be; those that are referred to go into the document */
	bool failed;
};

/** Put @p value, which is taken over, into @p object. */
void drg_openapi_put(struct drg_openapi_work *w, json_t *object, const char *name, json_t *value);
/** Put @p value, which is taken over, behind the others. */
void drg_openapi_add(struct drg_openapi_work *w, json_t *array, json_t *value);
/** {"$ref": "#/components/KIND/NAME"} */
json_t *drg_openapi_ref(const char *kind, const char *name);

/* ---- schema.c ---- */

/** The schema of a query or path parameter's value. */
json_t *drg_openapi_param_schema(struct drg_openapi_work *w, const struct drg_param *p);
/** The names of kinds, a bit for each. */
json_t *drg_openapi_kinds(unsigned kinds);
/** The schema of an endpoint's body; the endpoint must have one. */
json_t *drg_openapi_body_schema(struct drg_openapi_work *w, const struct drg_endpoint *e);
/** Add the schemas of the rows of reports to the components that there can be. */
void drg_openapi_reports(struct drg_openapi_work *w);

/* ---- common.c ---- */

/** The components that several operations share: parameters of the head, headers of answers, errors. */
void drg_openapi_common(struct drg_openapi_work *w);
/** "Error400" */
enum { DRG_OPENAPI_NAME = 64 };
void drg_openapi_error_name(int status, char name[static DRG_OPENAPI_NAME]);

/* ---- examples.c ---- */

/** Add to the parameters of an operation, to its body and to its answer what the examples of the endpoint
 * have. */
void drg_openapi_examples_of(struct drg_openapi_work *w, const struct drg_endpoint *e, json_t *operation);

/* ---- operation.c ---- */

/** The operation object of an endpoint. */
json_t *drg_openapi_operation(struct drg_openapi_work *w, const struct drg_endpoint *e);

/* ---- document.c ---- */

/** The whole document. @return NULL: no memory. */
json_t *drg_openapi_document(struct drg_openapi_work *w);
