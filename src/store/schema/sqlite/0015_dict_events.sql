-- What people have decided about records of the reference: names, merges, splits.

CREATE TABLE dict_event (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	kind INTEGER NOT NULL,
	id INTEGER NOT NULL,
	at TEXT NOT NULL,
	how INTEGER,
	lang TEXT,
	was TEXT,
	"is" TEXT,
	"into" INTEGER,
	by TEXT,
	why TEXT
) STRICT;
CREATE UNIQUE INDEX dict_event_identity ON dict_event (kind, id, at);
CREATE INDEX dict_event_seq ON dict_event (seq);
