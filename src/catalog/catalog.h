/* src/catalog/catalog.h
 * The read model: everything that hot requests need, in memory, in the form in which it is sent.
 *
 * One thread writes (the follower); any number read, without locks, inside read sections (catalog/rcu.h).
 * Records lie in one heap and are never moved; tables hold offsets. A record that changes is written again
 * and the table is pointed at the new one. The old bytes are counted as dead; they go when the catalog is
 * rebuilt. So everything that a reader gets from a catalog stays valid until its read section ends. */
#pragma once
#include "base/data_version.h"
#include "base/err.h"
#include "base/str.h"
#include "model/record.h"

struct drg_catalog;

struct drg_catalog_options {
	/** Ceiling of the heap; 0: 32 GiB, or less if address space is limited. One and a half times this is
	 * reserved, but memory is used only as the heap fills. */
	size_t max_bytes;
	bool no_search; /**< without air search; countries are then not entered into it */
	/** only the writing thread reads the catalog, so replaced memory is freed at once */
	bool alone;
};

DRG_MUSTCHECK
int drg_catalog_new(const struct drg_catalog_options *o, struct drg_catalog **ret, struct drg_err *reterr);
/** Free a catalog. No reader may be in a read section. NULL is fine. */
void drg_catalog_free(struct drg_catalog *c);

/* ---- writing: one thread -------------------------------------------------------------------------------- */

/**
 * Add a record, replace the one with its identity, or remove it (record.deleted). Records may come in any
 * order: a record may refer to one that comes later. Types that the catalog does not need are ignored. The
 * call may wait for readers when a table grows, so do not call it inside a read section.
 * @return DRG_OK; DRG_ELIMIT: heap full ("catalog_full"), or more than DRG_ADAPTERS_MAX adapters
 *         ("too_many_adapters"); DRG_EINVAL: a value that the model does not allow; DRG_ENOMEM. After an
 *         error every answer is as before. DRG_ELIMIT and DRG_EINVAL concern this record alone: other records
 *         can still be applied.
 */
DRG_MUSTCHECK
int drg_catalog_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr);

/** The types that drg_catalog_apply() ignores, a bit for each enum drg_type_id: nobody needs to load them.
 * Callable anywhere. */
unsigned drg_catalog_ignored_types(void);

/** Does the catalog keep a record like this, so that drg_catalog_each() returns it? Callable anywhere. */
bool drg_catalog_keeps(const struct drg_record *r);

/** Set the history (base/data_version.h) that the next publications belong to. */
void drg_catalog_set_history(struct drg_catalog *c, uint64_t history);

/**
 * Publish @p seq: every record up to it was applied. Small tables (adapters, directions, keys) are replaced
 * as a whole. May wait for readers (drg_read_synchronize()) if a table was replaced. If the seq was published
 * before and more records were applied since, the data version stays open.
 */
DRG_MUSTCHECK
int drg_catalog_publish(struct drg_catalog *c, int64_t seq, const char *epoch, struct drg_err *reterr);

/* ---- reading: inside a read section, unless said otherwise ----------------------------------------------- */

/** The version that was published last. Callable anywhere. */
int64_t drg_catalog_seq(const struct drg_catalog *c);
const char *drg_catalog_epoch(const struct drg_catalog *c);

/** A mark that a reader takes before it reads, to find out the version of its answer. */
struct drg_catalog_read_mark {
	struct drg_data_version version;
	uint64_t state; /**< used by the catalog */
};
/** Begin to read: call this before you read the data of an answer. */
struct drg_catalog_read_mark drg_catalog_read_begin(const struct drg_catalog *c);
/** Find the version of the data that were read since drg_catalog_read_begin(). The version is open if records
 * were applied meanwhile. */
struct drg_data_version drg_catalog_read_end(const struct drg_catalog *c,
                                             const struct drg_catalog_read_mark *look);
/** A number that grows with each publication that changed something a reference list can show (dict records,
 * adapters, directions, which hotels are linked). No two catalogs of this process have the same number.
 * Callable anywhere. */
uint64_t drg_catalog_list_version(const struct drg_catalog *c);

struct drg_catalog_stats {
	uint64_t sources, dicts;
	uint64_t sources_of[DRG_KIND_COUNT], dicts_of[DRG_KIND_COUNT]; /**< by kind */
	size_t heap_used, heap_dead, table_bytes; /**< bytes */
};
/** The figures may be some milliseconds old. Callable anywhere. */
void drg_catalog_stats(const struct drg_catalog *c, struct drg_catalog_stats *ret);

/* Languages. A tag known to the catalog has a small number; a request's chain of tags (text/lang.h) is
 * resolved to numbers once. */
