// The curators' API (docs/curating.md), for a signed-in user.
import { ApiError, ask, root, session } from "./session.js";

let csrf = "", person = "";

/** Get the user; null: nobody has signed in. */
export async function enter() {
  const who = await session();
  [csrf, person] = [who?.csrf ?? "", who?.person ?? ""];
  return who;
}

/** Is it because of the session? */
export const isOver = e => e instanceof ApiError && e.status === 403 && ["not_authorized", "wrong_csrf_token"].includes(e.reason);

/** The same person has signed in again, in another window say. */
async function renewed(before) {
  const who = await session();
  if (who?.person !== person) return false;
  csrf = who.csrf;
  return csrf !== before;
}

async function call(path, options) {
  const used = csrf;
  try {
    return await send(path, options);
  } catch (e) {
    if (!isOver(e) || !(await renewed(used))) throw e;
    return send(path, options);
  }
}

/** @param body  sent as JSON @param file  sent as it is @param post  it changes something, and has no body */
async function send(path, { body, file, post, signal, headers } = {}) {
  const type = body ? "application/json" : "application/octet-stream", posts = Boolean(body || file || post);
  const answer = await ask(path, {
    method: posts ? "POST" : "GET", signal,
    headers: { ...headers, ...(body || file ? { "Content-Type": type } : {}), ...(posts ? { "X-CSRF-Token": csrf } : {}) },
    body: file ?? (body && JSON.stringify(body)),
  });
  const { data, error } = await answer.json();
  if (!answer.ok) throw new ApiError(answer.status, error, answer.headers.get("Retry-After"));
  return data;
}

export const pause = ms => new Promise(on => setTimeout(on, ms));

const query = values => new URLSearchParams(Object.entries(values).filter(([, v]) => v !== "" && v !== null && v !== undefined));

export const queuePage = (filters, cursor, limit, signal) => call(`v1/curate/queue?${query({ ...filters, cursor, limit })}`, { signal });

/** The address of a file with the cases that these filters show, to be filled in. */
export const queueFileAddress = values => new URL(`v1/curate/queueFile?${query(values)}`, root).href;

/** The cases with the name and the first candidate of a case. */
export const alikeOf = ({ adapter_id, kind, id }) => call(`v1/curate/queue?${query({ like: `${adapter_id}/${kind}/${id}`, limit: 500 })}`);

/** How many cases wait, by what. */
export function facetsOf({ sort, ...filters }) {
  return call(`v1/curate/facets?${query(filters)}`);
}

/** How many cases would be accepted, and ten of them at random. */
export const acceptLook = filters => call(`v1/curate/accept?${query({ ...filters, dry_run: 1 })}`, { post: true });

/** Their first suggestions are right. @param total  as many as were seen at most. @returns { batch, accepted, refused, left } */
export const acceptAll = (filters, total, why) => call(`v1/curate/accept?${query({ ...filters, total, why })}`, { post: true });

export const caseOf = ({ adapter_id, kind, id }, signal) => call(`v1/curate/case?${query({ adapter_id, kind, id })}`, { signal });

/** Records of the reference by name. */
export const searchReference = (filters, signal) => call(`v1/curate/search?${query(filters)}`, { signal });

export const referenceOf = ({ kind, id }, signal) => call(`v1/curate/reference?${query({ kind, id })}`, { signal });

export const duplicatesOf = filters => call(`v1/curate/duplicates?${query(filters)}`);

export const historyPage = (filters, cursor) => call(`v1/curate/history?${query({ ...filters, cursor })}`);

/** The address of a file with a supplier's records. */
export const recordsAddress = values => new URL(`v1/curate/records?${query(values)}`, root).href;

export const batchesPage = filters => call(`v1/curate/batches?${query({ ...filters, limit: 20 })}`);

/** @returns { items, suppliers, countries? } */
export const coverage = values => call(`v1/curate/coverage?${query(values)}`);

/** For administrators. @returns { adapter_id, code, adapter } */
export const addSupplier = values => call(`v1/curate/supplier?${query(values)}`, { post: true });

/** A sample of what the matcher mapped. @returns { items, among, seed } */
export const auditSample = values => call(`v1/curate/audit?${query(values)}`);

