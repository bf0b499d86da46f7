// The page of the reference: records by name, one with all suppliers', merged and split (docs/workbench.md).
import { fillSelect, keepFilters, onKeys, openPage, patiently, readFilters, say, showError, stayed } from "./bench.js";
import { countryChoice } from "./choices.js";
import { decide, duplicatesOf, referenceOf, searchReference } from "./curate.js";
import { marked } from "./differ.js";
import { $, make, name } from "./dom.js";
import { byNumber, hitLine, placeOf } from "./hits.js";
import { KINDS } from "./kinds.js";
import { Merge } from "./merge.js";
import { languageName } from "./names.js";
import { distance } from "./plot.js";
import { recordView } from "./record.js";
import { inParts, number, t } from "./texts.js";

const MOST = 100, PAUSE = 200;

let me, hits = [], asked = "";
let answered = "";                  // what the list shows the answer to
let shown = null;                   // the record that is open
let merging = null;                 // the panel where it is merged
let last = null;                    // the last merge of this page: { from, into, version, sources }; or name: { kind, id, lang, version }
let opening = new AbortController(); // of the record that was asked for last: an older answer that is slow shows nothing
let underway = false;               // it is not shown yet

const form = $("#filters"), list = $("#found"), country = countryChoice($("#country"), form.elements.country_id);
const canDecide = () => me.role !== "viewer";
const keyOf = r => `${r.kind}/${r.id}`;
const fromAddress = what => new URLSearchParams(location.search).get(what) ?? "";
const inAddress = () => fromAddress("record");
const looksTwice = () => fromAddress("duplicates") === "1" && form.elements.q.value === "";

/* ---- what was found ---- */

/** A record that looks like another: { …, into, metres, shared }. */
function pairLine(pair) {
  const { into } = pair, far = distance(pair.metres);
  return [marked(pair.name, into.name),
    make("span", "soft hit-more", ...inParts("looks like {name} {id}", { name: marked(into.name, pair.name), id: String(into.id) }), " · ",
      name([placeOf(pair), pair.id].filter(Boolean).join(" · ")), far ? ` · ${t("{far} apart", { far })}` : "",
      ` · ${t("{one} and {other} of suppliers’ records", { one: pair.records, other: into.records })}`,
      pair.shared > 0 ? t(", {shared} with records at both", { shared: pair.shared }) : "")];
}

/** The rest of the address for the open record. */
const placed = hit => ({ record: keyOf(hit), ...(hit.into ? { duplicates: "1", into: hit.into.id } : {}) });

function hitItem(hit) {
  const link = make("a", "hit", ...(hit.into ? pairLine(hit) : hitLine(hit)), make("span", "soft hit-kind", KINDS[hit.kind] ?? hit.kind));
  link.href = `?${new URLSearchParams([...new FormData(form), ...Object.entries(placed(hit))].filter(([, value]) => value !== ""))}`;
  link.addEventListener("click", event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(hit);
  });
  return make("li", "", link);
}

function paintList(none, total = hits.length) {
  $("#found-what").textContent = `${looksTwice() ? t("Duplicates") : t("Found")} `;
  const first = total > MOST ? t("the first {most} of {total}", { most: MOST, total }) : t("the first {most}", { most: MOST });
  $("#count").textContent = hits.length === MOST ? first : hits.length > 0 ? String(hits.length) : "";
  list.replaceChildren(...hits.map(hitItem));
  $("#none").textContent = hits.length > 0 ? "" : none;
  markOpen();
}

const isOpen = hit => keyOf(hit) === inAddress() && String(hit.into?.id ?? "") === fromAddress("into");

function markOpen() {
  hits.forEach((hit, i) => {
    const link = list.children[i].firstChild;
    if (isOpen(hit)) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  });
}

/** Whether the list is not the answer to what is asked for. */
function listWaits(is) {
  list.setAttribute("aria-busy", is);
}

