-- Repairs of rows that older versions have written (src/store/repair.c): those that this store does not need any
-- more. A store without records never needs them.
CREATE TABLE dragoman.repair (
	name text COLLATE "C" NOT NULL PRIMARY KEY
);
INSERT INTO dragoman.repair
SELECT 'limits' WHERE NOT EXISTS (SELECT 1 FROM dragoman.source) AND NOT EXISTS (SELECT 1 FROM dragoman.api_key);
