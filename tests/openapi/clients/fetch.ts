// A client by openapi-typescript and openapi-fetch calls every operation, and reads what the types promise.
import createClient, { type Middleware } from "openapi-fetch";
import type { paths } from "./schema";

const { SERVER, KEY_A, KEY_B, SECRET_B, KEY_READER } = process.env as Record<"SERVER" | "KEY_A" | "KEY_B" | "SECRET_B" | "KEY_READER", string>;
const client = createClient<paths>({ baseUrl: SERVER });
const called = new Set<string>();
let cookie = "", csrf = "";
const keys: Middleware = {
  onRequest({ request, schemaPath }) {
    called.add(`${request.method} ${schemaPath}`);
    request.headers.set("X-Api-Key", KEY_A);
    request.headers.set("X-Service-Api-Key", KEY_B);
    request.headers.set("X-Service-Api-Secret", SECRET_B);
    if (cookie !== "") request.headers.set("Cookie", cookie);
    if (csrf !== "") request.headers.set("X-CSRF-Token", csrf);
    return request;
  },
  onResponse({ response }) {
    cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie; // one is set at most; Node.js 18 of Debian has no getSetCookie()
  },
};
client.use(keys);

/** The answer of a call that has to succeed. */
async function ok<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call;
  if (data === undefined) throw new Error(`${response.status} ${response.url}: ${JSON.stringify(error)}`);
  return data;
}

function holds(what: boolean, text: string) {
  if (!what) throw new Error(text);
}

async function lists() {
  const main = await ok(client.GET("/api/v1/tour/main-references", { params: { query: { lang: "uk", with: "description", demo: true } } }));
  const meal: string | null | undefined = main.data.meals["AI"]?.description;
  holds(typeof meal === "string", "a meal has a description");
  const city: number | undefined = (await ok(client.GET("/api/v1/tour/main-references/{country}",
    { params: { path: { country: "PL" } } }))).data.dep_cities["12"]?.id;
  holds(city === 12, "the departure city of Poland");
  const hotels = (await ok(client.GET("/api/v1/tour/hotel-references", { params: { query: { dep_city: 10, country: 1 } } }))).data.hotels;
  const category: string | undefined = hotels["55"]?.hotel_category?.name;
  holds(category === "5*", "the category of a hotel");
  const kinds = (await ok(client.GET("/v1/tour/reference", { params: { query: { country: "UA" } } }))).items.map((i) => i.kind);
  holds(kinds.includes("operator"), "items have kinds");
  holds((await ok(client.GET("/v1/tour/referenceData", { params: { query: { dep_city: 10, country: 1 } } }))).data.hotel.length > 0, "hotels");
}

async function translation() {
  const found = await ok(client.POST("/v1/tour/sourceInfo", { params: { query: { adapter_id: 7 } }, body: { hotel: "1001,4711", meal: ["AI"] } }));
  const name: string | undefined = found.data.hotel?.[0]?.dict?.name;
  holds(name === "Blue Bay Palace" && found.data.hotel?.[1]?.source === null && found.data.city === undefined, "sourceInfo");
  const origs = await ok(client.POST("/v1/tour/sourceData", { body: { adapter_id: 7, dep_city: 10, country: 1, hotel: [55] } }));
  const orig: number | string | undefined = origs.data.hotel[0]?.orig_id;
  holds(orig === 1001, "sourceData");
  holds((await ok(client.GET("/v1/tour/hotelCheck", { params: { query: { hotel: 55 } } }))).data.length > 1, "hotelCheck");
  const page = await ok(client.GET("/v1/tour/hotelDescription", { params: { query: { adapter_id: 7, hotel_orig_id: "1001" } } }));
  const country: string | undefined = page.data.hotel?.country["uk"];
  holds(country === "Туреччина", "hotelDescription");
}

