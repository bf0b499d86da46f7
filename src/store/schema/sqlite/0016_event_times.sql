-- The newest mapping events first, without reading all of them.

CREATE INDEX mapping_event_at ON mapping_event (at);
