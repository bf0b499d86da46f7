// Suppliers: how much of each is mapped, preview and load of lists, undo of batches (docs/workbench.md).
import { onKeys, openPage, patiently, say, showError, stayed, visibly, withReason } from "./bench.js";
import { addSupplier, agreement, batchesPage, batchUndo, coverage, recordsAddress } from "./curate.js";
import { $, make, name } from "./dom.js";
import { KINDS } from "./kinds.js";
import { forgetSupplier, startLists } from "./lists.js";
import { row, shareBar, table } from "./tables.js";
import { day, inParts, number as count, shortTime, t } from "./texts.js";

const WEEKS = 8, DAY = 86400e3, COUNTRIES = 12, MONTHS = 12;
const canDecide = () => me.role !== "viewer";

let me, suppliers = [], items = [], at = 0;
let toFirst = false;                // b came before the batches
let shown = 0;                      // rises with each supplier that is shown: an older answer that is slow shows nothing

/* ---- the list ---- */

const current = () => suppliers[at] ?? null;
const of = (list, it) => list.filter(i => i.adapter_id === it.adapter_id);
const sum = (list, what) => list.reduce((n, i) => n + i[what], 0);

function paintList() {
  $("#list").replaceChildren(...suppliers.map((it, i) => {
    const own = of(items, it), box = make("div", `item${i === at ? " now" : ""}`, make("b", "", name(it.adapter)),
      make("span", "soft number",
        own.length ? t("{mapped} of {records} mapped", { mapped: sum(own, "mapped"), records: sum(own, "records") })
          : t("nothing loaded yet")));
    Object.assign(box, { id: `item-${i}`, role: "option", ariaSelected: String(i === at), onclick: () => select(i) });
    return box;
  }));
  if (current()) $("#list").setAttribute("aria-activedescendant", `item-${at}`);
}

function select(i) {
  at = Math.max(0, Math.min(i, suppliers.length - 1));
  history.replaceState(null, "", `?adapter_id=${current().adapter_id}`);
  paintList();
  $(".item.now").scrollIntoView({ block: "nearest" });
  show();
}

/* ---- one supplier ---- */

/** Its records as files. */
function download(it) {
  const link = (format, text) => Object.assign(make("a", "", text),
    { href: recordsAddress({ adapter_id: it.adapter_id, format }), download: "" });
  return make("p", "soft download", ...inParts("Its records with their mappings: {xlsx}, {csv}.",
    { xlsx: link("xlsx", t("Download as XLSX")), csv: link("csv", t("as CSV")) }));
}

const numbers = title => make("span", "number", title);

/** The unmapped records, with the way to the queue. */
function waiting(it, { kind, mapped, records }) {
  if (mapped >= records) return "0";
  return Object.assign(make("a", "", count(records - mapped)),
    { href: `../workbench?${new URLSearchParams({ kind, adapter_id: it.adapter_id })}` });
}

function paintCoverage(it) {
  const own = of(items, it);
  const rows = own.map(i => row(KINDS[i.kind] ?? i.kind, [shareBar(i.mapped, i.records), "share"], [count(i.mapped), "number"],
    [count(i.records), "number"], [waiting(it, i), "number"], [count(i.requests), "number"]));
  const empty = make("p", "soft", t("Nothing of this supplier is here yet."), canDecide() ? ` ${t("Load its first list below.")}` : "");
  const titles = [t("Kind"), t("Share"), ...[t("Mapped"), t("Records"), t("Not mapped"), t("Requests")].map(numbers)];
  $("#coverage").replaceChildren(make("h3", "", t("Mapped")), own.length ? table(titles, rows) : empty, make("div", "line-box"),
    own.length ? download(it) : "");
}

const SVG = "http://www.w3.org/2000/svg";

function drawing(tag, values) {
  const box = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(values)) box.setAttribute(key, value);
  return box;
}

/** The share of all records of the last weeks that was mapped, from what was counted day by day. */
function line(points) {
  const box = drawing("svg", { class: "line", viewBox: "0 0 100 40", preserveAspectRatio: "none", role: "img" });
  const text = points.map(p => `${p.day}: ${p.share} %`).join(", ");
  box.setAttribute("aria-label", t("Mapped of all records: {shares}", { shares: text }));
  const x = i => (i * 100) / (points.length - 1);
  box.append(drawing("line", { class: "base", x1: 0, x2: 100, y1: 39, y2: 39 }),
    drawing("polyline", { points: points.map((p, i) => `${x(i)},${38 - p.share * .36}`).join(" ") }));
  const last = points.at(-1), first = points[0];
  return [box, make("p", "soft number", 
    t("Mapped of all records: {before} % on {day}, {now} % today.", { before: first.share, day: first.day, now: last.share }))];
}

