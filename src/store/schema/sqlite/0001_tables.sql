-- One table per type of src/model/model.c, one column per field, named as on the wire (tests/unit/store walks the
-- model and checks that none is missing). Words and kinds are kept as their numbers, names as JSON text.
-- The columns before the fields are the same everywhere:
--   deleted      1: a tombstone, which keeps only its identity
--   seq          last change of any sort; created_seq, data_seq, mapped_seq: see struct drg_row_meta
-- They stand first, so that they can be read without following a long row to its end.

CREATE TABLE clock (
	seq INTEGER NOT NULL,
	epoch TEXT NOT NULL
) STRICT;
INSERT INTO clock (seq, epoch) VALUES (0, lower(hex(randomblob(16))));

CREATE TABLE adapter (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	id INTEGER NOT NULL,
	code TEXT,
	name TEXT,
	logo TEXT,
	domain INTEGER,
	stage INTEGER
) STRICT;
CREATE UNIQUE INDEX adapter_identity ON adapter (id);
CREATE INDEX adapter_seq ON adapter (seq);

CREATE TABLE dict (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	kind INTEGER NOT NULL,
	id INTEGER NOT NULL,
	name TEXT,
	iso_alpha_2 TEXT,
	iso_code TEXT,
	country_id INTEGER,
	city_id INTEGER,
	hotel_category_id INTEGER,
	hotel_type_id INTEGER,
	facility_group_id INTEGER,
	is_resort INTEGER,
	lat REAL,
	lng REAL,
	address TEXT,
	zip TEXT,
	description TEXT
) STRICT;
CREATE UNIQUE INDEX dict_identity ON dict (kind, id);
CREATE INDEX dict_seq ON dict (seq);

CREATE TABLE source (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	adapter_id INTEGER NOT NULL,
	kind INTEGER NOT NULL,
	id TEXT NOT NULL,
	name TEXT,
	lang TEXT,
	dict_id INTEGER,
	iso_code TEXT,
	is_resort INTEGER,
	category_id TEXT,
	category_name TEXT,
	country_id TEXT,
	country_name TEXT,
	city_id TEXT,
	city_name TEXT,
	lat REAL,
	lng REAL,
	address TEXT,
	zip TEXT,
	url TEXT,
	phone TEXT
) STRICT;
CREATE UNIQUE INDEX source_identity ON source (adapter_id, kind, id);
CREATE INDEX source_seq ON source (seq);
-- With the adapter first: an import goes adapter by adapter, and dict ids in one order for all of them would touch
-- a page of the index for each row.
CREATE INDEX source_mapping ON source (adapter_id, kind, dict_id) WHERE dict_id IS NOT NULL;
-- For the counts, and for pruning.
CREATE INDEX source_tombstones ON source (adapter_id, kind) WHERE deleted = 1;

CREATE TABLE direction (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	adapter_id INTEGER NOT NULL,
	dep_city_id INTEGER NOT NULL,
	country_id INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX direction_identity ON direction (adapter_id, dep_city_id, country_id);
CREATE INDEX direction_seq ON direction (seq);

CREATE TABLE hotel_content (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	adapter_id INTEGER NOT NULL,
	hotel_id TEXT NOT NULL,
	check_in TEXT,
	check_out TEXT,
	room_count INTEGER,
	descriptions TEXT,
	facilities TEXT,
	photos TEXT
) STRICT;
CREATE UNIQUE INDEX hotel_content_identity ON hotel_content (adapter_id, hotel_id);
CREATE INDEX hotel_content_seq ON hotel_content (seq);

CREATE TABLE air_place (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	source_id INTEGER NOT NULL,
	place INTEGER,
	code TEXT,
	name TEXT,
	city_code TEXT,
	country_code TEXT,
	lat REAL,
	lng REAL,
	weight INTEGER
) STRICT;
CREATE UNIQUE INDEX air_place_identity ON air_place (source_id);
CREATE INDEX air_place_seq ON air_place (seq);

CREATE TABLE air_source (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	adapter_id INTEGER NOT NULL,
	source_id INTEGER NOT NULL,
	external_id TEXT,
	data TEXT
) STRICT;
CREATE UNIQUE INDEX air_source_identity ON air_source (adapter_id, source_id);
CREATE INDEX air_source_seq ON air_source (seq);

CREATE TABLE air_map (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	adapter_id INTEGER NOT NULL,
	external_id TEXT NOT NULL,
	source_id INTEGER
) STRICT;
CREATE UNIQUE INDEX air_map_identity ON air_map (adapter_id, external_id);
CREATE INDEX air_map_seq ON air_map (seq);

CREATE TABLE redirect (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	kind INTEGER NOT NULL,
	id INTEGER NOT NULL,
	"to" INTEGER
) STRICT;
CREATE UNIQUE INDEX redirect_identity ON redirect (kind, id);
CREATE INDEX redirect_seq ON redirect (seq);

CREATE TABLE mapping_event (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	adapter_id INTEGER NOT NULL,
	kind INTEGER NOT NULL,
	id TEXT NOT NULL,
	at TEXT NOT NULL,
	"from" INTEGER,
	"to" INTEGER,
	by TEXT,
	why TEXT
) STRICT;
CREATE UNIQUE INDEX mapping_event_identity ON mapping_event (adapter_id, kind, id, at);
CREATE INDEX mapping_event_seq ON mapping_event (seq);

CREATE TABLE api_key (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	id INTEGER NOT NULL,
	api INTEGER,
	key_hash TEXT,
	secret_hash TEXT,
	name TEXT,
	adapters TEXT,
	created TEXT,
	expires TEXT,
	revoked TEXT
) STRICT;
CREATE UNIQUE INDEX api_key_identity ON api_key (id);
CREATE INDEX api_key_seq ON api_key (seq);
