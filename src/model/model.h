/* src/model/model.h
 * The types of records and their fields as one declarative table (docs/interchange.md is its prose). Kinds have
 * a table of their own (model/kinds.h).
 *
 * Everything that handles records reads this table: validation, NDJSON and CSV, the columns of the store, the
 * catalog's loader, the documentation. A new field is one row here, one column in a migration. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"
#include "model/kinds.h"

/** Record types of the interchange format. Internal ones (drg_types[].internal) are stored and fed, never
 * exported. */
enum drg_type_id {
	DRG_TYPE_ADAPTER,
	DRG_TYPE_DICT,
	DRG_TYPE_SOURCE,
	DRG_TYPE_DIRECTION,
	DRG_TYPE_HOTEL_CONTENT,
	DRG_TYPE_AIR_PLACE,
	DRG_TYPE_AIR_SOURCE,
	DRG_TYPE_AIR_MAP,
	DRG_TYPE_REDIRECT,
	DRG_TYPE_MAPPING_EVENT,
	DRG_TYPE_PROFILE,
	DRG_TYPE_NOT_SAME,
	DRG_TYPE_DICT_EVENT,
	DRG_TYPE_API_KEY,
	DRG_TYPE_BATCH,
	DRG_TYPE_BATCH_ITEM,
	DRG_TYPE_SCORECARD,
	DRG_TYPE_PERSON,
	DRG_TYPE_SESSION,
	DRG_TYPE_COUNT
};

/** Live adapters of one store: what a catalog can keep (a source has the number of its adapter in 16 bits). */
enum { DRG_ADAPTERS_MAX = 65535 };

/** The low bits of a field's number: its index in struct drg_record. */
enum { DRG_FIELD_INDEX_BITS = 8 };
/** The number of a type's first own field. */
#define DRG_F_FIRST_OF(type) ((DRG_TYPE_##type + 1) << DRG_FIELD_INDEX_BITS | DRG_F_OWN)

/** Every field. Its wire name is in the type's table, and two fields can share one ("id" is an integer in a
 * dict, a text in a source).
 *
 * The first block has fields of several types, and references to other records. They mean the same in every
 * type, so any record can be asked for them. Each type's own fields follow. Their numbers carry the type in the
 * bits above DRG_FIELD_INDEX_BITS, so each number is a field of one type, and the functions of model/record.h
 * assert that they get a record of that type. Only the index is shared with other types' fields: a type can
 * have up to DRG_F_COUNT fields, however many there are in all.
 *
 * Indexes are stored in snapshots (catalog/image.h). Add a field at the end of its block. */
enum drg_field {
	DRG_F_ID, /**< integer: adapter, dict, redirect, api_key */
	DRG_F_KIND, /**< enum drg_kind */
	DRG_F_ADAPTER_ID,
	DRG_F_SOURCE_ID, /**< text "id" of a supplier record */
	DRG_F_DICT_ID, /**< the mapping of a source */
	DRG_F_CODE,
	DRG_F_NAME, /**< plain text */
	DRG_F_NAMES, /**< "name" by language */
	DRG_F_ISO_CODE,
	DRG_F_LANG,
	DRG_F_COUNTRY_ID, /**< dict country */
	DRG_F_DEP_CITY_ID, /**< dict dep_city */
	DRG_F_CITY_ID, /**< dict city */
	DRG_F_HOTEL_CATEGORY_ID, /**< dict hotel_category */
	DRG_F_HOTEL_TYPE_ID, /**< dict hotel_type */
	DRG_F_FACILITY_GROUP_ID, /**< dict facility_group */
	DRG_F_IS_RESORT,
	DRG_F_LAT, /**< degrees, -90..90 */
	DRG_F_LNG, /**< degrees, -180..180 */
	DRG_F_ADDRESS,
	DRG_F_ZIP,
	DRG_F_PLACE_ID, /**< integer "source_id" of an air place */
	DRG_F_EXTERNAL_ID,
	DRG_F_DATA, /**< JSON object, byte for byte as given; "undo" of a redirect */
	DRG_F_TO,
	DRG_F_AT, /**< RFC 3339 time */
	DRG_F_BY,
	DRG_F_WHY,
	DRG_F_OWN, /**< the first index of each type's own fields */

