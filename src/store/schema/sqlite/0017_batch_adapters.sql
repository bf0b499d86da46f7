-- Which suppliers a batch has written records of: their ids with commas. NULL: it is older than this, or of too many.

ALTER TABLE batch ADD COLUMN adapters TEXT;