/** Records with this number, of each kind that may be meant. */
async function numbers({ q, kind, country_id }) {
  const all = await Promise.all((kind ? [kind] : Object.keys(KINDS)).map(kind => byNumber(kind, q)));
  return all.flat().filter(r => !country_id || String(r.country?.id) === country_id);
}

async function byName(filters) {
  const [numbered, { items }] = await Promise.all([numbers(filters), searchReference({ ...filters, limit: MOST })]);
  const known = new Set(numbered.map(keyOf));
  return [[...numbered, ...items.filter(hit => !known.has(keyOf(hit)))],
    t("Nothing in the reference is called so. Try another spelling, or the beginning only.")];
}

async function twice(filters) {
  const { items, total } = await duplicatesOf({ ...filters, limit: MOST });
  return [items.map(({ kind, from, into, metres, shared }) => ({ ...from, kind, into, metres, shared })),
    t("Nothing looks like the same thing twice."), total];
}

const question = () => JSON.stringify([readFilters(form, "record", "duplicates"), looksTwice()]);

/** @returns whether the list is what the form asks for now. */
async function find() {
  const filters = readFilters(form, "record", "duplicates"), what = looksTwice() ? twice : byName, ticket = asked = question();
  listWaits(true);
  if (!filters.q && what === byName) {
    [hits, answered] = [[], ticket];
    listWaits(false);
    paintList(t("Type a name, or its beginning, in any language."));
    return true;
  }
  try {
    const [items, none, total] = await patiently(what(filters));
    if (ticket !== asked) return false;
    [hits, answered] = [items, ticket];
    listWaits(false);
    paintList(none, total);
    return true;
  } catch (e) {
    if (ticket === asked) {
      asked = answered; // the list still shows that
      listWaits(false);
      showError(e);
    }
    return false;
  }
}

function step(by) {
  if (hits.length === 0 || asked !== answered) return; // what the list shows is not what was asked for
  const at = hits.findIndex(isOpen);
  const to = at < 0 ? 0 : Math.max(0, Math.min(at + by, hits.length - 1));
  list.children[to].firstChild.focus();
  choose(hits[to], inAddress() !== "");
}

/* ---- one record ---- */

/** @param replace  the way back does not lead to the one before: it was only passed */
function choose(record, replace = false) {
  say("");
  keepFilters(form, { duplicates: looksTwice() ? "1" : "", ...placed(record) }, replace);
  return openRecord();
}

/** Show possible duplicates side by side at once. */
async function beside(signal) {
  if (!fromAddress("into") || !canDecide() || shown.merged_into) return;
  const into = await patiently(referenceOf({ kind: shown.kind, id: fromAddress("into") }, signal));
  if (!signal.aborted && !into.merged_into) merge(into, false);
}

function paintRecord() {
  merging = null;
  if (!shown) return $("#one").replaceChildren(
    make("div", "card empty", make("h2", "", t("No record is open")), make("p", "soft", t("Find one by its name."))));
  const acts = canDecide() ? { merge: () => merge(), split, name: saveName } : null;
  $("#one").replaceChildren(...[undoNote(), recordView(shown, acts)].filter(Boolean));
  $("#case").scrollTop = 0;
}

/** Whether another record than the one in sight is on its way; readers of the screen are told too. */
function waits(is) {
  underway = is;
  $("#one").setAttribute("aria-busy", is);
}

async function openRecord() {
  const [kind, id] = inAddress().split("/");
  opening.abort();
  const { signal } = opening = new AbortController();
  waits(true);
  markOpen();
  if (merging) $("#one").replaceChildren(make("p", "soft", t("Opening …"))); // what is typed is not for it any more
  merging = null;
  try {
    const known = id ? await patiently(referenceOf({ kind, id }, signal)) : null;
    if (signal.aborted) return;
    shown = known;
    waits(false);
    paintRecord();
    if (known) await beside(signal);
  } catch (e) {
    if (signal.aborted) return;
    shown = null;
    waits(false);
    paintRecord();
    showError(e);
  }
}

/* ---- merged, and split again ---- */

