// The workbench: which supplier's record is which record of the reference (docs/workbench.md). Everything goes through the curators' API.
import { answered, fillSelect, holdOf, keepFilters, KINDS, onKeys, openPage, patiently, readFilters, say, showError, stayed } from "./bench.js";
import { caseView } from "./case.js";
import { countryChoice, supplierChoice } from "./choices.js";
import { batchUndo, caseOf, changesNow, decide, follow, look, queuePage } from "./curate.js";
import { $, make, name } from "./dom.js";
import { hitBox } from "./hits.js";
import { keyOf, Queue } from "./queue.js";
import { ApiError } from "./session.js";
import { savedViews } from "./views.js";

const REASONS = {
  sure: "sure, but not mapped by itself",
  below_threshold: "not sure enough", ambiguous: "another one fits nearly as well", no_candidates: "nothing is like it",
  veto_country: "lies in another country", veto_numbers: "the numbers differ", veto_brands: "the brands differ",
  veto_residence: "words such as residence or villas differ", veto_places: "each has another place in its name", veto_part: "one is a part of a house",
  veto_not_same: "a person said that it is not the one", taken_back: "what was decided of it was taken back", veto_claimed: "another record of this supplier claims it",
  veto_list: "most of this list's names and coordinates disagree", lacks_name: "it has no name", lacks_place: "nothing tells where it is", country_unmapped: "map its country first",
  city_unmapped: "map its city first", unclear: "it can mean several things",
};
const reasonText = word => REASONS[word] ?? word ?? "";
const HEARTBEAT = 15000, OWN = 5000, KEPT = 12, SETTLED = 300, UNDOS = 100;

let me, queue, finder, views, country, filters = {}, shown = null;
let painted = null;                 // the case that can be seen, as it was when it was drawn: { key, known }
const hold = holdOf($("#case"));
let itself = false;                 // what changes now was not asked for by a key
let lost = false;                   // the candidate that had the focus is no longer there
const done = [];                    // what was decided here, the last at the end: { what, batch, list, sent }; until it was sent its list is empty
const mine = new Map();             // when a case was decided here, by key
const cases = new Map();            // cases that were fetched, by key: promises

const canDecide = () => me.role !== "viewer";

/* ---- the filters, which are in the address ---- */

let changes = 0;                    // of the filters

async function filtersChanged(event) {
  const mine = ++changes;
  event.preventDefault();
  if (event.type === "submit") $("#rows").focus({ preventScroll: true }); // the next key is for the list, though it is still on its way
  if (country.open) {
    queue.clear();                  // a key that comes before the country is known is not for the list of before
    const is = await country.resolve().catch(showError);
    if (mine !== changes) return;   // others were chosen meanwhile
    if (!is) return start("keep");
  }
  keepFilters($("#filters"));
  start();
}

function viewChosen(query) {
  history.pushState(null, "", `?${query}`);
  start();
}

const shownQuery = () => new URLSearchParams(filters).toString();

/* ---- where one is: after a reload, and by a link to a case ---- */

let placing = 0;

/** Kept with the page in the browser's history, once nobody steps on. */
function keepPlace() {
  clearTimeout(placing);
  placing = setTimeout(() => history.replaceState(queue.current && { case: keyOf(queue.current) }, ""), SETTLED);
}

/** @returns the case that a link names, or null */
function linkedCase(key) {
  const [, adapter_id, kind, id] = /^(\d+)\/(\w+)\/(.*)$/s.exec(key) ?? [];
  return id === undefined ? null : { adapter_id: Number(adapter_id), kind, id };
}

/** The case of a link stands first, also where it is mapped already, and can be decided anew. @param round  of the list that it is for */
async function openLinked(link, round) {
  const key = keyOf(link);
  if (round !== queue.round || queue.items.some(it => keyOf(it) === key)) return;
  const known = await fetched(link);
  if (round !== queue.round) return;
  const it = { ...link, name: known.record.name, version: known.version, country: null, reason: known.suggestion?.reason ?? "", waiting: 1, open_by: [],
    best: known.candidates[0] ?? null, linked: true };
  putBack([it]);
}

/* ---- one case ---- */

