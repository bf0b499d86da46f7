-- Answers to requests with an Idempotency-Key, for their retries. Not records: no seq, in no feed or export.
--   key_id, name   who asked, and what it called the request
--   at             microseconds since 1970; the table is pruned by it

CREATE TABLE kept_answer (
	row INTEGER PRIMARY KEY,
	key_id INTEGER NOT NULL,
	name TEXT NOT NULL,
	at INTEGER NOT NULL,
	body_hash TEXT NOT NULL,
	answer TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX kept_answer_identity ON kept_answer (key_id, name);
CREATE INDEX kept_answer_at ON kept_answer (at);
