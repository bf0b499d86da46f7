/* The matcher in a server: new records of the reference, and the open cases that they may be. */
#include "matching/live/automatch_priv.h"

#include "base/clock.h"
#include "base/hash.h"
#include "match/tally.h"
#include "match/words.h"
#include "names/making.h"
#include "store/suggestions.h"
#include "text/fold.h"

/* More at once are an import of the reference: `dragoman match` looks at the cases then. So many hotels are
 * added to the reference in memory before it is read again. */
enum { FRESH_MAX = 1000, ADDED_MAX = 5000 };

int drg_automatch_note_dict(struct drg_automatch *a, const struct drg_record *r, const struct drg_row_meta *m)
{
	const bool fresh = !r->deleted && m->created_seq == m->seq && drg_kind_is_source(drg_record_kind(r));
	/* a new hotel is added, since there can be millions; other kinds are read again as a whole */
	a->stale = a->stale || !fresh || drg_kind_compared(drg_record_kind(r)) != DRG_COMPARED_HOTELS ||
	           a->n_added + a->fresh.n / sizeof *r > ADDED_MAX;
	if (!fresh)
		return DRG_OK;
	if (a->fresh.n >= FRESH_MAX * sizeof *r) {
		a->flooded = a->stale = true;
		return DRG_OK;
	}
	struct drg_record copy;
	if (drg_record_copy(&a->texts, r, &copy) != DRG_OK)
		return DRG_ENOMEM;
	drg_buf_add(&a->fresh, &copy, sizeof copy);
	return a->fresh.rc;
}

int drg_automatch_add_fresh(struct drg_automatch *a, struct drg_err *err)
{
	const struct drg_record *v = (const struct drg_record *)(const void *)a->fresh.p;
	int rc = DRG_OK;
	for (size_t i = 0; i < a->fresh.n / sizeof *v && rc == DRG_OK && !a->stale; i++)
		if (drg_kind_compared(drg_record_kind(&v[i])) == DRG_COMPARED_HOTELS) {
			rc = drg_automap_kept_add(a->kept, &v[i], err);
			a->n_added++;
		}
	if (rc != DRG_OK)
		drg_automatch_begin_anew(a);
	return rc;
}

/* ---- which cases ---------------------------------------------------------------------------------------- */

struct finding_cases {
	struct drg_automatch *a;
	struct drg_tally words; /* word_key() of the fresh records */
	struct drg_buf folded;
	struct drg_arena arena; /* of a record */
	enum drg_kind kind;
	int64_t country;
	bool found;
};

static uint64_t word_key(enum drg_kind kind, int64_t country, struct drg_str word)
{
	const bool of_country = drg_kind_has(DRG_TYPE_DICT, kind, DRG_F_COUNTRY_ID);
	return drg_hash(word.p, word.n, (uint64_t)(of_country ? country : 0) * 16 + kind) | 1;
}

/* Call fn for the words of a name that tell something. */
static int each_word(struct finding_cases *x, struct drg_str name,
                     int (*fn)(struct finding_cases *x, struct drg_str word))
{
	struct drg_str rest, word;
	int rc = DRG_OK;
	drg_buf_clear(&x->folded);
	drg_fold(name, DRG_FOLD_PLAIN, &x->folded);
	rest = drg_buf_view(&x->folded);
	while (rc == DRG_OK && rest.n > 0 && drg_str_split(&rest, ' ', &word)) {
		const struct drg_word *known =
		        drg_kind_compared(x->kind) == DRG_COMPARED_HOTELS ? drg_word_find(word) : NULL;
		if (word.n > 0 && (known == NULL || (known->classes & DRG_WORD_TYPE) == 0))
			rc = fn(x, word);
	}
	return rc == DRG_OK ? x->folded.rc : rc;
}

static int count_word(struct finding_cases *x, struct drg_str word)
{
	int rc = drg_tally_add(&x->words, word_key(x->kind, INT64_MIN, word));
	return rc == DRG_OK ? drg_tally_add(&x->words, word_key(x->kind, x->country, word)) : rc;
}

static int find_word(struct finding_cases *x, struct drg_str word)
{
	x->found = x->found || drg_tally_get(&x->words, word_key(x->kind, x->country, word)) > 0;
	return DRG_OK;
}

static int fresh_name(void *ctx, struct drg_str name)
{
	return each_word(ctx, name, count_word);
}

/* A case of the same country, as far as that is known, that shares a word with one of the fresh records is
 * compared. */
static int take_case(void *ctx, const struct drg_suggestion *s)
{
	struct finding_cases *x = ctx;
	if (atomic_load_explicit(&x->a->leaving, memory_order_relaxed))
		return DRG_ESTOPPED;
	x->kind = s->kind;
	x->country = s->country;
	x->found = false;
	int rc = each_word(x, s->name, find_word);
	if (rc != DRG_OK || !x->found)
		return rc;
	const struct drg_automap_source v = { s->adapter, s->kind, drg_arena_str(&x->a->texts, s->id) };
	drg_buf_add(&x->a->sources, &v, sizeof v);
	return v.id.p != NULL ? x->a->sources.rc : DRG_ENOMEM;
}

int drg_automatch_find_cases(struct drg_automatch *a, struct drg_err *err)
{
	const struct drg_record *v = (const struct drg_record *)(const void *)a->fresh.p;
	const size_t n = a->flooded ? 0 : a->fresh.n / sizeof *v;
	struct finding_cases x = { .a = a };
	const int64_t now = drg_clock_ns();
	int rc = DRG_OK;
	if (n == 0)
		return DRG_OK;
	if (now - a->looked_ns < DRG_AUTOMATCH_SHARE * a->looking_took_ns)
		return DRG_EBUSY;
	drg_tally_init(&x.words);
	drg_buf_init(&x.folded, SIZE_MAX);
	drg_arena_init(&x.arena, 1 << 24);
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		x.kind = drg_record_kind(&v[i]);
		x.country = drg_record_i(&v[i], DRG_F_COUNTRY_ID, INT64_MIN);
		drg_arena_reset(&x.arena);
		rc = drg_each_name(&v[i], &x.arena, fresh_name, &x);
	}
	if (rc == DRG_OK)
		rc = drg_store_open_cases(a->s, take_case, &x, err);
	a->looked_ns = drg_clock_ns();
	a->looking_took_ns = a->looked_ns - now;
	drg_tally_done(&x.words);
	drg_buf_done(&x.folded);
	drg_arena_done(&x.arena);
	return rc == DRG_ENOMEM ? drg_fail_memory(err) : rc;
}