function fetched(it) {
  const key = keyOf(it);
  if (!cases.has(key)) {
    cases.set(key, caseOf(it).then(known => { answered(); return known }));
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
  return make("div", "card empty", make("h2", "", "Nothing is waiting here"), make("p", "soft", "Everything that these filters show is decided. Choose others above. What was loaded within the last minute may still be on its way."));
}

/** @param what  could not be fetched: nothing else is shown in its place. */
function failed(what, again) {
  const button = make("button", "", "Try again");
  button.addEventListener("click", again);
  painted = null;
  $("#one").replaceChildren(make("div", "card empty", make("h2", "", what), make("p", "acts", button)));
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
  const acts = { accept: at => accept(at), refuse: at => refuse(at), fresh: () => freshOne(), afterAll: id => acceptRecord(id), unsay };
  const same = painted && it && painted.key === keyOf(it), focus = same && focusNow(), inside = $("#one").contains(document.activeElement), top = same ? $("#case").scrollTop : 0;
  if (!same) finder.clear();
  painted = it && { key: keyOf(it), known: it };
  lost &&= same;
  $("#one").replaceChildren(...(it ? caseView(it, reasonText, acts) : [empty()]));
  if (focus) focusAgain(focus);
  else if (inside) $("#rows").focus({ preventScroll: true }); // what had the focus is gone
  $("#case").scrollTop = top;
  showOthers(it?.open_by ?? []);
  for (const button of canDecide() ? [] : $("#case").querySelectorAll(".acts button")) button.disabled = true;
}

async function show(it) {
  const before = shown, unasked = itself;
  keepPlace();
  shown = it && keyOf(it);
  if (before !== shown) heartbeat();
  if (!it) return paintCase(null);
  if (painted?.key !== shown) painted = null; // what is still to be seen is not what a key would decide
  try {
    const known = await fetched(it);
    if (shown === keyOf(it)) {
      paintCase(known);
      queue.renew(shown, { version: known.version, best: known.candidates.find(c => !c.not_same) ?? null, reason: known.suggestion?.reason });
      if (unasked) hold.begin();
    }
    fetchAhead();
  } catch (e) {
    if (shown !== keyOf(it)) return;
    failed("This case could not be fetched", () => show(queue.current));
    showError(e);
  }
}

/** The list, or what is shown, changes without a key of who works here: none decides until it could be seen. */
function byItself(change) {
  hold.begin();
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
  look(now).then(({ open_by }) => { if (shown === keyOf(now)) showOthers(open_by) }).catch(() => {});
}

function showOthers(people) {
  $("#others").hidden = people.length === 0;
  $("#others").replaceChildren(name(people.join(", ")), people.length > 1 ? " look at this case too." : " looks at this case too.");
}

/* ---- deciding: the next case is shown at once; what is refused comes back ---- */

/** The case that can be seen, and nothing else: a key that comes before it is drawn decides nothing. */
const seen = () => (painted && queue.current && painted.key === keyOf(queue.current) ? [{ it: queue.current, known: painted.known }] : []);

let working = false;                // what is selected is being fetched

/** What is selected, as far as it is what the list says, and selected still; else the case that can be seen. Nothing, and why was said: undefined. */
async function meant(said) {
  const { picked } = queue;
  left = 0;
  if (picked.size === 0) return seen();
  if (working) return void say("What is selected is still being looked at. Escape stops that.");
  working = true;
  const all = await patiently(Promise.all(queue.meant.map(async it => ({ it, known: await fetched(it).catch(() => null) })))).finally(() => { working = false });
  if (picked !== queue.picked) return void say("What was selected no longer is: nothing of it was decided.");
  const still = all.filter(({ it }) => picked.has(keyOf(it))), same = still.filter(({ it, known }) => known && known.version === it.version && said(it, known));
  left = still.length - same.length;
  return same;
}

let left = 0;                       // of those that were selected, what was not decided

async function settle(what, list, make) {
  if (!canDecide()) return say("Your role is viewer: you can look, and not decide.", true);
  if (hold.is) return say("The list has just moved. Look again.");
  const over = list.filter(({ it, known }) => known.dict_id !== null && !it.linked).map(({ it }) => it);
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
  const stays = STAYS.includes(what);
  if (!stays) queue.remove(decisions.map(d => d.it));
  const mark = { what, batch: null, list: [] };
  mark.sent = send(mark, decisions, stays);
  if (done.push(mark) > UNDOS) done.shift(); // a day has thousands
  return mark.sent;
}

async function send(mark, decisions, stays) {
  try {
    take(mark, decisions, await decide(decisions.map(d => d.decision)), stays);
  } catch (e) {
    if (!stays) putBack(decisions.map(d => d.it));
    showError(e);
  }
  if (mark.list.length === 0 && done.includes(mark)) done.splice(done.indexOf(mark), 1);
}

function putBack(list, select = true) {
  if (list.length > 0) byItself(() => queue.putBack(list, select));
}

/** Why it was refused, for people. */
const refusal = r => r.reason === "changed_since" ? `${r.it.name ?? r.it.id} was changed by somebody else meanwhile: what you decided is not stored.` : r.message;

/** Does it belong in the list still? What is not known is shown as what could not be fetched. */
const isCase = (it, known) => !known || it.linked || known.dict_id === null;

/** Somebody was faster: it comes back only if it is still a case. */
async function comeBack(list) {
  const now = await Promise.all(list.map(async it => ({ it, known: await fetched(it).catch(() => null) })));
  putBack(now.filter(({ it, known }) => isCase(it, known)).map(({ it }) => it));
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
    say(refusal(refused[0]), true);
    return stays ? undefined : comeBack(refused.map(r => r.it));
  }
  if (taken.length === 0) return say(`It was so already: ${mark.what}.`);
  const rest = left > 0 ? ` ${left} of the selected left: they have changed, or have no such candidate.` : "";
  const one = taken.length === 1;
  say(`${one ? "Decided" : `${taken.length} decided`}: ${mark.what}.${one && taken[0].it.name ? ` ${taken[0].it.name}.` : ""}${rest} u takes it back.`);
}