struct drg_lang_pref {
	uint8_t lang[10]; /**< numbers in the catalog, the most wanted first */
	uint8_t n;
};
/** @param tag  Valid and lower case. Tags that the catalog has never seen are left out. */
struct drg_lang_pref drg_catalog_langs(const struct drg_catalog *c, struct drg_str tag);

/** The first fallback of a valid, lower-case tag (L1) in which any record has a text, else "en". Borrows from
 * @p c, @p tag and @p buf. @param or_ordered  A fallback with an order of its own counts too, even if no record
 * has a text in it. @param buf  DRG_LANG_FULL + 1 bytes (text/lang.h). */
struct drg_str drg_catalog_lang(const struct drg_catalog *c, struct drg_str tag, bool or_ordered, char *buf);

/* Adapters. */
struct drg_adapter {
	int64_t id;
	struct drg_str code, name, logo; /**< without escapes */
	struct drg_str code_esc, name_esc; /**< with JSON's escapes */
	enum drg_domain domain;
	enum drg_stage stage;
	uint32_t index; /**< number of the adapter in the catalog */
};
/** Every adapter, ascending by id. */
size_t drg_catalog_adapters(const struct drg_catalog *c, const struct drg_adapter **ret);
/** Find an adapter; NULL: there is none. */
const struct drg_adapter *drg_catalog_adapter(const struct drg_catalog *c, int64_t id);

/* Directions: (adapter, departure city, country), dict ids, ascending in that order. */
struct drg_direction {
	int64_t adapter, dep_city, country;
};
size_t drg_catalog_directions(const struct drg_catalog *c, const struct drg_direction **ret);

/* API keys, by hash. */
struct drg_key {
	int64_t id;
	enum drg_api api;
	struct drg_str key_hash, secret_hash; /**< hexadecimal; secret_hash empty: the key has no secret */
	struct drg_str old_hash, old_secret_hash; /**< the hashes before the key was rotated; empty: none */
	int64_t old_until_us; /**< the moment from which the old hashes no longer work */
	int64_t expires_us; /**< the moment from which it no longer works, by the wall clock; 0: never */
	const int64_t *adapters; /**< may write only these, ascending; NULL: all */
	size_t n_adapters;
	const int64_t *reads; /**< may read only these, ascending; NULL: all */
	size_t n_reads;
	int role; /**< enum drg_key_role, or DRG_KEY_OLD: the key was made before roles existed */
	int32_t requests_per_second, adds_per_day; /**< 0: no limit */
	bool text_ids; /**< every orig_id is a text (M47) */
	_Atomic int64_t *rate; /**< counts requests (access/key_rate.h), outlives changes of the key */
};
enum { DRG_KEY_OLD = -1 };
/** Find a key by the hexadecimal hash, or by its hash before a rotation. NULL: unknown or revoked. The caller
 * checks expiry and `old_until_us`. */
const struct drg_key *drg_catalog_key(const struct drg_catalog *c, struct drg_str key_hash);

/* People who may sign in, and their sessions. */
struct drg_person {
	int64_t id;
	struct drg_str name, password; /**< the hash; empty: no password works */
	int64_t generation; /**< a session of another generation has ended */
	enum drg_person_role role;
	bool disabled;
};
struct drg_session {
	int64_t person, slot;
	int64_t generation, begun_us, seen_us;
	char token_hash[64]; /**< hexadecimal, without a NUL */
	bool by_proxy;
};
const struct drg_person *drg_catalog_person(const struct drg_catalog *c, int64_t id);
/** Find a person by the name for signing in, without regard to the case of ASCII letters; NULL: there is
 * none. */
const struct drg_person *drg_catalog_person_named(const struct drg_catalog *c, struct drg_str name);
/** Find a session; NULL: there is none. The caller checks whether it is still valid. */
const struct drg_session *drg_catalog_session(const struct drg_catalog *c, int64_t person, int64_t slot);

/* Dict records. A handle is the catalog's lasting number for (kind, id): it stays the same while the record
 * is replaced, removed and made again. */
typedef uint32_t drg_handle;
enum { DRG_NO_HANDLE = 0 };

struct drg_dict {
	const struct drg_dict_rec *rec; /**< for drg_dict_name() */
	drg_handle handle;
	enum drg_kind kind;
	int64_t id;
	struct drg_str code; /**< country: iso_alpha_2; currency: iso_code */
	bool is_resort; /**< city */
	drg_handle country, city, category, hotel_type; /**< DRG_NO_HANDLE: none */
};
/** The present id of a dict record: if it was merged, the id of the record that it was merged into; else @p
 * id. */
int64_t drg_catalog_resolve(const struct drg_catalog *c, enum drg_kind kind, int64_t id);
/** Find a dict record by its id, or by an id that was merged into it (@p ret then has another id). @return
 * false: no such live record. */
