-- "Not the same": what people keep apart; and what the matcher last said of records that are not mapped.

CREATE TABLE not_same (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	adapter_id INTEGER NOT NULL,
	kind INTEGER NOT NULL,
	id TEXT NOT NULL,
	dict_id INTEGER NOT NULL,
	at TEXT,
	by TEXT,
	why TEXT
) STRICT;
CREATE UNIQUE INDEX not_same_identity ON not_same (adapter_id, kind, id, dict_id);
CREATE INDEX not_same_seq ON not_same (seq);

-- Not records: no seq, in no feed or export. src/store/suggestions.h says what a row is.
CREATE TABLE suggestion (
	adapter_id INTEGER NOT NULL,
	kind INTEGER NOT NULL,
	id TEXT NOT NULL,
	outcome INTEGER NOT NULL,
	country INTEGER NOT NULL,
	city INTEGER NOT NULL,
	category INTEGER NOT NULL,
	reason TEXT NOT NULL,
	ranked TEXT NOT NULL,
	explanation TEXT NOT NULL,
	PRIMARY KEY (adapter_id, kind, id)
) STRICT, WITHOUT ROWID;
