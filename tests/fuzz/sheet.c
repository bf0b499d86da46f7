/* Lists of suppliers: workbooks and text files as whole files. A workbook that is changed fails its
 * checksums; what is inside is the target `workbook`. */
#include "list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char path[64];
	int fd = file_of(data, n, path);
	read_list(path, DRG_QUOTE_UNKNOWN, NULL);
	read_list(path, DRG_QUOTE_DOUBLE + n % (DRG_QUOTES - 1), NULL);
	close(fd);
	return 0;
}
