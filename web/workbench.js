// The workbench: which supplier's record is which record of the reference (docs/workbench.md). Everything goes through the curators' API.
import { fillSelect, keepFilters, KINDS, onKeys, openPage, readFilters, say, stayed, told } from "./bench.js";
import { caseView } from "./case.js";
import { batchUndo, caseOf, changesNow, decide, follow, look, queuePage } from "./curate.js";
import { $, make, name } from "./dom.js";
import { hitBox } from "./hits.js";
import { keyOf, Queue } from "./queue.js";
import { savedViews } from "./views.js";

const REASONS = {
  below_threshold: "not sure enough", ambiguous: "another one fits nearly as well", no_candidates: "nothing is like it",
  veto_country: "lies in another country", veto_numbers: "the numbers differ", veto_brands: "the brands differ",
  veto_residence: "words such as residence or villas differ", veto_places: "each has another place in its name", veto_part: "one is a part of a house",
  veto_not_same: "a person said that it is not the one", taken_back: "its mapping was taken back", veto_claimed: "another record of this supplier claims it",
  veto_list: "most of this list's names and coordinates disagree", lacks_name: "it has no name", lacks_place: "nothing tells where it is", country_unmapped: "map its country first",
  city_unmapped: "map its city first", unclear: "it can mean several things",
};
const reasonText = word => REASONS[word] ?? word ?? "";
const HEARTBEAT = 15000, OWN = 5000, KEPT = 12, HOLD = 400, UNDOS = 100;

let me, queue, finder, views, filters = {}, shown = null;
let painted = null;                 // the case that can be seen, as it was when it was drawn: { key, known }
let holdUntil = 0;                  // what is seen has just changed by itself: no key decides
let itself = false;                 // what changes now was not asked for by a key
let lost = false;                   // the candidate that had the focus is no longer there
const done = [];                    // what was decided here, the last at the end: { what, batch, list, sent }; until it was sent its list is empty
const mine = new Map();             // when a case was decided here, by key
const cases = new Map();            // cases that were fetched, by key: promises

const canDecide = () => me.role !== "viewer";

/* ---- the filters, which are in the address ---- */

function filtersChanged(event) {
  event.preventDefault();
  keepFilters($("#filters"));
  if (event.type === "submit") $("#rows").focus(); // the next key is for the list, though it is still on its way
  start();
}

function viewChosen(query) {
  history.pushState(null, "", `?${query}`);
  start();
}

const shownQuery = () => new URLSearchParams(filters).toString();

/* ---- one case ---- */

function fetched(it) {
  const key = keyOf(it);
  if (!cases.has(key)) {
    cases.set(key, caseOf(it));
    cases.get(key).catch(() => cases.delete(key));
    if (cases.size > KEPT) cases.delete(cases.keys().next().value);
  }
  return cases.get(key);
}

/** The next ones are there before they are asked for. */
function fetchAhead() {
  for (const it of queue.items.slice(queue.at + 1, queue.at + 4)) fetched(it).catch(() => {});
}

function empty() {
  return make("div", "card empty", make("h2", "", "Nothing is waiting here"), make("p", "soft", "Everything that these filters show is decided. Choose others above."));
}

const CONTROLS = "button, summary, a";

/** Which candidate has the focus, and what of it: null for none. */
function focusNow() {
  const box = document.activeElement?.closest(".candidate");
  return box && { id: box.dataset.id, at: [...box.querySelectorAll(CONTROLS)].indexOf(document.activeElement) };
}

/** The same case was drawn anew: the focus is where it was. */
function focusAgain({ id, at }) {
  const box = document.querySelector(`.candidate[data-id="${CSS.escape(id)}"]`), control = box?.querySelectorAll(CONTROLS)[at];
  lost = !box;
  (control && !control.disabled ? control : box ?? $("#case")).focus({ preventScroll: true });
}

