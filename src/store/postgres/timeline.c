/* Timelines: a server that is promoted begins a timeline with a higher number. The process remembers the
 * newest timeline that it has seen, so that no handle goes back to a server from which another one has taken
 * over (decision D4). */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "store/postgres/postgres_priv.h"

/* A process uses one database system, or two while it moves a store. */
static struct {
	_Atomic int64_t system, timeline;
} seen[8];

/* Find the entry of a system. @return DRG_ARRAY_LEN(seen): there are too many systems. */
static size_t seen_of(int64_t system)
{
	size_t i = 0;
	for (; i < DRG_ARRAY_LEN(seen); i++) {
		int64_t there = 0;
		if (atomic_compare_exchange_strong(&seen[i].system, &there, system) || there == system)
			break;
	}
	return i;
}

bool drg_pg_timeline_is_over(const struct pg_server *v)
{
	size_t i = v->timeline > 0 ? seen_of(v->system) : DRG_ARRAY_LEN(seen);
	return i < DRG_ARRAY_LEN(seen) && atomic_load(&seen[i].timeline) > v->timeline;
}

bool drg_pg_timeline_note(const struct pg_server *v, const PGconn *conn)
{
	size_t i = v->timeline > 0 ? seen_of(v->system) : DRG_ARRAY_LEN(seen);
	int64_t before = i < DRG_ARRAY_LEN(seen) ? atomic_load(&seen[i].timeline) : INT64_MAX;
	while (before < v->timeline)
		if (atomic_compare_exchange_weak(&seen[i].timeline, &before, v->timeline))
			break;
	if (before > 0 && before < v->timeline)
		drg_log(DRG_LOG_WARN,
		        "the database server %s:%s has taken over (timeline %lld after %lld): the one before "
		        "it "
		        "is not asked any more",
		        PQhost(conn), PQport(conn), (long long)v->timeline, (long long)before);
	return before <= v->timeline || i == DRG_ARRAY_LEN(seen);
}

int64_t drg_pg_timeline_of(struct drg_str wal_file)
{
	char digits[9] = "";
	if (wal_file.n >= sizeof digits - 1)
		memcpy(digits, wal_file.p, sizeof digits - 1);
	return strtoll(digits, NULL, 16);
}
