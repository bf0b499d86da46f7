// Air: what suppliers sent and nothing was found for, with the places that it may be (docs/workbench.md).
import { holdOf, onKeys, openPage, patiently, say, showError, stayed } from "./bench.js";
import { airMap, airPlaces, airReports } from "./curate.js";
import { $, make, name } from "./dom.js";
import { inWords } from "./evidence.js";
import { searchBox } from "./hits.js";
import { row, table } from "./tables.js";
import { inParts, number, t } from "./texts.js";

const canDecide = () => me.role !== "viewer";
const keyOf = it => `${it.adapter_id}/${it.external_id ?? it.reports[0].title}`;
const undoable = [];                // what was decided here, the last at the end: { it, to, at }

let me, finder, items = [], at = 0, total = 0;
let undoing = false;
const hold = holdOf($("#report"));
const sent = new Set();             // what is being decided

const current = () => items[at] ?? null;
const supplierOf = it => name(it.adapter ?? t("supplier {id}", { id: String(it.adapter_id) }));
const titleOf = it => it.reports.find(r => r.title)?.title ?? it.reports[0]?.iata_code ?? it.external_id;

/* ---- painting ---- */

function paintList() {
  $("#count").textContent = number(total);
  $("#list").replaceChildren(...items.map((it, i) => {
    const box = make("div", `item${i === at ? " now" : ""}`, make("b", "", name(titleOf(it))),
      make("span", "soft number", supplierOf(it),
        ` · ${t("asked once|asked {n} times", { n: it.count })}`));
    Object.assign(box, { id: `item-${i}`, role: "option", ariaSelected: String(i === at), onclick: () => select(i) });
    box.dataset.key = keyOf(it);
    return box;
  }));
  if (current()) $("#list").setAttribute("aria-activedescendant", `item-${at}`);
  else $("#list").removeAttribute("aria-activedescendant");
}

function placeCard(c, i) {
  const button = make("button", "", `${i + 1} ${t("It is this one")}`);
  button.addEventListener("click", () => accept(c));
  button.disabled = !canDecide();
  return make("div", "card place", make("h3", "", `${i + 1} `, name(c.title), ` (${c.code})`),
    make("p", "soft", name([c.city?.title, c.country?.title].filter(Boolean).join(", "))),
    make("p", "number", t("{points} points", { points: c.points.toFixed(1) })),
    canDecide() ? make("div", "acts", button) : null);
}

function reportRow(r) {
  return row(name(r.title ?? ""), r.lang_code ?? "", r.iata_code ?? "", [number(r.count), "number"], r.first_seen.slice(0, 10),
    r.last_seen.slice(0, 10));
}

function paintOne() {
  const it = current();
  $("#find").hidden = !canDecide() || !it || it.external_id === null;
  const nothing = t("Every place that air suppliers asked for was found.");
  if (!it) return $("#one").replaceChildren(make("div", "card", make("h2", "", t("Nothing is waiting here")), make("p", "soft", nothing)));
  const why = it.external_id === null ? t("It came without an identifier, so there is nothing that could be mapped.")
    : it.candidates.length === 0 ? t("The matcher found no airport that is like it.") : inWords(it.explanation);
  $("#one").replaceChildren(make("div", "card", make("h2", "", name(titleOf(it))),
    make("p", "soft", ...(it.external_id === null ? [supplierOf(it)]
      : inParts("{supplier} calls it {id}", { supplier: supplierOf(it), id: name(it.external_id) }))),
    table([t("Title"), t("Language"), t("Code"), make("span", "number", t("Asked")), t("First"), t("Last")], it.reports.map(reportRow)),
    make("p", "soft", why ?? "")),
  make("div", "places", ...it.candidates.map(placeCard)));
}

function paint() {
  paintList();
  paintOne();
}

function select(i) {
  finder.clear();
  at = Math.max(0, Math.min(i, items.length - 1));
  paint();
  $(".item.now")?.scrollIntoView({ block: "nearest" });
}

/* ---- deciding ---- */

