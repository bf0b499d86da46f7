// One request and its answer, held against a document.
import zlib from "node:zlib";

/** Headers of HTTP itself, which the document leaves to it. */
const OF_HTTP = new Set(["date", "connection", "content-length", "content-type", "content-encoding", "transfer-encoding"]);
/** Errors of what is no operation: another path, another method, a head that is no HTTP. */
const WITHOUT_OPERATION = new Set([400, 404, 405, 414, 431, 501, 503, 505]);
const DECODE = { identity: (b) => b, gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync };

function body_of(exchange) {
  const coding = exchange.headers["content-encoding"] ?? "identity";
  const decode = DECODE[coding];
  return decode === undefined ? null : decode(Buffer.from(exchange.body, "base64")).toString("utf8");
}

/** The body of decision E1, whatever its reason. */
function* faults_of_error(exchange, body) {
  const { status, error } = JSON.parse(body);
  if (status !== "error" || error.code !== exchange.status || typeof error.reason !== "string" ||
      typeof error.message !== "string" || error.field === undefined)
    yield `the body is not that of an error: ${body}`;
}

/** Words of `reason` are examples, since more may come; those of today are all told. */
function* faults_of_reason(document, schema, { error }) {
  const words = document.resolve(document.resolve(schema).properties?.error ?? {}).properties?.reason?.examples;
  if (words !== undefined && !words.includes(error?.reason)) yield `the document has no reason ${error?.reason}`;
}

function* faults_of_content(document, response, exchange, body) {
  const type = exchange.headers["content-type"]?.split(";")[0];
  const content = document.resolve(response).content?.[type];
  if (content === undefined) {
    yield `the document has no ${type} for it`;
    return;
  }
  if (/[/+]json$/.test(type)) {
    yield* document.faults(content.schema, JSON.parse(body));
    if (exchange.status >= 400) yield* faults_of_reason(document, content.schema, JSON.parse(body));
  } else if (content.schema.contentSchema !== undefined)
    for (const line of body.split("\n").filter((l) => l !== ""))
      yield* document.faults(content.schema.contentSchema, JSON.parse(line));
  else yield* document.faults(content.schema, body);
}

function* faults_of_headers(document, response, exchange) {
  const known = new Map(Object.entries(document.resolve(response).headers ?? {}).map(([n, h]) => [n.toLowerCase(), h]));
  for (const [name, value] of Object.entries(exchange.headers)) {
    if (OF_HTTP.has(name)) continue;
    if (!known.has(name)) yield `the document has no header ${name}`;
    else for (const fault of document.faults(document.resolve(known.get(name)).schema, value)) yield `${name}: ${fault}`;
  }
}

/** What of the exchange the document does not say, as texts. */
export function* faults_of(document, exchange) {
  const { method, path, status } = exchange;
  if (method === "OPTIONS") return;
  // Methods are spelt in capitals: "get" is none.
  const operation = document.route(path)?.item[method === "HEAD" ? "get" : method === method.toUpperCase() ? method.toLowerCase() : ""];
  const response = operation?.responses[status];
  const bare = method === "HEAD" || status === 304;
  const body = bare ? null : body_of(exchange);
  if (operation === undefined && status < 400) return; // a page for people
  if (response === undefined && (operation !== undefined || !WITHOUT_OPERATION.has(status))) {
    yield `the document has no status ${status} for it`;
  } else if (response === undefined) {
    if (body !== null) yield* faults_of_error(exchange, body);
  } else {
    yield* faults_of_headers(document, response, exchange);
    if (body !== null) yield* faults_of_content(document, response, exchange, body);
  }
}