bool drg_catalog_dict(const struct drg_catalog *c, enum drg_kind kind, int64_t id, struct drg_dict *ret);
bool drg_catalog_dict_at(const struct drg_catalog *c, drg_handle h, struct drg_dict *ret);
/** Find the country with this ISO 3166-1 alpha-2 code, upper case. */
bool drg_catalog_country(const struct drg_catalog *c, struct drg_str code, struct drg_dict *ret);
/** The name in the first language of @p pref that the record has, else in any language; with JSON's escapes,
 * for output. */
struct drg_str drg_dict_name_esc(const struct drg_dict *d, const struct drg_lang_pref *pref);
/** The description of a meal or hotel category, chosen in the same way; p is NULL if it has none. */
struct drg_str drg_dict_description_esc(const struct drg_dict *d, const struct drg_lang_pref *pref);
/** Call fn(ctx, tag, escaped name) for every language of the name. */
typedef void drg_name_fn(void *ctx, struct drg_str tag, struct drg_str name_esc);
void drg_dict_names(const struct drg_catalog *c, const struct drg_dict *d, drg_name_fn *fn, void *ctx);

/**
 * Handles of all dict records of a kind, removed ones too. drg_catalog_dict_at() returns false for a removed
 * record. Each handle comes once.
 */
size_t drg_catalog_kind_handles(const struct drg_catalog *c, enum drg_kind kind, const drg_handle **ret);
/** Handles of the hotels that are or were in a country: check `country` of each. Each handle comes once. */
size_t drg_catalog_country_hotels(const struct drg_catalog *c, drg_handle country, const drg_handle **ret);

/* Source records. */
struct drg_source {
	const struct drg_source_rec *rec; /**< for the functions that write its JSON; NULL: unknown id */
	enum drg_kind kind;
	uint32_t adapter_index;
	struct drg_str id; /**< without escapes */
	struct drg_str name_esc; /**< with JSON's escapes */
	struct drg_str iso_code_esc; /**< currency, with JSON's escapes; p is NULL if it has none */
	bool is_resort;
	drg_handle dict; /**< DRG_NO_HANDLE: not mapped. The dict record may be missing, see dict_at */
};
bool drg_catalog_source(const struct drg_catalog *c, const struct drg_adapter *a, enum drg_kind kind,
                        struct drg_str id, struct drg_source *ret);
/**
 * For many dict ids at once (or ids that were merged into one), return the first supplier record of an
 * adapter that is mapped to each; rec is NULL where there is none. Continue with drg_catalog_next_source().
 */
void drg_catalog_first_sources(const struct drg_catalog *c, const struct drg_adapter *a, enum drg_kind kind,
                               const int64_t *ids, size_t n, struct drg_source *ret);

/** Find the first supplier record of an adapter that is mapped to a dict record. Continue with
 * drg_catalog_next_source(). The records are not sorted: decision M2 asks for ascending ids, so the caller
 * sorts the few that there are. */
bool drg_catalog_first_source(const struct drg_catalog *c, const struct drg_adapter *a, enum drg_kind kind,
                              drg_handle dict, struct drg_source *ret);
bool drg_catalog_next_source(const struct drg_catalog *c, const struct drg_source *s, struct drg_source *ret);

/** Counts over the ids of a request. */
struct drg_mapped_tally {
	size_t mapped; /**< incremented by the number of mapped ids */
	/** array of the caller with room for all ids; the places of known ids that are not mapped are
	 * appended */
	uint32_t *open;
	size_t n_open; /**< incremented by the number of ids in `open` */
};

/** Append the mapped items (spec 2.2: id asked for, source, dict) of @p ids, in their order, separated by
 * commas. This is the fastest way for many ids: while some items are written, the memory of the next ones is
 * fetched. */
void drg_mapped_json(const struct drg_catalog *c, const struct drg_adapter *a, enum drg_kind kind,
                     const struct drg_str *ids, size_t n, const struct drg_lang_pref *pref,
                     struct drg_buf *out, struct drg_mapped_tally *tally);

/** Append the JSON object of a source as tour/sourceInfo shows it (spec 2.2). */
void drg_source_json(const struct drg_catalog *c, const struct drg_source *s, struct drg_buf *out);
/** Append the JSON object of a dict record (spec 2.2), texts in the languages of @p pref. A reference to a
 * record that is missing gets a null name. */
void drg_dict_json(const struct drg_catalog *c, const struct drg_dict *d, const struct drg_lang_pref *pref,
                   struct drg_buf *out);

/** Call fn for every live record that the catalog keeps, as a model record with the fields that the catalog
 * keeps (names, codes, mapping ...). For `dragoman check`. Not concurrent with writing. */
typedef int drg_catalog_row_fn(void *ctx, const struct drg_record *r);
int drg_catalog_each(const struct drg_catalog *c, drg_catalog_row_fn *fn, void *ctx);
