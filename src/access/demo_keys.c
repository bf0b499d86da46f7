#include "access/demo_keys.h"

#include <sodium.h>

/* Demo keys are numbered above the keys of the store. The access log has these numbers, so every reader of
 * JSON must be able to represent them exactly: below 2^53. */
enum { BELOW_2_53 = 2 };
static const int64_t LAST_ID = (INT64_C(1) << 53) - BELOW_2_53;

int drg_demo_keys_make(struct drg_demo_keys *ret, struct drg_err *reterr)
{
	for (enum drg_api api = DRG_API_A; api <= DRG_API_B; api++) {
		int rc = drg_keys_generate(api, ret->text[api], reterr);
		if (rc != DRG_OK)
			return rc;
		ret->key[api] = (struct drg_key){ .id = LAST_ID + api, .api = api, .role = DRG_KEY_READER };
	}
	return DRG_OK;
}

static bool is_made_up(const struct drg_adapter *a)
{
	/* the end of the names of suppliers that dragoman-synth makes */
	static const char mark[] = " (synthetic)";
	const size_t n = sizeof mark - 1;
	return a->name.n > n && memcmp(a->name.p + a->name.n - n, mark, n) == 0;
}

bool drg_demo_keys_are_good(const struct drg_catalog *cat)
{
	const struct drg_adapter *all;
	size_t n = drg_catalog_adapters(cat, &all), made_up = 0;
	while (made_up < n && is_made_up(&all[made_up]))
		made_up++;
	return n > 0 && made_up == n;
}

const struct drg_key *drg_demo_keys_find(const struct drg_demo_keys *keys, const struct drg_catalog *cat,
                                         enum drg_api api, struct drg_str text)
{
	if (keys == NULL || text.n != DRG_KEY_TEXT - 1 || sodium_memcmp(keys->text[api], text.p, text.n) != 0)
		return NULL;
	return drg_demo_keys_are_good(cat) ? &keys->key[api] : NULL;
}

bool drg_demo_keys_has(const struct drg_demo_keys *keys, const struct drg_key *key)
{
	return keys != NULL && key >= keys->key && key < keys->key + 2;
}
