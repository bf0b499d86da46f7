#include "match/card/scorecard.h"

#include <assert.h>
#include <stdlib.h>

static const char *const names[DRG_CMP_COUNT] = { "name",    "distance", "address",  "zip",
	                                          "numbers", "nearer",   "residence" };

/* clang-format off */

/* Fitted on the candidates (38,000, of which 1,070 are matches) of two real lists. Name levels 7, 8, 11 and
 * 12 and the distances from 20 km on had few pairs and are smoothed. Address and postcode were not fitted:
 * they have small bits, and none against. docs/matching.md has the measurements. */
const struct drg_scorecard drg_scorecard_hotels = {
	.bias = -3.1,
	.bits = {
		[DRG_CMP_NAME]      = { -5.9, -5.1, -4.5, -1.9, 0.7, 3.1, 1.2, 1.0, 0.9, 6.7, 5.8, 4.5, 3.0 },
		[DRG_CMP_DISTANCE]  = { 5.0, 2.4, 0.3, -0.9, -1.0, -1.4, -1.5, -2.0, -3.2 },
		[DRG_CMP_ADDRESS]   = { 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 0.0 },
		[DRG_CMP_ZIP]       = { 0.0, 0.5, 0.0, 0.0 },
		[DRG_CMP_NUMBERS]   = { 0.0, 1.2, -0.3, -1.6 },
		[DRG_CMP_RESIDENCE] = { 0.0, -1.0 },
	},
	.levels = { [DRG_CMP_NAME] = DRG_NAME_LEVELS, [DRG_CMP_DISTANCE] = 9, [DRG_CMP_ADDRESS] = 7,
		[DRG_CMP_ZIP] = 4,
	            [DRG_CMP_NUMBERS] = 4, [DRG_CMP_RESIDENCE] = 2 },
	.metres = { 60, 200, 500, 1200, 3000, 8000, 20000, 60000 },
	.n_metres = 8,
	.automatic = 1.44, .ask = -4.25, .lead = 1.44, .clear = { 6.0, 1.5 },
};

/* Fitted on 90,000 labelled pairs of shops, cafes and houses in four cities. */
const struct drg_scorecard drg_scorecard_places = {
	.bias = -0.4,
	.bits = {
		[DRG_CMP_NAME]     = { -4.8, -6.0, -4.4, -2.5, -1.4, 1.0, 0.6, 1.2, 0.9, 5.2, 4.8, 3.6, 1.9 },
		[DRG_CMP_DISTANCE] = { 4.3, 3.9, 3.6, 3.2, 1.9, 0.1, -1.2, -2.8, -5.3, -7.7 },
		[DRG_CMP_ADDRESS]  = { 0.0, 1.2, 0.1, -0.7, 0.3, -0.5, -1.2 },
		[DRG_CMP_ZIP]      = { 0.0, 0.2, -0.3, -0.3 },
		[DRG_CMP_NUMBERS]  = { 0.0, -0.3, -0.7, -0.6 },
		[DRG_CMP_NEARER]   = { 0.0, -1.5, -2.5 },
	},
	.levels = { [DRG_CMP_NAME] = DRG_NAME_LEVELS, [DRG_CMP_DISTANCE] = 10, [DRG_CMP_ADDRESS] = 7,
		[DRG_CMP_ZIP] = 4,
	            [DRG_CMP_NUMBERS] = 4, [DRG_CMP_NEARER] = 3 },
	.metres = { 10, 20, 40, 70, 120, 200, 350, 600, 1000 },
	.n_metres = 9,
	.automatic = 4.25, .ask = -4.25, .lead = 1.44, .clear = { 6.0, 0.0 },
};
/* clang-format on */

const char *drg_comparison_name(enum drg_comparison c)
{
	assert(c < DRG_CMP_COUNT);
	return names[c];
}

double drg_scorecard_sum(const struct drg_scorecard *s, const uint8_t *level)
{
	double sum = s->bias;
	for (unsigned c = 0; c < DRG_CMP_COUNT; c++)
		if (s->levels[c] > 0) {
			assert(level[c] < s->levels[c]);
			sum += s->bits[c][level[c]];
		}
	return sum;
}

double drg_scorecard_clear_lead(const struct drg_scorecard *s, double lead)
{
	if (lead >= s->clear[0])
		return s->clear[1];
	return lead > s->lead ? s->clear[1] * (lead - s->lead) / (s->clear[0] - s->lead) : 0;
}

double drg_bits_probability(double bits)
{
	return 1 / (1 + exp2(-bits));
}

/* ---- as a text ------------------------------------------------------------------------------------------ */

/* A line of the file: a name, and where its numbers are stored. */
struct card_row {
	const char *name;
	double *v;
	unsigned n;
};
enum { CARD_ROWS = DRG_CMP_COUNT + 6 };

