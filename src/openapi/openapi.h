/* src/openapi/openapi.h
 * The OpenAPI 3.1 documents: of both APIs, of API A, of API B. They are made of the tables that the server
 * itself reads (endpoints, parameters, attributes of bodies, reasons), of answers.json and of the examples of
 * docs/contract.md. */
#pragma once
#include "http/endpoint.h"

struct drg_openapi_options {
	const struct drg_endpoint *const *tables; /**< NULL-terminated; borrowed */
	const char *version; /**< of the program */
	size_t max_body, max_url, max_headers; /**< bytes */
	int64_t max_batch; /**< ids of a request */
};

struct drg_openapi;

/** The documents, none of them made yet. Options are copied. @return DRG_OK; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_openapi_new(const struct drg_openapi_options *o, struct drg_openapi **ret, struct drg_err *reterr);
/** Nobody uses a document any more. NULL is fine. */
void drg_openapi_free(struct drg_openapi *d);

/** The rows that answer with them: each is made when it is first asked for, which takes some 20 ms, in every
 * coding. */
extern const struct drg_endpoint drg_openapi_endpoints[];
