#include "match/labels/labels.h"

#include "match/compare.h"
#include "match/keyed.h"

#define CITY_METRES 25000.0 /* metres: a place of this name that is farther away is another place */
enum { HITS_MAX = 64 };

void drg_labels_init(struct drg_labels *l)
{
	l->reader = NULL;
	drg_buf_init(&l->items, SIZE_MAX);
	drg_buf_init(&l->names, SIZE_MAX);
	drg_buf_init(&l->further, SIZE_MAX);
	drg_buf_init(&l->plain, SIZE_MAX);
}

void drg_labels_done(struct drg_labels *l)
{
	drg_buf_done(&l->items);
	drg_buf_done(&l->names);
	drg_buf_done(&l->further);
	drg_buf_done(&l->plain);
}

uint64_t drg_label_tokens_key(const struct drg_tokens *t)
{
	char text[2 * DRG_NORMAL_MAX];
	size_t len = 0;
	for (unsigned i = 0; i < t->n; i++)
		for (size_t k = 0; k < t->t[i].n && len < sizeof text; k++)
			text[len++] = t->t[i].p[k];
	return len > 0 ? drg_match_hash(drg_str(text, len), 3) : 0;
}

uint64_t drg_label_key(struct drg_normal *n, struct drg_str name)
{
	struct drg_tokens t;
	drg_normal_tokens(drg_normal_fold(n, name), &t);
	return drg_label_tokens_key(&t);
}

int drg_labels_add(struct drg_labels *l, const struct drg_label *item)
{
	drg_buf_add(&l->items, item, sizeof *item);
	return l->items.rc == DRG_OK ? DRG_OK : DRG_ENOMEM;
}

static unsigned labels_keys(const struct drg_labels *l, struct drg_normal *n, struct drg_str name,
                            uint64_t ret[static DRG_LABEL_KEYS], struct drg_buf *plain)
{
	if (l->reader != NULL)
		return l->reader->keys(n, name, ret, plain);
	ret[0] = drg_label_key(n, name);
	return 1;
}

static int labels_add_name(struct drg_labels *l, struct drg_buf *names, struct drg_normal *n, size_t item,
                           struct drg_str name)
{
	uint64_t keys[DRG_LABEL_KEYS];
	const uint32_t number = (uint32_t)item;
	if (l->reader != NULL)
		drg_buf_add(&l->plain, &number, sizeof number);
	unsigned all = labels_keys(l, n, name, keys, &l->plain),
	         indexed = l->reader != NULL ? l->reader->n_indexed : all;
	for (unsigned i = 0; i < indexed; i++) {
		const struct drg_keyed new = { keys[i], (int64_t)item };
		if (new.key != 0)
			drg_buf_add(names, &new, sizeof new);
	}
	if (l->reader != NULL)
		drg_buf_char(&l->plain, '\n');
	return names->rc == DRG_OK && l->plain.rc == DRG_OK ? DRG_OK : DRG_ENOMEM;
}

int drg_labels_name(struct drg_labels *l, struct drg_normal *n, struct drg_str name)
{
	return labels_add_name(l, &l->names, n, l->items.n / sizeof(struct drg_label) - 1, name);
}

int drg_labels_further_name(struct drg_labels *l, struct drg_normal *n, size_t item, struct drg_str name)
{
	return labels_add_name(l, &l->further, n, item, name);
}

/* Keep the further names that only one item has, and that no item has as its own name; each once. */
static void labels_sift_further(struct drg_labels *l)
{
	struct drg_keyed *v = (void *)l->further.p;
	const size_t n = l->further.n / sizeof *v;
	size_t kept = 0;
	for (size_t i = 0, end; i < n; i = end) {
		size_t own;
		bool one = true;
		for (end = i + 1; end < n && v[end].key == v[i].key; end++)
			one = one && v[end].value == v[i].value;
		(void)drg_keyed_find(&l->names, v[i].key, &own);
		if (one && own == 0)
			v[kept++] = v[i];
	}
	l->further.n = kept * sizeof *v;
}