function paintCase(it) {
  const acts = { accept: at => accept(at), refuse: at => refuse(at), fresh: () => freshOne() };
  const same = painted && it && painted.key === keyOf(it), focus = same && focusNow(), top = same ? $("#case").scrollTop : 0;
  if (!same) finder.clear();
  painted = it && { key: keyOf(it), known: it };
  lost &&= same;
  $("#one").replaceChildren(...(it ? caseView(it, reasonText, acts) : [empty()]));
  if (focus) focusAgain(focus);
  $("#case").scrollTop = top;
  showOthers(it?.open_by ?? []);
  for (const button of canDecide() ? [] : $("#case").querySelectorAll(".acts button")) button.disabled = true;
}

async function show(it) {
  const before = shown, unasked = itself;
  shown = it && keyOf(it);
  if (before !== shown) heartbeat();
  if (!it) return paintCase(null);
  if (painted?.key !== shown) painted = null; // what is still to be seen is not what a key would decide
  try {
    const known = await fetched(it);
    if (shown === keyOf(it)) {
      paintCase(known);
      if (unasked) hold();
    }
    fetchAhead();
  } catch (e) {
    if (shown === keyOf(it)) told(e);
  }
}

const hold = () => { holdUntil = Date.now() + HOLD };

/** The list, or what is shown, changes without a key of who works here: none decides until it could be seen. */
function byItself(change) {
  hold();
  itself = true;
  try {
    change();
  } finally {
    itself = false;
  }
}

let looking = null;

function heartbeat() {
  const now = queue.current;
  if (looking && (!now || keyOf(looking) !== keyOf(now))) look(looking, true).catch(() => {});
  looking = now;
  if (!now) return showOthers([]);
  look(now).then(told => { if (shown === keyOf(now)) showOthers(told.open_by) }).catch(() => {});
}

function showOthers(people) {
  $("#others").hidden = people.length === 0;
  $("#others").replaceChildren(name(people.join(", ")), people.length > 1 ? " look at this case too." : " looks at this case too.");
}

/* ---- deciding: the next case is shown at once; what is refused comes back ---- */

/** The case that can be seen, and nothing else: a key that comes before it is drawn decides nothing. */
const seen = () => (painted && queue.current && painted.key === keyOf(queue.current) ? [{ it: queue.current, known: painted.known }] : []);

/** What is selected, as far as it is what the list says; else the case that can be seen. */
async function meant(said) {
  if (queue.picked.size === 0) return seen();
  const all = await Promise.all(queue.meant.map(async it => ({ it, known: await fetched(it).catch(() => null) })));
  const same = all.filter(({ it, known }) => known && known.version === it.version && said(it, known));
  left = all.length - same.length;
  return same;
}

let left = 0;                       // of those that were selected, what was not decided

async function settle(what, list, make) {
  if (!canDecide()) return say("Your role is viewer: you can look, and not decide.", true);
  if (Date.now() < holdUntil) return say("The list has just moved. Look again.");
  const over = list.filter(({ known }) => known.dict_id !== null).map(({ it }) => it);
  if (over.length > 0) {
    byItself(() => queue.remove(over));
    return say("Somebody else has decided this. Look again.", true);
  }
  const decisions = list.flatMap(({ it, known }) => {
    const one = make(known);
    return one ? [{ it, known, decision: { adapter_id: it.adapter_id, kind: it.kind, id: it.id, version: known.version, ...one } }] : [];
  });
  if (list.length === 0 && left === 0) return; // it is not drawn yet
  if (decisions.length === 0) return say(left > 0 ? "What is selected has changed. Look at it again." : "There is nothing to decide so.", true);
  say("");
  const stays = what === NOT_SAME;
  if (!stays) queue.remove(decisions.map(d => d.it));
  const mark = { what, batch: null, list: [] };
  mark.sent = send(mark, decisions, stays);
  // What is not the same stays so: a mapping that was taken back before must not come back with it.
  if (!stays && done.push(mark) > UNDOS) done.shift(); // a day has thousands
  return mark.sent;
}

