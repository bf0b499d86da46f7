/* Files of an import: plain, gzip, Zstandard; cut, damaged, or blown up. */
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "text/lines.h"

enum { MAX_LINE = 1 << 16, MOST_LINES = 1 << 16 };

static void read_lines(const char *path, size_t n)
{
	struct drg_lines *l = NULL;
	struct drg_err err = { 0 };
	struct drg_str line;
	int rc = drg_lines_open(path, MAX_LINE, &l, &err);
	for (unsigned i = 0; rc == DRG_OK && i < MOST_LINES; i++) {
		rc = drg_lines_next(l, &line, &err);
		if (rc == DRG_OK) {
			REQUIRE(line.n <= MAX_LINE && memchr(line.p, '\n', line.n) == NULL);
			REQUIRE(drg_lines_number(l) <= i + 1U && drg_lines_bytes(l) <= n);
		}
		if (rc == DRG_ELIMIT)
			rc = DRG_OK; /* the line is skipped */
	}
	if (rc != DRG_OK && rc != DRG_ENOENT)
		require_refusal(rc, &err);
	drg_lines_close(l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char path[64];
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	REQUIRE(fd >= 0 && write(fd, data, n) == (ssize_t)n);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	read_lines(path, n);
	close(fd);
	return 0;
}
