/* src/workbench/load_json.h
 * What a load of a list tells, as JSON: columns, sums, and the first of each sort of news (decision C8). */
#pragma once
#include "api/reading.h"
#include "load/load.h"

/** Filled by one thread at a time, while the load runs. */
struct drg_load_json {
	struct drg_buf plan; /**< members about the file, behind a comma */
	struct drg_buf news; /**< an array without its brackets */
	struct drg_buf sheets; /**< likewise */
	uint64_t seen[DRG_LOAD_WHATS];
};

void drg_load_json_init(struct drg_load_json *t);
void drg_load_json_done(struct drg_load_json *t);
/** Is all in it? @return false: memory ran out. */
bool drg_load_json_whole(const struct drg_load_json *t);

/** As drg_load_options wants them; the context is a struct drg_load_json. */
void drg_load_json_plan(void *told, const struct drg_plan *p);
void drg_load_json_note(void *told, const struct drg_load_note *n);
void drg_load_json_sheet(void *told, const char *file, const char *name, uint64_t rows, bool read,
                         bool hidden);

/** The value of `data`. @param applied  It was not a dry run. */
void drg_load_json_write(struct drg_jw *w, const struct drg_load_json *t, const struct drg_load_sums *s,
                         bool applied);
