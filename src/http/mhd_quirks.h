/* src/http/mhd_quirks.h
 * Whatever depends on how libmicrohttpd works inside. Tried with 0.9.75, which Debian 12 has (meson.build has the bound).
 * What it does is checked again with each other version; until then drg_mhd_warn() says what is off. */
#pragma once
#include "http/http_priv.h"

/**
 * The limit of connections to give to libmicrohttpd so that it never meets it: new_connection_process_() keeps a mutex
 * locked where it does, and the http thread hangs at the next connection. It divides the limit among its threads, and
 * which thread gets a connection is chance.
 */
unsigned drg_mhd_limit(unsigned max_connections, unsigned threads);

/** libmicrohttpd would copy the parameters of the query into the connection's memory, one record each; with many it runs
 * out of it and answers wrongly. We read the query ourselves: here it is cut off before it looks. */
void drg_mhd_hide_query(const char *target);

/**
 * libmicrohttpd 0.9.75 parses a head where it lies, and puts NULs behind names, values and lines. It shows neither a
 * NUL that the client sent (it ends the line), nor a folded line (it is added to the *name* of the field: "Content-Le: 5",
 * " ngth" sets Content-Length), nor a line that ends with LF alone. But then something does not lie right behind the
 * other, two bytes for each end of a line.
 */
struct drg_mhd_layout {
	const char *end; /**< of the text before, its NUL; NULL: not watched */
	bool broken;
};

void drg_mhd_layout_begin(struct drg_mhd_layout *l, const struct drg_request_line *line);
/** The next field, in the order of the head. */
void drg_mhd_layout_field(struct drg_mhd_layout *l, struct drg_str name, const char *value, size_t value_n);
/** Behind the last field. @return whether all lay as it should; true where that cannot be seen. */
bool drg_mhd_layout_ends(struct drg_mhd_layout *l, struct MHD_Connection *mhd, const char *method);

/**
 * Is the framing before a piece of a chunked body well-formed: do its lines end with CR LF? They are looked at where they
 * are in the same buffer as the piece, which they are when they came with it; what came before is gone.
 */
bool drg_mhd_chunk_ok(struct drg_str piece);

/** Log what cannot be checked with this version. */
void drg_mhd_warn(void);
