// A supplier's list: looked at, its columns named, loaded (docs/workbench.md). What was looked at is what is loaded.
import { fillSelect, kindOf, patiently, say, showError, stayed } from "./bench.js";
import { loadList } from "./curate.js";
import { $, make, name } from "./dom.js";
import { ENCODINGS } from "./encodings.js";
import { KINDS, NAMED } from "./kinds.js";
import { row, table } from "./tables.js";
import { t } from "./texts.js";

const MOST_BYTES = 32 * 2 ** 20;
const MOST_HEADING = 296;           // bytes: what is longer comes cut, and cannot be named
const WHY = new Set(["rejected", "warning", "skipped"]); // news whose text is the reason
const UNTOLD = new Set(["not_processable", "unknown_column"]); // it has no header that is known, or not the columns that are remembered
const NEWS = { new: t("new"), changed: t("changed"), gone: t("gone"), rejected: t("rejected"), warning: t("warning"), skipped: t("skipped"),
  cleared: t("cleared"), unmapped: t("unmapped"), kept: t("stays"), twice: t("twice"),
  other: t("another house?") };
const ONCE = ["country", "category", "lang"];
const SAME_FILE = new Set(["new_columns", "other_file"]);
const FIELDS = { id: t("Id at the supplier"), name: t("Name"), lang: t("Language of the names"), country_id: t("Id of the country"),
  country_name: t("Country"), city_id: t("Id of the city"), city_name: t("City"), category_id: t("Id of the category"),
    category_name: t("Category"),
  lat: t("Latitude"), lng: t("Longitude"), zip: t("Post code"), url: t("Web page"), iso_code: t("ISO code"),
  dict_id: t("Id in the reference: a mapping") };
const QUOTES = { double: t("around cells, doubled within"), backslash: t("around cells, a backslash before those within"),
  none: t("no cell is quoted"), dump: t("none, and backslashes: of a database") };
const BY_ITSELF = t("as remembered, else recognised");
const fieldText = field => FIELDS[field] ?? (field[0].toUpperCase() + field.slice(1)).replaceAll("_", " ");

let supplier, loaded;               // () => whose list it is; is told of what was loaded
let round = 0;                      // of the wishes: an answer to older ones enables nothing
let busy = false, sent = 0;         // sent: the wishes of the request in progress
let next = null;                    // what was asked for meanwhile: a look (true), or to load it (false)
let agreed = {};                    // what the user agrees to by that: the button has it in words
let typed = new Set();              // of what holds for a whole list: what is not as it is remembered
let columns = [], feeds = [];       // of the file, as it was looked at last
let chosen = new Map();             // field => the column that feeds it
let sheetsNamed = false;            // by the user
let named = false;                  // by the user, not by the saved profile or the proposal
let kind = "";                      // of the last answer: columns are named for that
let proposed = null;                // field => column, as without names; null: they are remembered, and what would be proposed is not known

/* ---- what it would do ---- */

const GO = { accept: t("The columns are right: load it"), keep_going: t("Load it without the bad rows"),
  both: t("The columns are right: load it without the bad rows") };

function goText() {
  if (agreed.accept && agreed.keep_going) return GO.both;
  return GO[Object.keys(agreed)[0]] ?? t("Load it");
}

/** Another wish has to be looked at again. */
function forget() {
  round++;
  agreed = {};
  $("#go").disabled = true;
  $("#go").textContent = goText();
  $("#told").replaceChildren();
}

/** Read in another way, the file has other columns. */
function forgetColumns() {
  forget();
  [columns, feeds, chosen, named, kind, proposed] = [[], [], new Map(), false, "", null];
  $("#columns").hidden = true;
  $("#columns-table").replaceChildren();
}

/** Forget the choices for a supplier: they are not meant for another. */
export function forgetSupplier() {
  next = null;
  for (const id of ["kind", "why"]) $(`#${id}`).value = "";
  forgetFile();
}

/** Show the values for all rows of a list, as they are saved for such lists. */
function paintOnce(d) {
  for (const id of ONCE) if (!typed.has(id)) $(`#${id}`).value = d?.[id] ?? "";
}

/** Forget the choices for a file: they are not meant for another. */
function forgetFile() {
  typed.clear();
  paintOnce(null);
  for (const id of ["complete", "keep_going", "accept_rejected", "accept"]) $(`#${id}`).checked = false;
  $("#encoding").value = $("#quote").value = "";
  offerSheets([]);
  paintEncoding(null);
  forgetColumns();
}