function merge(into = null, begin = true) {
  if (!canDecide()) return say(t("Your role is viewer: you can look, and not decide."), true);
  if (underway) return say(t("The record is still on its way. Look at it first."));
  if (!shown || merging) return merging?.begin();
  opening.abort(); // what was to be shown beside it comes too late
  merging = new Merge(shown, into, { merged, close });
  $("#one").replaceChildren(merging.box);
  if (begin) merging.begin();
}

async function close() {
  keepFilters(form, { duplicates: looksTwice() ? "1" : "", record: keyOf(shown) });
  await openRecord();
  if (stayed()) $("#one h2")?.focus();
}

/** The moved records besides suppliers' records. */
const besides = ({ others, redirects, apart }) => [
  others > 0 && t("records of the reference that refer to it now: {others}", { others }),
  redirects > 0 && t("older ids that lead to it now: {redirects}", { redirects }),
  apart > 0 && t("of {apart} somebody said that they are not the same", { apart })].filter(Boolean).map(text => `; ${text}`).join("");

/** A merged record is gone; its target is opened, with the way back, unless something else was opened meanwhile. */
async function merged({ from, into, item }) {
  const { version } = await referenceOf(from), stays = merging?.from.id === from.id;
  last = { from, into, version, sources: item.sources };
  if (stays) await choose(into);
  await find();
  say(t("Merged: {from} into {into}. {sources} of suppliers’ records moved{besides}. Press u to undo.",
    { from: String(from.id), into: String(into.id), sources: item.sources, besides: besides(item) }));
  if (stays && stayed()) $("#undo")?.focus();
}

function undoNote() {
  const about = last && (last.into ?? last);
  if (!about || about.id !== shown.id || about.kind !== shown.kind) return null;
  const button = make("button", "plain", t("Undo it (u)"));
  button.id = "undo";
  button.addEventListener("click", undo);
  const what = last.lang ? t("The name in {language} was changed.", { language: languageName(last.lang) })
    : t("{from} was merged into this record: {sources} of suppliers’ records moved.",
      { from: String(last.from.id), sources: last.sources });
  return make("p", "note acts", what, button);
}

async function undo() {
  if (!canDecide() || !last) return say(t("There is nothing of yours to undo on this page."));
  const it = last, { from, version } = it;
  last = null; // pressed again, it sends nothing
  await (it.lang ? unname(it) : splitOff({ kind: from.kind, id: from.id, version }, "")).catch(e => { last ??= it; showError(e) });
}

const split = (redirect, why) => splitOff({ kind: shown.kind, ...redirect }, why);

/** Open the record that was split off, unless something else was opened meanwhile. */
async function splitOff({ kind, id, version }, why) {
  const at = document.activeElement, open = inAddress(), isThere = () => !merging && inAddress() === open;
  const { items: [item] } = await patiently(decide([{ decide: "split", kind, dict_id: id, version, ...(why ? { why } : {}) }]));
  if (last?.from?.id === id && last.from.kind === kind) last = null;
  if (item.result === "refused") {
    if (isThere()) await openRecord();
    return say(item.message, true);
  }
  const stays = isThere();
  if (stays) await choose({ kind, id });
  await find();
  say(t("Split: {id} is a record of its own again, {sources} of suppliers’ records went back to it.",
    { id: String(id), sources: item.sources }));
  if (stays && (stayed() || document.activeElement === at)) $("#one h2")?.focus();
}

/* ---- its names ---- */

const decided = async decision => (await patiently(decide([decision]))).items[0];
const isShown = ({ kind, id }) => !underway && !merging && shown?.id === id && shown.kind === kind;

/** The record as it is now, if it is still the one that is open. @returns its names, if so */
async function repainted(it) {
  if (isShown(it)) await openRecord();
  if (!pause) await find(); // else what is being typed is asked for in a moment, and is not in the address yet
  return isShown(it) ? $("#one .record")?.names : null;
}