async function send(mark, decisions, stays) {
  try {
    take(mark, decisions, await decide(decisions.map(d => d.decision)), stays);
  } catch (e) {
    if (!stays) putBack(decisions.map(d => d.it));
    told(e);
  }
  if (mark.list.length === 0 && done.includes(mark)) done.splice(done.indexOf(mark), 1);
}

function putBack(list, select = true) {
  if (list.length > 0) byItself(() => queue.putBack(list, select));
}

/** Somebody was faster: it comes back only if it is still a case. */
async function comeBack(list) {
  const now = await Promise.all(list.map(async it => ({ it, known: await fetched(it).catch(() => null) })));
  putBack(now.filter(({ known }) => known?.dict_id === null).map(({ it }) => it));
}

function take(mark, decisions, { batch, items }, stays) {
  const results = decisions.map((d, i) => ({ ...d, ...items[i] }));
  const refused = results.filter(r => r.result === "refused"), taken = results.filter(r => r.result === "done");
  for (const { it } of results) cases.delete(keyOf(it));
  for (const [key, at] of mine) if (Date.now() - at > OWN) mine.delete(key);
  for (const { it } of results.filter(r => r.result !== "refused")) mine.set(keyOf(it), Date.now());
  Object.assign(mark, { batch, list: taken });
  if (stays) show(queue.current);
  if (refused.length > 0) {
    say(refused[0].message, true);
    return stays ? undefined : comeBack(refused.map(r => r.it));
  }
  if (taken.length === 0) return say(`It was so already: ${mark.what}.`);
  const rest = left > 0 ? ` ${left} of the selected left: they have changed, or have no such candidate.` : "";
  say(`${taken.length === 1 ? "Decided" : `${taken.length} decided`}: ${mark.what}.${rest}${stays ? "" : " u takes it back."}`);
}

const NOT_SAME = "not the same", NEW = "new in the reference";

function accept(at) {
  left = 0;
  return settle("mapped", seen(), known => known.candidates[at] && { decide: "map", dict_id: known.candidates[at].id });
}

/** Each of the selected is the candidate that the list has named. */
async function acceptFirst() {
  if (queue.picked.size === 0) return accept(0);
  const list = await meant((it, known) => known.candidates[0] && known.candidates[0].id === it.best?.id);
  return settle("each is its first candidate", list, known => ({ decide: "map", dict_id: known.candidates[0].id }));
}

/** What was found in the reference for the case that can be seen. */
function acceptFound(hit) {
  left = 0;
  $("#rows").focus();
  finder.clear();
  return settle("mapped", seen(), () => ({ decide: "map", dict_id: hit.id }));
}

function refuse(at) {
  left = 0;
  return settle(NOT_SAME, seen(), known => known.candidates[at] && { decide: "not_same", dict_id: known.candidates[at].id });
}

function freshOne() {
  left = 0;
  return settle(NEW, seen(), () => ({ decide: "new" }));
}

async function fresh() {
  left = 0;
  return settle(NEW, await meant(() => true), () => ({ decide: "new" }));
}

/** A record that was made goes with its mapping, so the batch is taken back; else each mapping. */
async function takeBack({ what, batch, list }) {
  if (what === NEW) {
    const { kept } = await batchUndo(batch);
    return { back: list, refused: kept > 0 ? "Something of it was changed since, and stays." : "" };
  }
  const { items } = await decide(list.map(({ it, version }) => ({ decide: "undo", adapter_id: it.adapter_id, kind: it.kind, id: it.id, version })));
  return { back: list.filter((_, i) => items[i].result !== "refused"), refused: items.find(i => i.result === "refused")?.message };
}

/** As it is now, with the candidates of before: the matcher's are gone with the decision. */
async function asBefore({ it, known }) {
  let now;
  for (let tries = 0; tries < 10; tries++) { // a batch that was taken back is seen a moment later
    cases.delete(keyOf(it));
    now = await fetched(it);
    if (now.dict_id === known.dict_id) break;
    await new Promise(on => setTimeout(on, 100));
  }
  return now.dict_id === null && now.candidates.length === 0 ? { ...now, candidates: known.candidates, suggestion: known.suggestion } : now;
}

