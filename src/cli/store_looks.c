#include "cli/store_looks.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "server/image/file.h"

static void look_at_mode(const char *path, drg_store_warn_fn *tell)
{
	enum { OTHERS = S_IRWXG | S_IRWXO };
	char text[PATH_MAX + 160];
	struct stat st;
	if (stat(path, &st) != 0 || (st.st_mode & OTHERS) == 0)
		return;
	snprintf(text, sizeof text,
	         "others can read %s (mode %03o), which has the hashes of keys and passwords: chmod 600 %s",
	         path, (unsigned)(st.st_mode & ALLPERMS), path);
	tell(text);
}

static void look_at_snapshot(const char *path, const struct drg_clock *clock, drg_store_warn_fn *tell)
{
	char text[PATH_MAX + 256];
	struct drg_image_file *image;
	if (drg_image_open(path, &image, NULL) != DRG_OK)
		return;
	const struct drg_clock *had = &drg_image_file_of(image)->clock;
	if (strcmp(had->epoch, clock->epoch) == 0 && had->seq > clock->seq) {
		snprintf(text, sizeof text,
		         "the store is at commit %" PRId64 ", and its snapshot %s at %" PRId64
		         ": the store was restored to an earlier state, and clients that saw later commits "
		         "are told to start over",
		         clock->seq, path, had->seq);
		tell(text);
	}
	drg_image_close(image);
}

void drg_store_warn(const char *store_url, const char *snapshot, const struct drg_clock *clock,
                    drg_store_warn_fn *tell)
{
	static const char *const suffixes[] = { "", "-wal", ".snapshot" };
	char path[PATH_MAX] = "";
	for (size_t i = 0; drg_store_is_file(store_url) && i < DRG_ARRAY_LEN(suffixes); i++) {
		snprintf(path, sizeof path, "%s%s", strchr(store_url, ':') + 1, suffixes[i]);
		look_at_mode(path, tell);
	}
	if (snapshot != NULL || path[0] != '\0')
		look_at_snapshot(snapshot != NULL ? snapshot : path, clock, tell);
}