/** Let the user choose the sheets of a workbook that are the list. @param sheets  {name, rows, read, hidden}; rows may be missing */
function offerSheets(sheets) {
  const select = $("#sheet"), names = [...select.options].map(o => o.value);
  $("#sheet-box").hidden = sheets.length < 2;
  if (sheets.length === 0) sheetsNamed = false;
  if (sheets.length === 0 || sheets.some((s, i) => s.name !== names[i]))
    select.replaceChildren(...sheets.map(s => Object.assign(make("option", "", s.name), { value: s.name })));
  select.size = Math.min(Math.max(sheets.length, 2), 8);
  sheets.forEach((s, i) => {
    select.options[i].textContent = sheetText(s);
    if (!sheetsNamed) select.options[i].selected = s.read === true;
  });
}

const sheetText = s => {
  const about = [...(s.rows === undefined ? [] : [rowsOf(s.rows)]), ...(s.hidden ? [t("hidden")] : [])];
  return about.length > 0 ? `${s.name} (${about.join(", ")})` : s.name;
};
const rowsOf = n => t("{n} row|{n} rows", { n });
const sheetsWanted = () => (sheetsNamed ? [...$("#sheet").selectedOptions].map(o => o.value).join("/") : "");

/** @param found  as what the file was read without a choice; null: not known, or it is a workbook */
function paintEncoding(found) {
  $("#encoding").options[0].textContent = found ? t("by itself: {found}", { found }) : BY_ITSELF;
}

function newsRow(n) {
  const text = WHY.has(n.what) ? n.to : n.field ? `${n.field}: ${n.from || t("nothing")} → ${n.to || t("nothing")}` : n.name;
  return row([NEWS[n.what] ?? n.what, ["rejected", "other"].includes(n.what) ? "rejected" : ""], 
    n.line ? t("row {line}", { line: String(n.line) }) : "", name(n.id), name(text));
}

function sums(d) {
  const parts = d.kinds.map(k =>
    t("{kind}: {new} new, {changed} changed, {same} the same, {gone} gone", { ...k, kind: kindOf(k) }));
  if (d.rejected) parts.push(t("{n} of {rows} rows is bad|{n} of {rows} rows are bad", { n: d.rejected, rows: d.rows }));
  if (d.cleared) parts.push(t("{n} value is cleared|{n} values are cleared", { n: d.cleared }));
  if (d.unmapped) parts.push(t("{n} mapping is taken away|{n} mappings are taken away", { n: d.unmapped }));
  if (d.other_house) parts.push(
    t("{n} id seems to mean another house now|{n} ids seem to mean another house now", { n: d.other_house })
    + (d.asked_again
      ? t("; mapped are {n} of them: their mappings are taken away, and they wait in the queue", { n: d.asked_again }) : ""));
  if (d.twice) parts.push(t("{n} id comes twice; the later row counts|{n} ids come twice; the later row counts", { n: d.twice }));
  if (d.merged_cells) parts.push(t("{n} range of merged cells|{n} ranges of merged cells", { n: d.merged_cells })
    + t(": only the first cell of each has a value"));
  if (d.hidden_rows) parts.push(
    t("{n} row that the workbook hides is read like the others|{n} rows that the workbook hides are read like the others",
      { n: d.hidden_rows }));
  if (d.skipped) parts.push(
    t("{n} row is skipped: titles, totals, rows without an id|{n} rows are skipped: titles, totals, rows without an id", { n: d.skipped }));
  if (d.warned) parts.push(
    t("{n} record is loaded without coordinates that cannot be|{n} records are loaded without coordinates that cannot be",
      { n: d.warned }));
  if (d.doubtful) parts.push(t("{n} row has a warning|{n} rows have a warning", { n: d.doubtful }));
  if (d.gone_left) parts.push(t("{n} that the file lacks stays|{n} that the file lacks stay", { n: d.would_go })
    + t(", because rows are bad, have no id or may be several: any of these may be one of them. Tick above that they go all the same"));
  return make("ul", "sums", ...parts.map(p => make("li", "", p)));
}

/** The columns that earlier lists did not have come first: a user who looks at nothing else sees them. */
function newColumns(d) {
  const found = d.proposed ? [] : d.columns.filter(c => !c.field && !c.ignored).map(c => c.name);
  return found.length === 0 ? null : make("p", "note",
    t("A new column, which nothing reads: |New columns, which nothing reads: ", { n: found.length }),
    name(found.join(", ")), ". ", t("If it is worth reading, choose below what it is."));
}