async function undo() {
  const last = done.pop();
  if (!last) return say("There is nothing of yours to take back in this page.");
  const shownBefore = queue.current;
  await last.sent; // it may still be on its way
  if (last.list.length === 0) return; // nothing came of it, and why has been said
  try {
    const { back, refused } = await takeBack(last);
    const now = await Promise.all(back.map(asBefore));
    back.forEach(({ it }, i) => {
      cases.set(keyOf(it), Promise.resolve(now[i]));
      mine.set(keyOf(it), Date.now());
    });
    putBack(back.filter((_, i) => now[i].dict_id === null).map(({ it }) => it), queue.current === shownBefore);
    say(refused || `Taken back: ${last.what}.`, Boolean(refused));
  } catch (e) {
    done.push(last);
    told(e);
  }
}

/* ---- keys ---- */

/** The candidate that has the focus, or the first. */
const focused = () => Number(document.activeElement?.closest(".candidate")?.dataset.at ?? 0);

function refuseFocused() {
  if (lost && !document.activeElement?.closest(".candidate")) return say("The candidate that you were at is no longer among these. Choose one.", true);
  return refuse(focused());
}

const MOVES = { j: () => queue.step(1), k: () => queue.step(-1), ArrowDown: () => queue.step(1), ArrowUp: () => queue.step(-1) };
const ACTS = { 1: () => acceptFirst(), x: () => refuseFocused(), n: () => fresh(), u: () => undo(), " ": () => queue.pick() };

const found = () => $("#find-input").select();

/** @returns what the key does. */
const pressed = key => MOVES[key] ?? ACTS[key] ?? (key === "/" ? found : /^[2-9]$/.test(key) ? () => accept(Number(key) - 1) : null);

/* ---- what others do ---- */

function changed(it) {
  if (Date.now() - (mine.get(keyOf(it)) ?? 0) < OWN) return; // it was decided here
  cases.delete(keyOf(it));
  if (it.what.some(w => w === "mapped" || w === "deleted")) {
    if (queue.current && keyOf(queue.current) === keyOf(it)) byItself(() => queue.remove([it]));
    else queue.remove([it]);
  } else if (queue.current && keyOf(queue.current) === keyOf(it)) byItself(() => show(queue.current));
}

/* ---- the beginning ---- */

async function start() {
  filters = readFilters($("#filters"));
  views.paint();
  cases.clear();
  try {
    await queue.load();
  } catch (e) {
    told(e);
  }
}

function counted(total, picked) {
  $("#count").textContent = `${total.toLocaleString()}${picked > 0 ? `, ${picked} selected` : ""}`;
}

/** The search of the reference for the case that is shown. */
function startFinder() {
  finder = hitBox($("#find"), {
    about: () => ({ kind: painted?.known.kind, beside: painted?.known.record.name }),
    pick: acceptFound, hasty: () => say("The list has just changed. Look again."),
  });
  for (const box of document.querySelectorAll(".decides")) box.hidden = !canDecide();
  $("#find").addEventListener("keydown", event => event.key === "Escape" && $("#rows").focus());
}

async function open() {
  me = await openPage();
  if (!me) return;
  fillSelect($("#filters [name=kind]"), KINDS);
  fillSelect($("#filters [name=reason]"), REASONS);
  startFinder();
  views = savedViews(me.person, { choose: viewChosen, query: shownQuery });
  queue = new Queue($("#rows"), { fetchPage: (cursor, limit) => queuePage(filters, cursor, limit), reasonText, chosen: show, counted, failed: told });
  $("#filters").addEventListener("submit", filtersChanged);
  $("#filters").addEventListener("change", filtersChanged);
  addEventListener("popstate", start);
  onKeys(pressed, Object.keys(MOVES));
  setInterval(heartbeat, HEARTBEAT);
  const since = await changesNow().catch(() => "now");
  await start();
  if (stayed()) $("#rows").focus();
  follow(since, changed, told);
}

open().catch(told);
