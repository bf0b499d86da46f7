// The page of the history: who decided what, and how to undo it (docs/workbench.md).
import {
  fillSelect, keepFilters, kindOf, onKeys, openPage, patiently, readFilters, say, showError, stayed, withReason,
} from "./bench.js";
import { caseLink, HOW } from "./case.js";
import { supplierChoice } from "./choices.js";
import { batchesPage, batchUndo, caseOf, decide, historyPage, referenceOf } from "./curate.js";
import { $, make, name } from "./dom.js";
import { KINDS } from "./kinds.js";
import { languageName } from "./names.js";
import { dateTime as when, inParts, number, t } from "./texts.js";

const WHAT = { import: t("Import"), load: t("List of a supplier"), undo: t("Undone"), map: t("Mappings of a file"),
  match: t("Run of the matcher"), decide: t("Decisions") };

const DECIDED = { set: t("Mapped or cleared"), match: t("By the matcher"), import: t("With an import"), undo: t("Undone"),
  merge: t("Merged"), split: t("Split"), name: t("Named"), audit: t("Judged"), gone: t("Gone"), back: t("Back") };

let me, filters = {}, cursor = null, round = 0;
let waiting = null, ahead = 0;      // where the focus goes when the decisions have come: how many steps from the first of them
const form = $("#filters"), events = $("#events"), batches = $("#batches");
const canDecide = () => me.role !== "viewer";

/* ---- decisions ---- */

/** A record of the reference, with its name. */
function dict(kind, id, called) {
  if (id === null) return make("span", "soft", t("not mapped"));
  const link = make("a", "", ...(called ? [name(called), ` ${id}`] : [String(id)]));
  link.href = `reference?${new URLSearchParams({ record: `${kind}/${id}` })}`;
  return link;
}

const quoted = text => text === null ? make("span", "soft", t("no name")) : name(text);

/** Decisions about a record of the reference. */
const SHARED = {
  name: it => inParts("{kind} {record}, name in {language}: {was} → {is}", { kind: kindOf(it), record: dict(it.kind, it.dict_id, it.name),
    language: languageName(it.lang), was: quoted(it.was), is: quoted(it.is) }),
  merge: it => inParts("{kind} {record} was merged into {into}",
    { kind: kindOf(it), record: dict(it.kind, it.dict_id, it.was), into: dict(it.kind, it.into, it.is) }),
  split: it => inParts("{kind} {record} was split off from {into}",
    { kind: kindOf(it), record: dict(it.kind, it.dict_id, it.is), into: dict(it.kind, it.into, it.was) }),
};
SHARED.undo = SHARED.name;
const SHARED_HOW = { name: t("named"), undo: t("undone"), merge: t("merged"), split: t("split") };

const mapped = it => [name(it.adapter), `, ${kindOf(it)} `, caseLink(it, "../workbench"), ...(it.name ? [" ", name(it.name)] : []), ": ",
  dict(it.kind, it.from, it.from_name), " → ", dict(it.kind, it.to, it.to_name)];

const isShared = it => it.dict_id !== null;
const canBeTakenBack = it => it.how !== t("split") && (isShared(it) || it.how !== "merge");
const WHOLE = {
  split: t("A split cannot be undone here: merge the two again, on the page of the reference."),
  merge: t("It was part of a merge: undo the merge."),
};

/** Its subject as it is now: requested when it is opened. */
function details(it) {
  const box = make("details", "", make("summary", "", t("What is it?"))), into = make("p", "soft", t("Asking …"));
  box.append(into);
  box.addEventListener("toggle", async () => {
    if (!box.open) return;
    try {
      const known = await caseOf(it), is = known.candidates.find(c => c.id === known.dict_id);
      into.replaceChildren(name(known.record.name),
        ...(known.dict_id === null ? [t(", not mapped now")]
          : inParts(", now mapped to {name} {id}", { name: name(is?.name), id: String(known.dict_id) })));
    } catch (e) {
      into.textContent = e.message;
    }
  });
  return box;
}

