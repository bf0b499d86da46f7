#include "text/collate.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "text/icu.h"
#include "text/lang.h"

struct drg_collator {
	UCollator *icu;
	UChar *name; /* the last name in UTF-16 */
	size_t cap;
};

int drg_collator_open(struct drg_str lang, struct drg_collator **ret, struct drg_err *reterr)
{
	int rc = drg_library_load(DRG_LIBRARY_ICU, reterr);
	if (rc != DRG_OK)
		return rc;
	char tag[DRG_LANG_MAX + 1] = "", locale[ULOC_FULLNAME_CAPACITY] = "";
	UErrorCode e = U_ZERO_ERROR;
	if (drg_lang_valid(lang))
		uloc_forLanguageTag(drg_lang_normal(lang, tag).p, locale, sizeof locale, NULL, &e);
	if (U_FAILURE(e) || e == U_STRING_NOT_TERMINATED_WARNING)
		locale[0] = '\0'; /* the root */

	struct drg_collator *c = calloc(1, sizeof *c);
	if (c == NULL)
		return drg_fail_memory(reterr);
	e = U_ZERO_ERROR;
	c->icu = ucol_open(locale, &e);
	if (U_FAILURE(e)) {
		free(c);
		return drg_fail(reterr, DRG_EINTERNAL, NULL, NULL, "ICU has no collation: %s",
		                u_errorName(e));
	}
	*ret = c;
	return DRG_OK;
}

void drg_collator_close(struct drg_collator *c)
{
	if (c == NULL)
		return;
	ucol_close(c->icu);
	free(c->name);
	free(c);
}

/* The tags that ICU has an order for, sorted: every request for a list asks, so they are read once. */
enum { KNOWN_MAX = 512 }; /* ICU 72 has some hundred */
static char known[KNOWN_MAX][DRG_LANG_MAX + 1];
static size_t n_known;

static int compare_tags(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void find_known(void)
{
	bool there = drg_library_load(DRG_LIBRARY_ICU, NULL) == DRG_OK; /* or no list will be made */
	for (int32_t i = 0, n = there ? ucol_countAvailable() : 0; i < n && n_known < KNOWN_MAX; i++) {
		struct drg_str locale = drg_str_c(ucol_getAvailable(i));
		if (locale.n > DRG_LANG_MAX)
			continue;
		char *tag = known[n_known++];
		drg_lang_normal(locale, tag);
		for (char *p = strchr(tag, '_'); p != NULL; p = strchr(p, '_'))
			*p = '-'; /* ICU writes zh_Hant where the tag is zh-hant */
	}
	assert(n_known <= KNOWN_MAX);
	qsort(known, n_known, sizeof known[0], compare_tags);
}

bool drg_collator_known(struct drg_str lang)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	char tag[DRG_LANG_MAX + 1];
	pthread_once(&once, find_known);
	if (lang.n == 0 || lang.n > DRG_LANG_MAX)
		return false;
	drg_lang_normal(lang, tag);
	return bsearch(tag, known, n_known, sizeof known[0], compare_tags) != NULL;
}

/* UTF-16 takes at most as many units as UTF-8 takes bytes. */
static bool collate_make_room(struct drg_collator *c, size_t units)
{
	if (units <= c->cap)
		return true;
	UChar *p = realloc(c->name, units * sizeof *p);
	if (p == NULL)
		return false;
	c->name = p;
	c->cap = units;
	return true;
}

void drg_collator_key(struct drg_collator *c, struct drg_str name, struct drg_buf *keys)
{
	enum { KEY_BYTES_PER_UNIT = 3 }; /* a guess that mostly holds; a longer key is asked for again */
	int32_t units = 0;
	UErrorCode e = U_ZERO_ERROR;
	if (!collate_make_room(c, name.n + 1)) {
		keys->rc = keys->rc != DRG_OK ? keys->rc : DRG_ENOMEM;
		return;
	}
	u_strFromUTF8(c->name, (int32_t)c->cap, &units, name.p, (int32_t)name.n, &e);
	assert(units >= 0 && (size_t)units <= name.n);

	size_t guess = (size_t)units * KEY_BYTES_PER_UNIT + 16;
	while (drg_buf_reserve(keys, guess)) {
		size_t n = (size_t)ucol_getSortKey(c->icu, c->name, units, (uint8_t *)keys->p + keys->n,
		                                   (int32_t)guess);
		if (n <= guess) {
			keys->n += n;
			return;
		}
		guess = n;
	}
}
