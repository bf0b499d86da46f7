-- The ICAO code of an airport.

ALTER TABLE air_place ADD COLUMN icao_code TEXT;
