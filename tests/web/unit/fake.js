// A server, a window of the workbench and a clock, as far as web/decisions.js can see them.
import { webcrypto } from "node:crypto";
import { Cases, keyOf } from "../../../web/cases.js";
import { alikeOf, batchUndo, caseOf, decide } from "../../../web/curate.js";
import { Decisions } from "../../../web/decisions.js";

globalThis.crypto ??= webcrypto;    // before Node.js 19

/** All that was answered is taken in. */
export const turn = () => new Promise(on => setImmediate(on));

/** A promise that a test ends. */
export function gate() {
  let open;
  return { opened: new Promise(on => { open = on }), open };
}

const answerOf = (status, body) => ({ ok: status < 400, status, headers: new Map(), json: async () => body });
const failure = (status, reason) => answerOf(status, { error: { reason, message: `no: ${reason}` } });

/** As many cases as asked for, 3/hotel/N-0 the first, each with candidates 101 and 102. Its fetch() is that of the page. */
export class Server {
  #cases = new Map();
  #answers = new Map();             // by Idempotency-Key
  #feed = [];                       // { key, what }
  #version = 0;
  requests = [];                    // { path, body, key }, in the order in which they came
  plan = [];                        // of the next requests for a path: { path, before, after }, functions that may answer, throw or wait

  constructor(count, kind = "hotel") {
    for (let i = 0; i < count; i++) {
      const it = { adapter_id: 3, kind, id: `N-${i}`, record: { name: `House ${i}` }, version: ++this.#version, dict_id: null,
        candidates: [{ id: 101 }, { id: 102 }], suggestion: { reason: "ambiguous" }, likely: 0.9, not_same: [], before: [] };
      this.#cases.set(keyOf(it), it);
    }
    globalThis.fetch = (url, options) => this.fetch(url, options);
  }

