/* src/server/image/file.h
 * The snapshot: a catalog in a file, from which a server starts in seconds, and without its store (decision
 * D6). It belongs to one commit, with the branches of the store before it, and to one layout of data of the
 * program.
 *
 * The file: a header of 4 KiB, the parts of the image (catalog/image.h), the branches, and a hash (XXH3) for
 * each MiB of these. The header has a hash of these hashes and one of itself, so every byte is covered. The
 * file is written under another name, synced, and renamed. */
#pragma once
#include <stdatomic.h>
#include "base/newfile.h"
#include "catalog/catalog.h"
#include "server/follower.h"

/** The state that a snapshot has. */
struct drg_image_of {
	struct drg_clock clock;
	struct drg_branches branches; /**< of the store at that time */
	int64_t current_us; /**< wall clock when it was known to equal the store */
};

/* ---- writing --------------------------------------------------------------------------------------------- */

/**
 * Begin to write; drg_newfile_end() must follow.
 * @param bytes  About how large it becomes: a tenth of the disk stays free, since the store may need it.
 * @return DRG_OK; DRG_EBUSY: another process writes it; DRG_EFULL, DRG_EIO, DRG_EAUTH.
 */
DRG_MUSTCHECK
int drg_image_begin(const char *path, size_t bytes, struct drg_newfile *ret, struct drg_err *reterr);
/**
 * Write a catalog and sync the file; nothing may change the catalog meanwhile. Takes no lock, so it may run
 * in a forked process.
 * @param until_ns  drg_clock_ns() at which it gives up.
 * @return DRG_OK; DRG_ESTOPPED: gave up; DRG_EFULL, DRG_EIO, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_image_write(const struct drg_newfile *w, const struct drg_catalog *c, const struct drg_image_of *of,
                    int64_t until_ns, struct drg_err *reterr);

/* ---- reading --------------------------------------------------------------------------------------------- */

struct drg_image_file;

/** Open a snapshot and read its state. @return DRG_OK; DRG_ENOENT: there is none; DRG_ECORRUPT: it is damaged,
 * cut, or of another program, and err says which; DRG_EIO. */
DRG_MUSTCHECK
int drg_image_open(const char *path, struct drg_image_file **ret, struct drg_err *reterr);
const struct drg_image_of *drg_image_file_of(const struct drg_image_file *f);
/** Close it; the result of drg_image_file_of() becomes invalid. NULL is fine. */
void drg_image_close(struct drg_image_file *f);

/** Read the parts with two threads. @param stopping  Set by others to end it: DRG_ESTOPPED. @return DRG_OK; as
 * above; DRG_ELIMIT, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_image_load(struct drg_image_file *f, const struct drg_catalog_options *o,
                   const _Atomic bool *stopping, struct drg_catalog **ret, struct drg_err *reterr);
