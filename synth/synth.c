#include "synth/synth.h"

#include "synth/air.h"
#include "synth/hotels.h"

/** A step of the progress is one hotel looked at: once for the reference, once for every supplier. */
struct synth_run {
	const struct drg_synth_options *opt;
	const struct drg_synth_sink *sink;
	struct drg_synth_base base;
	struct drg_synth_world world;
	struct drg_synth_out out;
	uint64_t done, total;
};

static void synth_tell(const struct synth_run *run)
{
	if (run->sink->progress != NULL)
		run->sink->progress(run->sink->progress_ctx, run->done, run->total);
}

static bool tick(void *ctx)
{
	struct synth_run *run = ctx;
	if (++run->done % 4096 == 0)
		synth_tell(run);
	return run->out.rc == DRG_OK;
}

static int check_options(const struct drg_synth_options *o, struct drg_err *reterr)
{
	if (o->hotels > DRG_SYNTH_MAX_HOTELS)
		return drg_fail(reterr, DRG_EUSAGE, NULL, "hotels", "expected at most %d hotels, found %llu",
		                DRG_SYNTH_MAX_HOTELS, (unsigned long long)o->hotels);
	if (o->adapters > DRG_SYNTH_MAX_ADAPTERS)
		return drg_fail(reterr, DRG_EUSAGE, NULL, "adapters",
		                "expected at most %d adapters, found %u", DRG_SYNTH_MAX_ADAPTERS,
		                o->adapters);
	if (o->content_percent > 100)
		return drg_fail(reterr, DRG_EUSAGE, NULL, "content", "expected 0 to 100 percent, found %u",
		                o->content_percent);
	return DRG_OK;
}

/** Hotels need a place and a category. */
static int check_base(const struct drg_synth_base *b, uint64_t hotels, struct drg_err *reterr)
{
	static const enum drg_kind needed[] = { DRG_KIND_COUNTRY, DRG_KIND_CITY, DRG_KIND_HOTEL_CATEGORY };
	for (size_t i = 0; i < DRG_ARRAY_LEN(needed) && hotels > 0; i++)
		if (b->list[needed[i]].n == 0)
			return drg_fail(
			        reterr, DRG_EINVAL, NULL, "base",
			        "expected at least one dict record of kind %s in the base, found none",
			        drg_kind_name(needed[i]));
	return DRG_OK;
}

static int write_supplier(struct synth_run *run, unsigned index, struct drg_arena *arena,
                          struct drg_err *reterr)
{
	struct drg_synth_supplier s;
	struct drg_synth_lists lists;
	drg_arena_reset(arena);
	int rc = drg_synth_supplier_make(&run->world, index, arena, &s, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_synth_adapter_write(&run->out, s.id, s.code, s.name, "tour", s.is_mapping_stage);
	rc = drg_synth_lists_write(&run->world, &s, run->opt->blind, arena, &run->out, &lists, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_synth_sources_write(&run->world, &s, &lists, run->opt, &run->out, tick, run);
	return DRG_OK;
}

/** Suppliers one after the other, each over all hotels: their lines stand together, which imports fastest. */
static int write_suppliers(struct synth_run *run, struct drg_err *reterr)
{
	struct drg_arena arena;
	drg_arena_init(&arena, (size_t)1 << 30);
	int rc = DRG_OK;
	for (unsigned i = 0; i < run->opt->adapters && rc == DRG_OK && run->out.rc == DRG_OK; i++)
		rc = write_supplier(run, i, &arena, reterr);
	if (rc == DRG_OK)
		rc = drg_synth_air_write(&run->world, run->opt->adapters, &arena, &run->out, reterr);
	drg_arena_done(&arena);
	return rc;
}

static int synth_write_all(struct synth_run *run, struct drg_err *reterr)
{
	drg_synth_raw_lines(&run->out, drg_buf_view(&run->base.text), run->base.n_lines);
	drg_buf_done(&run->base.text);
	drg_synth_hotels_write(&run->world, run->opt->hotels, &run->out, tick, run);
	int rc = write_suppliers(run, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_synth_flush(&run->out);
	if (rc != DRG_OK && reterr != NULL)
		*reterr = run->out.err;
	return rc;
}

int drg_synth_run(const struct drg_synth_options *opt, const struct drg_synth_sink *sink,
                  struct drg_synth_totals *ret, struct drg_err *reterr)
{
	struct synth_run run = { .opt = opt,
		                 .sink = sink,
		                 .total = opt->hotels * (1 + (uint64_t)opt->adapters) };
	int rc = check_options(opt, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_synth_out_init(&run.out, sink);
	rc = drg_synth_base_load(opt->base, &run.base, reterr);
	if (rc == DRG_OK)
		rc = check_base(&run.base, opt->hotels, reterr);
	if (rc == DRG_OK)
		rc = drg_synth_world_make(opt->seed, opt->hard, &run.base, &run.world, reterr);
	if (rc == DRG_OK)
		rc = synth_write_all(&run, reterr);
	if (rc == DRG_OK) {
		synth_tell(&run);
		if (ret != NULL)
			*ret = run.out.totals;
	}
	drg_synth_out_done(&run.out);
	drg_synth_base_done(&run.base);
	return rc;
}
