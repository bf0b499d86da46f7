-- What a key may do and read, what it is for, and when it was used last; how often suppliers' records are asked for.

ALTER TABLE dragoman.api_key ADD COLUMN role smallint;
ALTER TABLE dragoman.api_key ADD COLUMN "reads" text COLLATE "C";
ALTER TABLE dragoman.api_key ADD COLUMN note text COLLATE "C";

-- Counted by servers (src/server/uses.h). Not records: no seq, in no feed or export. src/store/uses.h says what a row is.
--   sort, number, kind, id, slot   what was used
--   count, mapped                  how often; how often of that it was mapped
--   last_day                       days since 1970
CREATE TABLE dragoman.use_count (
	sort bigint NOT NULL,
	number bigint NOT NULL,
	kind bigint NOT NULL,
	id text COLLATE "C" NOT NULL,
	slot bigint NOT NULL,
	count bigint NOT NULL,
	mapped bigint NOT NULL,
	last_day bigint NOT NULL,
	PRIMARY KEY (sort, number, kind, id, slot)
);
