-- Repairs of rows that older versions have written (src/store/repair.c): those that this store does not need any
-- more. A store without records never needs them.
CREATE TABLE repair (
	name TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;
INSERT INTO repair
SELECT 'limits' WHERE NOT EXISTS (SELECT 1 FROM source) AND NOT EXISTS (SELECT 1 FROM api_key);
