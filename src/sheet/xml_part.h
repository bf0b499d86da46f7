/* src/sheet/xml_part.h
 * One XML file inside a zip archive, read piece by piece. What no spreadsheet program writes is refused:
 * document types (and so entities), deep nesting, endless tags, other packing than deflate, and what unfolds
 * beyond all measure. */
#pragma once
#include <expat.h>
#include <stdbool.h>
#include "base/err.h"
#include "base/str.h"
#include "sheet/budget.h"
#include "sheet/libzip.h"

/** Levels, and bytes of one tag or comment: expat keeps it until it ends. */
enum { XML_PART_DEPTH = 32, XML_PART_TAG_MAX = 1 << 20 };

struct xml_part;

/** Callbacks for the parts of a workbook. Names are without their prefix. A return other than DRG_OK ends the
 * reading. */
struct xml_part_calls {
	int (*start)(void *ctx, struct drg_str name, const char **attributes, struct drg_err *reterr);
	int (*end)(void *ctx, struct drg_str name, struct drg_err *reterr);
	int (*text)(void *ctx, struct drg_str text, struct drg_err *reterr); /**< may be NULL */
};

/** @param number  Of the file in the archive. @param name  Of the file, for messages.
 * @param budget  What is read is spent of it; borrowed.
 * @return DRG_OK; DRG_EINVAL: encrypted or damaged; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_xml_part_open(zip_t *zip, uint64_t number, const char *name, const struct xml_part_calls *calls,
                      void *ctx, struct sheet_budget *budget, struct xml_part **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_xml_part_close(struct xml_part *x);
/** Stop drg_xml_part_read() behind this tag; from within a call. */
void drg_xml_part_pause(struct xml_part *x);
/** Go on until somebody pauses. @return DRG_OK: paused; DRG_ENOENT: the end; what a call returned; DRG_EINVAL;
 * DRG_ESTOPPED. */
DRG_MUSTCHECK
int drg_xml_part_read(struct xml_part *x, struct drg_err *reterr);

/** An attribute's value by its name without prefix; an empty string where it is not there. */
struct drg_str drg_xml_attribute(const char **attributes, const char *name);