int drg_labels_build_index(struct drg_labels *l)
{
	drg_keyed_sort(&l->names);
	drg_keyed_sort(&l->further);
	labels_sift_further(l);
	if (l->further.n > 0)
		drg_buf_add(&l->names, l->further.p, l->further.n);
	drg_buf_done(&l->further);
	drg_keyed_sort(&l->names);
	return l->names.rc == DRG_OK ? DRG_OK : DRG_ENOMEM;
}

/* ---- looking up ----------------------------------------------------------------------------------------- */

static const struct drg_label *label_item(const struct drg_labels *l, uint32_t i)
{
	return &((const struct drg_label *)(const void *)l->items.p)[i];
}

/* Get the records with this name, each once. No more than HITS_MAX are needed: a name cannot tell so many
 * apart. */
static unsigned hits_of_name(const struct drg_labels *l, uint64_t key, const struct drg_label **ret)
{
	size_t all;
	const struct drg_keyed *v = drg_keyed_find(&l->names, key, &all);
	unsigned n = 0;
	for (size_t i = 0; i < all && n < HITS_MAX; i++)
		if (i == 0 || v[i].value != v[i - 1].value)
			ret[n++] = label_item(l, (uint32_t)v[i].value);
	return n;
}

/* The same for the keys of a name in turn, until one is known. */
static unsigned hits_of_text(const struct drg_labels *l, struct drg_normal *n, struct drg_str name,
                             const struct drg_label **ret)
{
	uint64_t keys[DRG_LABEL_KEYS];
	unsigned all = labels_keys(l, n, name, keys, NULL), found = 0;
	for (unsigned i = 0; i < all && found == 0; i++)
		found = keys[i] != 0 ? hits_of_name(l, keys[i], ret) : 0;
	return found;
}

const struct drg_label *drg_labels_of_code(const struct drg_labels *l, struct drg_str code)
{
	size_t n = l->items.n / sizeof(struct drg_label);
	for (uint32_t i = 0; i < n && code.n > 0; i++)
		if (drg_str_eq_nocase(drg_str_c(label_item(l, i)->code), code))
			return label_item(l, i);
	return NULL;
}

/* ---- deciding ------------------------------------------------------------------------------------------- */

static void label_set_outcome(struct drg_label_match *x, enum drg_match_outcome outcome,
                              enum drg_match_reason reason, const struct drg_label *hit)
{
	x->outcome = outcome;
	x->reason = reason;
	if (hit != NULL)
		x->id = hit->id;
}

/* Keep the records of this country and of its territories; if there are none, those of the state that it is a
 * territory of, as far as they are not certainly elsewhere: San Juan is in Texas too. */
static unsigned keep_country(const struct drg_label **hits, unsigned n, const struct drg_label_query *q,
                             bool *ret_of_state)
{
	unsigned kept = 0;
	*ret_of_state = false;
	for (unsigned i = 0; i < n; i++)
		if (hits[i]->country == q->country || hits[i]->state == q->country)
			hits[kept++] = hits[i];
	if (kept > 0 || q->state == DRG_PLACE_UNKNOWN)
		return kept;
	*ret_of_state = true;
	for (unsigned i = 0; i < n; i++)
		if (hits[i]->country == q->state)
			hits[kept++] = hits[i];
	return kept;
}

static double label_metres(const struct drg_label *hit, const struct drg_label_query *q)
{
	const struct drg_place_record a = { .lat = q->lat, .lng = q->lng };
	const struct drg_place_record b = { .lat = hit->lat, .lng = hit->lng };
	return drg_place_located(&a) && drg_place_located(&b) ? drg_metres(&a, &b) : NAN;
}

/* Put the nearest record first. @return how many are near, or may be near as far as is known */
static unsigned nearest_first(const struct drg_label **hits, unsigned n, const struct drg_label_query *q,
                              double *ret_metres)
{
	unsigned near = 0, best = 0;
	*ret_metres = NAN;
	for (unsigned i = 0; i < n; i++) {
		double metres = label_metres(hits[i], q);
		near += isnan(metres) || metres <= CITY_METRES;
		if (!isnan(metres) && (isnan(*ret_metres) || metres < *ret_metres)) {
			*ret_metres = metres;
			best = i;
		}
	}
	const struct drg_label *first = hits[best];
	hits[best] = hits[0];
	hits[0] = first;
	return near;
}