	/* adapter */
	DRG_F_LOGO = DRG_F_FIRST_OF(ADAPTER),
	DRG_F_DOMAIN, /**< enum drg_domain */
	DRG_F_STAGE, /**< enum drg_stage */

	/* dict */
	DRG_F_ISO_ALPHA_2 = DRG_F_FIRST_OF(DICT),
	DRG_F_DESCRIPTION, /**< by language */

	/* source */
	DRG_F_SRC_CATEGORY_ID = DRG_F_FIRST_OF(SOURCE), /**< text: the supplier's own "category_id" */
	DRG_F_CATEGORY_NAME,
	DRG_F_SRC_COUNTRY_ID, /**< text: the supplier's own "country_id" */
	DRG_F_COUNTRY_NAME,
	DRG_F_SRC_CITY_ID, /**< text: the supplier's own "city_id" */
	DRG_F_CITY_NAME,
	DRG_F_URL,
	DRG_F_PHONE,

	/* hotel_content */
	DRG_F_HOTEL_ID = DRG_F_FIRST_OF(HOTEL_CONTENT), /**< text: supplier hotel */
	DRG_F_CHECK_IN, /**< HH:MM:SS */
	DRG_F_CHECK_OUT,
	DRG_F_ROOM_COUNT,
	DRG_F_DESCRIPTIONS, /**< JSON text, canonical */
	DRG_F_FACILITIES, /**< JSON text, canonical */
	DRG_F_PHOTOS, /**< JSON text, canonical */

	/* air_place */
	DRG_F_PLACE = DRG_F_FIRST_OF(AIR_PLACE), /**< enum drg_place */
	DRG_F_CITY_CODE,
	DRG_F_COUNTRY_CODE,
	DRG_F_WEIGHT,
	DRG_F_ICAO_CODE,

	/* redirect */
	DRG_F_INTO = DRG_F_FIRST_OF(REDIRECT), /**< what it was merged into, where that was merged on */

	/* mapping_event */
	DRG_F_FROM = DRG_F_FIRST_OF(MAPPING_EVENT),
	DRG_F_HOW, /**< enum drg_how */
	DRG_F_OF_BATCH, /**< integer "batch" */

	/* dict_event */
	DRG_F_DICT_HOW = DRG_F_FIRST_OF(DICT_EVENT), /**< enum drg_dict_how, "how" */
	DRG_F_NAME_WAS,
	DRG_F_NAME_IS,
	DRG_F_MERGED_INTO, /**< "into" */

	/* not_same */
	DRG_F_APART_FROM = DRG_F_FIRST_OF(NOT_SAME), /**< integer "dict_id": what the source is not */

	/* batch */
	DRG_F_WHAT = DRG_F_FIRST_OF(BATCH), /**< enum drg_batch_what */
	DRG_F_FILES,
	DRG_F_N_CREATED,
	DRG_F_N_CHANGED,
	DRG_F_N_DELETED,
	DRG_F_UNDONE, /**< RFC 3339 time */
	DRG_F_OF_ADAPTERS, /**< text "adapters"; decide/ledger.h */

	/* batch_item */
	DRG_F_BATCH_ID = DRG_F_FIRST_OF(BATCH_ITEM),
	DRG_F_NUMBER,
	DRG_F_SEQ,

	/* person */
	DRG_F_PERSON_ROLE = DRG_F_FIRST_OF(PERSON), /**< enum drg_person_role */
	DRG_F_PASSWORD, /**< argon2id, as libsodium writes it */
	DRG_F_GENERATION, /**< how often all sessions of the person have been ended */
	DRG_F_DISABLED, /**< may not sign in */
	DRG_F_ADDED, /**< RFC 3339 time */

