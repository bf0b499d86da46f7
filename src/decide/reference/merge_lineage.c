#include "decide/reference/merge_lineage.h"

#include "decide/history.h"
#include "text/stamp.h"

/* A stack of the merges that led to the present mapping, the oldest first. A merge pushes the record that the
 * source came from. A split of that record pops it and everything above it, because the source came there
 * only through it. A decision about the source empties the stack. */
struct step {
	int64_t from, at_us;
};

static size_t depth(const struct drg_buf *stack)
{
	return stack->n / sizeof(struct step);
}

static struct step step_at(const struct drg_buf *stack, size_t i)
{
	struct step s;
	memcpy(&s, stack->p + i * sizeof s, sizeof s);
	return s;
}

static void unwind(struct drg_buf *stack, int64_t to)
{
	for (size_t i = depth(stack); i-- > 0;)
		if (step_at(stack, i).from == to) {
			stack->n = i * sizeof(struct step);
			return;
		}
}

static int merge_lineage_follow(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct drg_buf *stack = ctx;
	struct step s = { drg_record_i(r, DRG_F_FROM, 0), 0 };
	switch ((enum drg_how)drg_record_i(r, DRG_F_HOW, DRG_HOW_SET)) {
	case DRG_HOW_MERGE:
		if (drg_stamp_parse(r->v[DRG_F_AT].s, &s.at_us))
			drg_buf_add(stack, &s, sizeof s);
		break;
	case DRG_HOW_SPLIT: unwind(stack, drg_record_i(r, DRG_F_TO, 0)); break;
	default: stack->n = 0; break;
	}
	return stack->rc;
}

int drg_lineage_has(struct drg_store *s, const struct drg_record *source, int64_t from, int64_t at_us,
                    struct drg_buf *stack, bool *ret, struct drg_err *reterr)
{
	drg_buf_clear(stack);
	int rc = drg_event_each(s, source, merge_lineage_follow, stack, reterr);
	if (rc != DRG_OK)
		return rc;
	bool has = false;
	for (size_t i = 0; i < depth(stack) && !has; i++) {
		struct step step = step_at(stack, i);
		has = step.from == from && step.at_us == at_us;
	}
	*ret = has;
	return DRG_OK;
}