static void decide_place(const struct drg_label **hits, unsigned n, const struct drg_label_query *q,
                         struct drg_label_match *x)
{
	unsigned near = nearest_first(hits, n, q, &x->metres);
	bool is_near = x->metres <= CITY_METRES;
	x->hits = n;
	if (near == 0)
		label_set_outcome(x, DRG_MATCH_ASK, DRG_WHY_BELOW_THRESHOLD, hits[0]);
	else if (near > 1)
		label_set_outcome(x, DRG_MATCH_ASK, DRG_WHY_AMBIGUOUS, hits[0]);
	else if (q->country == DRG_PLACE_UNKNOWN && q->wants_country && !is_near)
		label_set_outcome(x, DRG_MATCH_ASK, DRG_WHY_COUNTRY_UNMAPPED, hits[0]);
	else
		label_set_outcome(x, DRG_MATCH_AUTOMATIC, DRG_WHY_SURE, hits[0]);
}

/* Cut off text in brackets, as in "Side (Antalya)": it may be another place. */
static struct drg_str without_brackets(struct drg_str name, bool *ret_had)
{
	const char *open = name.n > 1 ? memchr(name.p + 1, '(', name.n - 1) : NULL;
	*ret_had = open != NULL;
	return open != NULL ? drg_str_trim(drg_str(name.p, (size_t)(open - name.p))) : name;
}

/* Does the text in brackets only repeat the name: "Turkey (Türkiye)", "Euro (EUR)"? */
static bool bracket_repeats(const struct drg_labels *l, struct drg_normal *n, const struct drg_label_query *q,
                            int64_t id)
{
	const struct drg_label *hits[HITS_MAX];
	struct drg_str rest = q->name, in = rest;
	(void)drg_str_split(&rest, '(', &in);
	(void)drg_str_split(&rest, ')', &in);
	in = drg_str_trim(in);
	unsigned found = hits_of_text(l, n, in, hits);
	bool same = drg_str_eq_nocase(in, q->code);
	for (unsigned i = 0; i < found && !same; i++)
		same = hits[i]->id == id;
	return same;
}

/* ---- names of several parts ----------------------------------------------------------------------------- */

/* The only record that a part of a name means, by name or code. */
static const struct drg_label *part_label(const struct drg_labels *l, struct drg_normal *n,
                                          struct drg_str part)
{
	const struct drg_label *hits[HITS_MAX];
	if (l->reader->capitals(part) && l->reader->code(part).n > 0)
		return drg_labels_of_code(l, l->reader->code(part));
	unsigned found = hits_of_text(l, n, part, hits);
	return found == 1 ? hits[0] : found > 1 ? NULL : drg_labels_of_code(l, l->reader->code(part));
}

static size_t separator_bytes(struct drg_str s, size_t at)
{
	static const char *const all[] = { "(", ")", "[", "]", "/", "|", ",", ";", ":", "-", "–", "—" };
	for (size_t i = 0; i < DRG_ARRAY_LEN(all); i++)
		if (s.n - at >= strlen(all[i]) && memcmp(s.p + at, all[i], strlen(all[i])) == 0)
			return strlen(all[i]);
	return 0;
}

/* The record that each part means, as in "TR - Turkey" and "Türkiye (Turkey)"; NULL: they differ, or there is
 * but one part. */
static const struct drg_label *parts_label(const struct drg_labels *l, struct drg_normal *n,
                                           struct drg_str name)
{
	const struct drg_label *of = NULL;
	unsigned parts = 0;
	size_t from = 0;
	for (size_t at = 0; at <= name.n; at++) {
		size_t separator = at < name.n ? separator_bytes(name, at) : 1;
		struct drg_str part = drg_str_trim(drg_str(name.p + from, at - from));
		if (separator == 0)
			continue;
		const struct drg_label *x = part.n > 0 ? part_label(l, n, part) : of;
		if (part.n > 0 && (x == NULL || (of != NULL && x->id != of->id)))
			return NULL;
		of = x;
		parts += part.n > 0;
		from = at + separator;
		at = from - 1;
	}
	return parts > 1 ? of : NULL;
}

