-- What avia/compared could not match, for the mapping desk. Not records: no seq, in no feed or export.
--   external_id, iata_code, title   as sent; empty: not sent
--   count                           how often it was asked for
--   first_seen, last_seen           microseconds since 1970; those last seen are kept

CREATE TABLE air_report (
	row INTEGER PRIMARY KEY,
	adapter_id INTEGER NOT NULL,
	external_id TEXT NOT NULL,
	iata_code TEXT NOT NULL,
	title TEXT NOT NULL,
	lang TEXT NOT NULL,
	count INTEGER NOT NULL,
	first_seen INTEGER NOT NULL,
	last_seen INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX air_report_identity ON air_report (adapter_id, external_id, iata_code, title, lang);
CREATE INDEX air_report_last_seen ON air_report (adapter_id, last_seen);
