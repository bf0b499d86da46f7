/* The entries of the dictionary of names that are titles in a language: they come before the same match in
 * another one (A1). */
#include "catalog/air/forms_priv.h"
#include "catalog/air/set_priv.h"
#include "catalog/air/words_priv.h"
#include "text/json.h"
#include "text/utf8.h"

struct titles_work {
	struct drg_arena arena; /* of the titles, folded */
	struct drg_buf plain, apart, folded;
	struct drg_air_pairs pairs; /* the titles with their places */
	uint32_t place; /* of the title that is read now */
	unsigned script; /* of it */
	uint32_t latin, other; /* titles read, by script */
	bool full;
};

static void titles_add_form(void *ctx, struct drg_str form)
{
	struct titles_work *w = ctx;
	drg_air_pairs_add(&w->pairs, form, w->place, w->script);
}

/* @param esc  The title, with JSON's escapes. */
static void add_title(struct titles_work *w, struct drg_str esc)
{
	struct drg_str text, core;
	drg_buf_clear(&w->plain);
	drg_buf_clear(&w->apart);
	drg_json_unescape(&w->plain, esc);
	drg_air_spread(drg_buf_view(&w->plain), &w->apart);
	w->script = drg_air_script(drg_buf_view(&w->plain));
	if (w->script == DRG_AIR_LATIN)
		w->latin++;
	else
		w->other++;
	/* ASCII is folded in one way only. */
	int ways = drg_utf8_is_ascii(drg_buf_view(&w->apart)) ? DRG_FOLD_PLAIN + 1 : DRG_FOLD_WAYS;
	for (int way = 0; way < ways && !w->full; way++) {
		drg_buf_clear(&w->folded);
		drg_fold(drg_buf_view(&w->apart), (enum drg_fold_way)way, &w->folded);
		text = drg_arena_str(&w->arena, drg_buf_view(&w->folded));
		w->full = w->plain.rc != DRG_OK || w->apart.rc != DRG_OK || w->folded.rc != DRG_OK ||
		          text.p == NULL || !drg_air_forms_each(&w->arena, text, &core, titles_add_form, w);
	}
}

/* "pt" of "pt-br" */
static struct drg_str main_language(struct drg_str tag)
{
	struct drg_str first = tag;
	drg_str_split(&tag, '-', &first);
	return first;
}

/* Read the titles in a language, and note the places that have one. */
static void add_titles(struct titles_work *w, const struct drg_catalog *c, const struct drg_air_index *ix,
                       struct drg_str lang, struct drg_air_set *own)
{
	const struct drg_lang_pref pref = drg_catalog_langs(c, lang);
	struct drg_air_place p;
	struct drg_str tag;
	for (w->place = 0; w->place < ix->n; w->place++) {
		drg_air_fill(ix->rec[w->place], &p);
		struct drg_str title = drg_air_title_esc(c, &p, &pref, &tag);
		if (!drg_str_eq(main_language(tag), main_language(lang)))
			continue;
		drg_air_set_add(own, w->place);
		add_title(w, title);
	}
}

/* Mark the entries of @p names that @p titles has too; both are sorted by text, then by place. */
static void mark_both(const struct drg_air_terms *names, const struct drg_air_terms *titles, uint8_t *scripts)
{
	for (uint32_t i = 0, k = 0; i < names->n && k < titles->n;) {
		int d = drg_str_cmp(drg_air_term(names, i), drg_air_term(titles, k));
		for (uint32_t n = names->first[i], t = titles->first[k];
		     d == 0 && n < names->first[i + 1] && t < titles->first[k + 1]; n++) {
			if (drg_air_place_of(names->place[n]) != drg_air_place_of(titles->place[t]))
				continue;
			scripts[n] = (uint8_t)drg_air_scripts_of(titles->place[t++]);
		}
		i += d <= 0;
		k += d >= 0;
	}
}

/* Mark the English titles of the places that have none of their own. */
static void mark_english(const struct drg_air_terms *names, const struct drg_air_order *english,
                         const struct drg_air_set *own, uint8_t *scripts)
{
	for (uint32_t i = 0, n = names->first[names->n]; english != NULL && i < n; i++)
		if (!drg_air_set_has(own, drg_air_place_of(names->place[i])))
			scripts[i] = english->title[i];
}

int drg_air_titles_mark(const struct drg_catalog *c, struct drg_air_index *ix, struct drg_str lang,
                        uint8_t *ret)
{
	struct titles_work w = { 0 };
	struct drg_air_set own;
	struct drg_air_terms titles;
	drg_arena_init(&w.arena, SIZE_MAX / 2);
	drg_buf_init(&w.plain, SIZE_MAX / 2);
	drg_buf_init(&w.apart, SIZE_MAX / 2);
	drg_buf_init(&w.folded, SIZE_MAX / 2);
	int rc = drg_air_set_new(&own, ix->n, &w.arena) ? DRG_OK : DRG_ENOMEM;
	if (rc == DRG_OK) {
		drg_air_set_start(&own);
		add_titles(&w, c, ix, lang, &own);
		rc = w.full ? DRG_ENOMEM : drg_air_terms_build(&w.pairs, &w.arena, &titles, NULL);
	}
	if (rc == DRG_OK)
		mark_both(&ix->names, &titles, ret);
	if (rc == DRG_OK && w.latin >= w.other && !drg_str_eq(lang, DRG_STR("en")))
		mark_english(&ix->names, drg_air_order(c, ix, DRG_STR("en")), &own, ret);
	drg_buf_done(&w.folded);
	drg_buf_done(&w.apart);
	drg_buf_done(&w.plain);
	drg_air_pairs_done(&w.pairs);
	drg_arena_done(&w.arena);
	return rc;
}