function eventItem(it) {
  const box = make("li", "event", make("p", "", ...(isShared(it) ? SHARED[it.how](it) : mapped(it))),
    make("p", "soft", `${when(it.at)}, ${(isShared(it) ? SHARED_HOW : HOW)[it.how] ?? it.how}`,
      it.by ? make("span", "", ", ", name(it.by)) : null, it.batch === null ? null : t(", batch {id}", { id: String(it.batch) })),
    it.why ? make("p", "soft why", name(it.why)) : null, isShared(it) ? null : details(it));
  box.tabIndex = -1;
  box.it = it;
  if (canDecide() && canBeTakenBack(it)) {
    const button = make("button", "plain", t("Undo it"));
    button.addEventListener("click", () => takeBack(box));
    box.append(make("p", "acts", button));
  }
  return box;
}

async function decideOne(decision) {
  const { items: [item] } = await decide([decision]);
  if (item.result === "refused") throw new Error(item.message);
  return item;
}

const OVERTAKEN = t("There is a later decision. Undo that one first: it is above.");

/** Undo a decision about a supplier's record. @returns what to say */
async function takeMappingBack(it) {
  const { version, history } = await patiently(caseOf(it));
  if (history.at(-1)?.at !== it.at) throw new Error(OVERTAKEN);
  const item = await decideOne({ decide: "undo", adapter_id: it.adapter_id, kind: it.kind, id: it.id, version });
  return [item, item.is === null ? t("it is not mapped now") : t("it is mapped to {id} now", { id: String(item.is) })];
}

/** Undo a decision about a record of the reference: a merge, or a name in one language. */
async function takeSharedBack(it) {
  const { kind, dict_id, lang } = it, merge = it.how === "merge";
  const { version } = await patiently(referenceOf({ kind, id: dict_id }));
  const like = e => merge ? e.how === "merge" || e.how === t("split") : e.lang === lang;
  const { items } = await patiently(historyPage({ kind, dict_id, limit: 1000 }, null));
  if (items.find(like)?.at !== it.at) throw new Error(OVERTAKEN);
  const item = await decideOne({ decide: merge ? t("split") : "undo_name", kind, dict_id, version, ...(merge ? {} : { lang }) });
  return [item, merge ? t("{id} is a record of its own again", { id: String(dict_id) })
    : t("the name in {language} is again what it was", { language: languageName(lang) })];
}

/** Undo a decision. Only the last one about a record can be undone: with the version that it has left. */
async function takeBack(box) {
  const { it } = box, button = box.querySelector(".acts button");
  if (!button || button.disabled) return;
  if (document.activeElement === button) box.focus();
  button.disabled = true;
  try {
    const [item, now] = await (isShared(it) ? takeSharedBack(it) : takeMappingBack(it));
    const was = item.result === "same" ? t("It was so already") : t("Undone"), stays = stayed(box);
    button.replaceWith(make("b", "soft", `${was}.`));
    say(`${was}: ${now}.`);
    if (stays) box.focus();
  } catch (e) {
    button.disabled = false;
    showError(e);
  }
}

/** From now on steps are counted, until what is on its way is here; then the focus goes there, if it has not gone elsewhere. */
function awaits(from) {
  [waiting, ahead] = [from, 0];
}

function arrived(items) {
  const stays = waiting && stayed(waiting);
  waiting = null;
  if (stays) items[Math.min(ahead, items.length - 1)]?.focus();
}

async function more() {
  const ticket = round, from = cursor;
  try {
    const page = await patiently(historyPage(filters, from));
    if (ticket !== round || from !== cursor) return; // pressed twice
    const items = page.items.map(eventItem);
    events.append(...items);
    cursor = page.cursor;
    arrived(items);
    $("#none").hidden = events.children.length > 0 || cursor !== null;
    $("#more").hidden = cursor === null;
  } catch (e) {
    if (ticket !== round) return;
    waiting = null;
    showError(e);
  }
}

/* ---- batches ---- */

let before = "";

function counts(b) {
  const parts = [[t("created"), b.created], [t("changed"), b.changed], [t("removed"), b.removed]].filter(([, n]) => n > 0)
    .map(([what, n]) => `${number(n)} ${what}`);
  return parts.length > 0 ? parts.join(", ") : t("nothing changed");
}

const leftLine = ({ record, why }) => make("li", "", `${record?.kind ?? record?.type ?? ""} ${record?.id ?? ""} `,
  name(typeof record?.name === "string" ? record.name : ""), make("span", "soft", `: ${why}`));

