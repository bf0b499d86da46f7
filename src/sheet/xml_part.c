#include "sheet/xml_part.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

/* A part may be so many times its compressed size once it is beyond so many bytes; sheets are seldom fifty
 * times. */
static const uint64_t GROWTH_MAX = 200, GROWTH_FROM = UINT64_C(64) << 20;
enum { PART_CHUNK = 1 << 16 };

/* Before Expat 2.9, in Debian 12, only the older of these names are there; later the compiler warns of them. */
#if XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 9
#define XML_GetCurrentByteIndex64 XML_GetCurrentByteIndex
#define XML_GetCurrentLineNumber64 XML_GetCurrentLineNumber
#endif

struct xml_part {
	zip_file_t *file;
	XML_Parser parser;
	const struct xml_part_calls *calls;
	void *ctx;
	struct sheet_budget *budget;
	char name[128];
	uint64_t compressed, bytes;
	unsigned depth;
	bool paused, last;
	int rc; /* of a call that failed */
	struct drg_err *err; /* for the calls, during drg_xml_part_read() */
};

static struct drg_str local_name(const char *name)
{
	const char *colon = strrchr(name, ':');
	return drg_str_c(colon != NULL ? colon + 1 : name);
}

struct drg_str drg_xml_attribute(const char **attributes, const char *name)
{
	for (const char **a = attributes; a[0] != NULL; a += 2)
		if (drg_str_eq(local_name(a[0]), drg_str_c(name)))
			return drg_str_c(a[1]);
	return drg_str("", 0);
}

static void part_result(struct xml_part *x, int rc)
{
	if (rc == DRG_OK || x->rc != DRG_OK)
		return;
	x->rc = rc;
	XML_StopParser(x->parser, XML_FALSE);
}

static void XMLCALL on_start(void *ctx, const char *name, const char **attributes)
{
	struct xml_part *x = ctx;
	if (++x->depth > XML_PART_DEPTH)
		part_result(x, drg_fail(x->err, DRG_EINVAL, NULL, NULL, "%s is nested too deeply", x->name));
	else
		part_result(x, drg_sheet_spend_tag(x->budget, x->err));
	if (x->rc == DRG_OK)
		part_result(x, x->calls->start(x->ctx, local_name(name), attributes, x->err));
}

static void XMLCALL on_end(void *ctx, const char *name)
{
	struct xml_part *x = ctx;
	assert(x->depth > 0);
	x->depth--;
	if (x->rc == DRG_OK)
		part_result(x, x->calls->end(x->ctx, local_name(name), x->err));
}

static void XMLCALL on_text(void *ctx, const char *p, int n)
{
	struct xml_part *x = ctx;
	if (x->rc == DRG_OK && x->calls->text != NULL)
		part_result(x, x->calls->text(x->ctx, drg_str(p, (size_t)n), x->err));
}

static void XMLCALL on_doctype(void *ctx, const char *name, const char *system, const char *public,
                               int inside)
{
	struct xml_part *x = ctx;
	(void)name, (void)system, (void)public, (void)inside;
	part_result(x, drg_fail(x->err, DRG_EINVAL, NULL, NULL,
	                        "%s has a document type, which no spreadsheet program writes", x->name));
}

static int part_failed(zip_t *zip, const char *name, struct drg_err *reterr)
{
	int code = zip_error_code_zip(zip_get_error(zip));
	if (code == ZIP_ER_NOPASSWD || code == ZIP_ER_WRONGPASSWD)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "it is encrypted: save it without a password");
	return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "the workbook is damaged: %s: %s", name,
	                zip_error_strerror(zip_get_error(zip)));
}

/* The format knows no other packing; that of others takes memory as the file says. */
static int part_find(zip_t *zip, uint64_t number, const char *name, zip_stat_t *ret, struct drg_err *reterr)
{
	if (zip_stat_index(zip, number, 0, ret) != 0)
		return part_failed(zip, name, reterr);
	if (ret->comp_method == ZIP_CM_STORE || ret->comp_method == ZIP_CM_DEFLATE)
		return DRG_OK;
	return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
	                "%s is packed in a way that no spreadsheet program uses: save the workbook again",
	                name);
}