/* The record that a code before or behind a name means too, as in "TR Turkey". */
static const struct drg_label *code_beside(const struct drg_labels *l, struct drg_normal *n,
                                           struct drg_str name)
{
	for (size_t at = 2; at + 2 < name.n; at++) {
		struct drg_str left = drg_str(name.p, at), right = drg_str(name.p + at + 1, name.n - at - 1);
		const struct drg_label *a = name.p[at] == ' ' ? part_label(l, n, left) : NULL,
		                       *b = a != NULL ? part_label(l, n, right) : NULL;
		bool code = l->reader->code(left).n > 0 || l->reader->code(right).n > 0;
		if (b != NULL && code && a->id == b->id)
			return a;
	}
	return NULL;
}

/* ---- names that were cut at a width --------------------------------------------------------------------- */

enum { CUT_MIN = 8 }; /* letters: less is the beginning of too much */

/* The only record that has a name with this beginning. */
static const struct drg_label *label_beginning(const struct drg_labels *l, struct drg_str text)
{
	struct drg_str rest = drg_buf_view(&l->plain), line;
	int64_t found = -1;
	while (rest.n > sizeof(uint32_t)) {
		uint32_t item;
		memcpy(&item, rest.p, sizeof item);
		rest = drg_str(rest.p + sizeof item, rest.n - sizeof item);
		(void)drg_str_split(&rest, '\n', &line);
		if (line.n < text.n || memcmp(line.p, text.p, text.n) != 0)
			continue;
		if (found >= 0 && found != item)
			return NULL;
		found = item;
	}
	return found >= 0 ? label_item(l, (uint32_t)found) : NULL;
}

/* "St Vincent & Grenadi", "Iran, Islamic Republ". */
static unsigned hits_of_cut(const struct drg_labels *l, struct drg_normal *n, struct drg_str name,
                            const struct drg_label **ret)
{
	char room[DRG_NORMAL_MAX];
	struct drg_str text = l->reader->plain(n, name, false, room);
	ret[0] = text.n >= CUT_MIN ? label_beginning(l, text) : NULL;
	if (ret[0] != NULL || text.n < CUT_MIN)
		return ret[0] != NULL;
	struct drg_str bare = l->reader->plain(n, name, true, room);
	return bare.n > 0 ? hits_of_text(l, n, bare, ret) : 0;
}

/* ---- places --------------------------------------------------------------------------------------------- */

/* Words beside a city's name that mean the city still, or what lies around it, as the normaliser folds them. */
static const char area_words[] =
        /* en */
        " metropolitan metro area areas region district province greater centre center central "
        "downtown suburbs surroundings surrounding environs vicinity outskirts "
        /* de */ "grossraum umgebung umg zentrum innenstadt stadtmitte altstadt ortsteil stadtteil stadt "
        "umland "
        /* fr */ "agglomeration alentours environs banlieue "
        /* es, it, pt, ca */ "centro alrededores afueras zona provincia regione dintorni citta periferia "
        "arredores regiao area "
        /* tr */ "merkez merkezi cevresi bolgesi ili ilcesi "
        /* pl, cs, sk */ "centrum okolice okolica rejon okoli okolie "
        /* ru, uk */ "centr tsentr okrestnosti okrestnost rajon raion rayon oblast region okolyci okolytsi "
        "okolici ";
/* May stand between those: "Antalya City Centre", "Basel and surroundings". */
static const char area_fillers[] = " city town of and the und et y e i ve de la der die du di da del ";

/* Write the name without such words behind it, or else before it; @p ret holds DRG_NORMAL_MAX bytes.
 * @param ret_before  They stand before it: "Greater Noida" is not Noida.
 * @return empty: there are none, or there is nothing else. */