const NOT_SAME = "not the same", UNSAID = "it may be that one after all", NEW = "new in the reference";
const STAYS = [NOT_SAME, UNSAID];   // after these the case is one still

function accept(at) {
  left = 0;
  return settle("mapped", seen(), known => known.candidates[at] && { decide: "map", dict_id: known.candidates[at].id });
}

/** Each of the selected is the candidate that the list has named. */
async function acceptFirst() {
  if (queue.picked.size === 0) return accept(0);
  const list = await meant((it, known) => known.candidates[0] && known.candidates[0].id === it.best?.id);
  return list && settle("each is its first candidate", list, known => ({ decide: "map", dict_id: known.candidates[0].id }));
}

/** What was found in the reference for the case that can be seen. */
function acceptFound(hit) {
  $("#rows").focus();
  finder.clear();
  return acceptRecord(hit.id);
}

function acceptRecord(id) {
  left = 0;
  return settle("mapped", seen(), () => ({ decide: "map", dict_id: id }));
}

function refuse(at) {
  left = 0;
  return settle(NOT_SAME, seen(), known => known.candidates[at] && { decide: "not_same", dict_id: known.candidates[at].id });
}

/** That it is not this one was said by mistake. */
function unsay(id) {
  left = 0;
  return settle(UNSAID, seen(), () => ({ decide: "undo_not_same", dict_id: id }));
}

function freshOne() {
  left = 0;
  return settle(NEW, seen(), () => ({ decide: "new" }));
}

async function fresh() {
  const list = await meant(() => true);
  return list && settle(NEW, list, () => ({ decide: "new" }));
}

/** The opposite of a decision. What was said not to be the one that it was mapped to is mapped to it again. */
function opposite({ known, decision }) {
  const { dict_id } = decision;
  if (decision.decide === "undo_not_same") return { decide: "not_same", dict_id };
  if (decision.decide !== "not_same") return { decide: "undo" };
  return { decide: known.dict_id === dict_id ? "map" : "undo_not_same", dict_id };
}

/** A case is as it was before a decision: what was decided here before that can be taken back too. */
function asOf({ it, decision }, { result, version }) {
  if (result === "refused") return;
  for (const d of done.flatMap(mark => mark.list))
    if (keyOf(d.it) === keyOf(it) && d.version === decision.version) d.version = version;
}

