#include "decide/suggest.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "match/outcome.h"

enum { HEX = 16 };

static const char digits[] = "0123456789abcdef";

/* Read a digit for each comparison. @return whether they are the levels of this program's comparisons */
static bool suggest_levels(struct drg_str text, uint8_t *ret)
{
	for (size_t i = 0; i < text.n && text.n == DRG_CMP_COUNT; i++) {
		const char *at = memchr(digits, text.p[i], HEX);
		if (at == NULL)
			return false;
		ret[i] = (uint8_t)(at - digits);
	}
	return text.n == DRG_CMP_COUNT;
}

unsigned drg_suggest_parse(struct drg_str ranked, struct drg_suggested *ret, unsigned max)
{
	assert(max > 0);
	struct drg_str word, id, number;
	unsigned n = 0;
	while (n < max && ranked.n > 0 && drg_str_split(&ranked, ' ', &word)) {
		int64_t bits;
		if (!drg_str_split(&word, ':', &id) || !drg_str_to_i64(id, &ret[n].dict_id))
			continue;
		bool more = drg_str_split(&word, ':', &number);
		if (!drg_str_to_i64(more ? number : word, &bits))
			continue;
		ret[n].compared = more && suggest_levels(word, ret[n].level);
		ret[n++].bits = (double)bits / 1000;
	}
	return n;
}

size_t drg_suggest_rank(char *room, size_t at, const struct drg_suggested *s)
{
	assert(at <= DRG_SUGGEST_ROOM);
	char levels[DRG_CMP_COUNT + 2] = "";
	for (unsigned i = 0; i < DRG_CMP_COUNT && s->compared; i++)
		levels[i + 1] = digits[s->level[i] % HEX];
	levels[0] = s->compared ? ':' : '\0';
	int n = snprintf(room + at, DRG_SUGGEST_ROOM - at, "%s%" PRId64 ":%lld%s", at > 0 ? " " : "",
	                 s->dict_id, llround(s->bits * 1000), levels);
	return n > 0 && at + (size_t)n < DRG_SUGGEST_ROOM ? at + (size_t)n : at;
}

/* ---- after an undoing ---------------------------------------------------------------------------------- */

int drg_suggest_reopen(struct drg_txn *t, const struct drg_record *source, const int64_t *was,
                       struct drg_err *reterr)
{
	assert(source->type->id == DRG_TYPE_SOURCE);
	char ranked[DRG_SUGGEST_ROOM], explanation[128];
	struct drg_suggestion s = { .adapter = source->v[DRG_F_ADAPTER_ID].i,
		                    .kind = drg_record_kind(source),
		                    .id = source->v[DRG_F_SOURCE_ID].s,
		                    .outcome = was != NULL ? DRG_MATCH_ASK : DRG_MATCH_NONE,
		                    .reason = drg_str_c(drg_reason_name(DRG_WHY_TAKEN_BACK)),
		                    .country = INT64_MIN,
		                    .city = INT64_MIN,
		                    .category = INT64_MIN,
		                    .ranked = drg_str("", 0) };
	if (was != NULL)
		s.ranked =
		        drg_str(ranked, drg_suggest_rank(ranked, 0,
		                                         &(const struct drg_suggested){ .dict_id = *was }));
	int n = snprintf(explanation, sizeof explanation, "%s: its mapping was undone",
	                 drg_outcome_name((enum drg_match_outcome)s.outcome));
	s.explanation = drg_str(explanation, (size_t)n);
	return drg_txn_suggestion_add(t, &s, reterr);
}

/* ---- hiding a suggestion, and showing it again --------------------------------------------------------- */

struct suggest_change {
	struct drg_suggestion s;
	int64_t dict_id;
	bool hide;
	char ranked[DRG_SUGGEST_ROOM], explanation[128];
};

/* A word of `ranked` that begins with this is hidden from drg_suggest_parse(). */
enum { HIDDEN = 'x' };

static bool suggest_word_is(struct drg_str word, int64_t dict_id)
{
	struct drg_str id;
	int64_t i;
	return drg_str_split(&word, ':', &id) && drg_str_to_i64(id, &i) && i == dict_id;
}

/* Append a word. @return the new end; @p at if there is no room */
static size_t suggest_word(char *room, size_t at, bool hidden, struct drg_str word)
{
	size_t n = word.n + hidden + (at > 0);
	if (n > DRG_SUGGEST_ROOM - at)
		return at;
	if (at > 0)
		room[at++] = ' ';
	if (hidden)
		room[at++] = HIDDEN;
	memcpy(room + at, word.p, word.n);
	return at + word.n;
}

/* Write all words in their order; hide the word of x->dict_id, or show it. @return true: that word is among
 * them */
static bool suggest_words(struct suggest_change *x, struct drg_str ranked)
{
	struct drg_str word;
	bool found = false;
	size_t at = 0;
	while (ranked.n > 0 && drg_str_split(&ranked, ' ', &word)) {
		bool hidden = word.n > 0 && word.p[0] == HIDDEN;
		if (hidden)
			word = drg_str(word.p + 1, word.n - 1);
		bool is = suggest_word_is(word, x->dict_id);
		found = found || is;
		at = suggest_word(x->ranked, at, is ? x->hide : hidden, word);
	}
	x->s.ranked = drg_str(x->ranked, at);
	return found;
}

static int suggest_take(void *ctx, const struct drg_suggestion *s)
{
	struct suggest_change *x = ctx;
	struct drg_suggested best;
	x->s = *s;
	if (!suggest_words(x, s->ranked) && !x->hide)
		x->s.ranked.n = drg_suggest_rank(x->ranked, x->s.ranked.n,
		                                 &(const struct drg_suggested){ .dict_id = x->dict_id });
	x->s.outcome = drg_suggest_parse(x->s.ranked, &best, 1) > 0 ? DRG_MATCH_ASK : DRG_MATCH_NONE;
	x->s.reason = drg_str_c(drg_reason_name(x->hide ? DRG_WHY_VETO_NOT_SAME : DRG_WHY_TAKEN_BACK));
	int len = snprintf(x->explanation, sizeof x->explanation,
	                   x->hide ? "%s: a person said that it is not %" PRId64
	                           : "%s: the rejection of %" PRId64 " was undone",
	                   drg_outcome_name((enum drg_match_outcome)x->s.outcome), x->dict_id);
	x->s.explanation = drg_str(x->explanation, (size_t)len);
	return DRG_OK;
}

static int suggest_change(struct drg_txn *t, struct suggest_change *x, int64_t adapter, enum drg_kind kind,
                          struct drg_str id, struct drg_err *reterr)
{
	int rc = drg_store_suggestion(drg_txn_store(t), adapter, kind, id, suggest_take, x, reterr);
	if (rc == DRG_ENOENT)
		return DRG_OK;
	x->s.id = id;
	return rc == DRG_OK ? drg_txn_suggestion_put(t, &x->s, reterr) : rc;
}

int drg_suggest_hide(struct drg_txn *t, int64_t adapter, enum drg_kind kind, struct drg_str id,
                     int64_t dict_id, struct drg_err *reterr)
{
	struct suggest_change x = { .dict_id = dict_id, .hide = true };
	return suggest_change(t, &x, adapter, kind, id, reterr);
}

int drg_suggest_show(struct drg_txn *t, int64_t adapter, enum drg_kind kind, struct drg_str id,
                     int64_t dict_id, struct drg_err *reterr)
{
	struct suggest_change x = { .dict_id = dict_id };
	return suggest_change(t, &x, adapter, kind, id, reterr);
}