static unsigned card_rows(struct drg_scorecard *s, struct card_row *ret)
{
	unsigned n = 0;
	ret[n++] = (struct card_row){ "bias", &s->bias, 1 };
	for (unsigned c = 0; c < DRG_CMP_COUNT; c++)
		if (s->levels[c] > 0)
			ret[n++] = (struct card_row){ names[c], s->bits[c], s->levels[c] };
	ret[n++] = (struct card_row){ "metres", s->metres, s->n_metres };
	ret[n++] = (struct card_row){ "automatic", &s->automatic, 1 };
	ret[n++] = (struct card_row){ "ask", &s->ask, 1 };
	ret[n++] = (struct card_row){ "lead", &s->lead, 1 };
	ret[n++] = (struct card_row){ "clear", s->clear, 2 };
	assert(n <= CARD_ROWS);
	return n;
}

void drg_scorecard_write(const struct drg_scorecard *s, struct drg_buf *out)
{
	struct drg_scorecard copy = *s;
	struct card_row row[CARD_ROWS];
	unsigned n = card_rows(&copy, row);
	drg_buf_printf(out, "version %d\n", DRG_SCORECARD_VERSION);
	for (unsigned i = 0; i < n; i++) {
		drg_buf_str(out, drg_str_c(row[i].name));
		for (unsigned k = 0; k < row[i].n; k++)
			drg_buf_printf(out, " %g", row[i].v[k]);
		drg_buf_char(out, '\n');
	}
}

static bool card_next_word(struct drg_str *rest, struct drg_str *ret)
{
	while (drg_str_split(rest, ' ', ret))
		if (ret->n > 0)
			return true;
	return false;
}

static bool card_number(struct drg_str word, double *ret)
{
	char text[32], *end;
	if (word.n == 0 || word.n >= sizeof text)
		return false;
	memcpy(text, word.p, word.n);
	text[word.n] = '\0';
	double v = strtod(text, &end);
	if (*end != '\0' || !isfinite(v) || fabs(v) > 1e7)
		return false;
	*ret = v;
	return true;
}

static int card_read_numbers(const struct card_row *row, struct drg_str rest, unsigned line,
                             struct drg_err *reterr)
{
	struct drg_str word;
	unsigned n = 0;
	bool good = true;
	for (; good && card_next_word(&rest, &word); n++)
		good = n < row->n && card_number(word, &row->v[n]);
	if (good && n == row->n)
		return DRG_OK;
	return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_value), row->name, "line %u: %s: expected %u numbers",
	                line, row->name, row->n);
}

static int card_read_line(struct card_row *row, unsigned n, struct drg_str text, unsigned line,
                          uint64_t *given, struct drg_err *reterr)
{
	struct drg_str word, rest = text;
	if (!card_next_word(&rest, &word))
		return DRG_OK;
	if (drg_str_eq(word, DRG_STR("version"))) {
		*given |= UINT64_C(1) << CARD_ROWS;
		if (card_next_word(&rest, &word) && drg_str_eq(word, DRG_STR("1")))
			return DRG_OK;
		return drg_fail(reterr, DRG_ELIMIT, DRG_R(bad_value), "version",
		                "line %u: this program reads scorecards of version %d", line,
		                DRG_SCORECARD_VERSION);
	}
	for (unsigned i = 0; i < n; i++)
		if (drg_str_eq(word, drg_str_c(row[i].name))) {
			*given |= UINT64_C(1) << i;
			return card_read_numbers(&row[i], rest, line, reterr);
		}
	return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_value), NULL, "line %u: a scorecard has no \"%.*s\"",
	                line, DRG_STR_ARG(word));
}

static int card_check(const struct drg_scorecard *s, const struct card_row *row, unsigned n, uint64_t given,
                      struct drg_err *reterr)
{
	if ((given >> CARD_ROWS & 1) == 0)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(missing_field), "version",
		                "version is missing: is it a scorecard, as 'match weights' prints it?");
	for (unsigned i = 0; i < n; i++)
		if ((given >> i & 1) == 0)
			return drg_fail(reterr, DRG_EINVAL, DRG_R(missing_field), row[i].name,
			                "%s is missing", row[i].name);
	for (unsigned i = 1; i < s->n_metres; i++)
		if (s->metres[i] <= s->metres[i - 1])
			return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_value), "metres",
			                "metres: expected each bound to be larger than the one before");
	return s->ask <= s->automatic && s->lead >= 0
	               ? DRG_OK
	               : drg_fail(reterr, DRG_EINVAL, DRG_R(bad_value), "automatic",
	                          "expected ask to be at most automatic, and lead at least 0");
}

int drg_scorecard_read(struct drg_str text, const struct drg_scorecard *like, struct drg_scorecard *ret,
                       struct drg_err *reterr)
{
	struct drg_scorecard s = *like;
	struct card_row row[CARD_ROWS];
	unsigned n = card_rows(&s, row), number = 0;
	uint64_t given = 0;
	struct drg_str line;
	int rc = DRG_OK;
	while (rc == DRG_OK && drg_str_split(&text, '\n', &line)) {
		const char *comment = line.n > 0 ? memchr(line.p, '#', line.n) : NULL;
		if (comment != NULL)
			line.n = (size_t)(comment - line.p);
		rc = card_read_line(row, n, drg_str_trim(line), ++number, &given, reterr);
	}
	if (rc == DRG_OK)
		rc = card_check(&s, row, n, given, reterr);
	if (rc == DRG_OK)
		*ret = s;
	return rc;
}
