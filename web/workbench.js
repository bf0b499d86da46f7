// The workbench: which supplier's record is which record of the reference (docs/workbench.md). Everything goes through the curators' API.
// Here it is drawn, and has its keys; decisions.js decides.
import {
  answered, fillSelect, holdOf, keepFilters, onKeys, openPage, patiently, readFilters, say, showError, stayed, visibly,
} from "./bench.js";
import { Accepting, leftOutText } from "./accept.js";
import { caseView } from "./case.js";
import { Cases, keyOf } from "./cases.js";
import { countryChoice, supplierChoice } from "./choices.js";
import {
  acceptAll, acceptLook, alikeOf, batchUndo, caseOf, changesNow, dayOf, decide, facetsOf, follow, look, pause,
  queueFileAddress, queuePage, sendNote,
} from "./curate.js";
import { Day, dayBegan } from "./day.js";
import { Decisions } from "./decisions.js";
import { $, make, name } from "./dom.js";
import { Facets } from "./facets.js";
import { hitBox } from "./hits.js";
import { KINDS } from "./kinds.js";
import { addPeople, notesFocus } from "./notes.js";
import { Queue } from "./queue.js";
import { inParts, number, t } from "./texts.js";
import { savedViews } from "./views.js";

const REASONS = {
  sure: t("sure, but not mapped by itself"),
  below_threshold: t("not sure enough"), ambiguous: t("another one fits nearly as well"), no_candidates: t("nothing is like it"),
  veto_country: t("lies in another country"), veto_numbers: t("the numbers differ"), veto_brands: t("the brands differ"),
  veto_residence: t("words such as residence or villas differ"), veto_places: t("each has another place in its name"),
  veto_part: t("one is a part of a house"), veto_not_same: t("a person said that it is not the one"),
  taken_back: t("the decision about it was undone"), veto_claimed: t("another record of this supplier claims it"),
  veto_city: t("it is in another city"), veto_far: t("it lies more than 60 km away"),
  veto_list: t("most of this list's names and coordinates disagree"), lacks_name: t("it has no name"),
    lacks_place: t("nothing tells where it is"),
  country_unmapped: t("map its country first"), country_missing: t("the reference lacks its country"),
  city_unmapped: t("map its city first"), unclear: t("it can mean several things"),
};
const reasonText = word => REASONS[word] ?? word ?? "";
const HEARTBEAT = 15000, KEPT = 12, SETTLED = 300;

let me, queue, decisions, finder, views, country, facets, filters = {}, shownKey = null;
let painted = null;                 // the case that can be seen, as it was when it was drawn: { key, known }
const hold = holdOf($("#case"));
let unasked = false;                // what changes now was not asked for by a key
let focusLost = false;              // the candidate that had the focus is no longer there
const cases = new Cases(async it => {
  const known = await caseOf(it);
  answered();
  return known;
}, KEPT);

const day = new Day();

const canDecide = () => me.role !== "viewer";

/* ---- the filters, which are in the address ---- */

let filterChanges = 0;

async function filtersChanged(event) {
  const round = ++filterChanges;
  event.preventDefault();
  if (event.type === "submit") $("#rows").focus({ preventScroll: true }); // the next key is for the list, though it is still on its way
  if (country.open) {
    queue.clear();                  // a key that comes before the country is known is not for the list of before
    const known = await country.resolve().catch(showError);
    if (round !== filterChanges) return; // others were chosen meanwhile
    if (!known) return start("keep");
  }
  keepFilters($("#filters"));
  start();
}

/** Cases of a facet are shown as if the filters had been chosen. */
function facetChosen(chosen, text) {
  viewChosen(new URLSearchParams(chosen));
  if (text) say(text);
}

