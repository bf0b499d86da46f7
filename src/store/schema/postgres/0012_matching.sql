-- Which server matches new records, until when, and how far that has come (src/store/matching.h). One row, no record.
--   holder   a random number of the server; 0: none
--   until    microseconds since 1970, by the clock of the database
--   seq, type, row   a place in the feed; seq -1: there is none yet

CREATE TABLE dragoman.matching (
	one boolean PRIMARY KEY DEFAULT true CHECK (one),
	holder bigint NOT NULL,
	until bigint NOT NULL,
	seq bigint NOT NULL,
	type smallint NOT NULL,
	"row" bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO dragoman.matching (holder, until, seq, type, "row") VALUES (0, 0, -1, 0, 0);
