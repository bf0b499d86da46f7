/* synth/synth.h
 * A synthetic data set in the interchange format (docs/interchange.md): hotels on real cities, and suppliers
 * that spell, number, abbreviate and misplace them as real ones do. Behind `dragoman-synth`.
 *
 * The same options and base give the same bytes on every machine. Hotel k is the same for every number of
 * hotels, and a supplier's view of it for every number of suppliers that includes it. Memory grows with the
 * base, not with the hotels. */
#pragma once
#include "base/err.h"
#include "base/str.h"

enum {
	DRG_SYNTH_MAX_HOTELS = 100000000,
	DRG_SYNTH_MAX_ADAPTERS = 10000,
	DRG_SYNTH_FIRST_ADAPTER = 101, /**< id of the first supplier; the air suppliers follow the last one */
	DRG_SYNTH_FIRST_HOTEL = 1000001, /**< dict id of hotel 0 */
	DRG_SYNTH_CONTENT_PERCENT = 5 /**< the usual content_percent */
};

struct drg_synth_options {
	uint64_t hotels; /**< dict hotels, at most DRG_SYNTH_MAX_HOTELS */
	unsigned adapters; /**< tour suppliers, at most DRG_SYNTH_MAX_ADAPTERS */
	uint64_t seed;
	/** as hard as life: sister houses, positions of the city or kilometres off, no city, swapped fields */
	bool hard;
	bool blind; /**< leave out dict_id, the true mapping, everywhere */
	const char *base; /**< NDJSON file of dict and air_place records, passed through as they are ("-":
				       standard input); NULL: the small base inside the program */
	unsigned content_percent; /**< share of the supplier hotels that get a hotel_content, 0..100 */
};

/** The totals of what was written. */
struct drg_synth_totals {
	uint64_t lines;
	uint64_t bytes;
	uint64_t hotels; /**< dict hotels */
	uint64_t sources; /**< supplier hotels */
	uint64_t contents;
};

/**
 * Takes the next bytes of the output, whole lines, some 64 KiB at a time.
 * @return DRG_OK, or a code that ends the run and is returned by it.
 */
typedef int drg_synth_write_fn(void *ctx, struct drg_str bytes, struct drg_err *reterr);

/** A drg_synth_write_fn for a file descriptor; @p ctx is an `int *`. DRG_EFULL, DRG_EIO; DRG_ESTOPPED: the
 * reader of the pipe has gone away (with SIGPIPE ignored). */
int drg_synth_write_fd(void *ctx, struct drg_str bytes, struct drg_err *reterr);

/** Told now and then how far it is, in steps whose number is known from the start; at the end done == total. */
typedef void drg_synth_progress_fn(void *ctx, uint64_t done, uint64_t total);

/** The destination of the output, and the callback for progress. */
struct drg_synth_sink {
	drg_synth_write_fn *write;
	void *write_ctx;
	drg_synth_progress_fn *progress; /**< NULL: nobody */
	void *progress_ctx;
};

/**
 * Write the data set. The base is read and checked as a whole before the first byte is written.
 * @param ret     May be NULL; written only on success.
 * @param reterr  The option or the line of the base at fault.
 * @return DRG_OK; DRG_EUSAGE: an option out of its range; DRG_EINVAL: a bad line in the base, or a base
 *         without cities, countries or categories to put hotels in; DRG_ENOENT, DRG_EIO, DRG_ECORRUPT: the
 *         base cannot be read; DRG_ENOMEM; what sink->write returned.
 */
DRG_MUSTCHECK
int drg_synth_run(const struct drg_synth_options *opt, const struct drg_synth_sink *sink,
                  struct drg_synth_totals *ret, struct drg_err *reterr);
