-- Suppliers' records stored and mapped, by supplier, kind and day (src/store/coverage.h): what there is now is of day 0, which is
-- before any day that can be asked for.

INSERT INTO dragoman.use_count (sort, number, kind, id, slot, count, mapped, last_day)
	SELECT 3, adapter_id, kind, '', 0, count(*), count(dict_id), 0 FROM dragoman.source WHERE deleted = 0 GROUP BY adapter_id, kind;
