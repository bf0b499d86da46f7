#include "reconcile/index.h"

#include <stdlib.h>

#include "base/bound.h"
#include "match/similar.h"
#include "reconcile/words_priv.h"

/* ---- making it ----------------------------------------------------------------------------------------- */

struct index_making {
	struct drg_recon_index *x;
	int64_t countries[26 * 26]; /* by alpha-2 code; DRG_NAMED_UNKNOWN */
	const atomic_bool *leave; /* or NULL */
	struct drg_err *err;
};

static int64_t *index_country(struct index_making *m, struct drg_str code)
{
	if (code.n != 2 || code.p[0] < 'A' || code.p[0] > 'Z' || code.p[1] < 'A' || code.p[1] > 'Z')
		return NULL;
	return &m->countries[(code.p[0] - 'A') * 26 + code.p[1] - 'A'];
}

static int index_add(struct index_making *m, const struct drg_record *r, const struct drg_named *named,
                     enum drg_field code, enum drg_field other_code)
{
	struct drg_name_making *names = &m->x->made;
	if (drg_recon_left(m->leave))
		return DRG_ESTOPPED;
	int rc = drg_name_making_add(names, r, named);
	if (rc == DRG_OK)
		rc = drg_name_making_code(names, drg_record_s(r, code));
	if (rc == DRG_OK)
		rc = drg_name_making_code(names, drg_record_s(r, other_code));
	return rc == DRG_ELIMIT
	               ? drg_fail(m->err, rc, NULL, NULL, "the names of the reference are more than 4 GiB")
	       : rc == DRG_ENOMEM ? drg_fail_memory(m->err)
	                          : rc;
}

static int index_take_dict(struct index_making *m, const struct drg_record *r)
{
	int64_t *country = index_country(m, drg_record_s(r, DRG_F_ISO_ALPHA_2));
	if (country != NULL)
		*country = r->v[DRG_F_ID].i;
	return index_add(m, r, NULL, DRG_F_ISO_ALPHA_2, DRG_F_ISO_CODE);
}

static int index_take_air(struct index_making *m, const struct drg_record *r)
{
	const int64_t *country = index_country(m, drg_record_s(r, DRG_F_COUNTRY_CODE));
	struct drg_named named = drg_named_placed(r);
	named.id = r->v[DRG_F_PLACE_ID].i;
	named.kind = drg_record_i(r, DRG_F_PLACE, DRG_PLACE_CITY) != DRG_PLACE_CITY ? DRG_RECON_AIRPORT
	                                                                            : DRG_RECON_AIR_CITY;
	named.country = country != NULL ? *country : DRG_NAMED_UNKNOWN;
	named.city = named.category = DRG_NAMED_UNKNOWN;
	return index_add(m, r, &named, DRG_F_CODE, DRG_F_ICAO_CODE);
}

/* Countries come before the air places, which are in them by their code. */
static int index_gather(struct index_making *m, struct drg_store *s, struct drg_clock *ret_clock)
{
	struct drg_rows rows;
	const struct drg_filter dicts = { .type = &drg_types[DRG_TYPE_DICT], .any_order = true };
	const struct drg_filter air = { .type = &drg_types[DRG_TYPE_AIR_PLACE], .any_order = true };
	for (size_t i = 0; i < DRG_ARRAY_LEN(m->countries); i++)
		m->countries[i] = DRG_NAMED_UNKNOWN;
	int rc = drg_store_hold(s, ret_clock, m->err);
	if (rc != DRG_OK)
		return rc;
	for (drg_rows_scan(&rows, s, &dicts, m->err); drg_rows_next(&rows);)
		rows.rc = index_take_dict(m, &rows.row.r);
	rc = drg_rows_end(&rows);
	if (rc == DRG_OK) {
		for (drg_rows_scan(&rows, s, &air, m->err); drg_rows_next(&rows);)
			rows.rc = index_take_air(m, &rows.row.r);
		rc = drg_rows_end(&rows);
	}
	drg_store_release(s);
	return rc;
}

/* Finish the index: sort the gathered names and cut them into words. */
static int index_end(struct drg_recon_index *x, const atomic_bool *leave)
{
	const struct drg_name_making *made = &x->made;
	int rc = drg_recon_left(leave) ? DRG_ESTOPPED : drg_name_making_end(&x->made, &x->names);
	if (rc != DRG_OK)
		return rc;
	x->spelled = (struct drg_spelled *)(void *)made->spelled.p;
	x->n_spelled = made->spelled.n / sizeof *x->spelled;
	x->bytes = made->records.cap + made->texts.cap + made->spelled.cap + made->names.cap;
	for (size_t type = 0, at = 0; type <= DRG_RECON_TYPES; type++) {
		while (at < x->names.n_records && x->names.records[at].kind < type)
			at++;
		x->types[type] = at;
	}
	return drg_recon_make_words(x, leave);
}

int drg_recon_index_make(struct drg_store *s, const atomic_bool *leave, struct drg_recon_index **ret,
                         struct drg_clock *ret_clock, struct drg_err *reterr)
{
	struct index_making m = { .x = calloc(1, sizeof *m.x), .leave = leave, .err = reterr };
	if (m.x == NULL)
		return drg_fail_memory(reterr);
	drg_name_making_init(&m.x->made, true);
	int rc = index_gather(&m, s, ret_clock);
	if (rc == DRG_OK && (rc = index_end(m.x, leave)) == DRG_ENOMEM)
		rc = drg_fail_memory(reterr);
	if (rc == DRG_OK)
		*ret = m.x;
	else
		drg_recon_index_free(m.x);
	return rc;
}

