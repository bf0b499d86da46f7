-- What a key may do in a second and in a day. NULL: as much as there is.

ALTER TABLE dragoman.api_key ADD COLUMN requests_per_second bigint;
ALTER TABLE dragoman.api_key ADD COLUMN adds_per_day bigint;
