-- Scorecards of the matcher (src/matching/learn/weights.h): every one that was taken into use. NULL data: the program's own.

CREATE TABLE scorecard (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	id INTEGER NOT NULL,
	at TEXT,
	by TEXT,
	why TEXT,
	data TEXT
) STRICT;
CREATE UNIQUE INDEX scorecard_identity ON scorecard (id);
CREATE INDEX scorecard_seq ON scorecard (seq);
