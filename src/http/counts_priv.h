/* src/http/counts_priv.h
 * The counters of a loop. Only its thread writes them. */
#pragma once
#include "http/counts.h"
#include "http/conns/conn.h"

struct drg_route_tally {
	drg_measure by_status[DRG_HTTP_STATUSES];
	struct drg_durations took;
};

struct drg_loop_counts {
	drg_measure errors[DRG_REASON_COUNT];
	drg_measure connections[DRG_HTTP_CONN_STATES];
	drg_measure accepted, cut, bytes;
	struct drg_route_tally
	        routes[]; /**< requests without an endpoint by enum drg_verb, then the endpoints by number */
};

/** @return NULL: out of memory. */
struct drg_loop_counts *drg_loop_counts_new(const struct drg_http *h);

/** Count a request at its end. @param answered  False: it ended before its answer was made. */
void drg_count_request(struct drg_exchange *x, int64_t us, uint64_t bytes, bool answered, bool complete);
/** Count a connection that enters a state (@p in), or leaves it. */
static inline void drg_count_conn(struct drg_loop_counts *n, enum drg_conn_state state, bool in)
{
	drg_measure_add(&n->connections[state], in ? 1 : UINT64_MAX);
}
