/* src/workbench/files/file_out.h
 * A file for people as an answer (decision C10): it is complete before its first byte is sent, so that what
 * goes wrong is an answer too. */
#pragma once
#include "http/exchange.h"
#include "store/store.h"

enum { DRG_FILE_OUT_NAME = 64 };

/** What is made; on the heap of who asks. */
struct drg_file_out {
	/** On a thread of the exports: write the file. @param job  For drg_file_out_over(). */
	int (*make)(struct drg_file_out *f, struct drg_store *s, const char *path, void *job,
	            struct drg_err *reterr);
	void (*done)(struct drg_file_out *f); /**< free it */
	char name[DRG_FILE_OUT_NAME]; /**< of the file, for who gets it */
};

/** Make it and send it; takes @p f in any case. @return DRG_HTTP_SUSPENDED; errors of the stream. */
DRG_MUSTCHECK
int drg_file_out_start(struct drg_exchange *x, struct drg_file_out *f);
/** Does nobody want it any more? Asked now and then while it is made. */
bool drg_file_out_over(void *job);

/** Of the parameter `format`. */
DRG_MUSTCHECK
int drg_file_out_check_format(struct drg_str value, const char *name, struct drg_err *reterr);
#define DRG_PARAM_FILE_FORMAT                                                                                \
	{                                                                                                    \
		.name = "format", .type = DRG_P_TEXT, .max = 8, .check = drg_file_out_check_format,          \
		.schema = "{\"enum\":[\"csv\",\"xlsx\"]}", .doc = "csv when absent"                          \
	}
