-- When commits were made: the first of each second in which there was one, so that a time can be told from a seq.
--   at    seconds since 1970; it never goes back, whatever the clock of the machine does
--   seq   commits from this one on were made at that time or later, those before it earlier
-- The first row says since when times are kept.

CREATE TABLE moment (
	at INTEGER PRIMARY KEY,
	seq INTEGER NOT NULL
) STRICT;
INSERT INTO moment (at, seq) SELECT CAST(strftime('%s', 'now') AS INTEGER), seq + 1 FROM clock;
