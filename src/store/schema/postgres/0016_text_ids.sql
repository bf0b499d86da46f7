-- Does sourceData give a key every orig_id as a text? NULL: an integer where it is one.

ALTER TABLE dragoman.api_key ADD COLUMN text_ids bigint;
