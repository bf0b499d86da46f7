/* lang_tables: CLDR's aliases of language tags, and its likely scripts and regions, out of ICU's data as C. ICU
 * takes milliseconds to load, and a server that answers lists never needs it. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/uloc.h>
#include <unicode/ures.h>
#include <unicode/uscript.h>

#include "text/lang_priv.h"

enum { ROWS_MAX = 16384 };
static struct drg_lang_row rows[ROWS_MAX];
static size_t n_rows;

/* Write a tag as drg_lang_normal() does. @return false: it is longer than any that is looked up. */
static bool put_tag(char to[static DRG_LANG_ROW], const char *tag)
{
	size_t n = strlen(tag);
	if (n >= DRG_LANG_ROW)
		return false;
	for (size_t i = 0; i <= n; i++)
		to[i] = tag[i] == '_' ? '-' : (char)tolower((unsigned char)tag[i]);
	return true;
}

static void add_row(const char *from, const char *to)
{
	struct drg_lang_row row = { "", "" };
	if (n_rows < ROWS_MAX && put_tag(row.from, from) && put_tag(row.to, to) &&
	    strcmp(row.from, row.to) != 0)
		rows[n_rows++] = row;
}

static int by_from(const void *a, const void *b)
{
	return strcmp(((const struct drg_lang_row *)a)->from, ((const struct drg_lang_row *)b)->from);
}

static void print_rows(const char *name)
{
	qsort(rows, n_rows, sizeof rows[0], by_from);
	printf("const struct drg_lang_row drg_lang_%s[] = {\n", name);
	for (size_t i = 0; i < n_rows; i++)
		if (i == 0 || strcmp(rows[i].from, rows[i - 1].from) != 0)
			printf("\t{ \"%s\", \"%s\" },\n", rows[i].from, rows[i].to);
	printf("};\nconst size_t drg_lang_n_%s = sizeof drg_lang_%s / sizeof drg_lang_%s[0];\n", name, name,
	       name);
	n_rows = 0;
}

/* Of a country that became several, the first is taken. */
static void add_aliases(const UResourceBundle *all, const char *kind, UErrorCode *e)
{
	UResourceBundle *table = ures_getByKey(all, kind, NULL, e), *row = NULL;
	while (U_SUCCESS(*e) && ures_hasNext(table)) {
		char to[64] = "";
		int32_t n = 0;
		row = ures_getNextResource(table, row, e);
		const UChar *replacement = ures_getStringByKey(row, "replacement", &n, e);
		for (int32_t i = 0; U_SUCCESS(*e) && i < n && i < 63 && replacement[i] != ' '; i++)
			to[i] = (char)replacement[i];
		if (U_SUCCESS(*e))
			add_row(ures_getKey(row), strcmp(to, "no") == 0 && kind[0] == 'l' ? "nb" : to);
	}
	ures_close(row);
	ures_close(table);
}

static void full_of(const char *tag, char to[static ULOC_FULLNAME_CAPACITY])
{
	UErrorCode e = U_ZERO_ERROR;
	uloc_addLikelySubtags(tag, to, ULOC_FULLNAME_CAPACITY, &e);
	if (U_FAILURE(e))
		to[0] = '\0';
}

/* Add the row of a language; then, unless it has a name of three letters, as languages of few people have, a row
 * for each region where another script is likely, and for each script that is likely in another region. */
static void add_likely(const char *lang)
{
	char usual[ULOC_FULLNAME_CAPACITY], other[ULOC_FULLNAME_CAPACITY], tag[64];
	char script[ULOC_SCRIPT_CAPACITY] = "", region[ULOC_COUNTRY_CAPACITY] = "", is[16];
	UErrorCode e = U_ZERO_ERROR;
	full_of(lang, usual);
	uloc_getScript(usual, script, sizeof script, &e);
	uloc_getCountry(usual, region, sizeof region, &e);
	if (U_FAILURE(e) || script[0] == '\0' || region[0] == '\0')
		return;
	add_row(lang, usual);
	if (strlen(lang) > 2 && strcmp(lang, "yue") != 0)
		return;
	for (const char *const *c = uloc_getISOCountries(); *c != NULL; c++) {
		snprintf(tag, sizeof tag, "%s_%s", lang, *c);
		full_of(tag, other);
		if (uloc_getScript(other, is, sizeof is, &e) > 0 && strcmp(is, script) != 0)
			add_row(tag, other);
	}
	for (int i = 0; i < USCRIPT_CODE_LIMIT; i++) {
		snprintf(tag, sizeof tag, "%s_%s", lang, uscript_getShortName((UScriptCode)i));
		full_of(tag, other);
		if (uloc_getCountry(other, is, sizeof is, &e) > 0 && strcmp(is, region) != 0)
			add_row(tag, other);
	}
}

int main(void)
{
	UErrorCode e = U_ZERO_ERROR;
	UResourceBundle *metadata = ures_openDirect(NULL, "metadata", &e);
	UResourceBundle *alias = ures_getByKey(metadata, "alias", NULL, &e);
	printf("/* Made by tools/lang_tables.c. */\n#include \"text/lang_priv.h\"\n\n");
	add_row("no", "nb"); /* CLDR's parent of it, in whose place most lists have it */
	add_aliases(alias, "language", &e);
	print_rows("aliases");
	add_aliases(alias, "territory", &e);
	print_rows("regions");
	for (const char *const *lang = uloc_getISOLanguages(); *lang != NULL; lang++)
		add_likely(*lang);
	print_rows("likely");
	ures_close(alias);
	ures_close(metadata);
	if (U_FAILURE(e))
		fprintf(stderr, "ICU lacks its data of languages: %s\n", u_errorName(e));
	return U_SUCCESS(e) && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
