// Suppliers: how much of each is mapped, lists that are looked at and loaded, batches that are taken back (docs/workbench.md).
import { KINDS, onKeys, openPage, patiently, say, showError, stayed, withReason } from "./bench.js";
import { addSupplier, agreement, batchesPage, batchUndo, coverage, recordsAddress } from "./curate.js";
import { $, make, name } from "./dom.js";
import { forgetSupplier, startLists } from "./lists.js";
import { row, shareBar, table } from "./tables.js";

const WEEKS = 8, DAY = 86400e3, COUNTRIES = 12, MONTHS = 12;
const count = n => n.toLocaleString("en");
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
        own.length ? `${count(sum(own, "mapped"))} of ${count(sum(own, "records"))} mapped` : "nothing loaded yet"));
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
  return make("p", "soft download", "Its records with their mappings: ",
    link("xlsx", "Download as XLSX"), ", ", link("csv", "as CSV"), ".");
}

const numbers = title => make("span", "number", title);

/** What is not mapped, with the way to the queue. */
function waiting(it, { kind, mapped, records }) {
  if (mapped >= records) return "0";
  return Object.assign(make("a", "", count(records - mapped)),
    { href: `../workbench?${new URLSearchParams({ kind, adapter_id: it.adapter_id })}` });
}

function paintCoverage(it) {
  const own = of(items, it);
  const rows = own.map(i => row(KINDS[i.kind] ?? i.kind, [shareBar(i.mapped, i.records), "share"], [count(i.mapped), "number"],
    [count(i.records), "number"], [waiting(it, i), "number"], [count(i.requests), "number"]));
  const empty = make("p", "soft", `Nothing of this supplier is here yet.${canDecide() ? " Load its first list below." : ""}`);
  const titles = ["Kind", "Share", ...["Mapped", "Records", "Not mapped", "Requests"].map(numbers)];
  $("#coverage").replaceChildren(make("h3", "", "Mapped"), own.length ? table(titles, rows) : empty, make("div", "line-box"),
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
  box.setAttribute("aria-label", `Mapped of all records: ${text}`);
  const x = i => (i * 100) / (points.length - 1);
  box.append(drawing("line", { class: "base", x1: 0, x2: 100, y1: 39, y2: 39 }),
    drawing("polyline", { points: points.map((p, i) => `${x(i)},${38 - p.share * .36}`).join(" ") }));
  const last = points.at(-1), first = points[0];
  return [box, make("p", "soft number", `Mapped of all records: ${first.share} % on ${first.day}, ${last.share} % today.`)];
}

async function weeks(it) {
  const days = Array.from({ length: WEEKS }, (_, i) => new Date(Date.now() - (WEEKS - i) * 7 * DAY).toISOString().slice(0, 10));
  const now = of(items, it), pages = await Promise.all(days.map(since => coverage({ adapter_id: it.adapter_id, since })));
  const share = (mapped, records) => (records > 0 ? Math.round((1000 * mapped) / records) / 10 : 0);
  const before = (list, what) => sum(list, what) - sum(list, `${what}_since`);
  const then = pages.map(({ items: list }, k) => ({ day: days[k], share: share(before(list, "mapped"), before(list, "records")) }));
  return [...then, { day: "today", share: share(sum(now, "mapped"), sum(now, "records")) }];
}

async function showCountries(it) {
  const ticket = shown, { countries } = await patiently(coverage({ adapter_id: it.adapter_id, countries: 1 }));
  if (ticket !== shown) return;
  const stays = stayed($("#countries"));
  const most = countries.sort((a, b) => b.records - a.records).slice(0, COUNTRIES);
  const rows = most.map(c => row(KINDS[c.kind] ?? c.kind, c.country ? name(c.country.name ?? `country ${c.country.id}`) : "not known",
    [shareBar(c.mapped, c.records), "share"],
    [count(c.mapped), "number"], [count(c.records), "number"]));
  $("#countries").replaceChildren(make("h3", "", "By country"),
    table(["Kind", "Country", "Share", ...["Mapped", "Records"].map(numbers)], rows),
    countries.length > COUNTRIES ? make("p", "soft", `and ${countries.length - COUNTRIES} more`) : "");
  if (stays) $("#countries").focus(); // the button is gone
}

/** What the matcher mapped by itself, asked people about, and what of its own people changed. */
async function showMonths(it) {
  const since = new Date();
  since.setUTCMonth(since.getUTCMonth() - MONTHS + 1, 1);
  const ticket = shown, day = since.toISOString().slice(0, 10);
  const { items: list } = await patiently(agreement({ adapter_id: it.adapter_id, since: day }));
  if (ticket !== shown) return;
  const stays = stayed($("#months"));
  const rows = list.sort((a, b) => b.month.localeCompare(a.month) || a.kind.localeCompare(b.kind))
    .map(m => row(m.month, m.kind, ...["automatic", "asked", "people", "overruled"].map(what => [count(m[what]), "number"])));
  $("#months").replaceChildren(make("h3", "", "By month"), rows.length
    ? table(["Month", "Kind", "Mapped by the matcher", "Asked", "Decided by people", "Against the matcher"], rows)
    : make("p", "soft", "Nothing was matched yet."));
  if (stays) $("#months").focus();
}

/** What takes a while to count is behind a button. */
function offer(box, text, shows, it) {
  const button = make("button", "plain", text), inside = box.contains(document.activeElement);
  button.addEventListener("click", () => shows(it).catch(showError));
  box.replaceChildren(button);
  if (inside) button.focus();
}

function offerMore(it) {
  $("#countries").hidden = !of(items, it).some(i => i.kind === "hotel" || i.kind === "city");
  offer($("#countries"), "Show by country", showCountries, it);
  $("#months").hidden = !of(items, it).length;
  offer($("#months"), "Show by month", showMonths, it);
}

async function show() {
  const it = current(), ticket = ++shown;
  forgetSupplier();
  $("#name").replaceChildren(it ? name(it.adapter) : "There is no supplier yet");
  $("#load").hidden = !it || !canDecide();
  if (!it) {
    $("#coverage").replaceChildren(make("p", "soft", "A supplier is added with: dragoman supplier add CODE --name NAME"));
    return showBatches(ticket).catch(showError);
  }
  paintCoverage(it);
  offerMore(it);
  $("#batches").replaceChildren(make("p", "soft", "Asking …")); // those of the one before are not what a key means
  await Promise.all([showLine(it, ticket), showBatches(ticket)]).catch(e => ticket === shown && showError(e));
}

async function showLine(it, ticket) {
  const points = of(items, it).length ? await weeks(it) : [];
  if (ticket === shown && points.length) $(".line-box").replaceChildren(...line(points));
}

/* ---- batches ---- */

const WHAT = { import: "import", load: "list", undo: "taken back", map: "mappings", match: "matcher", decide: "decisions" };

async function takeBack(b, why) {
  const { removed, restored, kept } = await patiently(batchUndo(b.id, why));
  const left = kept ? `, ${count(kept)} left alone: they were changed since` : "";
  say(`Batch ${b.id} is taken back: ${count(removed)} records removed, ${count(restored)} as before${left}.`);
  await refresh();
}

/** Taking it back is not about this supplier alone. */
function others(b) {
  if (!b.adapters) return ", perhaps of other suppliers too";
  return b.adapters.length > 1 ? `, of ${count(b.adapters.length)} suppliers` : "";
}

function batchRow(b) {
  const button = withReason("Take back", "Take it back", why => takeBack(b, why));
  button.setAttribute("aria-label", `Take back batch ${b.id}`);
  const mayUndo = canDecide() && (b.what !== "import" || me.role === "admin");
  const last = b.undone ? `taken back ${new Date(b.undone).toLocaleDateString()}` : mayUndo ? button : "";
  const when = b.at ? new Date(b.at).toLocaleString([], { dateStyle: "short", timeStyle: "short" }) : "";
  const line = row([b.id, "number"], [when, "word"],
    [WHAT[b.what] ?? b.what, "word"], name([b.files, b.why].filter(Boolean).join(": ")), [name(b.by ?? ""), "word"],
    `${count(b.created ?? 0)} new, ${count(b.changed ?? 0)} changed, ${count(b.removed ?? 0)} gone${others(b)}`, last);
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
  else box.replaceChildren(list.length ? table(["", "When", "What", "File or reason", "Who", "Did", ""], list.map(batchRow))
    : make("p", "soft", "There are none yet."));
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
    say(`${made.adapter} is supplier ${made.adapter_id}. Load its first list here.`);
    select(suppliers.findIndex(s => s.adapter_id === made.adapter_id));
  } catch (e) {
    showError(e);
  }
}

/* ---- the beginning ---- */

async function refresh() {
  const all = await patiently(coverage({})), is = current()?.adapter_id, ticket = shown;
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
  me = await openPage();
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
