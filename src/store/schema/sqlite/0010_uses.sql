-- What a key may do and read, what it is for, and when it was used last; how often suppliers' records are asked for.

ALTER TABLE api_key ADD COLUMN role INTEGER;
ALTER TABLE api_key ADD COLUMN "reads" TEXT;
ALTER TABLE api_key ADD COLUMN note TEXT;

-- Counted by servers (src/server/uses.h). Not records: no seq, in no feed or export. src/store/uses.h says what a row is.
--   sort, number, kind, id, slot   what was used
--   count, mapped                  how often; how often of that it was mapped
--   last_day                       days since 1970
CREATE TABLE use_count (
	sort INTEGER NOT NULL,
	number INTEGER NOT NULL,
	kind INTEGER NOT NULL,
	id TEXT NOT NULL,
	slot INTEGER NOT NULL,
	count INTEGER NOT NULL,
	mapped INTEGER NOT NULL,
	last_day INTEGER NOT NULL,
	PRIMARY KEY (sort, number, kind, id, slot)
) STRICT, WITHOUT ROWID;