async function registration() {
  const added = await ok(client.POST("/v1/tour/sourceAdd", {
    params: { header: { "Idempotency-Key": `fetch-${process.pid}` } },
    body: { adapter_id: 7, lang_code: "en", currency: [{ id: `F${process.pid}`, name: "Coin", iso_code: null }], meal: [{ id: "AI", name: "again" }] },
  }));
  const coin = Object.values(added.data.currency ?? {})[0], meal = added.data.meal?.["AI"];
  holds(coin !== undefined && "source" in coin && coin.dict === null, "it was added");
  const currency: string | undefined = coin !== undefined && "source" in coin ? coin.dict?.iso_code : "";
  holds(currency === undefined, "dict is a record of the reference, or null");
  holds(meal !== undefined && "error" in meal && meal.error.reason === "already_exists", "it was there");
  const compared = await ok(client.POST("/v1/tour/compared", { body: { adapter_id: 7, lang_code: "en", country: [{ id: 90, name: "TURKEY" }] } }));
  holds(compared.data.country?.["90"]?.id === 1, "compared");
}

async function air() {
  const places = (await ok(client.GET("/v1/avia/reference", { params: { query: { search: "kbp", types: "apt" } } }))).data.items;
  const near: number | undefined = places[0]?.coordinates?.lat;
  holds(typeof near === "number", "a place has coordinates");
  const detail = await ok(client.GET("/v1/avia/detail", { params: { query: { source_id: [2, 1] } } }));
  holds(detail.data.items["2"]?.adapters[0]?.adapter_id === 21, "detail");
  const body = { adapter_id: 21, lang_code: "en", iata_code: "KBP" };
  holds((await ok(client.POST("/v1/avia/compared", { body }))).data.compared.source_id === 2, "compared");
  const uk = await ok(client.POST("/v1/avia/compared/{lang}", { params: { path: { lang: "uk" } }, body }));
  holds(uk.data.language === "uk", "compared in a language");
}

async function rest() {
  const page = await ok(client.GET("/v1/changes", { params: { query: { limit: 5 } } }));
  for (const item of page.data.items) {
    const id: number | string = item.type === "dict" ? item.id : `${item.adapter_id} ${item.id}`;
    holds(id !== "", "an item has an id");
  }
  const text: string = await ok(client.GET("/v1/export/sources", { parseAs: "text" }));
  holds(text.includes('"type":"end"'), "the export has an end");
  holds((await ok(client.GET("/flags/{ratio}/{file}", { params: { path: { ratio: "4x3", file: "xx.svg" } }, parseAs: "text" }))).includes("<svg"), "a flag");
  const health: "ok" = (await ok(client.GET("/healthz"))).status;
  const ready: "ready" = (await ok(client.GET("/readyz"))).status;
  holds(health === "ok" && ready === "ready" && (await ok(client.GET("/readyz/write"))).store === "ok", "health");
  for (const path of ["/openapi.json", "/api/v1/openapi.json", "/v1/openapi.json"] as const)
    holds((await ok(client.GET(path))).openapi === "3.1.0", "a document");
}

async function people() {
  const { data: anna } = await ok(client.POST("/v1/session", { body: { name: "anna", password: "correct horse battery" } }));
  const role: "viewer" | "curator" | "admin" = anna.role;
  csrf = anna.csrf;
  holds(role === "curator" && (await ok(client.GET("/v1/session"))).data.person === "anna", "who has signed in");
  holds((await ok(client.GET("/v1/session/who"))).data.session?.person === "anna", "who has signed in, or nobody");
  for (const { response } of await administrators()) holds(response.status === 403, "a curator is no administrator");
  holds((await ok(client.DELETE("/v1/session"))).data.signed_out, "signed out");
  const { error } = await client.POST("/v1/session/password", { body: { link: "1-x", password: "correct horse battery" } });
  holds(error?.error.reason === "sign_in_failed", "there is no such link");
}

