/* Deadlines and states of a connection. */
#include <assert.h>

#include "http/conns/conn_priv.h"

#include <linux/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "http/conns/conn.h"
#include "base/clock.h"
#include "http/counts_priv.h"
#include "base/proxy_header.h"
#include "http/http_priv.h"

void drg_conn_set_deadline(struct drg_conn *c, int64_t deadline_ns)
{
	c->deadline_ns = deadline_ns;
	/* Leave a timer that runs down too early: it is set again then, and most deadlines are replaced long
	 * before. */
	if (deadline_ns != DRG_NEVER && (c->timer.back == NULL || deadline_ns < c->timer.due_ns))
		drg_timer_set(&c->loop->timers, &c->timer, deadline_ns);
}

/** The sum of @p from_ns, header_seconds, and the time for @p bytes at the least rate. */
static int64_t allowance(const struct drg_http_options *o, int64_t from_ns, uint64_t bytes)
{
	int64_t transfer, sum, byte_ns = DRG_SECOND_NS / o->min_rate;
	if (bytes > INT64_MAX || __builtin_mul_overflow((int64_t)bytes, byte_ns, &transfer) ||
	    __builtin_add_overflow(from_ns + o->header_seconds * DRG_SECOND_NS, transfer, &sum))
		return DRG_NEVER;
	return sum;
}

void drg_conn_set_body_deadline(struct drg_conn *c, int64_t start_ns, uint64_t bytes)
{
	drg_conn_set_deadline(c, allowance(&c->loop->http->opt, start_ns, bytes));
}

/** The deadline for reading an answer. A large one must be read faster, so that no client occupies megabytes
 * for an hour. */
int64_t drg_conn_answer_deadline(const struct drg_http_options *o, int64_t now_ns, uint64_t bytes)
{
	uint64_t slow = bytes < DRG_SLOW_BYTES ? bytes : DRG_SLOW_BYTES;
	int64_t at_least_rate = allowance(o, now_ns, bytes), until = allowance(o, now_ns, slow);
	uint64_t rest_ns = (bytes - slow) * ((uint64_t)DRG_SECOND_NS / DRG_SLOW_BYTES);
	if (until == DRG_NEVER || rest_ns > (uint64_t)(DRG_NEVER - until))
		return at_least_rate;
	until += (int64_t)rest_ns;
	return until < at_least_rate ? until : at_least_rate;
}

void drg_conn_set_answer_deadline(struct drg_conn *c, int64_t now_ns, uint64_t bytes)
{
	drg_conn_set_deadline(c, drg_conn_answer_deadline(&c->loop->http->opt, now_ns, bytes));
}

void drg_conn_set_state(struct drg_conn *c, enum drg_conn_state state)
{
	/* The states that may follow a state, a bit each: the arrows of conn.h. */
	static const unsigned follows[] = {
		[DRG_CONN_GREETING] = 1U << DRG_CONN_HEAD,
		[DRG_CONN_HEAD] = 1U << DRG_CONN_BODY | 1U << DRG_CONN_WAITING | 1U << DRG_CONN_WRITING |
		                  1U << DRG_CONN_LINGERING,
		[DRG_CONN_BODY] = 1U << DRG_CONN_WAITING | 1U << DRG_CONN_WRITING,
		[DRG_CONN_WAITING] = 1U << DRG_CONN_WAITING | 1U << DRG_CONN_WRITING,
		[DRG_CONN_WRITING] = 1U << DRG_CONN_WRITING | 1U << DRG_CONN_HEAD | 1U << DRG_CONN_LINGERING,
		[DRG_CONN_LINGERING] = 0,
	};
	assert((follows[c->state] >> state & 1) != 0);
	(void)follows;
	drg_count_conn(c->loop->counts, c->state, false);
	drg_count_conn(c->loop->counts, state, true);
	c->state = state;
}
