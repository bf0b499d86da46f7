#include "names/part.h"

#include "base/bound.h"
#include "base/err.h"

struct drg_str drg_named_source_id(const struct drg_name_part *p, const struct drg_named *named)
{
	return (uint64_t)named->id < p->n_texts ? drg_str_c(p->texts + named->id) : drg_str("", 0);
}

/* Compare the text of an entry with the text to find, as far as that goes. An entry of a damaged file comes
 * before all texts. */
static int name_compare(const struct drg_name_part *p, const struct drg_name_entry *e, struct drg_str folded)
{
	return e->text < p->n_texts ? strncmp(p->texts + e->text, folded.p, folded.n) : -1;
}

size_t drg_name_lower_bound(const struct drg_name_part *p, const struct drg_name_entry *v, size_t n,
                            struct drg_str folded)
{
	size_t at;
	DRG_BOUND(at, n, i, name_compare(p, &v[i], folded) < 0);
	return at;
}

int drg_name_part_find(const struct drg_name_part *p, struct drg_str folded, drg_name_entry_fn *fn, void *ctx)
{
	const struct {
		const struct drg_name_entry *v;
		size_t n;
		enum drg_name_fit fit;
	} lists[] = { { p->names, p->n_names, DRG_NAME_PREFIX },
		      { p->words, p->n_words, DRG_NAME_WORD_PREFIX } };
	int rc = DRG_OK;
	for (size_t k = 0; k < DRG_ARRAY_LEN(lists); k++) {
		const struct drg_name_entry *v = lists[k].v;
		size_t i = drg_name_lower_bound(p, v, lists[k].n, folded);
		for (; i < lists[k].n && rc == DRG_OK && name_compare(p, &v[i], folded) == 0; i++) {
			bool is_it = k == 0 && p->texts[v[i].text + folded.n] == '\0';
			if (v[i].record < p->n_records)
				rc = fn(ctx, is_it ? DRG_NAME_EXACT : lists[k].fit, &v[i]);
		}
	}
	return rc;
}
