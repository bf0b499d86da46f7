-- A key that was rotated works for a while with its old text, and what became of keys and people over time.

ALTER TABLE api_key ADD COLUMN old_hash TEXT;
ALTER TABLE api_key ADD COLUMN old_secret_hash TEXT;
ALTER TABLE api_key ADD COLUMN old_until TEXT;

-- Not records: no seq, in no feed or export. src/store/access_events.h says what a row is.
--   sort, number, at, what   a key (0) or a person (1); its number; microseconds since 1970; the word
--   who, detail              by whom; more of it
CREATE TABLE access_event (
	sort INTEGER NOT NULL,
	number INTEGER NOT NULL,
	at INTEGER NOT NULL,
	what TEXT NOT NULL,
	who TEXT NOT NULL,
	detail TEXT NOT NULL,
	PRIMARY KEY (sort, number, at, what)
) STRICT, WITHOUT ROWID;