async function weeks(it) {
  const days = Array.from({ length: WEEKS }, (_, i) => new Date(Date.now() - (WEEKS - i) * 7 * DAY).toISOString().slice(0, 10));
  const now = of(items, it), pages = await Promise.all(days.map(since => coverage({ adapter_id: it.adapter_id, since })));
  const share = (mapped, records) => (records > 0 ? Math.round((1000 * mapped) / records) / 10 : 0);
  const before = (list, what) => sum(list, what) - sum(list, `${what}_since`);
  const then = pages.map(({ items: list }, k) => ({ day: days[k], share: share(before(list, "mapped"), before(list, "records")) }));
  return [...then, { day: t("today"), share: share(sum(now, "mapped"), sum(now, "records")) }];
}

async function showCountries(it) {
  const ticket = shown, { countries } = await patiently(coverage({ adapter_id: it.adapter_id, countries: 1 }));
  if (ticket !== shown) return;
  const stays = stayed($("#countries"));
  const most = countries.sort((a, b) => b.records - a.records).slice(0, COUNTRIES);
  const rows = most.map(c => row(KINDS[c.kind] ?? c.kind,
    c.country ? name(c.country.name ?? t("country {id}", { id: String(c.country.id) })) : t("not known"),
    [shareBar(c.mapped, c.records), "share"],
    [count(c.mapped), "number"], [count(c.records), "number"]));
  $("#countries").replaceChildren(make("h3", "", t("By country")),
    table([t("Kind"), t("Country"), t("Share"), ...[t("Mapped"), t("Records")].map(numbers)], rows),
    countries.length > COUNTRIES ? make("p", "soft", t("and {n} more", { n: countries.length - COUNTRIES })) : "");
  if (stays) $("#countries").focus(); // the button is gone
}

/** Show what the matcher mapped by itself, what it suggested to people, and what of its own people changed. */
async function showMonths(it) {
  const since = new Date();
  since.setUTCMonth(since.getUTCMonth() - MONTHS + 1, 1);
  const ticket = shown, day = since.toISOString().slice(0, 10);
  const { items: list } = await patiently(agreement({ adapter_id: it.adapter_id, since: day }));
  if (ticket !== shown) return;
  const stays = stayed($("#months"));
  const rows = list.sort((a, b) => b.month.localeCompare(a.month) || a.kind.localeCompare(b.kind))
    .map(m => row(m.month, KINDS[m.kind] ?? m.kind,
      ...["automatic", "asked", "people", "overruled"].map(what => [count(m[what]), "number"])));
  $("#months").replaceChildren(make("h3", "", t("By month")), rows.length
    ? table([t("Month"), t("Kind"), t("Mapped by the matcher"), t("Asked"), t("Decided by people"), t("Against the matcher")], rows)
    : make("p", "soft", t("Nothing was matched yet.")));
  if (stays) $("#months").focus();
}

/** Offer a button for counts that take a while. */
function offer(box, text, shows, it) {
  const button = make("button", "plain", text), inside = box.contains(document.activeElement);
  button.addEventListener("click", () => shows(it).catch(showError));
  box.replaceChildren(button);
  if (inside) button.focus();
}

function offerMore(it) {
  $("#countries").hidden = !of(items, it).some(i => i.kind === "hotel" || i.kind === "city");
  offer($("#countries"), t("Show by country"), showCountries, it);
  $("#months").hidden = !of(items, it).length;
  offer($("#months"), t("Show by month"), showMonths, it);
}

async function show() {
  const it = current(), ticket = ++shown;
  forgetSupplier();
  $("#name").replaceChildren(it ? name(it.adapter) : t("There is no supplier yet"));
  $("#load").hidden = !it || !canDecide();
  if (!it) {
    $("#coverage").replaceChildren(make("p", "soft", t("A supplier is added with: "),
      make("code", "", "dragoman supplier add CODE --name NAME")));
    return showBatches(ticket).catch(showError);
  }
  paintCoverage(it);
  offerMore(it);
  $("#batches").replaceChildren(make("p", "soft", t("Asking …"))); // those of the one before are not what a key means
  await Promise.all([showLine(it, ticket), showBatches(ticket)]).catch(e => ticket === shown && showError(e));
}

async function showLine(it, ticket) {
  const points = of(items, it).length ? await weeks(it) : [];
  if (ticket === shown && points.length) $(".line-box").replaceChildren(...line(points));
}

/* ---- batches ---- */

const WHAT = { import: t("import"), load: t("list"), undo: t("undone"), map: t("mappings"), match: t("matcher"),
  decide: t("decisions") };

