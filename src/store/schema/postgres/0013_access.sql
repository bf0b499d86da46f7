-- A key that was rotated works for a while with its old text, and what became of keys and people over time.

ALTER TABLE dragoman.api_key ADD COLUMN old_hash text COLLATE "C";
ALTER TABLE dragoman.api_key ADD COLUMN old_secret_hash text COLLATE "C";
ALTER TABLE dragoman.api_key ADD COLUMN old_until text COLLATE "C";

-- Not records: no seq, in no feed or export. src/store/access_events.h says what a row is.
--   sort, number, at, what   a key (0) or a person (1); its number; microseconds since 1970; the word
--   who, detail              by whom; more of it
CREATE TABLE dragoman.access_event (
	sort bigint NOT NULL,
	number bigint NOT NULL,
	at bigint NOT NULL,
	what text COLLATE "C" NOT NULL,
	who text COLLATE "C" NOT NULL,
	detail text COLLATE "C" NOT NULL,
	PRIMARY KEY (sort, number, at, what)
);
