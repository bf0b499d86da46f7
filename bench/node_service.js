// What a team would write instead: fastify and pg over PostgreSQL, one prepared statement per request.
// node node_service.js PORT PG_PORT PG_USER. /v1/tour/sourceInfo as dragoman has it, for hotels; /kv: ready values by key.
import Fastify from 'fastify';
import pg from 'pg';

const [port, pgPort, user] = process.argv.slice(2);
const pool = new pg.Pool({ host: '127.0.0.1', port: Number(pgPort), user, database: 'postgres', max: 8 });
const app = Fastify();

const text = `
  SELECT s.id, s.name, s.category_id, s.category_name, s.country_id, s.country_name, s.city_id, s.city_name, d.id AS dict_id,
    coalesce(d.name->>$3, d.name->>'en') AS dict_name, d.country_id AS dict_country, coalesce(c.name->>$3, c.name->>'en') AS dict_country_name,
    d.city_id AS dict_city, coalesce(t.name->>$3, t.name->>'en') AS dict_city_name,
    d.category_id AS dict_category, coalesce(k.name->>$3, k.name->>'en') AS dict_category_name
  FROM source s
  LEFT JOIN dict d ON d.kind = 'hotel' AND d.id = s.dict_id
  LEFT JOIN dict c ON c.kind = 'country' AND c.id = d.country_id
  LEFT JOIN dict t ON t.kind = 'city' AND t.id = d.city_id
  LEFT JOIN dict k ON k.kind = 'hotel_category' AND k.id = d.category_id
  WHERE s.adapter_id = $1 AND s.id = ANY($2)`;

const item = (id, row) => ({
  id,
  source: row ? { id: row.id, name: row.name, category_id: row.category_id, category_title: row.category_name,
    country_id: row.country_id, country_title: row.country_name, city_id: row.city_id, city_title: row.city_name } : null,
  dict: row && row.dict_id !== null ? { id: Number(row.dict_id), name: row.dict_name, country_id: Number(row.dict_country),
    country_name: row.dict_country_name, city_id: Number(row.dict_city), city_name: row.dict_city_name,
    hotel_category_id: Number(row.dict_category), hotel_category_name: row.dict_category_name } : null,
});

app.post('/v1/tour/sourceInfo', async request => {
  const ids = request.body.hotel.split(',').map(id => id.trim()).filter(id => id);
  const lang = request.query.lang ?? 'en';
  const { rows } = await pool.query({ name: 'info', text, values: [request.query.adapter_id, ids, lang] });
  const found = new Map(rows.map(row => [row.id, row]));
  return { status: 'success', data: { hotel: ids.map(id => item(id, found.get(id))) } };
});

app.post('/kv', async request => {
  const { rows } = await pool.query({ name: 'kv', text: 'SELECT k, v FROM kv WHERE k = ANY($1)', values: [request.body] });
  return rows.length;
});

app.get('/readyz', async () => (await pool.query('SELECT 1')).rowCount);

await app.listen({ host: '127.0.0.1', port: Number(port) });