	/* session; the indexes are those of existing snapshots */
	DRG_F_SESSION_GENERATION = DRG_F_FIRST_OF(SESSION) + 2, /**< that of the person when it began */
	DRG_F_PERSON_ID = DRG_F_FIRST_OF(SESSION) + 5,
	DRG_F_SLOT, /**< 0 to DRG_SESSIONS_OF_ONE - 1 */
	DRG_F_TOKEN_HASH, /**< hexadecimal; base/digest.h */
	DRG_F_BEGUN, /**< microseconds since 1970 */
	DRG_F_SEEN, /**< likewise: when it was used last, roughly */
	DRG_F_BY_PROXY, /**< a proxy in front has signed in the person */

	/* api_key */
	DRG_F_KEY_HASH = DRG_F_FIRST_OF(API_KEY), /**< hex of the hash of an API key */
	DRG_F_SECRET_HASH,
	DRG_F_API, /**< enum drg_api */
	DRG_F_ADAPTERS, /**< JSON array of adapter ids that a key may write; absent: all */
	DRG_F_CREATED, /**< RFC 3339 time */
	DRG_F_EXPIRES, /**< RFC 3339 time */
	DRG_F_REVOKED, /**< RFC 3339 time */
	DRG_F_ROLE, /**< enum drg_key_role; absent: by whether it has a secret */
	DRG_F_READS, /**< adapter ids that a key may read, with commas; absent: all */
	DRG_F_NOTE,
	DRG_F_OLD_HASH, /**< of a key before it was rotated, which works until OLD_UNTIL */
	DRG_F_OLD_SECRET_HASH,
	DRG_F_OLD_UNTIL, /**< RFC 3339 time */
	DRG_F_REQUESTS_PER_SECOND, /**< absent: no limit */
	DRG_F_ADDS_PER_DAY, /**< elements of tour/sourceAdd; absent: no limit */
	DRG_F_TEXT_IDS, /**< every orig_id of tour/sourceData is a text */

	/* Values in a record: at most 64, one bit each. tests/unit/model holds every type to it. */
	DRG_F_COUNT = 44,
	DRG_F_NONE = 255
};
_Static_assert(DRG_F_COUNT <= 64, "struct drg_record keeps one bit per field");

enum drg_domain { DRG_DOMAIN_TOUR, DRG_DOMAIN_AIR };
enum drg_stage { DRG_STAGE_LIVE, DRG_STAGE_MAPPING };
enum drg_place { DRG_PLACE_CITY, DRG_PLACE_APT };
enum drg_api { DRG_API_A, DRG_API_B };
/** The permissions of a key; each role includes the ones before it (decision E19). The numbers are stored. */
enum drg_key_role { DRG_KEY_READER, DRG_KEY_REGISTRAR, DRG_KEY_CURATOR };
extern const char *const drg_key_role_words[]; /**< NULL-terminated */
/** The highest limits of a key (decision E30): requests a second, elements a day. */
enum { DRG_KEY_RATE_MAX = 100000, DRG_KEY_ADDS_MAX = 1000000000 };
/** The permissions of a signed-in user; each role includes the ones before it (decision E24). The numbers are
 * stored. */
enum drg_person_role { DRG_PERSON_VIEWER, DRG_PERSON_CURATOR, DRG_PERSON_ADMIN };
extern const char *const drg_person_role_words[]; /**< NULL-terminated */
/** Simultaneous sessions of one person; one more replaces the one that was used longest ago. */
enum { DRG_SESSIONS_OF_ONE = 8 };
/** The cause of a mapping_event: a decision about this source, its undoing, or a merge or split of dict
 * records. */
