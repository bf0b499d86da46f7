/* src/openapi/embedded_priv.h
 * What is compiled in: the shapes of answers (answers.json) and the examples of docs/contract.md and
 * examples.md, which the tests run. */
#pragma once
#include "http/exchange.h"

/** {"tags": [...], "operations": {"sourceInfo": {...}}, "schemas": {...}}: see tools/embed_openapi.py. */
extern const char drg_openapi_shapes[];

/** A request and its whole answer, as JSON. A table ends with a NULL target. */
struct drg_openapi_example {
	enum drg_method method;
	const char *target; /**< path and query, nothing in them escaped */
	const char *body; /**< NULL: none */
	const char *answer;
};

extern const struct drg_openapi_example drg_openapi_examples[];
