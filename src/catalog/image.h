/* src/catalog/image.h
 * Writes a catalog as bytes and reads it back (for server/image/file.h). The large parts have no pointers and
 * are copied as they are. The small tables are written as records, which are applied again. */
#pragma once
#include "catalog/catalog.h"

/** The parts of an image. */
enum drg_image_part {
	DRG_IMAGE_FACTS, /**< counts, languages, the seed of the tables */
	DRG_IMAGE_HEAP,
	DRG_IMAGE_HANDLES,
	DRG_IMAGE_BY_PAIR, /**< tables */
	DRG_IMAGE_BY_ID,
	DRG_IMAGE_BY_DICT,
	DRG_IMAGE_FRAGMENTS,
	DRG_IMAGE_LISTS, /**< the lists of numbers */
	DRG_IMAGE_RECORDS, /**< adapters, directions, keys, redirects, air */
	DRG_IMAGE_PARTS
};

struct drg_image {
	struct drg_str part[DRG_IMAGE_PARTS];
	struct drg_buf facts, lists, records; /**< the parts that are not memory of the catalog */
};

/** A hash of what the bytes of an image mean. A program with another hash cannot read the image. */
uint64_t drg_image_layout(void);

/**
 * Make the image of a catalog. It borrows the catalog's memory, so nothing may change the catalog meanwhile.
 * @p ret is all zero before; call drg_image_done() in every case.
 * @return DRG_OK, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_image_of(const struct drg_catalog *c, struct drg_image *ret, struct drg_err *reterr);
void drg_image_done(struct drg_image *image);

/**
 * Make a catalog with room for an image; the caller then reads the parts into @p to.
 * @param facts  The first part.
 * @param bytes  The sizes of all parts.
 * @param to     The place of each part; NULL: the caller passes the part to drg_image_finish().
 * @return DRG_OK; DRG_ECORRUPT: the sizes are not those of an image; DRG_ELIMIT: too large for the options;
 *         DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_image_room(const struct drg_catalog_options *o, struct drg_str facts,
                   const uint64_t bytes[DRG_IMAGE_PARTS], struct drg_catalog **ret, void *to[DRG_IMAGE_PARTS],
                   struct drg_err *reterr);
/**
 * Finish a catalog whose parts were all read. Then publish it (drg_catalog_publish()).
 * @return DRG_OK, DRG_ECORRUPT, DRG_ENOMEM, DRG_ELIMIT.
 */
DRG_MUSTCHECK
int drg_image_finish(struct drg_catalog *c, struct drg_str lists, struct drg_str records,
                     struct drg_err *reterr);
