/* Texts that people write for the program: a scorecard of the matcher, and the data of a supplier's profile.
 * What is accepted is written and read back as the same. The first byte says which. */
#include "fuzz.h"
#include "load/profile.h"
#include "match/card/scorecard.h"

static void read_scorecard(struct drg_str text)
{
	struct drg_scorecard card, again;
	struct drg_buf out, second;
	struct drg_err err = { 0 };
	int rc = drg_scorecard_read(text, &drg_scorecard_hotels, &card, &err);
	if (rc != DRG_OK) {
		require_refusal(rc, &err);
		return;
	}
	drg_buf_init(&out, 1 << 16);
	drg_buf_init(&second, 1 << 16);
	drg_scorecard_write(&card, &out);
	rc = drg_scorecard_read(drg_buf_view(&out), &drg_scorecard_hotels, &again, &err);
	if (rc != DRG_OK)
		fprintf(stderr, "%.*s%s\n", (int)out.n, out.p, err.message);
	REQUIRE(rc == DRG_OK);
	drg_scorecard_write(&again, &second);
	REQUIRE(out.rc == DRG_OK && drg_str_eq(drg_buf_view(&out), drg_buf_view(&second)));
	drg_buf_done(&out);
	drg_buf_done(&second);
}

static void read_profile(enum drg_kind kind, struct drg_str text)
{
	static struct drg_profile p, again;
	struct drg_arena arena;
	struct drg_buf out, second;
	struct drg_err err = { 0 };
	drg_arena_init(&arena, 64 << 20);
	drg_buf_init(&out, 1 << 20);
	drg_buf_init(&second, 1 << 20);
	int rc = drg_profile_read(kind, text, &arena, &p, &err);
	if (rc == DRG_OK) {
		drg_profile_write(&p, &out);
		rc = drg_profile_read(kind, drg_buf_view(&out), &arena, &again, &err);
		if (rc != DRG_OK)
			fprintf(stderr, "%.*s %s\n", (int)out.n, out.p, err.message);
		REQUIRE(rc == DRG_OK);
		drg_profile_write(&again, &second);
		REQUIRE(drg_str_eq(drg_buf_view(&out), drg_buf_view(&second)));
		rc = drg_profile_check_shared(&p, &err);
		if (rc != DRG_OK)
			require_refusal(rc, &err);
	} else {
		require_refusal(rc, &err);
	}
	drg_buf_done(&out);
	drg_buf_done(&second);
	drg_arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (n == 0)
		return 0;
	struct drg_str text = input_text(data + 1, n - 1);
	if (data[0] == 's')
		read_scorecard(text);
	else
		read_profile(data[0] == 'h' ? DRG_KIND_HOTEL : DRG_KIND_CITY, text);
	return 0;
}
