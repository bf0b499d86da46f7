#include "../unit.h"

#include <stdio.h>

#include "http/conns/peers.h"

static struct drg_address address(const char *text)
{
	struct drg_address a;
	assert_true(drg_address_parse(drg_str_c(text), &a));
	return a;
}

static void clients_are_counted_and_forgotten(void **state)
{
	(void)state;
	struct drg_peers *p;
	struct drg_peer *held[300], *more;
	struct drg_address one = address("10.0.0.1"), other = address("10.0.0.2");
	assert_int_equal(drg_peers_new(4, &p, NULL), DRG_OK);
	for (int i = 0; i < 3; i++)
		assert_int_equal(drg_peers_join(p, &one, 3, &held[i]), DRG_OK);
	assert_int_equal(drg_peers_join(p, &one, 3, &more), DRG_ELIMIT);
	assert_int_equal(drg_peers_join(p, &other, 3, &more), DRG_OK);
	drg_peers_leave(p, more);
	drg_peers_leave(p, held[1]);
	assert_int_equal(drg_peers_join(p, &one, 3, &held[1]), DRG_OK);
	for (int i = 0; i < 3; i++)
		drg_peers_leave(p, held[i]);
	drg_peers_leave(p, NULL);
	for (int i = 0; i < 300; i++) { /* more than there are buckets */
		char text[20];
		snprintf(text, sizeof text, "10.1.%d.%d", i / 256, i % 256);
		one = address(text);
		assert_int_equal(drg_peers_join(p, &one, 1, &held[i]), DRG_OK);
		assert_int_equal(drg_peers_join(p, &one, 1, &more), DRG_ELIMIT);
	}
	for (int i = 0; i < 300; i++)
		drg_peers_leave(p, held[i]);
	drg_peers_free(p);
}

static void ipv6_is_counted_by_its_first_64_bits(void **state)
{
	(void)state;
	struct drg_peers *p;
	struct drg_peer *first, *second;
	struct drg_address a = address("2001:db8:1:2::1"), b = address("2001:db8:1:2:ffff::9"),
	                   c = address("2001:db8:1:3::1");
	assert_int_equal(drg_peers_new(4, &p, NULL), DRG_OK);
	assert_int_equal(drg_peers_join(p, &a, 1, &first), DRG_OK);
	assert_int_equal(drg_peers_join(p, &b, 1, &second), DRG_ELIMIT);
	assert_int_equal(drg_peers_join(p, &c, 1, &second), DRG_OK);
	drg_peers_leave(p, first);
	drg_peers_leave(p, second);
	drg_peers_free(p);
}

GROUP(peers)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clients_are_counted_and_forgotten),
		cmocka_unit_test(ipv6_is_counted_by_its_first_64_bits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