/** The precision that the judgements show. @returns { items } */
export const precisionOf = values => call(`v1/curate/precision?${query(values)}`);

/** A file of ours that was filled in: the body is the file itself. */
export const takeBack = (values, file) => call(`v1/curate/takeBack?${query(values)}`, { file });

/** The records that several suppliers have and the reference has not. @returns { items, total, members, records } */
export const proposalsOf = limit => call(`v1/curate/proposals?${query({ limit })}`, { post: true });

/* ---- people and keys: for administrators ---- */

const pairs = list => new URLSearchParams(list);

/** @returns { items } */
export const usersList = () => call("v1/access/users");

/** @returns { name, role, disabled, link, link_until } */
export const addUser = values => call(`v1/access/userAdd?${query(values)}`, { post: true });
export const changeUser = values => call(`v1/access/userSet?${query(values)}`, { post: true });
export const linkOfUser = values => call(`v1/access/userLink?${query(values)}`, { post: true });

/** @returns { items, suppliers } */
export const keysList = () => call("v1/access/keys");

/** @param wishes  [[name, value], …]: some are repeated @returns { id, key, secret } */
export const makeKey = wishes => call(`v1/access/keyCreate?${pairs(wishes)}`, { post: true });
export const changeKey = wishes => call(`v1/access/keySet?${pairs(wishes)}`, { post: true });
export const rotateKey = values => call(`v1/access/keyRotate?${query(values)}`, { post: true });
export const revokeKey = values => call(`v1/access/keyRevoke?${query(values)}`, { post: true });

/** @returns { items, more } */
export const accessHistory = values => call(`v1/access/history?${query(values)}`);

/** By supplier, kind and month. @returns { items, more } */
export const agreement = values => call(`v1/curate/agreement?${query(values)}`);

/** Load a list, or preview it (dry_run): the body is the file itself. @param map  ["field=Column"]
 * @param once  [[name, value], …] of all rows */
export const loadList = (values, map, file, once) =>
  call(`v1/curate/load?${new URLSearchParams([...query(values), ...map.map(m => ["map", m]), ...once])}`, { file });

export const airReports = limit => call(`v1/curate/air?${query({ limit })}`);

export const airPlaces = (q, signal) => call(`v1/curate/airPlaces?${query({ q, limit: 9 })}`, { signal });

export const airMap = mapping => call("v1/curate/airMap", { body: mapping });

/** Each call has a key of its own, so that an answer that was lost can be asked for again. */
export async function decide(decisions, wait = pause) {
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  for (let tries = 0; ; tries++) {
    try {
      return await call("v1/curate/decide", { body: { decisions }, headers });
    } catch (e) {
      if (e instanceof ApiError || tries === 2) throw e;
      await wait(500 << tries);
    }
  }
}

/** @returns { removed, restored, kept, … } */
export const batchUndo = (batch, why) => call("v1/curate/batchUndo", { body: { batch, ...(why ? { why } : {}) } });

/** Add a note to a case: "comment", "assign", "unassign", "later" or "now". */
export const sendNote = ({ adapter_id, kind, id }, what, text) =>
  call("v1/curate/note", { body: { adapter_id, kind, id, what, ...(text ? { text } : {}) } });

/** How much each person has decided. @returns { items: [{ person, decides, done, hour }], more } */
export const dayOf = since => call(`v1/curate/day?${query({ since })}`);

/** Says that this case is looked at, or no longer is. @returns the others who do. */
export const look = ({ adapter_id, kind, id }, close = false) => call("v1/curate/open", { body: { adapter_id, kind, id, close } });

/** The present cursor of changes: fetching afterwards, and `follow` from here, leave nothing out. */
export const changesNow = async () => (await call("v1/curate/changes?since=now")).cursor;

/** Follow others' decisions: calls `changed` with each change of a supplier's record. @param failed  is told why it may not. */
export async function follow(since, changed, failed) {
  for (;;) {
    try {
      const { cursor, items } = await call(`v1/curate/changes?${query({ since, wait: since === "now" ? "" : 30 })}`);
      since = cursor;
      items.filter(it => it.type === "source").forEach(changed);
    } catch (e) {
      if (e instanceof ApiError && e.status === 410) since = "now";
      if (e instanceof ApiError && e.status === 403) failed(e);
      await pause(5000);
    }
  }
}
