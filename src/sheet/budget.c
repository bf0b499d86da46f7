#include "sheet/budget.h"

int drg_sheet_spend(struct sheet_budget *b, uint64_t bytes, struct drg_err *reterr)
{
	if (b->stop != NULL && atomic_load(b->stop))
		return drg_fail(reterr, DRG_ESTOPPED, DRG_R(shutting_down), NULL, "it was stopped");
	b->bytes += bytes;
	b->searched += b->searching ? bytes : 0;
	if (b->searched > DRG_SHEET_SEARCH_MAX)
		return drg_fail(
		        reterr, DRG_EINVAL, DRG_R(list_too_large), NULL,
		        "expected at most %d MiB in front of the first cells of its sheets, found more: "
		        "say which sheet, or save that alone",
		        (int)(DRG_SHEET_SEARCH_MAX >> 20));
	if (b->bytes <= DRG_SHEET_BYTES_MAX)
		return DRG_OK;
	return drg_fail(
	        reterr, DRG_EINVAL, DRG_R(list_too_large), NULL,
	        "expected at most %d GiB once it is unpacked, found more: split it into several files",
	        (int)(DRG_SHEET_BYTES_MAX >> 30));
}

int drg_sheet_spend_row(struct sheet_budget *b, struct drg_err *reterr)
{
	if (++b->rows <= DRG_SHEET_ROWS_MAX)
		return DRG_OK;
	return drg_fail(reterr, DRG_EINVAL, DRG_R(list_too_large), NULL,
	                "expected at most %d rows, empty ones too, found more: split it into several files",
	                DRG_SHEET_ROWS_MAX);
}

int drg_sheet_spend_tag(struct sheet_budget *b, struct drg_err *reterr)
{
	if (DRG_LIKELY(++b->tags <= DRG_SHEET_TAGS_MAX))
		return DRG_OK;
	return drg_fail(reterr, DRG_EINVAL, DRG_R(list_too_large), NULL,
	                "expected a workbook of at most %d tags (a cell has two), found more: save it as CSV",
	                DRG_SHEET_TAGS_MAX);
}