void drg_recon_index_free(struct drg_recon_index *x)
{
	if (x == NULL)
		return;
	drg_name_making_done(&x->made);
	void *parts[] = { x->name_words, x->words, x->by_end, x->postings, x->word_texts, x };
	for (size_t i = 0; i < DRG_ARRAY_LEN(parts); i++)
		free(parts[i]);
}

/* ---- looking into it ----------------------------------------------------------------------------------- */

const struct drg_named *drg_recon_record_of(const struct drg_recon_index *x, unsigned type, int64_t id)
{
	size_t n = x->types[type + 1] - x->types[type], at;
	if (n == 0)
		return NULL;
	const struct drg_named *v = x->names.records + x->types[type];
	DRG_BOUND(at, n, i, v[i].id < id);
	return at < n && v[at].id == id ? &v[at] : NULL;
}

/* Is a text before what is looked for, or, of @p behind, not behind all that begin so? */
static bool index_is_before(const char *text, struct drg_str wanted, bool behind)
{
	int order = strncmp(text, wanted.p, wanted.n);
	return order < 0 || (behind && order == 0);
}

static size_t word_at(const struct drg_recon_index *x, struct drg_str text, bool behind)
{
	size_t at;
	DRG_BOUND(at, x->n_words, i, index_is_before(drg_recon_word_text(x, (uint32_t)i), text, behind));
	return at;
}

uint32_t drg_recon_word_of(const struct drg_recon_index *x, struct drg_str text)
{
	size_t at = word_at(x, text, false);
	return at < x->n_words && drg_str_eq(drg_str_c(drg_recon_word_text(x, (uint32_t)at)), text)
	               ? (uint32_t)at
	               : (uint32_t)DRG_RECON_NO_WORD;
}

void drg_recon_words_from(const struct drg_recon_index *x, struct drg_str beginning, size_t *ret_from,
                          size_t *ret_to)
{
	*ret_from = word_at(x, beginning, false);
	*ret_to = word_at(x, beginning, true);
}

/* ---- words with typing errors -------------------------------------------------------------------------- */

/* Words that are compared, at most, of those with the same beginning, and of those with the same end. */
enum { LOOKS_MAX = 400, LIKE_LETTERS = 4 };

struct word_like {
	const struct drg_recon_index *x;
	struct drg_str text;
	unsigned most; /* errors */
	uint32_t *ret;
	unsigned errors[16];
	unsigned n, max;
};

static void like_look(struct word_like *l, uint32_t word)
{
	struct drg_str other = drg_str_c(drg_recon_word_text(l->x, word));
	if (other.n + l->most < l->text.n || other.n > l->text.n + l->most)
		return;
	unsigned errors = drg_edit_distance(l->text, other), at = l->n;
	if (errors > l->most)
		return;
	for (unsigned i = 0; i < l->n; i++)
		if (l->ret[i] == word)
			return;
	while (at > 0 && l->errors[at - 1] > errors)
		at--;
	if (at == l->max)
		return;
	l->n += l->n < l->max;
	for (unsigned i = l->n - 1; i > at; i--) {
		l->ret[i] = l->ret[i - 1];
		l->errors[i] = l->errors[i - 1];
	}
	l->ret[at] = word;
	l->errors[at] = errors;
}

/* Letters from the last on, as many as @p n. */
static int compare_ends(struct drg_str a, struct drg_str b, size_t n)
{
	for (size_t i = 1; i <= n; i++) {
		if (i > a.n || i > b.n)
			return i > b.n ? (i > a.n ? 0 : 1) : -1;
		if (a.p[a.n - i] != b.p[b.n - i])
			return (unsigned char)a.p[a.n - i] < (unsigned char)b.p[b.n - i] ? -1 : 1;
	}
	return 0;
}

static size_t end_at(const struct drg_recon_index *x, struct drg_str text, size_t letters)
{
	size_t at;
	DRG_BOUND(at, x->n_words, i,
	          compare_ends(drg_str_c(drg_recon_word_text(x, x->by_end[i])), text, letters) < 0);
	return at;
}

unsigned drg_recon_words_like(const struct drg_recon_index *x, struct drg_str text, uint32_t *ret,
                              unsigned max)
{
	struct word_like l = { .x = x,
		               .text = text,
		               .most = text.n >= 6 ? 2 : 1,
		               .ret = ret,
		               .max = max < DRG_ARRAY_LEN(l.errors) ? max : DRG_ARRAY_LEN(l.errors) };
	if (text.n < LIKE_LETTERS || text.n > DRG_SPELLED_MAX)
		return 0;
	size_t half = text.n / 2, from, to;
	drg_recon_words_from(x, drg_str(text.p, half), &from, &to);
	for (size_t i = from; i < to && i < from + LOOKS_MAX; i++)
		like_look(&l, (uint32_t)i);
	from = end_at(x, text, half);
	to = from + LOOKS_MAX < x->n_words ? from + LOOKS_MAX : x->n_words;
	for (size_t i = from; i < to; i++) {
		if (compare_ends(drg_str_c(drg_recon_word_text(x, x->by_end[i])), text, half) != 0)
			break;
		like_look(&l, x->by_end[i]);
	}
	return l.n;
}
