#include "model/model.h"

#include "base/compiler.h"

/* The table. Column order: field, wire name, type, flags, min, max, default, words, reference, kinds, doc. */

#define ID DRG_FF_ID
#define REQ DRG_FF_REQUIRED
#define DEF DRG_FF_DEFAULT
#define CAT DRG_FF_CATALOG
#define CAT_HOTEL DRG_FF_CATALOG_HOTEL
#define AMOUNT DRG_FF_AMOUNT
#define K(kind) (1U << DRG_KIND_##kind)
#define I64 -0x1p63, 0x1p63
#define NOREF DRG_REF_NONE

#define WORD(number, NAME, name, ...) [number] = name,
#define SOURCE_WORD(number, NAME, name, plural, title, label, compared, ...)                                 \
	[number] = DRG_COMPARED_##compared != DRG_COMPARED_NOT ? name : "",
static const char *const kind_words[DRG_KIND_COUNT + 1] = { DRG_KINDS(WORD) };
static const char *const source_kind_words[DRG_KIND_COUNT + 1] = { DRG_KINDS(SOURCE_WORD) };
static const char *const domain_words[] = { "tour", "air", NULL };
static const char *const stage_words[] = { "live", "mapping", NULL };
static const char *const place_words[] = { "city", "apt", NULL };
static const char *const how_words[] = { "set",  "undo", "merge", "split", "import",
	                                 "gone", "back", "match", "audit", NULL };
static const char *const dict_how_words[] = { "name", "undo", "merge", "split", NULL };
static const char *const batch_words[] = { "import", "load", "undo", "map", "match", "decide", NULL };
static const char *const api_words[] = { "a", "b", NULL };
const char *const drg_person_role_words[] = { "viewer", "curator", "admin", NULL };
const char *const drg_key_role_words[] = { "reader", "registrar", "curator", NULL };

/* clang-format off */
static const struct drg_field_def adapter_fields[] = {
	{ DRG_F_ID,      "id",     DRG_V_INT,  ID,                  1, 0x7fffffff, 0, NULL, NOREF, 0,
		"number of the adapter" },
	{ DRG_F_CODE,    "code",   DRG_V_TEXT, REQ | DRG_FF_UNIQUE | CAT, 1, DRG_CHARS_CODE, 0, NULL, NOREF, 0,
		"short code, as in API A" },
	{ DRG_F_NAME,    "name",   DRG_V_TEXT, REQ | CAT,           1, DRG_CHARS_NAME, 0, NULL, NOREF, 0,
		"name shown to people" },
	{ DRG_F_LOGO,    "logo",   DRG_V_TEXT, CAT,                 1, 2048, 0, NULL,         NOREF, 0,
		"URL of the logo" },
	{ DRG_F_DOMAIN,  "domain", DRG_V_ENUM, REQ | CAT,           0, 0,    0, domain_words, NOREF, 0,
		"the data that it supplies" },
	{ DRG_F_STAGE,   "stage",  DRG_V_ENUM, DEF | CAT,           0, 0,    DRG_STAGE_LIVE, stage_words,
		NOREF, 0, "`mapping` while its data is being mapped: it is then listed only with `demo`" },
};

