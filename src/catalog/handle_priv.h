/* src/catalog/handle_priv.h
 * Handles: lasting numbers for (kind, id) of dict records, and where the record of each lies now. A handle is
 * made when its pair is first named, even if only a reference names it. */
#pragma once
#include "catalog/catalog.h"
#include "catalog/table_priv.h"
#include "catalog/vec_priv.h"

/** Two words of 8 bytes: one cache line answers "is this the pair?" and "where is its record?". */
struct drg_handle_slot {
	int64_t id;
	_Atomic drg_ref ref; /**< DRG_NO_REF: no live record */
	uint8_t kind;
	bool was_live; /**< for the writer: it had a record before */
};

struct drg_handles {
	struct drg_handle_slot *slot; /**< one reservation; slot 0 is DRG_NO_HANDLE's and stays empty */
	_Atomic uint32_t n; /**< only the writer writes it; a reader may see an older value */
	uint32_t cap;
	struct drg_table by_pair;
	struct drg_vec of_kind[DRG_KIND_COUNT];
	struct drg_vec *hotels_of; /**< by the handle of a country; one reservation, sparse */
	struct drg_retire *retire;
	uint64_t seed;
};

/** @param heap_size  Bounds how many dict records there can be. */
DRG_MUSTCHECK
int drg_handles_init(struct drg_handles *h, size_t heap_size, struct drg_retire *retire, uint64_t seed,
                     struct drg_err *reterr);
void drg_handles_done(struct drg_handles *h);

/** Find the handle of a pair; DRG_NO_HANDLE: no record has named it. */
drg_handle drg_handle_find(const struct drg_handles *h, enum drg_kind kind, int64_t id);
/** Find the handle of a pair, or make one. @return DRG_OK, DRG_ELIMIT, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_handle_make(struct drg_handles *h, enum drg_kind kind, int64_t id, drg_handle *ret,
                    struct drg_err *reterr);

/** Prefetch what drg_handle_find() or drg_handle_make() of the pair will read. */
void drg_handle_prefetch(const struct drg_handles *h, enum drg_kind kind, int64_t id);

/** Prefetch the slot of the pair's handle, once the memory of drg_handle_prefetch() has arrived. */
void drg_handle_prefetch_slot(const struct drg_handles *h, enum drg_kind kind, int64_t id);

/** Make room for one more hotel in a country; drg_handle_add_hotel() then cannot fail. */
DRG_MUSTCHECK
int drg_handle_reserve_hotel(struct drg_handles *h, drg_handle country, struct drg_err *reterr);
/** @param maybe_there  The hotel may be in the list already. */
void drg_handle_add_hotel(struct drg_handles *h, drg_handle country, drg_handle hotel, bool maybe_there);

/** Bytes in use, lists included. Callable anywhere inside a read section. */
size_t drg_handles_bytes(const struct drg_handles *h);

static inline drg_ref drg_handle_ref(const struct drg_handles *h, drg_handle handle)
{
	return atomic_load_explicit(&h->slot[handle].ref, memory_order_acquire);
}
