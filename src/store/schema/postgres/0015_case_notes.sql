-- What people noted at suppliers' records: comments, who should look, who looks later.

-- Not records: no seq, in no feed or export. src/store/case_notes.h says what a row is.
--   adapter_id, kind, id, at, what   the source; microseconds since 1970; the word
--   who, detail                      by whom; what the word is about
CREATE TABLE dragoman.case_note (
	adapter_id bigint NOT NULL,
	kind bigint NOT NULL,
	id text COLLATE "C" NOT NULL,
	at bigint NOT NULL,
	what text COLLATE "C" NOT NULL,
	who text COLLATE "C" NOT NULL,
	detail text COLLATE "C" NOT NULL,
	PRIMARY KEY (adapter_id, kind, id, at, what)
);