static const struct drg_field_def dict_fields[] = {
	{ DRG_F_KIND,              "kind",              DRG_V_ENUM,  ID,                  0, 0,     0,
		kind_words, NOREF, 0, "kind of the record" },
	{ DRG_F_ID,                "id",                DRG_V_INT,   ID,                  I64,      0, NULL,
		NOREF, 0, "number within the kind; may be negative" },
	{ DRG_F_NAMES,             "name",              DRG_V_NAMES, REQ | CAT,           1, DRG_CHARS_NAME, 0,
		NULL,
		NOREF, 0, "its name" },
	{ DRG_F_ISO_ALPHA_2,       "iso_alpha_2",       DRG_V_UPPER, REQ | DRG_FF_UNIQUE | CAT, 2, 2,     0,
		NULL, NOREF, K(COUNTRY), "ISO 3166-1 alpha-2 code" },
	{ DRG_F_ISO_CODE,          "iso_code",          DRG_V_UPPER, REQ | DRG_FF_UNIQUE | CAT, 3, 3,     0,
		NULL, NOREF, K(CURRENCY), "ISO 4217 code" },
	{ DRG_F_COUNTRY_ID,        "country_id",        DRG_V_INT,   REQ | CAT,           I64,      0, NULL,
		DRG_KIND_COUNTRY, K(DEP_CITY) | K(CITY) | K(HOTEL), "its country" },
	{ DRG_F_CITY_ID,           "city_id",           DRG_V_INT,   REQ | CAT,           I64,      0, NULL,
		DRG_KIND_CITY, K(HOTEL), "its city" },
	{ DRG_F_HOTEL_CATEGORY_ID, "hotel_category_id", DRG_V_INT,   REQ | CAT,           I64,      0, NULL,
		DRG_KIND_HOTEL_CATEGORY, K(HOTEL), "its category" },
	{ DRG_F_HOTEL_TYPE_ID,     "hotel_type_id",     DRG_V_INT,   CAT,                 I64,      0, NULL,
		DRG_KIND_HOTEL_TYPE, K(HOTEL), "its type" },
	{ DRG_F_FACILITY_GROUP_ID, "facility_group_id", DRG_V_INT,   REQ,                 I64,      0, NULL,
		DRG_KIND_FACILITY_GROUP, K(FACILITY_TYPE), "its group" },
	{ DRG_F_IS_RESORT,         "is_resort",         DRG_V_BOOL,  DEF | CAT,           0, 1,     0, NULL,
		NOREF, K(CITY), "whether the city is a resort too" },
	{ DRG_F_LAT,               "lat",               DRG_V_REAL,  0,                   -90, 90,  0, NULL,
		NOREF, K(CITY) | K(HOTEL), "latitude in degrees" },
	{ DRG_F_LNG,               "lng",               DRG_V_REAL,  0,                  -180, 180, 0, NULL,
		NOREF, K(CITY) | K(HOTEL), "longitude in degrees" },
	{ DRG_F_ADDRESS,           "address",           DRG_V_TEXT,  0,                   1, 1024,  0, NULL,
		NOREF, K(HOTEL), "street address" },
	{ DRG_F_ZIP,               "zip",               DRG_V_TEXT,  0,                   1, 32,    0, NULL,
		NOREF, K(HOTEL), "postal code" },
	{ DRG_F_DESCRIPTION,       "description",       DRG_V_NAMES, CAT,                 1, 4096,  0, NULL,
		NOREF, K(MEAL) | K(HOTEL_CATEGORY), "description of the meal or category" },
};

static const struct drg_field_def source_fields[] = {
	{ DRG_F_ADAPTER_ID,      "adapter_id",    DRG_V_INT,   ID,  1, 0x7fffffff, 0, NULL, DRG_REF_ADAPTER,
		0, "the supplier" },
	{ DRG_F_KIND,            "kind",          DRG_V_ENUM,  ID,  0, 0,    0, source_kind_words, NOREF, 0,
		"kind of the record" },
	{ DRG_F_SOURCE_ID,       "id",            DRG_V_SRCID, ID,  1, DRG_CHARS_ID,   0, NULL, NOREF, 0,
		"the supplier's identifier" },
	{ DRG_F_NAME,            "name",          DRG_V_TEXT,  REQ | CAT, 1, DRG_CHARS_NAME, 0, NULL, NOREF, 0,
		"the supplier's name" },
	{ DRG_F_LANG,            "lang",          DRG_V_LANG,  DEF, 0, 0,    0, NULL, NOREF, 0,
		"language of the supplier's texts" },
	{ DRG_F_DICT_ID,         "dict_id",       DRG_V_INT,   DRG_FF_NULL | DRG_FF_KEEP | CAT, I64, 0, NULL,
		DRG_REF_OWN_KIND, 0, "the mapping, see below; null: not mapped; absent: as it was" },
	{ DRG_F_ISO_CODE,        "iso_code",      DRG_V_TEXT,  CAT, 3, 3,    0, NULL, NOREF, K(CURRENCY),
		"ISO 4217 code as the supplier writes it" },
	{ DRG_F_IS_RESORT,       "is_resort",     DRG_V_BOOL,  DEF | CAT, 0, 1,    0, NULL, NOREF, K(CITY),
		"whether the supplier calls it a resort" },
	{ DRG_F_SRC_CATEGORY_ID, "category_id",   DRG_V_SRCID, CAT_HOTEL, 1, DRG_CHARS_ID, 0, NULL,
		NOREF, K(HOTEL),
		"the supplier's category" },
	{ DRG_F_CATEGORY_NAME,   "category_name", DRG_V_TEXT,  CAT_HOTEL, 1, DRG_CHARS_NAME, 0, NULL,
		NOREF, K(HOTEL),
		"its name" },
	{ DRG_F_SRC_COUNTRY_ID,  "country_id",    DRG_V_SRCID, CAT_HOTEL, 1, DRG_CHARS_ID,   0, NULL, NOREF,
		K(CITY) | K(HOTEL), "the supplier's country" },
	{ DRG_F_COUNTRY_NAME,    "country_name",  DRG_V_TEXT,  CAT_HOTEL, 1, DRG_CHARS_NAME, 0, NULL, NOREF,
		K(CITY) | K(HOTEL), "its name" },
	{ DRG_F_SRC_CITY_ID,     "city_id",       DRG_V_SRCID, CAT_HOTEL, 1, DRG_CHARS_ID, 0, NULL,
		NOREF, K(HOTEL),
		"the supplier's city" },
	{ DRG_F_CITY_NAME,       "city_name",     DRG_V_TEXT,  CAT_HOTEL, 1, DRG_CHARS_NAME, 0, NULL,
		NOREF, K(HOTEL),
		"its name" },
	{ DRG_F_LAT,             "lat",           DRG_V_REAL,  0,   -90, 90, 0, NULL, NOREF,
		K(CITY) | K(HOTEL), "latitude in degrees" },
	{ DRG_F_LNG,             "lng",           DRG_V_REAL,  0,  -180, 180,0, NULL, NOREF,
		K(CITY) | K(HOTEL), "longitude in degrees" },
	{ DRG_F_ADDRESS,         "address",       DRG_V_TEXT,  0,   1, 1024, 0, NULL, NOREF, K(HOTEL),
		"street address" },
	{ DRG_F_ZIP,             "zip",           DRG_V_TEXT,  0,   1, 32,   0, NULL, NOREF, K(HOTEL),
		"postal code" },
	{ DRG_F_URL,             "url",           DRG_V_TEXT,  0,   1, 2048, 0, NULL, NOREF, K(HOTEL),
		"page of the hotel" },
	{ DRG_F_PHONE,           "phone",         DRG_V_TEXT,  0,   1, 64,   0, NULL, NOREF, K(HOTEL),
		"telephone" },
};

