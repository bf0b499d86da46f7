#include "http/mhd_quirks.h"

#include <string.h>

#include "base/log.h"

unsigned drg_mhd_limit(unsigned max_connections, unsigned threads)
{
	enum { CLOSED_NOT_YET = 64 }; /* it counts one a little longer than we do */
	return (max_connections + CLOSED_NOT_YET) * threads;
}

void drg_mhd_hide_query(const char *target)
{
	union {
		const char *in;
		char *out;
	} line = { .in = target };
	char *mark = strchr(line.out, '?');
	if (mark != NULL)
		mark[1] = '\0';
}

static bool is_known_version(void)
{
	return strcmp(MHD_get_version(), "0.9.75") == 0;
}

void drg_mhd_warn(void)
{
	if (!is_known_version())
		drg_log(DRG_LOG_WARN,
		        "libmicrohttpd %s was not tried: NUL bytes, folded headers and lines that end with "
		        "LF alone "
		        "are not refused; let a proxy in front refuse them",
		        MHD_get_version());
}

/* ---- the layout of a head ---- */

/** Is @p at the beginning of the line behind the text that ends at @p end (CR LF, now NULs)? */
static bool begins_line(const char *end, const char *at)
{
	return at == end + 2 && end[1] == '\0';
}

static bool follows_colon(const char *colon, const char *value)
{
	const char *at = colon + 1;
	while (at < value && (*at == ' ' || *at == '\t'))
		at++;
	return at == value;
}

void drg_mhd_layout_begin(struct drg_mhd_layout *l, const struct drg_request_line *line)
{
	*l = (struct drg_mhd_layout){ .end = NULL };
	if (!is_known_version())
		return;
	l->broken = line->target != line->method + strlen(line->method) + 1 ||
	            line->version != line->target + line->target_n + 1;
	l->end = line->version + strlen(line->version);
}

void drg_mhd_layout_field(struct drg_mhd_layout *l, struct drg_str name, const char *value, size_t value_n)
{
	if (l->end == NULL)
		return;
	l->broken |= value == NULL || !begins_line(l->end, name.p) || !follows_colon(name.p + name.n, value);
	l->end = l->broken ? NULL : value + value_n;
}

bool drg_mhd_layout_ends(struct drg_mhd_layout *l, struct MHD_Connection *mhd, const char *method)
{
	if (l->end == NULL)
		return !l->broken;
	/* Behind the last field there is one empty line. */
	const union MHD_ConnectionInfo *info =
	        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
	const char *end = info != NULL ? method + info->header_size : NULL;
	return !l->broken && end != NULL && begins_line(l->end + 2, end);
}

/* ---- chunks ---- */

bool drg_mhd_chunk_ok(struct drg_str piece)
{
	/* At the beginning of the buffer it goes on with a chunk, or with the line of its size gone: there the end of the
	 * head, two NULs, lies before it. Anywhere else the line of its size does. */
	if (!is_known_version() || piece.p[-1] == '\0')
		return true;
	if (piece.p[-1] != '\n' || piece.p[-2] != '\r')
		return false;
	const char *line = piece.p - 2;
	while (line[-1] != '\n' && line[-1] != '\0')
		line--;
	return line[-1] == '\0' || line[-2] == '\r';
}
