-- What it takes to undo a merge, and what a mapping event came from.

ALTER TABLE redirect ADD COLUMN "into" INTEGER;
ALTER TABLE redirect ADD COLUMN at TEXT;
ALTER TABLE redirect ADD COLUMN by TEXT;
ALTER TABLE redirect ADD COLUMN why TEXT;
ALTER TABLE redirect ADD COLUMN undo TEXT;
ALTER TABLE mapping_event ADD COLUMN how INTEGER;