static struct drg_str without_area(struct drg_normal *n, struct drg_str name, char *ret, bool *ret_before)
{
	struct drg_tokens t;
	drg_normal_tokens(drg_normal_fold(n, name), &t);
	unsigned first = 0, end = t.n;
	bool area = false;
	for (; end > 0 &&
	       (drg_str_is_among(t.t[end - 1], area_words) || drg_str_is_among(t.t[end - 1], area_fillers));
	     end--)
		area = area || drg_str_is_among(t.t[end - 1], area_words);
	end = area ? end : t.n;
	*ret_before = !area && t.n > 0 && drg_str_is_among(t.t[0], area_words);
	while (*ret_before && first < end &&
	       (drg_str_is_among(t.t[first], area_words) || drg_str_is_among(t.t[first], area_fillers)))
		first++;
	size_t len = 0;
	for (unsigned i = first; i < end && (area || *ret_before); i++) {
		if (len + t.t[i].n + 1 >= DRG_NORMAL_MAX)
			break;
		memcpy(ret + len, t.t[i].p, t.t[i].n);
		len += t.t[i].n;
		ret[len++] = ' ';
	}
	return drg_str(ret, len > 0 ? len - 1 : 0);
}

/* Does a part of a place's name say nothing else than that its country is this one? */
static bool part_is_country(struct drg_normal *n, const struct drg_label_query *q, struct drg_str part,
                            bool *ret_other)
{
	const struct drg_label *of = q->countries != NULL && q->country != DRG_PLACE_UNKNOWN
	                                     ? part_label(q->countries, n, part)
	                                     : NULL;
	*ret_other = of != NULL && of->id != q->country && of->id != q->state;
	return of != NULL && !*ret_other;
}

/* Get the records that the parts of a place's name mean, as in "New York, NY" and "Antalya / Kemer".
 * @param ret_sure  The other parts say no more than the country. */
static unsigned hits_of_parts(const struct drg_labels *l, struct drg_normal *n,
                              const struct drg_label_query *q, const struct drg_label **ret, bool *ret_sure)
{
	unsigned found = 0;
	size_t from = 0;
	*ret_sure = true;
	for (size_t at = 0; at <= q->name.n; at++) {
		size_t separator = at < q->name.n ? separator_bytes(q->name, at) : 1;
		struct drg_str part = drg_str_trim(drg_str(q->name.p + from, at - from));
		if (separator == 0)
			continue;
		from = at + separator;
		at = from - 1;
		const struct drg_label *hits[HITS_MAX];
		bool other = false;
		if (part.n == 0 || part_is_country(n, q, part, &other))
			continue;
		unsigned here = hits_of_text(l, n, part, hits);
		if (here > 0 && found > 0 && hits[0]->id == ret[0]->id) /* "New York, New York" */
			continue;
		*ret_sure = *ret_sure && here > 0 && found == 0 && !other;
		for (unsigned i = 0; i < here && found < HITS_MAX; i++)
			ret[found++] = hits[i];
	}
	return found;
}

/* ---- a name --------------------------------------------------------------------------------------------- */

/* How a name was found. */
enum found_by {
	FOUND_WHOLE,
	FOUND_BRACKET, /* without its text in brackets */
	FOUND_PART, /* a place, whose rest may be its region or another place */
	FOUND_CUT, /* as the beginning of a name */
};

/* Get the records that a name means. */
static unsigned hits_of_query(const struct drg_labels *l, struct drg_normal *n,
                              const struct drg_label_query *q, const struct drg_label **ret,
                              enum found_by *ret_by)
{
	char room[DRG_NORMAL_MAX];
	bool bracket, sure = true;
	struct drg_str name = q->name;
	struct drg_str plain = without_brackets(name, &bracket);
	const struct drg_label *of = NULL;
	unsigned found = hits_of_text(l, n, name, ret);
	*ret_by = FOUND_WHOLE;
	if (found == 0 && q->is_place) {
		bool before;
		struct drg_str city = without_area(n, name, room, &before);
		found = city.n > 0 ? hits_of_text(l, n, city, ret) : 0;
		sure = !before;
		if (found == 0)
			found = hits_of_parts(l, n, q, ret, &sure);
		*ret_by = sure ? FOUND_WHOLE : FOUND_PART;
		return found;
	}
	if (found == 0 && l->reader != NULL)
		of = parts_label(l, n, name);
	if (found == 0 && l->reader != NULL && of == NULL)
		of = code_beside(l, n, name);
	if (of != NULL) {
		ret[0] = of;
		return 1;
	}
	if (found == 0 && bracket) {
		found = hits_of_text(l, n, plain, ret);
		*ret_by = FOUND_BRACKET;
	}
	if (found == 0 && l->reader != NULL) {
		found = hits_of_cut(l, n, name, ret);
		*ret_by = FOUND_CUT;
	}
	return found;
}

