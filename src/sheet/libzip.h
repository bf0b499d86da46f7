/* src/sheet/libzip.h
 * libzip, loaded with the first workbook (base/library.h): it brings cryptography, which it is not asked
 * for. */
#pragma once
#include <zip.h>

#include "base/library.h"

#define zip_discard DRG_LATE(ZIP, zip_discard)
#define zip_error_code_zip DRG_LATE(ZIP, zip_error_code_zip)
#define zip_error_fini DRG_LATE(ZIP, zip_error_fini)
#define zip_error_init_with_code DRG_LATE(ZIP, zip_error_init_with_code)
#define zip_error_strerror DRG_LATE(ZIP, zip_error_strerror)
#define zip_fclose DRG_LATE(ZIP, zip_fclose)
#define zip_file_get_error DRG_LATE(ZIP, zip_file_get_error)
#define zip_fopen_index DRG_LATE(ZIP, zip_fopen_index)
#define zip_fread DRG_LATE(ZIP, zip_fread)
#define zip_get_num_entries DRG_LATE(ZIP, zip_get_num_entries)
#define zip_get_name DRG_LATE(ZIP, zip_get_name)
#define zip_get_error DRG_LATE(ZIP, zip_get_error)
#define zip_open DRG_LATE(ZIP, zip_open)
#define zip_stat_index DRG_LATE(ZIP, zip_stat_index)