static const struct drg_field_def direction_fields[] = {
	{ DRG_F_ADAPTER_ID,  "adapter_id",  DRG_V_INT, ID, 1, 0x7fffffff, 0, NULL, DRG_REF_ADAPTER,   0,
		"the supplier" },
	{ DRG_F_DEP_CITY_ID, "dep_city_id", DRG_V_INT, ID, I64,           0, NULL, DRG_KIND_DEP_CITY, 0,
		"departure city" },
	{ DRG_F_COUNTRY_ID,  "country_id",  DRG_V_INT, ID, I64,           0, NULL, DRG_KIND_COUNTRY,  0,
		"destination" },
};

static const struct drg_field_def hotel_content_fields[] = {
	{ DRG_F_ADAPTER_ID,   "adapter_id",   DRG_V_INT,   ID, 1, 0x7fffffff, 0, NULL, DRG_REF_ADAPTER, 0,
		"the supplier" },
	{ DRG_F_HOTEL_ID,     "hotel_id",     DRG_V_SRCID, ID, 1, DRG_CHARS_ID, 0,
		NULL, DRG_REF_SOURCE_HOTEL, 0,
		"the supplier's hotel" },
	{ DRG_F_CHECK_IN,     "check_in",     DRG_V_TIME,  0,  0, 0,       0, NULL, NOREF, 0,
		"earliest arrival" },
	{ DRG_F_CHECK_OUT,    "check_out",    DRG_V_TIME,  0,  0, 0,       0, NULL, NOREF, 0,
		"latest departure" },
	{ DRG_F_ROOM_COUNT,   "room_count",   DRG_V_INT,   AMOUNT, 0, 1000000, 0, NULL, NOREF, 0,
		"number of rooms" },
	{ DRG_F_DESCRIPTIONS, "descriptions", DRG_V_JSON,  0,  0, 0,       0, NULL, NOREF, 0,
		"of descriptions" },
	{ DRG_F_FACILITIES,   "facilities",   DRG_V_JSON,  0,  0, 0,       0, NULL, NOREF, 0,
		"of groups of facilities" },
	{ DRG_F_PHOTOS,       "photos",       DRG_V_JSON,  0,  0, 0,       0, NULL, NOREF, 0, "of photos" },
};

static const struct drg_field_def air_place_fields[] = {
	{ DRG_F_PLACE_ID,     "source_id",    DRG_V_INT,   ID,  I64,       0, NULL, NOREF, 0,
		"number of the place" },
	{ DRG_F_PLACE,        "place",        DRG_V_ENUM,  REQ | CAT, 0, 0,      0, place_words, NOREF, 0,
		"city or airport" },
	{ DRG_F_CODE,         "code",         DRG_V_UPPER, REQ | CAT, 3, 3,      0, NULL, NOREF, 0,
		"IATA code" },
	{ DRG_F_NAMES,        "name",         DRG_V_NAMES, REQ | CAT, 1, DRG_CHARS_NAME,   0, NULL, NOREF, 0,
		"its name" },
	{ DRG_F_CITY_CODE,    "city_code",    DRG_V_UPPER, CAT, 3, 3,      0, NULL, NOREF, 0,
		"IATA code of the city of an airport" },
	{ DRG_F_COUNTRY_CODE, "country_code", DRG_V_UPPER, REQ | CAT, 2, 2,      0, NULL, NOREF, 0,
		"ISO 3166-1 alpha-2 code" },
	{ DRG_F_LAT,          "lat",          DRG_V_REAL,  0,   -90, 90,   0, NULL, NOREF, 0,
		"latitude in degrees" },
	{ DRG_F_LNG,          "lng",          DRG_V_REAL,  0,   -180, 180, 0, NULL, NOREF, 0,
		"longitude in degrees" },
	{ DRG_F_WEIGHT,       "weight",       DRG_V_INT,   CAT | AMOUNT, 0, 1000000000, 0, NULL, NOREF, 0,
		"for ranking: the higher, the earlier" },
	{ DRG_F_ICAO_CODE,    "icao_code",    DRG_V_UPPER, CAT, 4, 4,      0, NULL, NOREF, 0,
		"ICAO code of an airport" },
};

