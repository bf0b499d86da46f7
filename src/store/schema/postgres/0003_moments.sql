-- When commits were made: the first of each second in which there was one, so that a time can be told from a seq.
--   at    seconds since 1970; it never goes back, whatever the clocks of the machines do
--   seq   commits from this one on were made at that time or later, those before it earlier
-- The first row says since when times are kept.

CREATE TABLE dragoman.moment (
	at bigint PRIMARY KEY,
	seq bigint NOT NULL
);
INSERT INTO dragoman.moment (at, seq) SELECT floor(extract(epoch FROM now()))::bigint, seq + 1 FROM dragoman.clock;
