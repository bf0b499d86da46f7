/* src/text/html.h
 * Texts of people that passed through a web page: character references of HTML ("&amp;", "&eacute;",
 * "&#8211;") and the tags of formatted text ("<b>", "<br/>"). */
#pragma once
#include "base/buf.h"

/** May the text have a reference or a tag? A quick look, true for each '&' and '<'. */
bool drg_html_may_be(struct drg_str s);
/** Append the text with references replaced by their characters (those of HTML 4 that names are written with,
 * and numbers), also where they were escaped twice, and without tags; a tag that begins a line becomes a space.
 * What is neither stays as it is. @param s  Valid UTF-8; so is what is appended. The error of @p out is
 * sticky. */
void drg_html_text(struct drg_str s, struct drg_buf *out);