static const struct drg_field_def air_source_fields[] = {
	{ DRG_F_ADAPTER_ID,  "adapter_id",  DRG_V_INT,   ID,  1, 0x7fffffff, 0, NULL, DRG_REF_ADAPTER, 0,
		"the air supplier" },
	{ DRG_F_PLACE_ID,    "source_id",   DRG_V_INT,   ID,  I64,   0, NULL, DRG_REF_PLACE, 0, "the place" },
	{ DRG_F_EXTERNAL_ID, "external_id", DRG_V_SRCID, CAT, 1, DRG_CHARS_ID, 0, NULL, NOREF, 0,
		"the supplier's identifier" },
	{ DRG_F_DATA,        "data",        DRG_V_RAW,   REQ | CAT, 0, 0,  0, NULL, NOREF, 0,
		"anything; kept and returned byte for byte" },
};

static const struct drg_field_def air_map_fields[] = {
	{ DRG_F_ADAPTER_ID,  "adapter_id",  DRG_V_INT,   ID,  1, 0x7fffffff, 0, NULL, DRG_REF_ADAPTER, 0,
		"the air supplier" },
	{ DRG_F_EXTERNAL_ID, "external_id", DRG_V_SRCID, ID,  1, DRG_CHARS_ID, 0, NULL, NOREF, 0,
		"the supplier's identifier" },
	{ DRG_F_PLACE_ID,    "source_id",   DRG_V_INT,   REQ | CAT, I64,   0, NULL, DRG_REF_PLACE, 0,
		"the place" },
};

static const struct drg_field_def redirect_fields[] = {
	{ DRG_F_KIND, "kind", DRG_V_ENUM, ID,  0, 0, 0, kind_words, NOREF, 0, "kind of the dict record" },
	{ DRG_F_ID,   "id",   DRG_V_INT,  ID,  I64,  0, NULL, NOREF, 0, "the id that was merged away" },
	{ DRG_F_TO,   "to",   DRG_V_INT,  REQ | CAT, I64,  0, NULL, DRG_REF_OWN_KIND, 0, "where it went" },
	{ DRG_F_INTO, "into", DRG_V_INT,  0,   I64,  0, NULL, NOREF, 0,
		"the record that it was merged into, if that was merged later; absent: `to`" },
	{ DRG_F_AT,   "at",   DRG_V_STAMP, 0,  0, 0, 0, NULL, NOREF, 0, "when it was merged" },
	{ DRG_F_BY,   "by",   DRG_V_TEXT, 0,   1, DRG_CHARS_BY, 0, NULL, NOREF, 0, "author of the merge" },
	{ DRG_F_WHY,  "why",  DRG_V_TEXT, 0,   1, DRG_CHARS_WHY, 0, NULL, NOREF, 0, "the reason given" },
	{ DRG_F_DATA, "undo", DRG_V_RAW,  0,   0, 0, 0, NULL, NOREF, 0,
		"data for `dict split`, see below; absent: it cannot be split" },
};

static const struct drg_field_def mapping_event_fields[] = {
	{ DRG_F_ADAPTER_ID, "adapter_id", DRG_V_INT,   ID, 1, 0x7fffffff, 0, NULL, DRG_REF_ADAPTER, 0,
		"the supplier" },
	{ DRG_F_KIND,       "kind",       DRG_V_ENUM,  ID, 0, 0,    0, source_kind_words, NOREF, 0,
		"kind of the source" },
	{ DRG_F_SOURCE_ID,  "id",         DRG_V_SRCID, ID, 1, DRG_CHARS_ID,   0, NULL, NOREF, 0,
		"the supplier's identifier" },
	{ DRG_F_AT,         "at",         DRG_V_STAMP, ID, 0, 0,    0, NULL, NOREF, 0, "when it was taken" },
	{ DRG_F_FROM,       "from",       DRG_V_INT,   0,  I64,     0, NULL, NOREF, 0,
		"dict id before; absent: not mapped" },
	{ DRG_F_TO,         "to",         DRG_V_INT,   0,  I64,     0, NULL, NOREF, 0,
		"dict id after; absent: not mapped" },
	{ DRG_F_BY,         "by",         DRG_V_TEXT,  0,  1, DRG_CHARS_BY,  0, NULL, NOREF, 0,
		"author of the decision" },
	{ DRG_F_WHY,        "why",        DRG_V_TEXT,  0,  1, DRG_CHARS_WHY, 0, NULL, NOREF, 0,
		"the reason given" },
	{ DRG_F_HOW,        "how",        DRG_V_ENUM,  DEF, 0, 0,   DRG_HOW_SET, how_words, NOREF, 0,
		"how it came about, see below" },
	{ DRG_F_OF_BATCH,   "batch",      DRG_V_INT,   0,  I64,     0, NULL, NOREF, 0,
		"number of the batch, in the store where it was taken" },
};

