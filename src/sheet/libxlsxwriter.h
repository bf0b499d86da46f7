/* src/sheet/libxlsxwriter.h
 * libxlsxwriter, loaded with the first workbook that is written (base/library.h). */
#pragma once
#include <xlsxwriter.h>

#include "base/library.h"

#define workbook_add_worksheet DRG_LATE(XLSXWRITER, workbook_add_worksheet)
#define workbook_close DRG_LATE(XLSXWRITER, workbook_close)
#define workbook_new_opt DRG_LATE(XLSXWRITER, workbook_new_opt)
#define worksheet_freeze_panes DRG_LATE(XLSXWRITER, worksheet_freeze_panes)
#define worksheet_write_number DRG_LATE(XLSXWRITER, worksheet_write_number)
#define worksheet_write_string DRG_LATE(XLSXWRITER, worksheet_write_string)
