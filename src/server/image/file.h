/* src/server/image/file.h
 * The snapshot: a catalog in a file, from which a server starts in seconds, and without its store (decision D6). It is
 * bound to the commit that it shows, with the branches of the store before it, and to what the program makes of data.
 *
 * The file: a header of 4 KiB, the parts of the image (catalog/image.h), the branches, and a hash (XXH3) for each MiB of
 * these. The header has a hash of the hashes and one of itself, so every byte is under one. It is made under another name,
 * brought to stable storage, and renamed. */
#pragma once
#include <stdatomic.h>
#include "base/newfile.h"
#include "catalog/catalog.h"
#include "server/follower.h"

/** What a snapshot is of. */
struct drg_image_of {
	struct drg_clock clock;
	struct drg_branches branches; /**< of the store then */
	int64_t current_us; /**< wall clock when it was known to be what the store has */
};

/* ---- writing --------------------------------------------------------------------------------------------- */

/**
 * Begin; drg_newfile_end() follows.
 * @param bytes  About how large it becomes: a tenth of the disk stays free, since the store may need it.
 * @return DRG_OK; DRG_EBUSY: another process writes it; DRG_EFULL, DRG_EIO, DRG_EAUTH.
 */
DRG_MUSTCHECK
int drg_image_begin(const char *path, size_t bytes, struct drg_newfile *ret, struct drg_err *reterr);
/**
 * Write a catalog to which nothing happens meanwhile, and bring it to stable storage. Takes no lock: it may run in a copy of
 * the process. @param until_ns  drg_clock_ns() at which it is given up. @return DRG_OK; DRG_ESTOPPED: given up; DRG_EFULL,
 * DRG_EIO, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_image_write(const struct drg_newfile *w, const struct drg_catalog *c, const struct drg_image_of *of,
                    int64_t until_ns, struct drg_err *reterr);

/* ---- reading --------------------------------------------------------------------------------------------- */

struct drg_image_file;

/** Open a snapshot and read what it is of. @return DRG_OK; DRG_ENOENT: there is none; DRG_ECORRUPT: it is damaged, cut, or
 * not one of this program, and err says which; DRG_EIO. */
DRG_MUSTCHECK
int drg_image_open(const char *path, struct drg_image_file **ret, struct drg_err *reterr);
const struct drg_image_of *drg_image_file_of(const struct drg_image_file *f);
/** Nobody uses drg_image_file_of() any more. NULL is fine. */
void drg_image_close(struct drg_image_file *f);

/** Read all of it with two threads. @param stopping  Ends it: DRG_ESTOPPED. @return DRG_OK; as above; DRG_ELIMIT, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_image_load(struct drg_image_file *f, const struct drg_catalog_options *o,
                   const _Atomic bool *stopping, struct drg_catalog **ret, struct drg_err *reterr);
