// The same by @hey-api/openapi-ts: a function for each operation.
import * as sdk from "./heyapi/sdk.gen";
import { client } from "./heyapi/client.gen";

const { SERVER, KEY_A, KEY_B, SECRET_B, KEY_READER: key } = process.env as Record<"SERVER" | "KEY_A" | "KEY_B" | "SECRET_B" | "KEY_READER", string>;
client.setConfig({
  baseUrl: SERVER, throwOnError: true,
  headers: { "X-Api-Key": KEY_A, "X-Service-Api-Key": KEY_B, "X-Service-Api-Secret": SECRET_B },
});
const throwOnError = true as const;
const air = { adapter_id: 21, lang_code: "en", iata_code: "KBP" };

function holds(what: boolean, text: string) {
  if (!what) throw new Error(text);
}

/** Of whom has signed in. */
const session = { Cookie: "", "X-CSRF-Token": "" };

/** One call of each operation, and what it has to come to. */
const calls: Record<keyof typeof sdk, () => Promise<boolean>> = {
  mainReferences: async () => (await sdk.mainReferences({ throwOnError, query: { lang: "de" } })).data.data.currencies["EUR"]?.id === 1,
  mainReferencesOfCountry: async () => (await sdk.mainReferencesOfCountry({ throwOnError, path: { country: "PL" } })).data.data.dep_cities["12"]?.name === "Warsaw",
  hotelReferences: async () => (await sdk.hotelReferences({ throwOnError, query: { dep_city: 10, country: 1 } })).data.data.hotels["55"]?.city_id === "331",
  reference: async () => (await sdk.reference({ throwOnError })).data.data.operator.length > 0,
  referenceData: async () => (await sdk.referenceData({ throwOnError, query: { dep_city: 10, country: 1 } })).data.data.city[0]?.country_id === 1,
  sourceInfo: async () => (await sdk.sourceInfo({ throwOnError, query: { adapter_id: 7 }, body: { hotel: ["1001"] } })).data.data.hotel?.[0]?.dict?.id === 55,
  sourceData: async () => (await sdk.sourceData({ throwOnError, body: { adapter_id: 7, dep_city: 10, country: 1 } })).data.data.adapter.code === "coral",
  hotelCheck: async () => (await sdk.hotelCheck({ throwOnError, query: { hotel: 55 } })).data.data[0]?.hotel_orig_id === "1001",
  hotelDescription: async () => (await sdk.hotelDescription({ throwOnError, query: { adapter_id: 7, hotel_orig_id: "1001" } })).data.data.hotel_photo.length === 2,
  sourceAdd: async () => {
    const id = `H${process.pid}`;
    const added = await sdk.sourceAdd({ throwOnError, body: { adapter_id: 7, lang_code: "en", city: [{ id, name: "Here", is_resort: true }] } });
    const city = added.data.data.city?.[id];
    return city !== undefined && "source" in city && city.source.is_resort;
  },
  tourCompared: async () => (await sdk.tourCompared({ throwOnError, body: { adapter_id: 7, lang_code: "en", meal: [{ id: "AI", name: "x" }] } })).data.data.meal?.["AI"]?.id === 1,
  curateQueue: async () => (await sdk.curateQueue({ throwOnError, query: { kind: "hotel", limit: 5 } })).data.data.cursor === null,
  curateFacets: async () => (await sdk.curateFacets({ throwOnError, query: { kind: "hotel" } })).data.data.groups.every((g) => g.cases > 0),
  curateAccept: async () => (await sdk.curateAccept({ throwOnError, query: { above: "0.99", dry_run: true } })).data.data.sample !== undefined,
  curateSupplier: async () => (await sdk.curateSupplier({ throwOnError: false, query: { code: "mavi" } })).response.status === 403,
  curateCase: async () => (await sdk.curateCase({ throwOnError, query: { adapter_id: 7, kind: "hotel", id: "1001" } })).data.data.candidates[0]?.id === 55,
  curateReference: async () => (await sdk.curateReference({ throwOnError, query: { kind: "hotel", id: 55 } })).data.data.suppliers[0]?.id === "1001",
  curateSearch: async () => (await sdk.curateSearch({ throwOnError, query: { q: "turkey", kind: "country" } })).data.data.items[0]?.id === 1,
  curateDuplicates: async () => (await sdk.curateDuplicates({ throwOnError, query: { kind: "hotel" } })).data.data.total >= 0,
  curateRecords: async () => String((await sdk.curateRecords({ throwOnError, query: { adapter_id: 7, kind: "hotel" }, parseAs: "text" })).data).includes("dict_name"),
  curateQueueFile: async () => String((await sdk.curateQueueFile({ throwOnError, query: { kind: "hotel" }, parseAs: "text" })).data).includes("decision"),
  curateHistory: async () => Array.isArray((await sdk.curateHistory({ throwOnError, query: { limit: 5 } })).data.data.items),
  curateBatches: async () => (await sdk.curateBatches({ throwOnError, query: { limit: 1 } })).data.data.items[0]?.what === "import",
  curateBatchUndo: async () => (await sdk.curateBatchUndo({ throwOnError: false, body: { batch: 999 } })).error?.error.reason === "unknown_batch",
  curateCoverage: async () => (await sdk.curateCoverage({ throwOnError, query: { adapter_id: 7 } })).data.data.items.every((c) => c.records >= c.mapped),
  curateAgreement: async () => (await sdk.curateAgreement({ throwOnError, query: { adapter_id: 7 } })).data.data.more === false,
  curateAir: async () => (await sdk.curateAir({ throwOnError, query: { limit: 5 } })).data.data.items.every((i) => i.count > 0),
  curateAirPlaces: async () => (await sdk.curateAirPlaces({ throwOnError, query: { q: "kyiv", limit: 3 } })).data.data.items[0]?.type === "city",
  curateAirMap: async () => (await sdk.curateAirMap({ throwOnError: false, body: { adapter_id: 21, external_id: "nobody's", source_id: 99999 } })).response.status === 404,
  curateLoad: async () => (await sdk.curateLoad({ throwOnError, query: { adapter_id: 7, file: "a.csv", dry_run: true }, body: new Blob(["Code;Name\nH1;Here\n"]) })).data.data.proposed,
  curateOpen: async () => (await sdk.curateOpen({ throwOnError, body: { adapter_id: 7, kind: "hotel", id: "1001" } })).data.data.seconds === 30,
  curateNote: async () => (await sdk.curateNote({ throwOnError, body: { adapter_id: 7, kind: "hotel", id: "1001", what: "comment", text: "x" } })).data.data.what === "comment",
  curateDecide: async () => {
    const decided = await sdk.curateDecide({ throwOnError, body: { decisions: [{ decide: "clear", adapter_id: 7, kind: "hotel", id: "1001", version: 0 }] } });
    return decided.data.data.items[0]?.reason === "changed_since";
  },
  reconcileService: async () => "versions" in (await sdk.reconcileService({ throwOnError, path: { key } })).data,
  reconcile: async () => "rows" in (await sdk.reconcile({ throwOnError, path: { key }, body: { extend: { ids: ["hotel-55"], properties: [{ id: "city" }] } } })).data,
  reconcileSuggest: async () => (await sdk.reconcileSuggest({ throwOnError, path: { key, what: "type" }, query: { prefix: "ho" } })).data.result.length === 3,
  reconcileProperties: async () => (await sdk.reconcileProperties({ throwOnError, path: { key }, query: { limit: 1 } })).data.properties.length === 1,
  reconcileView: async () => (await sdk.reconcileView({ throwOnError, path: { key, id: "hotel-55" }, parseAs: "text" })).data.includes("Blue Bay Palace"),
  signIn: async () => {
    const { data, response } = await sdk.signIn({ throwOnError, body: { name: "anna", password: "correct horse battery" } });
    session.Cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
    session["X-CSRF-Token"] = data.data.csrf;
    return data.data.role === "curator";
  },
  session: async () => (await sdk.session({ throwOnError, headers: session })).data.data.person === "anna",
  sessionWho: async () => (await sdk.sessionWho({ throwOnError })).data.data.session === null
    && (await sdk.sessionWho({ throwOnError, headers: session })).data.data.session?.person === "anna",
  curateDay: async () => (await sdk.curateDay({ throwOnError, headers: session })).data.data.items.some((i) => i.person === "anna"),
  curateAudit: async () => (await sdk.curateAudit({ throwOnError, query: { kind: "hotel", size: 5 } })).data.data.among >= 0,
  curatePrecision: async () => (await sdk.curatePrecision({ throwOnError, query: { adapter_id: 7 } })).data.data.items.every((i) => i.right <= i.judged),
  curateTakeBack: async () => (await sdk.curateTakeBack({ throwOnError: false, query: { of: "map", file: "a.csv" }, body: new Blob(["x"]) })).response.status === 403,
  curateProposals: async () => (await sdk.curateProposals({ throwOnError: false })).response.status === 403,
  choosePassword: async () => (await sdk.choosePassword({ throwOnError: false, body: { link: "1-x", password: "correct horse battery" } })).error?.error.reason === "sign_in_failed",
  users: async () => (await sdk.users({ throwOnError: false, headers: session })).error?.error.reason === "role_not_allowed",
  userAdd: async () => (await sdk.userAdd({ throwOnError: false, query: { name: "eva", role: "viewer" } })).response.status === 403,
  userSet: async () => (await sdk.userSet({ throwOnError: false, query: { name: "anna", disabled: true } })).response.status === 403,
  userLink: async () => (await sdk.userLink({ throwOnError: false, query: { name: "anna" } })).response.status === 403,
  keys: async () => (await sdk.keys({ throwOnError: false, headers: session })).error?.error.reason === "role_not_allowed",
  keyCreate: async () => (await sdk.keyCreate({ throwOnError: false, query: { api: "b", reads: ["7"] } })).response.status === 403,
  keySet: async () => (await sdk.keySet({ throwOnError: false, query: { id: 1, expires: "never" } })).response.status === 403,
  keyRotate: async () => (await sdk.keyRotate({ throwOnError: false, query: { id: 1, overlap: "1h" } })).response.status === 403,
  keyRevoke: async () => (await sdk.keyRevoke({ throwOnError: false, query: { id: 1 } })).response.status === 403,
  accessHistory: async () => (await sdk.accessHistory({ throwOnError: false, query: { of: "key", limit: 5 }, headers: session })).response.status === 403,
  signOut: async () => (await sdk.signOut({ throwOnError, headers: session })).data.data.signed_out,
  curateChanges: async () => (await sdk.curateChanges({ throwOnError, query: { since: "now" } })).data.data.cursor !== "",
  changes: async () => (await sdk.changes({ throwOnError, query: { since: "now" } })).data.data.cursor !== "",
  exportSources: async () => (await sdk.exportSources({ throwOnError, query: { kind: "meal" }, parseAs: "text" })).data.includes('"end"'),
  aviaReference: async () => (await sdk.aviaReference({ throwOnError, query: { search: "kyiv", limit: 3 } })).data.data.items[0]?.type === "city",
  aviaDetail: async () => (await sdk.aviaDetail({ throwOnError, query: { source_id: [2] } })).data.data.items["2"]?.code === "KBP",
  aviaCompared: async () => (await sdk.aviaCompared({ throwOnError, body: air })).data.data.compared.code === "KBP",
  aviaComparedIn: async () => (await sdk.aviaComparedIn({ throwOnError, path: { lang: "uk" }, body: air })).data.data.language === "uk",
  flag: async () => (await sdk.flag({ throwOnError, path: { ratio: "1x1", file: "xx.svg" }, parseAs: "blob" })).data.size > 0,
  health: async () => (await sdk.health({ throwOnError })).data.status === "ok",
  ready: async () => (await sdk.ready({ throwOnError })).data.status === "ready",
  readyToWrite: async () => (await sdk.readyToWrite({ throwOnError })).data.store === "ok",
  openapi: async () => (await sdk.openapi({ throwOnError })).data.openapi === "3.1.0",
  openapiA: async () => (await sdk.openapiA({ throwOnError })).data.openapi === "3.1.0",
  openapiB: async () => (await sdk.openapiB({ throwOnError })).data.openapi === "3.1.0",
};

async function main() {
  for (const [name, call] of Object.entries(calls)) holds(await call(), `${name}: not what was expected`);
  console.log(JSON.stringify(Object.keys(calls).sort()));
}
main().catch((fault) => { console.error(fault); process.exit(1); });