static void match_name(const struct drg_labels *l, struct drg_normal *n, const struct drg_label_query *q,
                       struct drg_label_match *x)
{
	const struct drg_label *hits[HITS_MAX];
	enum found_by by;
	if (drg_label_key(n, q->name) == 0) {
		label_set_outcome(x, DRG_MATCH_NONE, DRG_WHY_LACKS_NAME, NULL);
		return;
	}
	unsigned found = hits_of_query(l, n, q, hits, &by);
	bool of_state = false;
	unsigned here = q->country != DRG_PLACE_UNKNOWN ? keep_country(hits, found, q, &of_state) : found;
	if (here > 0)
		decide_place(hits, here, q, x);
	else
		label_set_outcome(x, DRG_MATCH_NONE,
		                  found > 0 ? DRG_WHY_VETO_COUNTRY
		                  : q->wants_country && q->country == DRG_PLACE_UNKNOWN
		                          ? DRG_WHY_COUNTRY_UNMAPPED
		                          : DRG_WHY_NO_CANDIDATES,
		                  NULL);
	bool is_near = x->metres <= CITY_METRES;
	if (x->outcome != DRG_MATCH_AUTOMATIC ||
	    (by == FOUND_WHOLE ? is_near || !of_state : by == FOUND_PART && is_near))
		return;
	label_set_outcome(x, DRG_MATCH_ASK, DRG_WHY_BELOW_THRESHOLD, NULL);
	x->cut = by == FOUND_PART || (by == FOUND_BRACKET && !bracket_repeats(l, n, q, x->id));
}

void drg_label_match(const struct drg_labels *l, struct drg_normal *n, const struct drg_label_query *q,
                     struct drg_label_match *ret)
{
	const struct drg_label *code = drg_labels_of_code(l, q->code);
	*ret = (struct drg_label_match){ .metres = NAN };
	if (q->code_only)
		label_set_outcome(ret, DRG_MATCH_NONE, DRG_WHY_NO_CANDIDATES, NULL);
	else
		match_name(l, n, q, ret);
	if (code == NULL)
		return;
	ret->by_code = true;
	bool other = ret->outcome == DRG_MATCH_NONE || ret->id != code->id || ret->cut;
	bool sure = q->code_is_sure || (q->code_is_name && ret->outcome == DRG_MATCH_NONE);
	if (sure || !other)
		label_set_outcome(ret, DRG_MATCH_AUTOMATIC, DRG_WHY_SURE, code);
	else /* what only the letters of an id say is less than what the name says */
		label_set_outcome(ret, DRG_MATCH_ASK, DRG_WHY_BELOW_THRESHOLD,
		                  ret->outcome == DRG_MATCH_AUTOMATIC ? NULL : code);
}

void drg_label_explain(const struct drg_label_query *q, const struct drg_label_match *x, struct drg_buf *out)
{
	drg_buf_str(out, drg_str_c(drg_outcome_name(x->outcome)));
	if (x->outcome != DRG_MATCH_AUTOMATIC)
		drg_buf_printf(out, ", %s", drg_reason_words(x->reason));
	if (x->by_code)
		drg_buf_printf(out, ": code %.*s", DRG_STR_ARG(q->code));
	if (x->hits > 0)
		drg_buf_printf(out, "%s %u of this name%s", x->by_code ? "," : ":", x->hits,
		               q->country != DRG_PLACE_UNKNOWN ? " in its country" : "");
	if (!isnan(x->metres))
		drg_buf_printf(out, ", %.1f km", x->metres / 1000);
}