function paintTold(d) {
  const read = d.sheets.filter(s => s.read).map(s => s.name);
  const how = [d.sheet ? t("sheet {name}", { name: read.length > 1 ? read.join(", ") : d.sheet }) : d.encoding,
    t("header in row {row}", { row: String(d.header_row) }),
    ...(d.quote && d.quote !== "double" ? [t("quotes: {how}", { how: QUOTES[d.quote] })] : []),
    t("{kind} records", { kind: kindOf(d) })].join(", ");
  const proposed = d.proposed && !$("#accept").checked && !d.applied
    ? make("p", "note", t("Files with these columns are new of this supplier. Look whether each column below is what you think.")) : null;
  const nameless = d.proposed && NAMED.has(d.kind) && !d.columns.some(c => [c.field, c.second].includes("name"))
    ? make("p", "note", t("No column is the name: choose below which one is.")) : null;
  const other = d.looks_like && !d.applied
    ? make("p", "note", t("The columns look like another kind of list: {kind}. If it is one, choose that kind above.",
      { kind: kindOf({ kind: d.looks_like }) })) : null;
  const order = d.coordinates === "lng,lat" ? t("Coordinates are read as longitude, latitude.")
    : t("Coordinates are read as latitude, longitude.");
  const coordinates = d.coordinates ? make("p", d.coordinates_sure ? "soft" : "note", d.coordinates_sure ? order
    : `${order} ${t("Their values do not show that this is the order: check some.")}`) : null;
  const bad = d.rejected > 0 && !$("#keep_going").checked && !$("#accept_rejected").checked && !d.applied
    ? make("p", "note", t("Bad rows are left out. Better: fix them in the file, and choose it again.")) : null;
  if (!d.applied && d.sheets.length > 1) offerSheets(d.sheets);
  const others = d.sheets.filter(s => !s.read).map(sheetText).join(", ");
  const unread = others && !d.applied
    ? make("p", "note", t("Other sheets are not read: {others}. Choose above which ones are the list.", { others })) : null;
  $("#told").replaceChildren(...[newColumns(d), make("h3", "", !d.applied ? t("What it would do")
    : d.batch ? t("Loaded as batch {id}", { id: String(d.batch) }) : t("Loaded as batch none: nothing was new")),
    make("p", "soft", how), unread, coordinates, sums(d), proposed, other, nameless, bad,
    d.news.length ? table(["", "", t("Id"), t("News")], d.news.map(newsRow)) : null].filter(Boolean));
  agreed = { ...(proposed ? { accept: true } : {}), ...(bad ? { keep_going: true } : {}) };
  $("#go").textContent = goText();
  $("#go").disabled = d.applied;
}

/* ---- the columns ---- */

const isLong = column => new TextEncoder().encode(column).length > MOST_HEADING;
const examples = column => columns.find(c => c.name === column)?.examples.filter(Boolean).join(" | ") ?? "";

/** The selects as `chosen` has it. They stay the same elements, with the focus that one of them may have. */
function paintChosen() {
  for (const line of $("#columns-table").querySelectorAll("tbody tr")) {
    const select = line.querySelector("select");
    select.value = chosen.get(select.dataset.field) ?? "";
    line.lastElementChild.replaceChildren(name(examples(select.value) || "–"));
  }
  const unread = columns.filter(c => ![...chosen.values()].includes(c.name)).map(c => c.name);
  $("#columns-rest").replaceChildren(unread.length > 0 ? t("Not read: ") : t("Every column is read."),
    ...(unread.length > 0 ? [name(unread.join(", "))] : []),
    columns.some(c => isLong(c.name))
      ? `${unread.length > 0 ? "." : ""} ${
        t("A heading of more than {most} bytes cannot be chosen: shorten it in the file.", { most: MOST_HEADING })}` : "");
}

function fieldRow(field) {
  const select = make("select"), label = make("label", "", fieldText(field));
  label.htmlFor = select.id = `column-${field}`;
  select.dataset.field = field;
  const names = [...new Set(columns.map(c => c.name))].filter(column => !isLong(column));
  select.append(...["", ...names].map(column => Object.assign(make("option", "", column || t("no column")), { value: column })));
  return row(label, select, "");
}