/** A record that was made goes with its mapping, so the batch is taken back; else each decision. */
async function takeBack({ what, batch, list }) {
  if (what === NEW) {
    const { kept } = await batchUndo(batch);
    return { back: list, refused: kept > 0 ? "Something of it was changed since, and stays." : "" };
  }
  const { items } = await decide(list.map(d => ({ ...opposite(d), adapter_id: d.it.adapter_id, kind: d.it.kind, id: d.it.id, version: d.version })));
  list.forEach((d, i) => asOf(d, items[i]));
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

/** Is it about the decision? Else the same can be asked again. */
const isAnswer = e => e instanceof ApiError && e.status < 500 && ![403, 429].includes(e.status);

let undone = Promise.resolve();

/** One after the other: what is taken back depends on what was before. */
const undo = () => { undone = undone.then(undoLast).catch(showError) };

async function undoLast() {
  const last = done.pop();
  if (!last) return say("There is nothing of yours to take back in this page.");
  const shownBefore = queue.current;
  await last.sent; // it may still be on its way
  if (last.list.length === 0) return; // nothing came of it, and why has been said
  let answer;
  try {
    answer = await takeBack(last);
  } catch (e) {
    if (!isAnswer(e)) done.push(last);
    return showError(e);
  }
  const { back, refused } = answer, now = await Promise.all(back.map(d => asBefore(d).catch(() => null)));
  back.forEach(({ it }, i) => {
    if (now[i]) cases.set(keyOf(it), Promise.resolve(now[i]));
    mine.set(keyOf(it), Date.now());
  });
  if (last.what === NEW) back.forEach((d, i) => now[i] && asOf(d, now[i]));
  putBack(back.filter(({ it }, i) => isCase(it, now[i])).map(({ it }) => it), queue.current === shownBefore || back.some(d => keyOf(d.it) === shown));
  say(refused || `Taken back: ${last.what}.`, Boolean(refused));
}

/* ---- keys ---- */

/** The candidate that has the focus, or the first. */
const focused = () => Number(document.activeElement?.closest(".candidate")?.dataset.at ?? 0);

function refuseFocused() {
  if (lost && !document.activeElement?.closest(".candidate")) return say("The candidate that you were at is no longer among these. Choose one.", true);
  return refuse(focused());
}

/** The candidates from the keyboard: the next, or the one before, has the focus and is in view. */
function toCandidate(by) {
  const list = [...document.querySelectorAll(".candidate")], at = list.indexOf(document.activeElement?.closest(".candidate"));
  const box = list[at < 0 ? 0 : Math.max(0, Math.min(at + by, list.length - 1))];
  box?.focus({ preventScroll: true });
  box?.scrollIntoView({ block: "nearest" });
}

const MOVES = { j: () => queue.step(1), k: () => queue.step(-1), ArrowDown: () => queue.step(1), ArrowUp: () => queue.step(-1),
  l: () => toCandidate(1), h: () => toCandidate(-1), ArrowRight: () => toCandidate(1), ArrowLeft: () => toCandidate(-1) };
const ACTS = { 1: () => acceptFirst(), x: () => refuseFocused(), n: () => fresh(), u: () => undo(), " ": () => queue.pick(), a: () => queue.pickAll(), Escape: () => queue.unpick() };

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

/** @param message  "keep": what was said stays */
async function start(message) {
  changes++;
  if (message !== "keep") say("");
  filters = readFilters($("#filters"));
  country.paint();
  views.paint();
  cases.clear();
  try {
    const linked = new URLSearchParams(location.search).get("case"), kept = history.state?.case ?? linked;
    const it = linked && linked === kept ? linkedCase(linked) : null, loading = queue.load(kept, kept && kept !== linked), { round } = queue;
    if (it) fetched(it).catch(() => {}); // on its way beside the list
    await loading;
    if (it) await openLinked(it, round).catch(showError);
  } catch (e) {
    failed("The list could not be fetched", () => start());
    showError(e);
  }
}

function counted(total, picked) {
  $("#count").textContent = `${total.toLocaleString()}${picked > 0 ? `, ${picked} selected` : ""}`;
}

/** The search of the reference for the case that is shown. */
function startFinder() {
  finder = hitBox($("#find"), {
    about: () => ({ kind: painted?.known.kind, beside: painted?.known.record.name, near: queue.current?.country?.id }),
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
  country = countryChoice($("#country"), $("#filters [name=country_id]"));
  const supplierText = supplierChoice($("#filters [name=adapter_id]"), () => queue.paint());
  queue = new Queue($("#rows"), { fetchPage: (cursor, limit) => queuePage(filters, cursor, limit), reasonText, supplierText, chosen: show, counted, failed: showError, byItself });
  $("#filters").addEventListener("submit", filtersChanged);
  $("#filters").addEventListener("change", filtersChanged);
  addEventListener("popstate", () => start());
  onKeys(pressed, Object.keys(MOVES));
  setInterval(heartbeat, HEARTBEAT);
  const since = await changesNow().catch(() => "now");
  await start();
  if (stayed()) $("#rows").focus({ preventScroll: true });
  follow(since, changed, showError);
}

open().catch(showError);
