/* src/http/counts.h
 * Counts of requests and connections since the start, for metrics. Each loop has counters that only its
 * thread writes (base/measure.h); these functions add them up, from any thread. */
#pragma once
#include "base/measure.h"
#include "base/reason.h"
#include "http/error_body.h"

struct drg_http;

/** Counts of one endpoint; with the path "": of requests of one method that have no endpoint. */
struct drg_http_route_count {
	const char *path, *method; /**< of a GET endpoint; HEAD counts too */
	uint64_t by_status[DRG_HTTP_STATUSES]; /**< by drg_http_status_place() */
	/** Durations from the end of the head to the last byte given to the system. */
	struct drg_durations_sum took;
};
typedef void drg_http_route_fn(void *ctx, const struct drg_http_route_count *c);
/** Call fn for each endpoint that had a request, in the order of the tables. */
void drg_http_each_route(const struct drg_http *h, drg_http_route_fn *fn, void *ctx);

/** Count of answers with an error, by drg_reason.number. */
uint64_t drg_http_errors(const struct drg_http *h, int reason);

enum { DRG_HTTP_CONN_STATES = 6 };
struct drg_http_now {
	unsigned at_work; /**< handlers that run or are suspended */
	uint64_t connections[DRG_HTTP_CONN_STATES]; /**< by state */
	unsigned max_connections;
	uint64_t accepted, cut; /**< connections so far; requests that the client or a deadline ended early */
	uint64_t bytes; /**< of bodies of answers */
	size_t answer_bytes, request_bytes; /**< memory of large answers and requests that are held now */
};
void drg_http_count_now(const struct drg_http *h, struct drg_http_now *ret);
/** The name of a state: "idle". */
const char *drg_http_conn_state(unsigned state);
