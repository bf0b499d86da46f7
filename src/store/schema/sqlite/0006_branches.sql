-- Which history a commit is of: a store that was set back goes on from an earlier seq, and the same number means two
-- commits. Whoever opens the store for writing begins a branch with its first change. Not records.
--   seq   of the first commit of the branch
--   id    random

CREATE TABLE branch (
	seq INTEGER PRIMARY KEY,
	id INTEGER NOT NULL
) STRICT;
