-- What a key may do in a second and in a day. NULL: as much as there is.

ALTER TABLE api_key ADD COLUMN requests_per_second INTEGER;
ALTER TABLE api_key ADD COLUMN adds_per_day INTEGER;