int drg_xml_part_open(zip_t *zip, uint64_t number, const char *name, const struct xml_part_calls *calls,
                      void *ctx, struct sheet_budget *budget, struct xml_part **ret, struct drg_err *reterr)
{
	zip_stat_t st;
	int found = part_find(zip, number, name, &st, reterr);
	if (found != DRG_OK)
		return found;
	struct xml_part *x = calloc(1, sizeof *x);
	if (x == NULL)
		return drg_fail_memory(reterr);
	x->calls = calls;
	x->ctx = ctx;
	x->budget = budget;
	x->compressed = st.comp_size;
	snprintf(x->name, sizeof x->name, "%s", name);
	x->parser = XML_ParserCreate(NULL);
	x->file = zip_fopen_index(zip, number, 0);
	if (x->parser == NULL || x->file == NULL) {
		int rc = x->parser == NULL ? drg_fail_memory(reterr) : part_failed(zip, name, reterr);
		drg_xml_part_close(x);
		return rc;
	}
	XML_SetUserData(x->parser, x);
	XML_SetElementHandler(x->parser, on_start, on_end);
	XML_SetCharacterDataHandler(x->parser, on_text);
	XML_SetStartDoctypeDeclHandler(x->parser, on_doctype);
	*ret = x;
	return DRG_OK;
}

void drg_xml_part_close(struct xml_part *x)
{
	if (x == NULL)
		return;
	if (x->parser != NULL)
		XML_ParserFree(x->parser);
	if (x->file != NULL)
		zip_fclose(x->file);
	free(x);
}

void drg_xml_part_pause(struct xml_part *x)
{
	XML_StopParser(x->parser, XML_TRUE);
}

/* Before more is read. */
static int part_check(const struct xml_part *x, struct drg_err *reterr)
{
	/* The beginning of the incomplete element; -1: nothing has begun. */
	int64_t at = XML_GetCurrentByteIndex64(x->parser);
	if (x->bytes > GROWTH_FROM && x->bytes / GROWTH_MAX > x->compressed)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "%s unfolds to more than %" PRIu64
		                " times its size: no list does, it is refused",
		                x->name, GROWTH_MAX);
	if (x->bytes - (at > 0 ? (uint64_t)at : 0) <= XML_PART_TAG_MAX + PART_CHUNK)
		return DRG_OK;
	return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
	                "%s has a tag of more than %d MiB: no spreadsheet program writes it", x->name,
	                XML_PART_TAG_MAX >> 20);
}

static int part_chunk(struct xml_part *x, enum XML_Status *ret, struct drg_err *reterr)
{
	int rc = part_check(x, reterr);
	if (rc != DRG_OK)
		return rc;
	void *chunk = XML_GetBuffer(x->parser, PART_CHUNK);
	if (chunk == NULL)
		return drg_fail_memory(reterr);
	zip_int64_t n = zip_fread(x->file, chunk, PART_CHUNK);
	if (n < 0)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "the workbook is damaged: %s: %s", x->name,
		                zip_error_strerror(zip_file_get_error(x->file)));
	x->bytes += (uint64_t)n;
	rc = drg_sheet_spend(x->budget, (uint64_t)n, reterr);
	if (rc != DRG_OK)
		return rc;
	x->last = n == 0;
	*ret = XML_ParseBuffer(x->parser, (int)n, x->last);
	return DRG_OK;
}

int drg_xml_part_read(struct xml_part *x, struct drg_err *reterr)
{
	x->err = reterr;
	for (;;) {
		enum XML_Status status = XML_STATUS_ERROR;
		int rc = DRG_OK;
		if (x->paused)
			status = XML_ResumeParser(x->parser);
		else if (x->last)
			return DRG_ENOENT;
		else
			rc = part_chunk(x, &status, reterr);
		if (rc != DRG_OK)
			return rc;
		x->paused = status == XML_STATUS_SUSPENDED;
		if (x->paused)
			return DRG_OK;
		if (x->rc != DRG_OK)
			return x->rc;
		if (status == XML_STATUS_ERROR)
			return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
			                "the workbook is damaged: %s:%" PRIu64 ": %s", x->name,
			                (uint64_t)XML_GetCurrentLineNumber64(x->parser),
			                XML_ErrorString(XML_GetErrorCode(x->parser)));
	}
}