function paintColumns(d) {
  const before = JSON.stringify([columns.map(c => c.name), feeds]);
  [columns, feeds, kind] = [d.columns, d.feeds, d.kind];
  chosen = new Map(columns.filter(c => c.field).flatMap(c => [c.field, c.second].filter(Boolean).map(field => [field, c.name])));
  if (!named) proposed = d.proposed ? new Map(chosen) : null;
  if (before !== JSON.stringify([columns.map(c => c.name), feeds]))
    $("#columns-table").replaceChildren(table([t("What"), t("Column of the file"), t("First rows")], feeds.map(fieldRow)));
  paintChosen();
  if (!$("#encoding").value) paintEncoding(d.encoding);
  $("#columns").hidden = false;
}

const SHARED = [["lat", "lng"], ["id", "name"], ["id", "iso_code"]];

/** A column feeds one field, except a place on the map, and the names of a list that has no ids. */
function choose(field, column) {
  const shares = other => SHARED.some(both => both.includes(field) && both.includes(other));
  for (const [other, is] of chosen) if (is === column && !shares(other)) chosen.delete(other);
  chosen.delete(field);
  if (column) chosen.set(field, column);
  named = true;
  forget();
  paintChosen();
}

/* ---- sent ---- */

const wishes = () => ({ adapter_id: supplier().adapter_id, kind: $("#kind").value || (named ? kind : ""),
  encoding: $("#encoding").value, quote: $("#quote").value, sheet: sheetsWanted(), why: $("#why").value,
  complete: $("#complete").checked || "",
  keep_going: $("#keep_going").checked || "", accept_rejected: $("#accept_rejected").checked || "", accept: $("#accept").checked || "" });

/** The typed values, or that there is none; English is the language of a list that names none. */
const once = () => [...typed].map(id => [id, $(`#${id}`).value.trim() || (id === "lang" ? "en" : "none")]);

/** The differences from the proposal; of a saved profile all fields, so that nothing is guessed beside. With the ids in every case: named
 * it is. */
const maps = () => (named ? feeds.filter(field => field === "id" || !proposed || chosen.get(field) !== proposed.get(field))
  .map(field => `${field}=${chosen.get(field) ?? ""}`) : []);

/** Preview the file. If its sort is not known, its columns are shown at least, so that they can be named. */
async function look(file, values, ticket) {
  try {
    return await loadList({ ...values, dry_run: 1, anew: named || "" }, maps(), file, once());
  } catch (e) {
    // The columns are shown even if the file may be another supplier's: how else could anybody tell?
    if (e.reason === "other_file") await loadList({ ...values, dry_run: 1, accept: 1 }, maps(), file, once())
      .then(d => ticket === round && paintColumns(d)).catch(() => {});
    const known = named || !UNTOLD.has(e.reason) ? null
      : await loadList({ ...values, dry_run: 1, anew: 1 }, [], file, once()).catch(() => null);
    if (!known || ticket !== round) throw e;
    paintColumns(known);
    throw Object.assign(e, { columns: true });
  }
}

/** Read it again in an encoding, which need not be in the list of all. */
function chooseEncoding(encoding) {
  const select = $("#encoding");
  if (![...select.options].some(o => o.value === encoding)) fillSelect(select, { [encoding]: encoding });
  select.value = encoding;
  forgetColumns();
  select.focus();
  send(true);
}

/** The likeliest readings of a file, each with the encodings that read it so: the right one is known by its look. */
function paintReadings(readings) {
  $("#told").replaceChildren(
    make("p", "note", t("Choose the reading that is right, or choose above the encoding in which it reads right.")),
    table([t("It reads"), t("Encoding")], readings.map(([, encoding, text, others]) => row(name(text),
      make("span", "acts", ...[encoding, ...(others?.split(", ") ?? [])].map(each => {
        const button = Object.assign(make("button", "plain", each), { type: "button" });
        button.addEventListener("click", () => chooseEncoding(each));
        return button;
      }))))));
}