/** What only administrators may do. */
async function administrators() {
  return [
    await client.GET("/v1/access/users", {}), await client.GET("/v1/access/keys", {}),
    await client.GET("/v1/access/history", { params: { query: { of: "key", limit: 5 } } }),
    await client.POST("/v1/access/userAdd", { params: { query: { name: "eva", role: "viewer" } } }),
    await client.POST("/v1/access/userSet", { params: { query: { name: "anna", disabled: true } } }),
    await client.POST("/v1/access/userLink", { params: { query: { name: "anna" } } }),
    await client.POST("/v1/access/keyCreate", { params: { query: { api: "b", reads: ["7"] } } }),
    await client.POST("/v1/access/keySet", { params: { query: { id: 1, expires: "never" } } }),
    await client.POST("/v1/access/keyRotate", { params: { query: { id: 1, overlap: "1h" } } }),
    await client.POST("/v1/access/keyRevoke", { params: { query: { id: 1 } } }),
  ];
}

async function errors() {
  const { error, response } = await client.GET("/v1/tour/hotelCheck", { params: { query: { hotel: "x" as unknown as number } } });
  if (error === undefined || !("error" in error)) throw new Error("an error was expected");
  const reason: string = error.error.reason;
  holds(response.status === 400 && reason === "bad_integer" && error.error.field === "hotel", "an error tells what is wrong");
}

async function curating() {
  const source = { adapter_id: 7, kind: "hotel" as const, id: "1001" };
  holds((await ok(client.GET("/v1/curate/changes", { params: { query: { since: "now" } } }))).data.cursor !== "", "where to go on");
  const queue = await ok(client.GET("/v1/curate/queue", { params: { query: { limit: 5 } } }));
  holds(queue.data.items.every((c) => c.version > 0), "a case has a version");
  const found = (await ok(client.GET("/v1/curate/case", { params: { query: source } }))).data;
  const best: string | null | undefined = found.candidates[0]?.name;
  holds(typeof best === "string", "what it is mapped to has a name");
  const record = (await ok(client.GET("/v1/curate/reference", { params: { query: { kind: "hotel", id: 55 } } }))).data;
  holds(record.merged_into === null && record.suppliers.length > 0, "a record has suppliers");
  holds((await ok(client.POST("/v1/curate/open", { body: source }))).data.open_by.length === 0, "nobody else looks");
  const noted = await ok(client.POST("/v1/curate/note", { body: { ...source, what: "comment", text: "seen" } }));
  holds(noted.data.text === "seen", "a comment is kept");
  holds((await client.GET("/v1/curate/day", {})).response.status === 403, "the day is for people");
  const named = await ok(client.GET("/v1/curate/search", { params: { query: { q: "turkey", kind: "country" } } }));
  holds(named.data.items[0]?.id === 1, "a country is found by its name");
  holds((await ok(client.GET("/v1/curate/duplicates", { params: { query: { kind: "hotel" } } }))).data.total >= 0, "duplicates are counted");
  const cases = await ok(client.GET("/v1/curate/queueFile", { params: { query: { kind: "hotel" } }, parseAs: "text" }));
  holds(String(cases).includes("decision"), "the queue as a file");
  const file = await ok(client.GET("/v1/curate/records", { params: { query: { adapter_id: 7, kind: "hotel" } }, parseAs: "text" }));
  holds(file.includes("dict_name"), "a file has titles");
  const past = await ok(client.GET("/v1/curate/history", { params: { query: { limit: 5 } } }));
  holds(past.data.items.every((e) => (e.id === null) !== (e.dict_id === null)), "an event is of a record");
  holds((await ok(client.GET("/v1/curate/batches", {}))).data.items.length > 0, "there are batches");
  const undone = await client.POST("/v1/curate/batchUndo", { body: { batch: 999 } });
  holds(undone.response.status === 404, "there is no such batch");
  const covered = await ok(client.GET("/v1/curate/coverage", { params: { query: { kind: "hotel" } } }));
  holds(covered.data.items.every((c) => c.mapped <= c.records), "no more is mapped than there is");
  holds((await ok(client.GET("/v1/curate/facets", {}))).data.total >= 0, "cases are counted");
  holds((await ok(client.POST("/v1/curate/accept", { params: { query: { dry_run: true } } }))).data.sample !== undefined, "what would be accepted is counted");
  const supplier = await client.POST("/v1/curate/supplier", { params: { query: { code: "no one" } } });
  holds(supplier.response.status >= 400, "a supplier has a code of letters, and an administrator adds it");
  holds((await ok(client.GET("/v1/curate/audit", { params: { query: { kind: "hotel", size: 5 } } }))).data.among >= 0, "a sample is drawn");
  const precise = await ok(client.GET("/v1/curate/precision", { params: { query: { adapter_id: 7 } } }));
  holds(precise.data.items.every((i) => i.right <= i.judged), "no more is right than was judged");
  const back = await client.POST("/v1/curate/takeBack", { params: { query: { of: "map", file: "a.csv" } }, body: new Blob(["x"]),
    bodySerializer: (body) => body as Blob });
  holds(back.response.status === 403 && (await client.POST("/v1/curate/proposals", {})).response.status === 403, "only people do this");
  const agreed = await ok(client.GET("/v1/curate/agreement", { params: { query: { kind: "hotel" } } }));
  holds(agreed.data.items.every((m) => m.overruled <= m.people), "people overrule no more than they decide");
  holds((await ok(client.GET("/v1/curate/air", {}))).data.total >= 0, "reports are counted");
  const airports = await ok(client.GET("/v1/curate/airPlaces", { params: { query: { q: "kyiv", limit: 3 } } }));
  holds(airports.data.items[0]?.type === "city", "a city is found by its name");
  const nowhere = await client.POST("/v1/curate/airMap", { body: { adapter_id: 21, external_id: "nobody's", source_id: 99999 } });
  holds(nowhere.response.status === 404, "there is no such place");
  const list = await ok(client.POST("/v1/curate/load", {
    params: { query: { adapter_id: 7, file: "a.csv", dry_run: true } }, body: new Blob(["Code;Name\nH1;Here\n"]), bodySerializer: (body) => body as Blob }));
  holds(list.data.columns[0]?.field === "id" && !list.data.applied, "what a list would do");
  const decided = await ok(client.POST("/v1/curate/decide", {
    body: { decisions: [{ ...source, decide: "map", dict_id: 55, version: found.version }], why: "as it was" } }));
  holds(decided.data.items[0]?.result === "same" && decided.data.batch === null, "it was so already");
}