/** Show what was undone of it, and what was left alone. */
function showUndone(box, summary) {
  const { removed, restored, kept } = summary;
  const text = t("Batch {id} was undone: {removed} removed, {restored} restored, {kept} left alone.",
    { id: String(box.batch.id), removed, restored, kept });
  const stays = stayed(box);
  box.querySelector(".acts").replaceWith(make("div", "note", make("p", "", text),
    summary.left.length > 0 ? make("ul", "others", ...summary.left.map(leftLine)) : null));
  say(text);
  if (stays) box.focus();
}

function batchItem(b) {
  const box = make("li", "event", make("p", "", make("b", "", `${b.id} ${WHAT[b.what] ?? b.what}`), `, ${counts(b)}`),
    make("p", "soft", when(b.at), b.by ? make("span", "", ", ", name(b.by)) : null, b.why ? make("span", "", ": ", name(b.why)) : null),
    b.files ? make("p", "soft", name(b.files)) : null,
      b.undone ? make("p", "soft", t("Undone {when}", { when: when(b.undone) })) : null);
  Object.assign(box, { tabIndex: -1, batch: b });
  const its = make("button", "plain", t("Its decisions"));
  its.addEventListener("click", () => { form.reset(); form.elements.batch.value = b.id; submitted() });
  const takes = canDecide() && !b.undone && (b.what !== "import" || me.role === "admin")
    ? withReason(t("Undo it"), t("Undo batch {id}", { id: String(b.id) }),
      async why => showUndone(box, await patiently(batchUndo(b.id, why)))) : null;
  box.append(make("div", "acts", its, ...(takes ? [takes] : [])));
  return box;
}

async function moreBatches() {
  const from = before;
  try {
    const page = await patiently(batchesPage({ before: from })), items = page.items.map(batchItem);
    if (from !== before) return; // pressed twice
    batches.append(...items);
    if (from) arrived(items);
    before = page.before ?? "";
    $("#more-batches").hidden = !page.more;
    $("#no-batches").hidden = batches.children.length > 0;
  } catch (e) {
    if (from) waiting = null;
    showError(e);
  }
}

/* ---- keys, and the beginning ---- */

function step(by) {
  if (waiting && stayed(waiting)) {
    ahead = Math.max(0, ahead + by);
    return;
  }
  const list = [...document.querySelectorAll(".event")], at = list.indexOf(document.activeElement?.closest(".event"));
  list[at < 0 ? 0 : Math.max(0, Math.min(at + by, list.length - 1))]?.focus();
}

function undo() {
  const box = document.activeElement?.closest(".event");
  if (!canDecide()) return say(t("Your role is viewer: you can look, and not decide."), true);
  if (!box) return say(t("Choose a decision first, with j and k."));
  if (box.it && !canBeTakenBack(box.it)) return say(WHOLE[box.it.how]);
  if (box.it) return takeBack(box);
  [...box.querySelectorAll(".acts > button")].at(1)?.click();
}

const ACTS = { j: () => step(1), k: () => step(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1), u: undo,
  "/": () => form.elements.by.select() };

async function start() {
  say("");
  filters = readFilters(form);
  [cursor, round] = [null, round + 1];
  events.replaceChildren();
  $("#more").hidden = $("#none").hidden = true;
  await more();
}

function submitted(event) {
  event?.preventDefault();
  if (!form.reportValidity()) return;
  keepFilters(form);
  if (event?.type === "submit") {
    $("#case").focus({ preventScroll: true }); // the next key is for what is asked for, though it is still on its way
    awaits($("#case"));
  }
  start();
}

async function open() {
  me = await openPage();
  if (!me) return;
  fillSelect(form.elements.kind, KINDS);
  fillSelect(form.elements.what, DECIDED);
  supplierChoice(form.elements.adapter_id);
  form.addEventListener("submit", submitted);
  form.addEventListener("change", submitted);
  addEventListener("popstate", start);
  for (const [button, ask] of [[$("#more"), more], [$("#more-batches"), moreBatches]])
    button.addEventListener("click", () => { awaits(button); ask() });
  onKeys(key => ACTS[key], ["j", "k", "ArrowDown", "ArrowUp"]);
  for (const box of document.querySelectorAll(".decides")) box.hidden = !canDecide();
  awaits(document.body);
  await Promise.all([start(), moreBatches()]);
}

open().catch(showError);