enum drg_how {
	DRG_HOW_SET,
	DRG_HOW_UNDO,
	DRG_HOW_MERGE,
	DRG_HOW_SPLIT,
	DRG_HOW_IMPORT, /**< a file said so */
	DRG_HOW_GONE, /**< the source was removed */
	DRG_HOW_BACK, /**< it is there again, and has the mapping that it had */
	DRG_HOW_MATCH, /**< the matcher */
	/** a person judged what the matcher did, in a sample of that; where it was right, `from` is `to` */
	DRG_HOW_AUDIT
};
/** The subject of a dict_event. */
enum drg_dict_how {
	DRG_DICT_HOW_NAME, /**< its name in a language */
	DRG_DICT_HOW_UNDO, /**< of the last decision about that */
	DRG_DICT_HOW_MERGE,
	DRG_DICT_HOW_SPLIT
};
/** The origin of a batch. */
enum drg_batch_what {
	DRG_BATCH_IMPORT,
	DRG_BATCH_LOAD,
	DRG_BATCH_UNDO,
	DRG_BATCH_MAP,
	DRG_BATCH_MATCH,
	DRG_BATCH_DECIDE
};

/** The most characters of texts, for tables that name them at build time; other code asks
 * drg_field_check_text() (model/value.h). No other place repeats them. */
enum {
	DRG_CHARS_ID = 64, /**< a supplier's id of a record */
	DRG_CHARS_NAME = 1024,
	DRG_CHARS_CODE = 64, /**< a supplier's code */
	DRG_CHARS_PERSON = 64, /**< a user's name, for signing in */
	DRG_CHARS_BY = 255, /**< who decided, in a history */
	DRG_CHARS_WHY = 1024, /**< the reason given */
	DRG_CHARS_KEY_NAME = 255,
	DRG_CHARS_KEY_NOTE = 1024,
	DRG_CHARS_FILES = 4096, /**< the names of the files that a batch read */
	DRG_CHARS_LIST = 65536 /**< ids with commas; a scorecard */
};

/** How a value is written, checked and kept. */
enum drg_value_type {
	DRG_V_INT, /**< int64, value.i; bounds in the table */
	DRG_V_ENUM, /**< one of the words in the table, value.i its index */
	DRG_V_BOOL, /**< value.i 0 or 1 */
	DRG_V_REAL, /**< value.d; bounds in the table */
	DRG_V_SRCID, /**< 1..64 characters; an integer is taken as its decimal text */
	DRG_V_TEXT, /**< min..max characters (code points); no control characters but tab and newline (M11) */
	DRG_V_NAMES, /**< string or object by language; kept as a JSON object sorted by language tag */
	DRG_V_LANG, /**< a language tag (L1), kept in lower case */
	DRG_V_UPPER, /**< ASCII letters and digits, exactly max characters, kept in upper case */
	DRG_V_TIME, /**< HH:MM:SS */
	DRG_V_STAMP, /**< RFC 3339 date-time in UTC */
	DRG_V_JSON, /**< array checked by the type's own rule, kept as canonical JSON text */
	DRG_V_RAW /**< JSON object kept byte for byte */
};

enum drg_field_flags {
	DRG_FF_ID = 1, /**< part of the identity */
	DRG_FF_REQUIRED = 2, /**< must be there and not null */
	DRG_FF_NULL = 4, /**< an explicit null differs from absence (dict_id) */
	DRG_FF_UNIQUE = 8, /**< no two live records of the type and kind share it */
	DRG_FF_DEFAULT = 16, /**< absent means dflt, which is stored */
	DRG_FF_KEEP = 32, /**< absent keeps what is stored (dict_id) */
	DRG_FF_CATALOG = 64, /**< the catalog keeps it (identities it keeps anyway) */
	DRG_FF_CATALOG_HOTEL = 128, /**< of a hotel the catalog keeps it */
	DRG_FF_AMOUNT = 256 /**< INT that counts something; other INT are ids */
};