  get list() { return [...this.#cases.values()].filter(it => it.dict_id === null).map(it => this.case(it)) }

  case(it) {
    const { before, ...known } = this.#cases.get(keyOf(it));
    return structuredClone(known);
  }

  /** What the feed tells from a place on: each record once, as it is now; of "not the same" it does not tell. */
  changes(since = 0) {
    const keys = new Set(this.#feed.slice(since).map(f => f.key));
    return [...keys].map(key => {
      const { adapter_id, kind, id, dict_id } = this.#cases.get(key);
      const what = this.#feed.slice(since).filter(f => f.key === key).map(f => f.what);
      return { type: "source", adapter_id, kind, id, what, dict: dict_id === null ? null : { id: dict_id } };
    });
  }

  /** What the matcher says of a case. */
  says(it, reason, likely) { Object.assign(this.#cases.get(keyOf(it)), { suggestion: { reason }, likely }) }

  get end() { return this.#feed.length }

  /** The next request for this path: before(request) and after() it is taken in, each may answer in its place. */
  next(path, { before = () => {}, after = () => {} }) { this.plan.push({ path, before, after }) }

  async fetch(url, { body, headers }) {
    const path = new URL(url).pathname.split("/").pop(), at = this.plan.findIndex(p => p.path === path);
    const planned = at < 0 ? null : this.plan.splice(at, 1)[0], key = headers["Idempotency-Key"];
    const request = { path, body: body && JSON.parse(body), key };
    this.requests.push(request);
    const instead = await planned?.before(request);
    if (instead) return instead;
    const answer = this.#answers.get(key) ?? this.#answer(path, new URL(url).searchParams, request.body);
    if (key) this.#answers.set(key, answer);
    return await planned?.after() ?? answer;
  }

  #answer(path, query, body) {
    if (path === "case") return answerOf(200, { data: this.case(Object.fromEntries(query)) });
    if (path === "queue") return answerOf(200, { data: { items: this.alike(query.get("like")), cursor: null } });
    if (path === "batchUndo") return this.#undoBatch(body.batch);
    return answerOf(200, { data: { batch: ++this.#version, items: body.decisions.map(d => this.decide(d)) } });
  }

  /** All are called the same here: the open cases with the same first candidate. */
  alike(key) {
    const [first] = this.#cases.get(key).candidates, open = [...this.#cases.values()].filter(it => it.dict_id === null);
    return open.filter(it => it.candidates[0]?.id === first.id).map(({ adapter_id, kind, id, version, candidates, suggestion, likely }) =>
      ({ adapter_id, kind, id, version, reason: suggestion.reason, best: { ...candidates[0], probability: likely } }));
  }

  /** By this window or by somebody else, who names no version. */
  decide({ decide: verb, dict_id, version, ...key }) {
    const it = this.#cases.get(keyOf(key));
    if (version !== undefined && version !== it.version)
      return { status: 409, result: "refused", reason: "changed_since", message: "no: changed_since", version: it.version };
    const { dict_id: was, not_same } = it;
    const kept = was === dict_id ? null : was, made = 1000 + this.#version, undone = it.before.at(-1)?.dict_id;
    const to = { map: dict_id, new: made, undo: undone, not_same: kept, undo_not_same: was }[verb] ?? null;
    const apart = { not_same: [...not_same, dict_id], undo_not_same: not_same.filter(n => n !== dict_id) }[verb] ?? not_same;
    if (to === was && String(apart) === String(not_same)) return { status: 200, result: "same", was, is: was, version: it.version };
    if (verb === "undo") it.before.pop();
    else if (to !== was) it.before.push({ dict_id: was });
    Object.assign(it, { dict_id: to, not_same: apart, version: ++this.#version, batch: this.#version });
    if (to !== null || was !== null) it.candidates = []; // the matcher's are gone with the decision
    if (to !== was) this.#feed.push({ key: keyOf(key), what: to === null ? "unmapped" : "mapped" });
    return { status: 200, result: "done", was, is: to, version: it.version };
  }

  #undoBatch(batch) {
    const made = this.requests.filter(r => r.path === "decide").at(-1).body.decisions;
    for (const d of made) this.decide({ ...d, version: undefined, decide: "undo" });
    return answerOf(200, { data: { batch, removed: made.length, restored: 0, kept: 0 } });
  }
}

export const refuses = (status, reason) => ({ before: () => failure(status, reason) });
export const isLost = { before: () => { throw new TypeError("Failed to fetch") } };
export const answerIsLost = { after: () => { throw new TypeError("Failed to fetch") } };

/** The list of web/queue.js without its drawing. */
class List {
  picked = new Set();
  at = 0;

  constructor(items, shown) { Object.assign(this, { items, shown }) }

  get current() { return this.items[this.at] ?? null }
  get selected() { return this.items.filter(it => this.picked.has(keyOf(it))) }
  get ids() { return this.items.map(it => it.id) }

  select(at) {
    this.at = Math.min(at, this.items.length - 1);
    this.shown();
  }

  remove(gone) {
    const keys = new Set(gone.map(keyOf)), { current } = this;
    this.items = this.items.filter(it => !keys.has(keyOf(it)));
    for (const key of keys) this.picked.delete(key);
    if (current && keys.has(keyOf(current))) this.select(this.at);
    else this.at = this.items.indexOf(current);
  }

  putBack(list, select) {
    const there = new Set(this.items.map(keyOf)), back = list.filter(it => !there.has(keyOf(it)));
    this.at = Math.max(this.at, 0);
    this.items.splice(this.at, 0, ...back);
    if (select) this.select(back.length > 0 ? this.at : this.items.findIndex(it => keyOf(it) === keyOf(list[0])));
    else this.at += back.length;
  }
}

/** What decisions.js is part of. A case is drawn a turn after it is shown. */
export class Window {
  messages = [];                    // what the page said
  errors = [];
  waits = [];                       // ms, of the clock, which is as fast as it can be
  mayDecide = true;
  held = false;
  moved = 0;                        // how often the list, or the case, changed without a key
  drawn = 0;                        // how often a case was drawn
  #painted = null;
  #since;

  constructor(server) {
    this.server = server;
    this.#since = server.end;
    this.cases = new Cases(caseOf, 12);
    this.list = new List(server.list.map(({ adapter_id, kind, id, version, record, candidates }) =>
      ({ adapter_id, kind, id, version, name: record.name, best: candidates[0] })), () => this.show());
    const wait = async ms => { this.waits.push(ms) };
    this.decisions = new Decisions({ cases: this.cases, list: this.list, wait, page: this.#page(),
      server: { alikeOf, batchUndo, caseOf, decide: list => decide(list, wait) } });
  }

  #page() {
    return {
      mayDecide: () => this.mayDecide, onHold: () => this.held, shownKey: () => this.list.current && keyOf(this.list.current),
      shownCase: () => this.#shownCase(), redraw: () => { this.show() }, say: text => { if (text) this.messages.push(text) },
      showError: e => { this.errors.push(e.message) }, patiently: job => job,
      byItself: change => { this.moved++; change() },
    };
  }

  #shownCase() {
    const it = this.list.current;
    return it && this.#painted && keyOf(this.#painted) === keyOf(it) ? [{ it, known: this.#painted }] : [];
  }

  async show() {
    const it = this.list.current;
    if (!it) return;
    if (this.#painted && keyOf(this.#painted) !== keyOf(it)) this.#painted = null;
    const known = await this.cases.get(it).catch(() => null);
    if (this.list.current !== it) return;
    this.drawn++;
    this.#painted = known;
  }

  get said() { return this.messages.at(-1) }
  get shown() { return this.list.current?.id }

  /** Takes in what the feed tells, or what it told before. */
  async follow(changes = this.server.changes(this.#since)) {
    this.#since = this.server.end;
    await Promise.all(changes.map(change => this.decisions.changed(change)));
    await turn();
  }
}

/** A server and a window, which shows its first case. */
export async function begin(count, kind) {
  const server = new Server(count, kind), page = new Window(server);
  await page.show();
  return { server, page, decisions: page.decisions };
}
