/* src/sheet/libxlsxwriter.h
 * libxlsxwriter, loaded with the first workbook that is written (base/library.h). */
#pragma once
#include <xlsxwriter.h>

#include "base/library.h"

#define lxw_workbook_free DRG_LATE(XLSXWRITER, lxw_workbook_free)
#define workbook_add_worksheet DRG_LATE(XLSXWRITER, workbook_add_worksheet)
#define workbook_close DRG_LATE(XLSXWRITER, workbook_close)
#define workbook_new_opt DRG_LATE(XLSXWRITER, workbook_new_opt)
#define workbook_add_format DRG_LATE(XLSXWRITER, workbook_add_format)
#define format_set_bold DRG_LATE(XLSXWRITER, format_set_bold)
#define worksheet_autofilter DRG_LATE(XLSXWRITER, worksheet_autofilter)
#define worksheet_data_validation_range DRG_LATE(XLSXWRITER, worksheet_data_validation_range)
#define worksheet_freeze_panes DRG_LATE(XLSXWRITER, worksheet_freeze_panes)
#define worksheet_set_column DRG_LATE(XLSXWRITER, worksheet_set_column)
#define worksheet_write_number DRG_LATE(XLSXWRITER, worksheet_write_number)
#define worksheet_write_string DRG_LATE(XLSXWRITER, worksheet_write_string)
