/* Makes a record of the reference from several suppliers' records (decision M40). */
#include <assert.h>
#include <stdlib.h>

#include "decide/history.h"
#include "matching/propose/propose.h"
#include "model/key.h"
#include "store/fetch.h"
#include "store/suggestions.h"

enum { MAKE_ROOM = 1 << 20 };

static int make_fetch(const struct drg_proposal_make *m, struct drg_store *s, struct drg_arena *arena,
                      struct drg_record *sources, struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (size_t i = 0; i < m->n && rc == DRG_OK; i++) {
		const struct drg_mapping_source *of = &m->sources[i];
		struct drg_record key;
		drg_key_source(&key, of->adapter, of->kind, of->id);
		rc = drg_fetch(s, &key, arena, &sources[i], reterr);
		if (rc == DRG_ENOENT)
			return drg_mapping_fail_unknown(s, of, reterr);
		if (rc == DRG_OK && drg_record_has(&sources[i], DRG_F_DICT_ID))
			return drg_fail(reterr, DRG_EINVAL, DRG_R(changed_since), "dict_id",
			                "adapter %lld %s \"%.*s\" is mapped to %lld by now",
			                (long long)of->adapter, drg_kind_name(of->kind), DRG_STR_ARG(of->id),
			                (long long)sources[i].v[DRG_F_DICT_ID].i);
		for (size_t k = 0; k < i; k++)
			if (m->sources[k].adapter == of->adapter)
				return drg_fail(
				        reterr, DRG_EINVAL, NULL, "adapter_id",
				        "two records of adapter %lld cannot be one: \"%.*s\" and \"%.*s\"",
				        (long long)of->adapter, DRG_STR_ARG(m->sources[k].id),
				        DRG_STR_ARG(of->id));
	}
	return rc;
}

static int make_map(const struct drg_proposal_make *m, struct drg_txn *t, struct drg_record *sources,
                    struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (size_t i = 0; i < m->n && rc == DRG_OK; i++) {
		enum drg_put_result result;
		drg_source_set_mapping(&sources[i], &m->dict_id);
		rc = drg_ledger_put(m->ledger, t, &sources[i], &result, reterr);
	}
	return rc;
}

/* Are all sources mapped to one record that was made for them? */
static int make_was_made(struct drg_proposal_make *m, struct drg_store *s, struct drg_err *reterr)
{
	int64_t first = 0, one = 0;
	int rc = DRG_OK;
	size_t i = 0;
	for (; i < m->n && rc == DRG_OK; i++) {
		rc = drg_new_record_made(s, &m->sources[i], &one, reterr);
		first = i == 0 ? one : first;
		if (one == 0 || one != first)
			break;
	}
	m->was_made = rc == DRG_OK && i == m->n;
	m->dict_id = first;
	return rc;
}

int drg_proposal_make(void *make, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_proposal_make *m = make;
	assert(m->n > 0);
	struct drg_record *sources = calloc(m->n, sizeof *sources);
	struct drg_arena arena;
	if (sources == NULL)
		return drg_fail_memory(reterr);
	int rc = make_was_made(m, drg_txn_store(t), reterr);
	if (rc != DRG_OK || m->was_made) {
		free(sources);
		return rc;
	}
	drg_arena_init(&arena, m->n * MAKE_ROOM);
	rc = make_fetch(m, drg_txn_store(t), &arena, sources, reterr);
	struct drg_new_record n = {
		.sources = sources, .n = m->n, .ledger = m->ledger, .largest = m->largest
	};
	if (rc == DRG_OK)
		rc = drg_new_record_make(&n, t, reterr);
	m->dict_id = n.dict_id;
	if (rc == DRG_OK)
		rc = make_map(m, t, sources, reterr);
	drg_arena_done(&arena);
	free(sources);
	return rc;
}
