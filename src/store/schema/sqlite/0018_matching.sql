-- Which server matches new records, until when, and how far that has come (src/store/matching.h). One row, no record.
--   holder   a random number of the server; 0: none
--   until    microseconds since 1970
--   seq, type, row   a place in the feed; seq -1: there is none yet

CREATE TABLE matching (
	one INTEGER PRIMARY KEY CHECK (one = 1),
	holder INTEGER NOT NULL,
	until INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	type INTEGER NOT NULL,
	row INTEGER NOT NULL
) STRICT;
INSERT INTO matching VALUES (1, 0, 0, -1, 0, 0);
