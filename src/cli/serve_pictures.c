#include "cli/serve_pictures.h"

#include <stdio.h>
#include <string.h>

/* How much of the address is the host: scheme, host and port, as a Content-Security-Policy names them; 0: it
 * is not an address of tiles. */
static size_t tiles_host(const char *url)
{
	size_t scheme = strncmp(url, "https://", 8) == 0 ? 8 : strncmp(url, "http://", 7) == 0 ? 7 : 0;
	size_t host = strspn(url + scheme, "abcdefghijklmnopqrstuvwxyz0123456789-.:[]"), end = scheme + host;
	static const char plain[] =
	        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?@!$&()*+,=%{}";
	static const char *const places[] = { "{z}", "{x}", "{y}" };
	bool ok = scheme > 0 && host > 0 && url[end] == '/' && strlen(url) <= DRG_TILES_MAX &&
	          strspn(url + end, plain) == strlen(url + end);
	for (size_t i = 0; i < DRG_ARRAY_LEN(places); i++)
		ok = ok && strstr(url + end, places[i]) != NULL;
	return ok ? end : 0;
}

int drg_serve_pictures(const struct drg_options *o, struct drg_pictures *ret, struct drg_err *err)
{
	const char *tiles = drg_opt_text(o, "map-tiles"), *credit = drg_opt_text(o, "map-credit");
	const size_t host = tiles != NULL ? tiles_host(tiles) : 0;
	*ret = (struct drg_pictures){ .tiles = tiles, .credit = credit, .photos = drg_opt_flag(o, "photos") };
	if (tiles != NULL && host == 0)
		return drg_fail(
		        err, DRG_EUSAGE, DRG_R(invalid_url), "map-tiles",
		        "--map-tiles: expected an address of at most %d characters such as "
		        "https://tiles.example/{z}/{x}/{y}.png, its host in lower case, found \"%.100s\"",
		        DRG_TILES_MAX, tiles);
	if (tiles == NULL && credit != NULL)
		return drg_fail(err, DRG_EUSAGE, DRG_R(invalid_option), "map-credit",
		                "--map-credit needs --map-tiles");
	snprintf(ret->sources, sizeof ret->sources, "%s%.*s%s", host > 0 ? " " : "", (int)host,
	         host > 0 ? tiles : "", ret->photos ? " https:" : "");
	return DRG_OK;
}