async function saveName({ lang, name }) {
  const { kind, id, version } = shown, item = await decided({ decide: "name", kind, dict_id: id, lang, name, version });
  if (item.result === "refused" && item.status !== 409) return say(item.message, true);
  if (item.result !== "refused") last = { kind, id, lang, version: item.version };
  const names = await repainted({ kind, id });
  if (item.result === "refused") { // what was typed is not lost
    if (names && name !== null) names.edit(lang, name);
    return say(`${item.message}. ${t("It is shown as it is now.")}`, true);
  }
  say(t(name === null ? "The name in {language} was removed. Press u to undo." : "Saved in {language}. Press u to undo.",
    { language: languageName(lang) }));
  if (names && stayed()) names.focus(lang);
}

async function unname({ kind, id, lang, version }) {
  const item = await decided({ decide: "undo_name", kind, dict_id: id, lang, version });
  const names = await repainted({ kind, id });
  if (item.result === "refused") return say(item.message, true);
  say(t("Undone: the name in {language} is again what it was.", { language: languageName(lang) }));
  if (names && stayed()) names.focus(lang);
}

/** @param act  what is done with the names that are shown */
function naming(act) {
  if (!canDecide()) return say(t("Your role is viewer: you can look, and not decide."), true);
  if (underway) return say(t("The record is still on its way. Look at it first."));
  if (shown?.merged_into) return say(t("This is {id}, where the id leads that was asked for. Open it by its name to change that.",
    { id: String(shown.id) }));
  const names = merging ? null : $("#one .record")?.names;
  if (names) act(names);
}

/* ---- keys, and the beginning ---- */

/** The first that is found has the focus, if nobody has gone elsewhere or writes on meanwhile. */
async function focusFirst(finding) {
  const at = document.activeElement, asks = () => new URLSearchParams(new FormData(form)).toString(), before = asks();
  if (await finding && stayed(at) && asks() === before) list.querySelector("a")?.focus();
}

function duplicates() {
  form.elements.q.value = "";
  keepFilters(form, { duplicates: "1" });
  focusFirst(start());
}

function pressed(key) {
  if (merging && key === "m") return () => merging.begin();
  return { d: () => duplicates(), j: () => step(1), k: () => step(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1),
    m: () => merge(), e: () => naming(names => names.begin()), a: () => naming(names => names.beginAdding()), u: () => undo(),
    "/": () => form.elements.q.select() }[key];
}

async function start() {
  say("");
  const finding = find();
  country.paint();
  const painted = await finding;
  await openRecord();
  return painted;
}

let pause = 0; // the timer, while what was typed is not asked for yet

function typed() {
  clearTimeout(pause);
  listWaits(true);
  pause = setTimeout(() => { pause = 0; say(""); keepFilters(form, { record: inAddress() }, fromAddress("q") !== ""); find() }, PAUSE);
}

async function submitted(event) {
  event.preventDefault();
  clearTimeout(pause);
  pause = 0;
  if (country.open && !await country.resolve().catch(showError)) return listWaits(asked !== answered);
  keepFilters(form, { record: inAddress(), duplicates: looksTwice() ? "1" : "" });
  say("");
  if (event.type !== "submit") return find();
  if (question() !== answered) return focusFirst(find());
  asked = answered; // what is still on its way was asked for before
  listWaits(false);
  list.querySelector("a")?.focus();
}

async function open() {
  me = await openPage();
  if (!me) return;
  fillSelect(form.elements.kind, KINDS);
  form.addEventListener("submit", submitted);
  form.elements.kind.addEventListener("change", submitted);
  $("#country").addEventListener("change", submitted);
  form.elements.q.addEventListener("input", typed);
  $("#duplicates").addEventListener("click", duplicates);
  addEventListener("popstate", start);
  onKeys(pressed, ["j", "k", "ArrowDown", "ArrowUp"]);
  for (const box of document.querySelectorAll(".decides")) box.hidden = !canDecide();
  if (stayed()) form.elements.q.focus();
  await start();
}

open().catch(showError);
