/* The PROXY header in front of a connection. However it comes in pieces, it means the same. */
#include "fuzz.h"
#include "base/proxy_header.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct drg_str all = input_text(data, n);
	struct drg_address whole, part;
	size_t whole_n = 0, part_n = 0;
	char text[INET6_ADDRSTRLEN];
	enum drg_proxy_header is = drg_proxy_header_read(all, &whole_n, &whole), so_far = DRG_PROXY_MORE;
	for (size_t i = 0; i <= n && so_far == DRG_PROXY_MORE; i++)
		so_far = drg_proxy_header_read(drg_str(all.p, i), &part_n, &part);
	REQUIRE(so_far == is);
	if (is == DRG_PROXY_MORE)
		REQUIRE(n < DRG_PROXY_HEADER_MAX);
	if (is == DRG_PROXY_LOCAL || is == DRG_PROXY_NAMED)
		REQUIRE(whole_n == part_n && whole_n <= n && whole_n <= DRG_PROXY_HEADER_MAX);
	if (is == DRG_PROXY_NAMED)
		drg_address_text(&whole, text);
	return 0;
}
