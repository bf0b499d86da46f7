-- People who sign in, and their sessions.

CREATE TABLE person (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	id INTEGER NOT NULL,
	name TEXT,
	role INTEGER,
	password TEXT,
	generation INTEGER,
	disabled INTEGER,
	added TEXT
) STRICT;
CREATE UNIQUE INDEX person_identity ON person (id);
CREATE INDEX person_seq ON person (seq);

CREATE TABLE session (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	person_id INTEGER NOT NULL,
	slot INTEGER NOT NULL,
	token_hash TEXT,
	generation INTEGER,
	begun INTEGER,
	seen INTEGER,
	by_proxy INTEGER
) STRICT;
CREATE UNIQUE INDEX session_identity ON session (person_id, slot);
CREATE INDEX session_seq ON session (seq);