static const struct drg_field_def profile_fields[] = {
	{ DRG_F_ADAPTER_ID, "adapter_id", DRG_V_INT,  ID,  1, 0x7fffffff, 0, NULL, DRG_REF_ADAPTER, 0,
		"the supplier" },
	{ DRG_F_KIND,       "kind",       DRG_V_ENUM, ID,  0, 0, 0, source_kind_words, NOREF, 0,
		"kind of each row" },
	{ DRG_F_DATA,       "data",       DRG_V_RAW,  REQ, 0, 0, 0, NULL, NOREF, 0, "see below" },
};

static const struct drg_field_def not_same_fields[] = {
	{ DRG_F_ADAPTER_ID, "adapter_id", DRG_V_INT,   ID, 1, 0x7fffffff, 0, NULL, DRG_REF_ADAPTER, 0,
		"the supplier" },
	{ DRG_F_KIND,       "kind",       DRG_V_ENUM,  ID, 0, 0,    0, source_kind_words, NOREF, 0,
		"kind of the source" },
	{ DRG_F_SOURCE_ID,  "id",         DRG_V_SRCID, ID, 1, DRG_CHARS_ID,   0, NULL, NOREF, 0,
		"the supplier's identifier" },
	{ DRG_F_APART_FROM, "dict_id",    DRG_V_INT,   ID, I64,     0, NULL, NOREF, 0,
		"the dict id that it is not" },
	{ DRG_F_AT,         "at",         DRG_V_STAMP, 0,  0, 0,    0, NULL, NOREF, 0, "when it was said" },
	{ DRG_F_BY,         "by",         DRG_V_TEXT,  0,  1, DRG_CHARS_BY,  0, NULL, NOREF, 0, "author" },
	{ DRG_F_WHY,        "why",        DRG_V_TEXT,  0,  1, DRG_CHARS_WHY, 0, NULL, NOREF, 0,
		"the reason given" },
};

static const struct drg_field_def dict_event_fields[] = {
	{ DRG_F_KIND,        "kind", DRG_V_ENUM,  ID,  0, 0,    0, kind_words, NOREF, 0,
		"kind of the dict record" },
	{ DRG_F_ID,          "id",   DRG_V_INT,   ID,  I64,     0, NULL, NOREF, 0,
		"its dict id; of a merge that which went, of a split that which came back" },
	{ DRG_F_AT,          "at",   DRG_V_STAMP, ID,  0, 0,    0, NULL, NOREF, 0, "when it was taken" },
	{ DRG_F_DICT_HOW,    "how",  DRG_V_ENUM,  REQ, 0, 0,    0, dict_how_words, NOREF, 0,
		"the decision, see below" },
	{ DRG_F_LANG,        "lang", DRG_V_LANG,  0,   0, 0,    0, NULL, NOREF, 0,
		"language of the name that was decided about" },
	{ DRG_F_NAME_WAS,    "was",  DRG_V_TEXT,  0,   1, DRG_CHARS_NAME, 0, NULL, NOREF, 0,
		"name before; absent: there was none" },
	{ DRG_F_NAME_IS,     "is",   DRG_V_TEXT,  0,   1, DRG_CHARS_NAME, 0, NULL, NOREF, 0,
		"name after; absent: there is none" },
	{ DRG_F_MERGED_INTO, "into", DRG_V_INT,   0,   I64,     0, NULL, NOREF, 0,
		"dict id that it was merged into, or split from" },
	{ DRG_F_BY,          "by",   DRG_V_TEXT,  0,   1, DRG_CHARS_BY,  0, NULL, NOREF, 0,
		"author of the decision" },
	{ DRG_F_WHY,         "why",  DRG_V_TEXT,  0,   1, DRG_CHARS_WHY, 0, NULL, NOREF, 0,
		"the reason given" },
};

