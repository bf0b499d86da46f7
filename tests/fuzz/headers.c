/* Values of headers and parameters: Accept-Encoding, If-None-Match, languages. */
#include "fuzz.h"
#include "http/negotiate.h"
#include "text/lang.h"

static const struct drg_content content = {
	.body = { [DRG_CODING_IDENTITY] = { "123456789", 9 },
	          [DRG_CODING_GZIP] = { "1234", 4 },
	          [DRG_CODING_BR] = { "123", 3 } },
	.etag = "5f2e",
	.type = "application/json",
};

static void negotiate(struct drg_str accept, struct drg_str if_none_match)
{
	enum drg_coding coding = DRG_CODING_IDENTITY, again = DRG_CODING_IDENTITY;
	char tag[DRG_ETAG_TEXT];
	static struct drg_accept_encoding before; /* what was read last: as a server has it */
	struct drg_accept_encoding weighed = { .n = 0 };
	drg_negotiate_weights(accept, &weighed);
	drg_negotiate_weights(accept, &before);
	REQUIRE(memcmp(before.of, weighed.of, sizeof weighed.of) == 0);
	if (!drg_negotiate_coding(weighed.of, &content, &coding))
		return; /* nothing that there is may be sent */
	REQUIRE(coding < DRG_CODING_COUNT && content.body[coding].n > 0);
	if (drg_etag_matches(if_none_match, false, content.etag, &coding))
		REQUIRE(memmem(if_none_match.p, if_none_match.n, "5f2e", 4) != NULL ||
		        memchr(if_none_match.p, '*', if_none_match.n) != NULL);
	REQUIRE(coding < DRG_CODING_COUNT);
	drg_etag_text(content.etag, coding, tag);
	REQUIRE(drg_etag_matches(drg_str_c(tag), true, content.etag, &again) && again == coding);
}

static void read_language(struct drg_str tag)
{
	char buf[DRG_LANG_MAX + 1], full[DRG_LANG_FULL + 1];
	struct drg_str chain[DRG_LANG_CHAIN];
	if (!drg_lang_valid(tag))
		return;
	struct drg_str normal = drg_lang_normal(tag, buf);
	REQUIRE(drg_lang_valid(normal) && normal.n == tag.n);
	REQUIRE(drg_lang_full(normal, full).n > 0);
	unsigned n = drg_lang_chain(normal, full, chain);
	REQUIRE(n >= 1 && n <= DRG_LANG_CHAIN && drg_str_eq(chain[n - 1], DRG_STR("en")));
}

/* Values stand one behind the other, with a NUL between them. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct drg_str rest = input_text(data, n);
	struct drg_str accept = input_part(&rest), match = input_part(&rest);
	negotiate(accept, match);
	read_language(rest);
	return 0;
}