/** The list changes by itself: the curator stays at the shown item. If that is gone, no key decides until the next one could be seen. */
function byItself(change, to) {
  const shown = current(), inside = $("#one").contains(document.activeElement);
  change();
  const is = items.indexOf(to ?? shown);
  if (is >= 0) at = is;
  if (shown && current() === shown) return paintList();
  if (shown) hold.begin();
  select(at);
  if (inside) $("#list").focus(); // what had the focus is gone
}

const placeOf = it => items.findIndex(other => keyOf(other) === keyOf(it));

async function accept(place) {
  const it = current();
  if (!it || sent.has(it)) return;
  if (!canDecide()) return say(t("Your role is viewer: you can look, and not decide."), true);
  if (hold.is) return say(t("The list has just moved. Look again."));
  if (!place) return;
  if (it.external_id === null) return say(t("It came without an identifier, so it cannot be mapped."), true);
  sent.add(it);
  try {
    await patiently(airMap({ adapter_id: it.adapter_id, external_id: it.external_id, source_id: place.source_id, was: null }));
    const where = placeOf(it);
    undoable.push({ it, to: place.source_id, at: Math.max(where, 0) });
    byItself(() => { if (where >= 0) { items.splice(where, 1); total -= it.reports.length } });
    say(t("Decided: {title} is {place}. Press u to undo.", { title: titleOf(it), place: place.title }));
  } catch (e) {
    if (e.status === 409) await load().catch(() => {});
    showError(e);
  } finally {
    sent.delete(it);
  }
}

/** A report is forgotten with the decision: it is shown as it was until it is requested again. */
async function undo() {
  const last = undoable.at(-1), shown = current();
  if (undoing) return;
  if (sent.size > 0) return say(t("Your last one is still on its way. Press u again in a moment."));
  if (!last) return say(t("There is nothing of yours to undo on this page."));
  undoing = true;
  try {
    await patiently(airMap({ adapter_id: last.it.adapter_id, external_id: last.it.external_id, source_id: null, was: last.to }));
    undoable.splice(undoable.indexOf(last), 1);
    byItself(() => { items.splice(last.at, 0, last.it); total += last.it.reports.length }, current() === shown ? last.it : null);
    say(t("Undone: {title} is mapped to nothing.", { title: titleOf(last.it) }));
  } catch (e) {
    showError(e);
  } finally {
    undoing = false;
  }
}

/* ---- a place that is not a candidate ---- */

const placeLine = p => [name(`${p.title} (${p.code})`),
  name([p.type === "city" ? t("city") : p.city?.title, p.country?.title].filter(Boolean).join(", "), "soft")];

function acceptFound(place) {
  $("#list").focus();
  finder.clear();
  return accept(place);
}

function startFinder() {
  finder = searchBox($("#find"), {
    search: (text, signal) => airPlaces(text, signal).then(({ items }) => items), pick: acceptFound,
    hasty: () => say(t("The list has just changed. Look again.")),
    fill: placeLine, text: p => p.title, none: () => t("No airport or city is called so."),
  });
  $("#find").addEventListener("keydown", event => event.key === "Escape" && $("#list").focus());
}

const search = () => $("#find").hidden ? say(t("There is nothing here that could be mapped.")) : $("#find-input").select();

/* ---- keys, and the beginning ---- */

const MOVES = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

function find(key) {
  if (MOVES[key]) return () => select(at + MOVES[key]);
  return key === "u" ? undo : key === "/" ? search : /^[1-9]$/.test(key) ? () => accept(current()?.candidates[Number(key) - 1]) : null;
}

async function load() {
  const now = await patiently(airReports(200)), shown = current() && keyOf(current());
  byItself(() => ({ items, total } = now), now.items.find(it => keyOf(it) === shown));
}

async function open() {
  me = await openPage();
  if (!me) return;
  startFinder();
  onKeys(find, Object.keys(MOVES));
  await load();
  if (stayed()) $("#list").focus();
}

open().catch(showError);