/** One field of one type. */
struct drg_field_def {
	enum drg_field field;
	const char *wire; /**< member name on the wire and column name in the store */
	enum drg_value_type vtype;
	unsigned flags; /**< enum drg_field_flags; identity fields are also required */
	double min, max; /**< INT, REAL: bounds; TEXT: characters; UPPER: length */
	int64_t dflt; /**< DRG_FF_DEFAULT of INT, ENUM, BOOL; LANG defaults to "en" */
	const char *const *words; /**< ENUM: NULL-terminated; an empty one is the place of no word */
	/** The kind of record that the value must name: the dict kind, or DRG_REF_OWN_KIND for the record's
	 * own kind, DRG_REF_ADAPTER, DRG_REF_PLACE, DRG_REF_SOURCE_HOTEL, or DRG_REF_NONE. */
	int ref;
	unsigned kinds; /**< bit set of kinds that have it; 0: every kind of the type */
	const char *doc;
};

enum {
	DRG_REF_NONE = -1,
	DRG_REF_OWN_KIND = -2,
	DRG_REF_ADAPTER = -3,
	DRG_REF_PLACE = -4,
	DRG_REF_SOURCE_HOTEL = -5
};

/** One record type. */
struct drg_type {
	enum drg_type_id id;
	const char *name; /**< wire value of "type" and table name in the store */
	const struct drg_field_def *fields; /**< in canonical order: identity first */
	unsigned n_fields;
	unsigned kinds; /**< a bit for each kind that it has; 0: it has no kinds */
	bool internal; /**< stays in the store where it was made: never in a file */
	bool in_catalog; /**< the catalog has every live row of it */
	const char *doc;
};

extern const struct drg_type drg_types[DRG_TYPE_COUNT];

/** @return NULL when there is none of that name. */
const struct drg_type *drg_type_by_name(struct drg_str name);
/** The definition of a field in a type; NULL when the type lacks it. */
const struct drg_field_def *drg_field_of(const struct drg_type *type, enum drg_field field);

/** The index of a field's value in struct drg_record. */
static inline unsigned drg_field_index(enum drg_field field)
{
	return (unsigned)field & ((1U << DRG_FIELD_INDEX_BITS) - 1);
}

/** Its bit in a set of fields of one type, as in struct drg_record. */
static inline uint64_t drg_field_bit(enum drg_field field)
{
	return UINT64_C(1) << drg_field_index(field);
}

/** Do the records of a type and kind have this field? */
bool drg_kind_has(enum drg_type_id type, enum drg_kind kind, enum drg_field field);

/** The kind of record that this field of a dict record names; DRG_KIND_NONE: it names none. */
enum drg_kind drg_kind_named_by(enum drg_field field);

/** A reference from a record of one kind to a record of another: a hotel's city. */
struct drg_kind_parent {
	const char *what; /**< for people: "category" */
	enum drg_kind kind;
	enum drg_field dict; /**< of a dict record: the id of its parent */
	enum drg_field id, source_name; /**< of a source record: the supplier's id and name of it */
};
enum { DRG_PARENT_COUNTRY, DRG_PARENT_CITY, DRG_PARENT_CATEGORY, DRG_KIND_PARENTS };
extern const struct drg_kind_parent drg_kind_parents[DRG_KIND_PARENTS];
/** @return NULL: it is the parent of none. */
const struct drg_kind_parent *drg_kind_parent(enum drg_kind kind);

/** Does the catalog keep this field of a record of this kind (DRG_KIND_NONE: of a type without kinds)? */
static inline bool drg_field_in_catalog(const struct drg_field_def *f, enum drg_kind kind)
{
	unsigned wanted = kind == DRG_KIND_HOTEL ? DRG_FF_CATALOG | DRG_FF_CATALOG_HOTEL : DRG_FF_CATALOG;
	return (f->flags & wanted) != 0;
}

/** Is it a number that people calculate with, and no id? */
static inline bool drg_field_is_amount(const struct drg_field_def *f)
{
	return f->vtype == DRG_V_REAL || (f->flags & DRG_FF_AMOUNT) != 0;
}

/** Does this field exist for this kind (any kind, when the type has none)? */
static inline bool drg_field_applies(const struct drg_field_def *f, enum drg_kind kind)
{
	return f->kinds == 0 || (f->kinds >> (unsigned)kind & 1) != 0;
}
