#include "../unit.h"

#include "base/address.h"

static const struct {
	const char *text, *back; /* NULL: refused */
} addresses[] = {
	{ "10.1.2.3", "10.1.2.3" },
	{ "10.1.2.3:80", "10.1.2.3" },
	{ "::1", "::1" },
	{ "[::1]", "::1" },
	{ "[::1]:8080", "::1" },
	{ "2001:DB8::7", "2001:db8::7" },
	{ "::ffff:10.1.2.3", "10.1.2.3" },
	{ "", NULL },
	{ "unknown", NULL },
	{ "10.1.2", NULL },
	{ "10.1.2.3:", NULL },
	{ "10.1.2.3:99999", NULL },
	{ "[::1", NULL },
	{ "[::1]x", NULL },
	{ "[]", NULL },
	{ "10.1.2.3 ", NULL },
	{ "1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa:bbbb:cccc", NULL },
};

static void addresses_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
		struct drg_address a;
		char text[INET6_ADDRSTRLEN];
		bool ok = drg_address_parse(drg_str_c(addresses[i].text), &a);
		if (ok != (addresses[i].back != NULL))
			fail_msg("%s", addresses[i].text);
		if (!ok)
			continue;
		drg_address_text(&a, text);
		assert_string_equal(text, addresses[i].back);
	}
}

static const struct {
	const char *network, *inside, *outside; /* inside NULL: no network */
} networks[] = {
	{ "10.0.0.0/8", "10.255.1.1", "11.0.0.0" },
	{ "10.0.0.1", "10.0.0.1", "10.0.0.2" },
	{ "192.168.4.0/22", "192.168.7.255", "192.168.8.0" },
	{ "0.0.0.0/0", "255.255.255.255", "::1" },
	{ "::/0", "10.0.0.1", NULL },
	{ "::1", "::1", "::2" },
	{ "2001:db8::/33", "2001:db8:7fff::1", "2001:db8:8000::" },
	{ "10.0.0.0/33", NULL, NULL },
	{ "10.0.0.0/", NULL, NULL },
	{ "10.0.0.0/-1", NULL, NULL },
	{ "::1/129", NULL, NULL },
	{ "proxy.example", NULL, NULL },
	{ "", NULL, NULL },
};

static void networks_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) {
		struct drg_network net;
		struct drg_address a;
		struct drg_err err = { 0 };
		int rc = drg_network_parse(drg_str_c(networks[i].network), &net, &err);
		assert_int_equal(rc, networks[i].inside != NULL ? DRG_OK : DRG_EINVAL);
		assert_true(rc == DRG_OK || strstr(err.message, networks[i].network) != NULL);
		if (networks[i].inside != NULL) {
			assert_true(drg_address_parse(drg_str_c(networks[i].inside), &a));
			assert_true(drg_networks_contain(&net, 1, &a));
		}
		if (networks[i].outside != NULL) {
			assert_true(drg_address_parse(drg_str_c(networks[i].outside), &a));
			assert_false(drg_networks_contain(&net, 1, &a));
		}
	}
}

GROUP(address)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_read),
		cmocka_unit_test(networks_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