async function reconciling() {
  const key = KEY_READER;
  const manifest = await ok(client.GET("/v1/reconcile/{key}", { params: { path: { key } } }));
  holds("versions" in manifest, "the manifest");
  const answers = await ok(client.POST("/v1/reconcile/{key}", { params: { path: { key } },
    body: { queries: { q0: { query: "Turkey", type: "country" }, q1: { query: "Blue Bay Palace", properties: [{ pid: "city", v: ["Antalya"] }] } } } }));
  holds("q0" in answers && JSON.stringify(answers).includes('"country-1"'), "a country is found");
  const named = await ok(client.GET("/v1/reconcile/{key}/suggest/{what}", { params: { path: { key, what: "entity" }, query: { prefix: "tur" } } }));
  holds(named.result.some((r) => r.id === "country-1"), "it is suggested");
  const proposed = await ok(client.GET("/v1/reconcile/{key}/properties", { params: { path: { key }, query: { type: "hotel" } } }));
  holds(proposed.properties.some((p) => p.id === "city"), "hotels have a city");
  const page: string = await ok(client.GET("/v1/reconcile/{key}/view/{id}", { params: { path: { key, id: "hotel-55" } }, parseAs: "text" }));
  holds(page.includes("Blue Bay Palace"), "a page of a hotel");
}

async function main() {
  for (const part of [lists, translation, registration, air, curating, reconciling, rest, people, errors]) await part();
  console.log(JSON.stringify([...called].sort()));
}
main().catch((fault) => { console.error(fault); process.exit(1); });
