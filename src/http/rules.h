/* src/http/rules.h
 * The rules by which all servers read a request in the same way: those of RFC 9112 and 9110 that a server
 * must check itself, each with its section and its answer. llhttp parses, but its versions differ, and some
 * accept texts that two servers read differently. So the bytes of a head, and of trailers, are checked here
 * before llhttp gets them, and its result is checked afterwards (head.c): a request is valid only if both
 * agree. Only a head that frames no body and changes nothing about the connection is read by these rules alone:
 * llhttp would find out nothing more. */
#pragma once
#include "base/err.h"
#include "http/fields.h"

/** In the order of reporting; bit n of a set says that rule n is broken. */
enum drg_rule {
	DRG_RULE_ADDRESS_SIZE,
	DRG_RULE_HEADERS_SIZE,
	/* bytes */
	DRG_RULE_BARE_LF,
	DRG_RULE_CONTROL,
	DRG_RULE_LINE,
	DRG_RULE_METHOD,
	DRG_RULE_TARGET,
	DRG_RULE_VERSION,
	DRG_RULE_MAJOR,
	DRG_RULE_KNOWN_METHOD,
	DRG_RULE_FOLDED,
	DRG_RULE_COLON,
	DRG_RULE_NAME,
	DRG_RULE_VALUE,
	/* results of llhttp */
	DRG_RULE_LENGTH_TWICE,
	DRG_RULE_LENGTH_AND_CODING,
	DRG_RULE_CODING_1_0,
	DRG_RULE_CODING,
	DRG_RULE_HOST_TWICE,
	DRG_RULE_NO_HOST,
	DRG_RULE_HOST,
	DRG_RULE_TRAILER,
	DRG_RULE_PARSER,
	DRG_RULE_CHUNK,
	DRG_RULE_COUNT
};

struct drg_rule_row {
	const char *section; /**< section of an RFC */
	int status;
	const struct drg_reason *reason;
	const char *message;
};

extern const struct drg_rule_row drg_rules[DRG_RULE_COUNT];

struct drg_request_line {
	struct drg_str method, target, version;
};

/** Called for each field whose bytes are valid, in the order in which they were sent.
 * @param number  DRG_FIELD_NONE: an unknown field.
 * @param value   Without leading and trailing blanks. */
typedef void drg_rules_field_fn(void *ctx, unsigned number, struct drg_str value);

/**
 * Check a request line and the fields after it.
 * @param head   All of it, with the empty line, or as far as it was read.
 * @param known  The fields that have a number.
 * @param ret    Its parts, as far as they are known; borrowed.
 * @return the rules that it breaks; if there are any, what @p fn got may be only a part.
 */
unsigned drg_rules_head(struct drg_str head, const struct drg_fields *known, struct drg_request_line *ret,
                        drg_rules_field_fn *fn, void *ctx);
/** Check fields alone, with the empty line, in the same way: trailers. */
unsigned drg_rules_fields(struct drg_str fields, const struct drg_fields *known, drg_rules_field_fn *fn,
                          void *ctx);
/** Is the text a host, with or without a port (RFC 3986, 3.2.2)? An empty one counts. */
bool drg_rules_is_host(struct drg_str host);