/** @param at  what had the focus when it was asked for */
function failed(e, at) {
  const readings = e.field === "encoding" ? [...e.message.matchAll(/(?:--)?encoding (\S+) "([^"]*)"(?: or ([^;]+))?/g)] : [];
  forget();
  if (e.columns) $("#told").replaceChildren(make("p", "note bad", `${e.message}.`),
    make("p", "note", t("Say below which column is what, and look again.")));
  else if (e.reason === "address_too_long") e.message = t("The headings that are named, and why, are too long together: shorten them");
  else if (readings.length > 0) {
    paintReadings(readings);
    e.message = t("It cannot be told safely which encoding the file has");
  } else if (e.field === "quote") $("#told").replaceChildren(make("p", "note bad", name(e.message), "."),
    make("p", "note", t("Fix the quote in the file, or choose above how its cells are quoted.")));
  else if (e.field === "encoding") $("#told").replaceChildren(make("p", "note bad", name(e.message), "."),
    make("p", "note", t("Choose above the encoding in which it reads right.")));
  else if (e.field === "sheet") {
    offerSheets([...e.message.matchAll(/"(.*?)"( \(hidden\))?(?=, "|$)/g)].map(([, sheet, hidden]) => ({ name: sheet, hidden: !!hidden })));
    if (e.message.includes("several sheets"))
      e.message = t("The workbook has several sheets: choose above which one is the list");
    if (stayed(at)) $("#sheet").focus();
  } else if (SAME_FILE.has(e.reason)) {
    e.message = e.message.replace(/;? nothing was applied.*$/s, "");
    $("#told").replaceChildren(make("p", "note bad", name(e.message)), make("p", "note",
      t("If it is right all the same, tick above that the columns are right and that it is this supplier's file.")));
  }
  showError(e);
}

async function showLoaded(d, whose) {
  say([t("Loaded for {supplier}.", { supplier: whose.adapter }), d.batch && t("To undo it, undo batch {id}.", { id: String(d.batch) }),
    t("The matcher looks at what is new.")].filter(Boolean).join(" "));
  await loaded();
}

async function send(dry) {
  const file = $("#file").files[0], whose = supplier(), ticket = round, at = document.activeElement;
  if (busy) {
    if (!dry || ticket !== sent) next = dry;
    return say(t("A list is still on its way."));
  }
  if (!file) return say(t("Choose a file first."), true);
  if (file.size > MOST_BYTES)
    return say(t("The file is larger than 32 MB: leave sheets and columns out that nobody reads, or cut it in two."), true);
  [busy, sent] = [true, ticket];
  try {
    // Typed values are saved when the list is loaded: the preview has found that it is this supplier's file.
    const values = { ...wishes(), ...(dry ? {} : agreed), ...(dry || typed.size === 0 ? {} : { accept: true }), file: file.name };
    const d = await patiently(dry ? look(file, values, ticket) : loadList(values, maps(), file, once()));
    if (ticket === round) {
      if (d.applied && stayed($("#go"))) $("#told").focus(); // the button goes
      if (d.applied) [named, typed] = [false, new Set()]; // it is remembered
      paintTold(d);
      paintColumns(d);
      paintOnce(d);
    }
    if (!dry) await showLoaded(d, whose);
    else say(ticket === round ? "" : t("What you have chosen meanwhile has to be looked at again."));
  } catch (e) {
    if (ticket === round) failed(e, at);
    else showError(e);
  } finally {
    busy = false;
  }
  const after = next;
  next = null;
  if (after || (after === false && !$("#go").disabled)) await send(after);
}

/** @param whose  () => the supplier that is shown @param then  is told when a list was loaded */
export function startLists(whose, then) {
  [supplier, loaded] = [whose, then];
  fillSelect($("#kind"), KINDS);
  fillSelect($("#encoding"), ENCODINGS);
  fillSelect($("#quote"), QUOTES);
  $("#load").addEventListener("submit", async event => {
    event.preventDefault();
    const below = $("#columns").contains(event.submitter);
    await send(true);
    if (below) $("#look").scrollIntoView({ block: "start" }); // where it is told what it would do
  });
  $("#go").addEventListener("click", () => send(false));
  $("#load").addEventListener("input", ({ target }) => { // an answer that comes meanwhile leaves it
    if (ONCE.includes(target.id)) typed.add(target.id);
  });
  $("#load").addEventListener("change", ({ target }) => {
    if (target.dataset.field) choose(target.dataset.field, target.value);
    else if (target.id !== "why") {
      if (target.id === "sheet") sheetsNamed = true;
      if (target.id === "file") forgetFile();
      else if (["kind", "encoding", "quote", "sheet"].includes(target.id)) forgetColumns();
      else forget();
      if ($("#file").files.length > 0) send(true);
    }
  });
}