function acceptedAll(done) {
  decisions.accepted(done);
  const left = done.left > 0 ? ` ${t("{n} more wait.", { n: done.left })}` : "";
  const refused = done.refused > 0 ? t(", {refused} refused", { refused: done.refused }) : "";
  const did = t("{accepted} accepted{refused}, batch {id}.", { accepted: done.accepted, refused, id: String(done.batch) });
  const text = [`${did}${left}`, leftOutText(done.left_out), t("Press u to undo.")].filter(Boolean).join(" ");
  return start("keep").then(() => say(text));
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

/** The case of a link stands first, also if it is mapped already, and can be decided again. @param round  of the list that it is for */
async function openLinked(link, round) {
  const key = keyOf(link);
  if (round !== queue.round || queue.items.some(it => keyOf(it) === key)) return;
  const known = await cases.get(link);
  if (round !== queue.round) return;
  const it = { ...link, name: known.record.name, version: known.version, country: null, reason: known.suggestion?.reason ?? "", waiting: 1,
    open_by: [], best: known.candidates[0] ?? null, linked: true };
  byItself(() => queue.putBack([it], true));
}

/* ---- one case ---- */

/** The next ones are there before they are asked for. */
function fetchAhead() {
  for (const it of queue.items.slice(queue.at + 1, queue.at + 4)) cases.get(it).catch(() => {});
}

const NOTHING = `${t("Everything that these filters show is decided. Choose others above.")} ${
  t("What was loaded within the last minute may still be on its way.")}`;

const emptyCard = () => make("div", "card empty", make("h2", "", t("Nothing is waiting here")), make("p", "soft", NOTHING));

/** @param text  what could not be fetched: nothing else is shown in its place. */
function showFailure(text, again) {
  const button = make("button", "", t("Try again"));
  button.addEventListener("click", again);
  painted = null;
  $("#one").replaceChildren(make("div", "card empty", make("h2", "", text), make("p", "acts", button)));
}

const CONTROLS = "button, summary, a";

/** The candidate that has the focus, and its part: null for none. */
function candidateFocus() {
  const box = document.activeElement?.closest(".candidate");
  return box && { id: box.dataset.id, at: [...box.querySelectorAll(CONTROLS)].indexOf(document.activeElement) };
}

/** The same case was drawn again: the focus is where it was. */
function restoreFocus({ id, at }) {
  const box = document.querySelector(`.candidate[data-id="${CSS.escape(id)}"]`);
  const control = box?.querySelectorAll(CONTROLS)[at];
  focusLost = !box;
  (control && !control.disabled ? control : box ?? $("#case")).focus({ preventScroll: true });
}

function paintCase(it) {
  const same = painted && it && painted.key === keyOf(it), focus = same && candidateFocus(), noting = same && notesFocus();
  const inside = $("#one").contains(document.activeElement), top = same ? $("#case").scrollTop : 0;
  if (!same) {
    finder.clear();
    seek(null);
  }
  painted = it && { key: keyOf(it), known: it };
  focusLost &&= same;
  const { alike = 1, country } = (it && queue.items.find(row => keyOf(row) === keyOf(it))) ?? {};
  $("#one").replaceChildren(...(it ? caseView({ ...it, alike, country }, reasonText, decisions, noteActs(), me) : [emptyCard()]));
  if (focus) restoreFocus(focus);
  else if (inside && !noting?.()) $("#rows").focus({ preventScroll: true }); // what had the focus is gone
  $("#case").scrollTop = top;
  showOthers(it?.open_by ?? []);
  for (const button of canDecide() ? [] : $("#case").querySelectorAll(".acts button")) button.disabled = true;
}

async function showCase(it) {
  const before = shownKey, held = unasked;
  keepPlace();
  shownKey = it && keyOf(it);
  if (before !== shownKey) heartbeat();
  if (!it) return paintCase(null);
  if (painted?.key !== shownKey) painted = null; // what is still to be seen is not what a key would decide
  try {
    const known = await visibly(cases.get(it));
    if (shownKey === keyOf(it)) {
      paintCase(known);
      const best = known.candidates.find(c => !c.not_same) ?? null;
      queue.renew(shownKey, { version: known.version, best, reason: known.suggestion?.reason });
      if (held) hold.begin();
    }
    fetchAhead();
  } catch (e) {
    if (shownKey !== keyOf(it)) return;
    showFailure(t("This case could not be fetched"), () => showCase(queue.current));
    showError(e);
  }
}

/** The list, or the shown case, changes without a key of the user: no key decides until it could be seen. */
function byItself(change) {
  hold.begin();
  unasked = true;
  try {
    change();
  } finally {
    unasked = false;
  }
}

let lookedAt = null;                // the case that others are told of

function heartbeat() {
  const now = queue.current;
  if (lookedAt && (!now || keyOf(lookedAt) !== keyOf(now))) look(lookedAt, true).catch(() => {});
  lookedAt = now;
  if (!now) return showOthers([]);
  look(now).then(({ open_by }) => { if (shownKey === keyOf(now)) showOthers(open_by) }).catch(() => {});
}

function showOthers(people) {
  $("#others").hidden = people.length === 0;
  $("#others").replaceChildren(...inParts("{people} looks at this case too.|{people} look at this case too.",
    { people: name(people.join(", ")), n: people.length }));
}

/* ---- deciding ---- */

/** The case that can be seen, and nothing else: a key that comes before it is drawn decides nothing. */
function shownCase() {
  const it = queue.current;
  return painted && it && painted.key === keyOf(it) ? [{ it, known: painted.known }] : [];
}

const decisionPage = {
  mayDecide: canDecide, onHold: () => hold.is, shownKey: () => shownKey, shownCase, redraw: () => showCase(queue.current), byItself,
  say, showError, patiently,
  decided(n) {
    day.add(n, Date.now());
    showDay();
  },
};

/* ---- notes ---- */

let people = [];                    // who may decide

/** @returns whether it is stored; the case is drawn again. */
async function note(it, what, text) {
  try {
    await patiently(sendNote(it, what, text));
  } catch (e) {
    showError(e);
    return false;
  }
  cases.drop(it);
  if (shownKey === keyOf(it)) await showCase(queue.current);
  return true;
}

/** Behind the others, or in their order again. */
async function later(it, day) {
  const off = !it.later;
  if (!(await note(it, off ? "later" : "now", off ? day : ""))) return;
  $("#rows").focus({ preventScroll: true });
  if (off !== (filters.later === "1")) byItself(() => (off ? queue.toTheEnd(it) : queue.paint()));
  else byItself(() => queue.remove([it]));
  say(off ? t("Put off: it comes after the others. The filter Later shows it.") : t("It waits with the others again."));
}

/** The record that has to be mapped first is shown as a case. */
async function openCase(link) {
  const { round } = queue;
  await openLinked(link, round);
  if (round === queue.round) queue.putBack([link], true);
  $("#rows").focus({ preventScroll: true });
}

let seeking = null;                 // the case for which a country is sought

/** The supplier's record of its country is shown as a case; where it has none, the country is sought here. */
async function mapCountry(link) {
  const there = await cases.get(link).catch(e => { if (e.status !== 404) throw e });
  if (there) return openCase(link);
  seek(shownKey);
  $("#find-input").select();
}

function seek(key) {
  seeking = key;
  $("#find label").textContent = key ? t("Its country in the reference") : t("It is another record of the reference");
}

function noteActs() {
  const it = queue.current;
  return { note: (what, text) => note(it, what, text), later: (known, day) => later({ ...it, later: known.later }, day),
    redraw: () => showCase(queue.current), leave: () => $("#rows").focus({ preventScroll: true }),
    openCase: link => openCase(link).catch(showError), mapCountry: link => mapCountry(link).catch(showError), people, may: canDecide() };
}

/** The case that can be seen. */
function laterShown() {
  const [shown] = shownCase();
  if (shown && canDecide()) later({ ...shown.it, later: shown.known.later });
}

/** Map the visible case to a record that was found in the reference. */
function mapToFound(hit) {
  const country = seeking;
  $("#rows").focus();
  finder.clear();
  seek(null);
  return country ? decisions.countryIs(hit.id) : decisions.mapToRecord(hit.id);
}

/* ---- keys ---- */

/** The place of the candidate that has the focus, or the first. */
const focusedAt = () => Number(document.activeElement?.closest(".candidate")?.dataset.at ?? 0);

function refuseFocused() {
  if (focusLost && !document.activeElement?.closest(".candidate"))
    return say(t("The candidate that you were at is no longer among these. Choose one."), true);
  return decisions.refuse(focusedAt());
}

/** The candidates from the keyboard: the next, or the one before, has the focus and is in view. */
function stepCandidate(by) {
  const list = [...document.querySelectorAll(".candidate")], at = list.indexOf(document.activeElement?.closest(".candidate"));
  const box = list[at < 0 ? 0 : Math.max(0, Math.min(at + by, list.length - 1))];
  box?.focus({ preventScroll: true });
  box?.scrollIntoView({ block: "nearest" });
}

const nextCase = () => queue.step(1), caseBefore = () => queue.step(-1);
const nextCandidate = () => stepCandidate(1), candidateBefore = () => stepCandidate(-1);
const MOVES = { j: nextCase, k: caseBefore, ArrowDown: nextCase, ArrowUp: caseBefore,
  l: nextCandidate, h: candidateBefore, ArrowRight: nextCandidate, ArrowLeft: candidateBefore };
const ACTS = { 1: () => decisions.mapEach(), x: refuseFocused, n: () => decisions.makeRecords(), u: () => decisions.undo(),
  c: () => decisions.mapAlike().catch(showError), s: laterShown, m: () => $(".note-text")?.focus(),
  " ": () => queue.pick(), a: () => queue.pickAll(), Escape: () => queue.unpick(), "/": () => $("#find-input").select() };

/** @returns what the key does. */
const keyAction = key => MOVES[key] ?? ACTS[key] ?? (/^[2-9]$/.test(key) ? () => decisions.mapTo(Number(key) - 1) : null);

/* ---- the beginning ---- */

function linkFiles() {
  for (const link of document.querySelectorAll("#queue-file a")) link.href = queueFileAddress({ ...filters, format: link.dataset.format });
}

/** @param message  "keep": the one that is shown stays */
async function start(message) {
  filterChanges++;
  if (message !== "keep") say("");
  filters = readFilters($("#filters"), "case");
  country.paint();
  views.paint();
  cases.clear();
  facets.load(filters);
  linkFiles();
  try {
    const linked = new URLSearchParams(location.search).get("case"), kept = history.state?.case ?? linked;
    const it = linked && linked === kept ? linkedCase(linked) : null;
    const loading = queue.load(kept, kept && kept !== linked), { round } = queue;
    if (it) cases.get(it).catch(() => {}); // on its way beside the list
    await visibly(loading);
    if (it) await openLinked(it, round).catch(showError);
  } catch (e) {
    showFailure(t("The list could not be fetched"), () => start());
    showError(e);
  }
}

const FILE_CASES = 100000;           // as src/workbench/files/queue_file.c

function showCount(total, picked) {
  showDay();
  $("#file-part").textContent = total > FILE_CASES ? t("the first {most}", { most: number(FILE_CASES) }) : "";
  $("#count").textContent = `${number(total)}${picked > 0 ? t(", {picked} selected", { picked }) : ""}`;
}

const showDay = () => { $("#day").textContent = day.text(Date.now(), queue?.total ?? 0) };

/** Show the people, and how much each has decided today. */
async function paintPeople() {
  const { items } = await dayOf(dayBegan(Date.now()).toISOString());
  people = items.filter(it => it.decides).map(it => it.person).sort();
  for (const select of [$("#filters [name=assigned]"), $(".note-person")]) if (select) addPeople(select, people);
  const done = items.filter(it => it.done > 0).sort((a, b) => b.done - a.done);
  $("#people").hidden = done.length === 0;
  $("#people-list").replaceChildren(...done.map(it => make("li", "", name(it.person),
    make("span", "soft", t(": {done} decided, {hour} within the hour", { done: it.done, hour: it.hour })))));
}

/** Read the count of decisions, as the server has it. */
async function readDay() {
  const asked = Date.now(), { items, more } = await dayOf(dayBegan(asked).toISOString());
  day.begin(items.find(it => it.person === me.person) ?? { done: 0, hour: 0 }, more, asked);
  showDay();
}

/** The search of the reference for the case that is shown. */
function startFinder() {
  finder = hitBox($("#find"), {
    about() {
      const { kind, record } = painted?.known ?? {};
      return seeking ? { kind: "country", beside: record?.country_name } : { kind, beside: record?.name, near: queue.current?.country?.id };
    },
    pick: mapToFound, hasty: () => say(t("The list has just changed. Look again.")),
  });
  for (const box of document.querySelectorAll(".decides")) box.hidden = !canDecide();
  $("#find").addEventListener("keydown", event => {
    if (event.key !== "Escape") return;
    seek(null);
    $("#rows").focus();
  });
}

async function open() {
  me = await openPage();
  if (!me) return;
  fillSelect($("#filters [name=kind]"), KINDS);
  fillSelect($("#filters [name=reason]"), REASONS);
  fillSelect($("#filters [name=assigned]"), { [me.person]: t("me") });
  startFinder();
  views = savedViews(me.person, { choose: viewChosen, query: shownQuery });
  country = countryChoice($("#country"), $("#filters [name=country_id]"));
  const supplierText = supplierChoice($("#filters [name=adapter_id]"), () => queue.paint());
  queue = new Queue($("#rows"), {
    fetchPage: (cursor, limit) => queuePage(filters, cursor, limit), reasonText, supplierText,
    chosen: showCase, counted: showCount, failed: showError, byItself,
  });
  facets = new Facets({ fetchFacets: facetsOf, choose: facetChosen, failed: showError,
    words: { reason: reasonText, supplier: supplierText, kind: kind => KINDS[kind] } });
  new Accepting({ server: { look: acceptLook, accept: acceptAll, caseOf },
    page: { filters: () => filters, supplierText, patiently, showError, accepted: acceptedAll } });
  $("#without").addEventListener("click", () => facetChosen({ ...filters, suggested: "0" }));
  decisions = new Decisions({ server: { decide, batchUndo, caseOf, alikeOf }, cases, list: queue, page: decisionPage, wait: pause });
  $("#filters").addEventListener("submit", filtersChanged);
  $("#filters").addEventListener("change", filtersChanged);
  addEventListener("popstate", () => start());
  onKeys(keyAction, Object.keys(MOVES));
  setInterval(() => { heartbeat(); if (queue.current && canDecide()) readDay().catch(showDay) }, HEARTBEAT);
  $("#people").addEventListener("toggle", () => paintPeople().catch(showError));
  paintPeople().catch(() => {});
  if (canDecide()) readDay().catch(() => {}); // without it the day begins with this page
  const since = await changesNow().catch(() => "now");
  await start();
  if (stayed()) $("#rows").focus({ preventScroll: true });
  follow(since, change => decisions.changed(change), showError);
}

open().catch(showError);
