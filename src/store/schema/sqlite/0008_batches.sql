-- What was written together: each import and load is a batch, and can be taken back.
--   batch_item.was      a record as it was before, as a line of the interchange format; NULL: the item only marks that
--                       the commit at_seq is of this batch

CREATE TABLE batch (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	id INTEGER NOT NULL,
	at TEXT,
	what INTEGER,
	by TEXT,
	why TEXT,
	files TEXT,
	created INTEGER,
	changed INTEGER,
	removed INTEGER,
	undone TEXT
) STRICT;
CREATE UNIQUE INDEX batch_identity ON batch (id);
CREATE INDEX batch_seq ON batch (seq);

CREATE TABLE batch_item (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	batch_id INTEGER NOT NULL,
	number INTEGER NOT NULL,
	at_seq INTEGER,
	was TEXT
) STRICT;
CREATE UNIQUE INDEX batch_item_identity ON batch_item (batch_id, number);
CREATE INDEX batch_item_seq ON batch_item (seq);

ALTER TABLE mapping_event ADD COLUMN batch INTEGER;
