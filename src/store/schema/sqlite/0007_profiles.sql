-- How the files of a supplier look: a JSON object, see src/load/profile.h.

CREATE TABLE profile (
	row INTEGER PRIMARY KEY,
	deleted INTEGER NOT NULL, seq INTEGER NOT NULL,
	created_seq INTEGER NOT NULL, data_seq INTEGER NOT NULL, mapped_seq INTEGER NOT NULL,
	adapter_id INTEGER NOT NULL,
	kind INTEGER NOT NULL,
	data TEXT
) STRICT;
CREATE UNIQUE INDEX profile_identity ON profile (adapter_id, kind);
CREATE INDEX profile_seq ON profile (seq);