async function takeBack(b, why) {
  const { removed, restored, kept } = await patiently(batchUndo(b.id, why));
  const left = kept ? t(", {kept} left alone: they were changed since", { kept }) : "";
  say(t("Batch {id} is undone: {removed} records removed, {restored} as before{left}.", { id: String(b.id), removed, restored, left }));
  await refresh();
}

/** Undoing it is not about this supplier alone. */
function others(b) {
  if (!b.adapters) return t(", perhaps of other suppliers too");
  return b.adapters.length > 1 ? t(", of {n} supplier|, of {n} suppliers", { n: b.adapters.length }) : "";
}

function batchRow(b) {
  const button = withReason(t("Undo"), t("Undo it"), why => takeBack(b, why));
  button.setAttribute("aria-label", t("Undo batch {id}", { id: String(b.id) }));
  const mayUndo = canDecide() && (b.what !== "import" || me.role === "admin");
  const last = b.undone ? t("undone {when}", { when: day(b.undone) }) : mayUndo ? button : "";
  const when = b.at ? shortTime(b.at) : "";
  const line = row([b.id, "number"], [when, "word"],
    [WHAT[b.what] ?? b.what, "word"], name([b.files, b.why].filter(Boolean).join(": ")), [name(b.by ?? ""), "word"],
    
    t("{created} new, {changed} changed, {removed} gone{others}",
      { created: b.created ?? 0, changed: b.changed ?? 0, removed: b.removed ?? 0, others: others(b) }), last);
  Object.assign(line.dataset, { id: b.id, said: JSON.stringify(b) });
  return line;
}

/** Rows that say the same stay, and with them a reason that is being written. */
function mendRows(body, list) {
  let next = body.firstElementChild;
  const skip = () => { const gone = next; next = next.nextElementSibling; return gone };
  for (const b of list) {
    while (next && Number(next.dataset.id) > b.id) skip().remove();
    if (next?.dataset.said === JSON.stringify(b)) skip();
    else if (Number(next?.dataset.id) === b.id) skip().replaceWith(batchRow(b));
    else body.insertBefore(batchRow(b), next);
  }
  while (next) skip().remove();
}

async function showBatches(ticket) {
  const { items: list } = await batchesPage({ adapter_id: current()?.adapter_id }), box = $("#batches"), body = box.querySelector("tbody");
  if (ticket !== shown) return;
  if (body && list.length) mendRows(body, list);
  else box.replaceChildren(list.length ? table(["", t("When"), t("What"), t("File or reason"), t("Who"), t("Did"), ""], list.map(batchRow))
    : make("p", "soft", t("There are none yet.")));
  if (toFirst && document.activeElement === box) box.querySelector("button")?.focus();
  toFirst = false;
}

function toBatches() {
  const first = $("#batches button");
  toFirst = !first;
  (first ?? $("#batches")).focus();
}

/* ---- keys ---- */

const KEYS = { j: () => select(at + 1), k: () => select(at - 1), ArrowDown: () => select(at + 1), ArrowUp: () => select(at - 1),
  f: () => $("#file").focus(),
  b: toBatches };

/* ---- a new one ---- */

async function add(event) {
  event.preventDefault();
  const form = event.target, values = Object.fromEntries(new FormData(form));
  try {
    const made = await patiently(addSupplier(values));
    form.reset();
    ({ suppliers, items } = await coverage({}));
    say(t("{name} is supplier {id}. Load its first list here.", { name: made.adapter, id: String(made.adapter_id) }));
    select(suppliers.findIndex(s => s.adapter_id === made.adapter_id));
  } catch (e) {
    showError(e);
  }
}

/* ---- the beginning ---- */

/** Read the numbers again; nothing else replaces the last message. */
async function refresh() {
  const all = await visibly(coverage({})), is = current()?.adapter_id, ticket = shown;
  ({ suppliers, items } = all);
  at = Math.max(0, suppliers.findIndex(s => s.adapter_id === is)); // one that was added since may stand before it
  paintList();
  if (!current()) return;
  paintCoverage(current());
  offerMore(current());
  showLine(current(), ticket).catch(() => {});
  await showBatches(ticket);
}

async function open() {
  me = await openPage("adapter_id");
  if (!me) return;
  startLists(current, refresh);
  $("#add").hidden = me.role !== "admin";
  $("#add").addEventListener("submit", add);
  onKeys(key => (key === "b" || current() ? KEYS[key] : null), ["j", "k", "ArrowDown", "ArrowUp"]);
  ({ suppliers, items } = await patiently(coverage({})));
  const wanted = Number(new URLSearchParams(location.search).get("adapter_id"));
  at = Math.max(0, suppliers.findIndex(s => s.adapter_id === wanted));
  paintList();
  if (stayed()) $("#list").focus();
  await show();
}

open().catch(showError);
