#include "../unit.h"

#include "api/app.h"

static void a_public_url_is_scheme_and_host(void **state)
{
	static const struct {
		const char *url;
		bool good;
	} cases[] = {
		{ "http://127.0.0.1:8080", true },
		{ "https://travel.example.com", true },
		{ "https://example.com/dictionaries", true },
		{ "http://[::1]:8080", true },
		{ "https://example.com/%41", true },
		{ "https://", false },
		{ "example.com", false },
		{ "ftp://example.com", false },
		{ "https://example.com/", false },
		{ "https://example.com?x", false },
		{ "https://example.com#x", false },
		{ "https://exa mple.com", false },
		{ "https://example.com\"", false },
		{ "https://example.com\\", false },
		{ "https://ex\xc3\xa4mple.com", false },
		{ "", false },
	};
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_err err = { 0 };
		int rc = drg_api_check_public_url(cases[i].url, &err);
		if (rc != (cases[i].good ? DRG_OK : DRG_EUSAGE))
			fail_msg("%s: %d %s", cases[i].url, rc, err.message);
	}
}

GROUP(public_url)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_public_url_is_scheme_and_host) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