static const struct drg_field_def api_key_fields[] = {
	{ DRG_F_ID,          "id",          DRG_V_INT,   ID,  1, 0x7fffffff, 0, NULL, NOREF, 0,
		"number of the key" },
	{ DRG_F_API,         "api",         DRG_V_ENUM,  REQ | CAT, 0, 0,    0, api_words, NOREF, 0, "a or b" },
	{ DRG_F_KEY_HASH,    "key_hash",    DRG_V_TEXT,  REQ | CAT, 1, 128,  0, NULL, NOREF, 0,
		"hash of the key, hexadecimal" },
	{ DRG_F_SECRET_HASH, "secret_hash", DRG_V_TEXT,  CAT, 1, 128,  0, NULL, NOREF, 0,
		"hash of the secret, hexadecimal" },
	{ DRG_F_NAME,        "name",        DRG_V_TEXT,  0,   1, DRG_CHARS_KEY_NAME, 0, NULL, NOREF, 0,
		"purpose" },
	{ DRG_F_ADAPTERS,    "adapters",    DRG_V_TEXT,  0,   1, DRG_CHARS_LIST, 0, NULL, NOREF, 0,
		"adapter ids it may write, with commas; absent: all" },
	{ DRG_F_CREATED,     "created",     DRG_V_STAMP, REQ, 0, 0,    0, NULL, NOREF, 0, "when it was made" },
	{ DRG_F_EXPIRES,     "expires",     DRG_V_STAMP, 0,   0, 0,    0, NULL, NOREF, 0,
		"when it stops working" },
	{ DRG_F_REVOKED,     "revoked",     DRG_V_STAMP, 0,   0, 0,    0, NULL, NOREF, 0,
		"when it was revoked" },
	{ DRG_F_ROLE,        "role",        DRG_V_ENUM,  CAT, 0, 0,    0, drg_key_role_words, NOREF, 0,
		"its permissions" },
	{ DRG_F_READS,       "reads",       DRG_V_TEXT,  0,   1, DRG_CHARS_LIST, 0, NULL, NOREF, 0,
		"adapter ids it may read, with commas; absent: all" },
	{ DRG_F_NOTE,        "note",        DRG_V_TEXT,  0,   1, DRG_CHARS_KEY_NOTE, 0, NULL, NOREF, 0,
		"a note for people" },
	{ DRG_F_OLD_HASH,        "old_hash",        DRG_V_TEXT,  CAT, 1, 128, 0, NULL, NOREF, 0,
		"hash of the key before it was rotated" },
	{ DRG_F_OLD_SECRET_HASH, "old_secret_hash", DRG_V_TEXT,  CAT, 1, 128, 0, NULL, NOREF, 0,
		"likewise of the secret" },
	{ DRG_F_OLD_UNTIL,       "old_until",       DRG_V_STAMP, CAT, 0, 0,   0, NULL, NOREF, 0,
		"until when these work" },
	{ DRG_F_REQUESTS_PER_SECOND, "requests_per_second", DRG_V_INT, CAT | AMOUNT, 1, DRG_KEY_RATE_MAX, 0,
		NULL, NOREF, 0, "of each server; absent: no limit" },
	{ DRG_F_ADDS_PER_DAY,    "adds_per_day",    DRG_V_INT,   CAT | AMOUNT, 1, DRG_KEY_ADDS_MAX, 0, NULL,
		NOREF, 0, "elements of tour/sourceAdd; absent: no limit" },
	{ DRG_F_TEXT_IDS,        "text_ids",        DRG_V_BOOL,  CAT,  0, 1,   0, NULL, NOREF, 0,
		"every orig_id of tour/sourceData is a text; absent: no" },
};

static const struct drg_field_def batch_fields[] = {
	{ DRG_F_ID,        "id",      DRG_V_INT,   ID,  I64,     0, NULL, NOREF, 0, "number of the batch" },
	{ DRG_F_AT,        "at",      DRG_V_STAMP, REQ, 0, 0,    0, NULL, NOREF, 0, "when it began" },
	{ DRG_F_WHAT,      "what",    DRG_V_ENUM,  REQ, 0, 0,    0, batch_words, NOREF, 0, "origin" },
	{ DRG_F_BY,        "by",      DRG_V_TEXT,  0,   1, DRG_CHARS_BY,  0, NULL, NOREF, 0, "who" },
	{ DRG_F_WHY,       "why",     DRG_V_TEXT,  0,   1, DRG_CHARS_WHY, 0, NULL, NOREF, 0, "reason given" },
	{ DRG_F_FILES,     "files",   DRG_V_TEXT,  0,   1, DRG_CHARS_FILES, 0, NULL, NOREF, 0,
		"files that were read" },
	{ DRG_F_N_CREATED, "created", DRG_V_INT,   AMOUNT,   I64,     0, NULL, NOREF, 0, "records" },
	{ DRG_F_N_CHANGED, "changed", DRG_V_INT,   AMOUNT,   I64,     0, NULL, NOREF, 0, "records" },
	{ DRG_F_N_DELETED, "removed", DRG_V_INT,   AMOUNT,   I64,     0, NULL, NOREF, 0, "records" },
	{ DRG_F_UNDONE,    "undone",  DRG_V_STAMP, 0,   0, 0,    0, NULL, NOREF, 0, "when it was undone" },
	{ DRG_F_OF_ADAPTERS, "adapters", DRG_V_TEXT, 0, 0, DRG_CHARS_FILES, 0, NULL, NOREF, 0,
		"suppliers whose records it has written, with commas; absent: not kept" },
};

