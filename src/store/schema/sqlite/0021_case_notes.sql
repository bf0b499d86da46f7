-- What people noted at suppliers' records: comments, who should look, who looks later.

-- Not records: no seq, in no feed or export. src/store/case_notes.h says what a row is.
--   adapter_id, kind, id, at, what   the source; microseconds since 1970; the word
--   who, detail                      by whom; what the word is about
CREATE TABLE case_note (
	adapter_id INTEGER NOT NULL,
	kind INTEGER NOT NULL,
	id TEXT NOT NULL,
	at INTEGER NOT NULL,
	what TEXT NOT NULL,
	who TEXT NOT NULL,
	detail TEXT NOT NULL,
	PRIMARY KEY (adapter_id, kind, id, at, what)
) STRICT, WITHOUT ROWID;