static const struct drg_field_def batch_item_fields[] = {
	{ DRG_F_BATCH_ID, "batch_id", DRG_V_INT, ID,  I64,  0, NULL, NOREF, 0, "the batch" },
	{ DRG_F_NUMBER,   "number",   DRG_V_INT, ID,  I64,  0, NULL, NOREF, 0, "place in it" },
	{ DRG_F_SEQ,      "at_seq",   DRG_V_INT, REQ, I64,  0, NULL, NOREF, 0, "commit" },
	{ DRG_F_DATA,     "was",      DRG_V_RAW, 0,   0, 0, 0, NULL, NOREF, 0,
		"the record before; absent: marks a commit" },
};

static const struct drg_field_def scorecard_fields[] = {
	{ DRG_F_ID,   "id",   DRG_V_INT,   ID,  1, 0x7fffffff, 0, NULL, NOREF, 0,
		"its number; the highest is in use" },
	{ DRG_F_AT,   "at",   DRG_V_STAMP, REQ, 0, 0,    0, NULL, NOREF, 0, "when it was taken into use" },
	{ DRG_F_BY,   "by",   DRG_V_TEXT,  0,   1, DRG_CHARS_BY,  0, NULL, NOREF, 0, "author of the change" },
	{ DRG_F_WHY,  "why",  DRG_V_TEXT,  0,   1, DRG_CHARS_WHY, 0, NULL, NOREF, 0, "reason given" },
	{ DRG_F_DATA, "data", DRG_V_TEXT,  0,   1, DRG_CHARS_LIST, 0, NULL, NOREF, 0,
		"the scorecard; absent: the program's own" },
};

static const struct drg_field_def person_fields[] = {
	{ DRG_F_ID,          "id",         DRG_V_INT,   ID,  1, 0x7fffffff, 0, NULL, NOREF, 0,
		"number of the person" },
	{ DRG_F_NAME,        "name",       DRG_V_TEXT,  REQ | CAT, 1, DRG_CHARS_PERSON,   0, NULL, NOREF, 0,
		"name for signing in" },
	{ DRG_F_PERSON_ROLE, "role",       DRG_V_ENUM,  REQ | CAT, 0, 0,    0, drg_person_role_words, NOREF,
		0, "their permissions" },
	{ DRG_F_PASSWORD,    "password",   DRG_V_TEXT,  CAT, 1, 128,  0, NULL, NOREF, 0,
		"hash of the password; absent: none is good" },
	{ DRG_F_GENERATION,  "generation", DRG_V_INT,   DEF | CAT, I64,     0, NULL, NOREF, 0,
		"how often all their sessions were ended" },
	{ DRG_F_DISABLED,    "disabled",   DRG_V_BOOL,  DEF | CAT, 0, 1,    0, NULL, NOREF, 0,
		"may not sign in" },
	{ DRG_F_ADDED,       "added",      DRG_V_STAMP, 0,   0, 0,    0, NULL, NOREF, 0,
		"when they were added" },
};

static const struct drg_field_def session_fields[] = {
	{ DRG_F_PERSON_ID,   "person_id",  DRG_V_INT,  ID,  1, 0x7fffffff, 0, NULL, NOREF, 0,
		"person of the session" },
	{ DRG_F_SLOT,        "slot",       DRG_V_INT,  ID,  0, 7, 0, NULL, NOREF, 0, "which of theirs" },
	{ DRG_F_TOKEN_HASH,  "token_hash", DRG_V_TEXT, REQ | CAT, 64, 64,  0, NULL, NOREF, 0,
		"hash of the token, hexadecimal" },
	{ DRG_F_SESSION_GENERATION, "generation", DRG_V_INT, REQ | CAT, I64, 0, NULL, NOREF, 0,
		"that of the person when it began" },
	{ DRG_F_BEGUN,       "begun",      DRG_V_INT,  REQ | CAT, I64,     0, NULL, NOREF, 0,
		"microseconds since 1970" },
	{ DRG_F_SEEN,        "seen",       DRG_V_INT,  REQ | CAT, I64,     0, NULL, NOREF, 0,
		"microseconds since 1970" },
	{ DRG_F_BY_PROXY,    "by_proxy",   DRG_V_BOOL, DEF | CAT, 0, 1,    0, NULL, NOREF, 0,
		"a proxy has signed them in" },
};
/* clang-format on */

/* clang-format off */
#define TYPE(NAME, name, kinds, internal, in_catalog, doc) \
	[DRG_TYPE_##NAME] = { DRG_TYPE_##NAME, #name, name##_fields, DRG_ARRAY_LEN(name##_fields), kinds, \
		internal, in_catalog, doc }

const struct drg_type drg_types[DRG_TYPE_COUNT] = {
	/*   number and name               kinds                  internal in catalog doc */
	TYPE(ADAPTER,       adapter,       0,                     false, true,
		"a supplier whose data is imported"),
	TYPE(DICT,          dict,          DRG_KINDS_ALL,         false, true,
		"a record of the common reference"),
	TYPE(SOURCE,        source,        DRG_KINDS_SOURCE,      false, true,
		"a supplier's original record and its mapping"),
	TYPE(DIRECTION,     direction,     0,                     false, true,
		"a supplier flies from a departure city to a country"),
	TYPE(HOTEL_CONTENT, hotel_content, 0,                     false, false,
		"a supplier's description of its hotel"),
	TYPE(AIR_PLACE,     air_place,     0,                     false, true,
		"an airport or a city with airports"),
	TYPE(AIR_SOURCE,    air_source,    0,                     false, true,
		"an air supplier's data of a place"),
	TYPE(AIR_MAP,       air_map,       0,                     false, true,
		"an air supplier's identifier and the place it means"),
	TYPE(REDIRECT,      redirect,      DRG_KINDS_ALL,         false, true,
		"a dict record that was merged into another"),
	TYPE(MAPPING_EVENT, mapping_event, DRG_KINDS_SOURCE,      false, false, "a decision about a mapping"),
	TYPE(PROFILE,       profile,       DRG_KINDS_SOURCE,      false, false,
		"how the files of a supplier look"),
	TYPE(NOT_SAME,      not_same,      DRG_KINDS_SOURCE,      false, false,
		"a supplier's record that is not a dict record"),
	TYPE(DICT_EVENT,    dict_event,    DRG_KINDS_ALL,         false, false,
		"a decision about a record of the reference"),
	/* those not revoked */
	TYPE(API_KEY,       api_key,       0,                     true,  false,
		"a key of an API user; internal"),
	TYPE(BATCH,         batch,         0,                     true,  false,
		"changes that were written together, and can be undone together"),
	TYPE(BATCH_ITEM,    batch_item,    0,                     true,  false,
		"a record as it was before a batch"),
	TYPE(SCORECARD,     scorecard,     0,                     true,  false, "a scorecard of the matcher"),
	TYPE(PERSON,        person,        0,                     true,  true,
		"somebody who may sign in; internal"),
	TYPE(SESSION,       session,       0,                     true,  true,
		"a person who has signed in; internal"),
};
/* clang-format on */

const struct drg_kind_parent drg_kind_parents[DRG_KIND_PARENTS] = {
	[DRG_PARENT_COUNTRY] = { "country", DRG_KIND_COUNTRY, DRG_F_COUNTRY_ID, DRG_F_SRC_COUNTRY_ID,
	                         DRG_F_COUNTRY_NAME },
	[DRG_PARENT_CITY] = { "city", DRG_KIND_CITY, DRG_F_CITY_ID, DRG_F_SRC_CITY_ID, DRG_F_CITY_NAME },
	[DRG_PARENT_CATEGORY] = { "category", DRG_KIND_HOTEL_CATEGORY, DRG_F_HOTEL_CATEGORY_ID,
	                          DRG_F_SRC_CATEGORY_ID, DRG_F_CATEGORY_NAME },
};

const struct drg_kind_parent *drg_kind_parent(enum drg_kind kind)
{
	for (unsigned i = 0; i < DRG_KIND_PARENTS; i++)
		if (drg_kind_parents[i].kind == kind)
			return &drg_kind_parents[i];
	return NULL;
}

const struct drg_type *drg_type_by_name(struct drg_str name)
{
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++)
		if (drg_str_eq(name, drg_str_c(drg_types[t].name)))
			return &drg_types[t];
	return NULL;
}

const struct drg_field_def *drg_field_of(const struct drg_type *type, enum drg_field field)
{
	for (unsigned i = 0; i < type->n_fields; i++)
		if (type->fields[i].field == field)
			return &type->fields[i];
	return NULL;
}

bool drg_kind_has(enum drg_type_id type, enum drg_kind kind, enum drg_field field)
{
	const struct drg_field_def *f = drg_field_of(&drg_types[type], field);
	return f != NULL && drg_kind_in(drg_types[type].kinds, kind) && drg_field_applies(f, kind);
}

enum drg_kind drg_kind_named_by(enum drg_field field)
{
	const struct drg_field_def *f = drg_field_of(&drg_types[DRG_TYPE_DICT], field);
	return f != NULL && f->ref >= 0 ? (enum drg_kind)f->ref : DRG_KIND_NONE;
}
