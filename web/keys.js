// Keys of both APIs: making, limiting, rotating and revoking them (docs/workbench.md).
import { fillSelect, oneAtATime, patiently, say, showError, stayed } from "./bench.js";
import { changeKey, keysList, makeKey, revokeKey, rotateKey } from "./curate.js";
import { $, make, name } from "./dom.js";
import { give } from "./given.js";
import { row, table } from "./tables.js";
import { dateTime, day, t } from "./texts.js";
import { LIMITS, wishesOf } from "./wishes.js";

const ROLES = () => ({ reader: t("reader: asks"), registrar: t("registrar: sends new records too"), curator: t("curator: decides too") });
const STATES = () => ({ good: t("good"), expired: t("expired"), revoked: t("revoked") });
const APIS = () => ({ a: t("API A, for forms"), b: t("API B, for servers") });
const OVERLAPS = () => ({ "": t("at once"), "1h": t("in an hour"), "24h": t("in a day"), "7d": t("in a week") });

let items = [], suppliers = [], changed = null; // changed: the key that is being changed
const form = () => $("#key"), sending = oneAtATime();
const called = key => key.name || t("key {id}", { id: String(key.id) });

/* ---- the list ---- */

function codes(ids) {
  if (!ids) return t("all");
  return ids.map(id => suppliers.find(s => s.adapter_id === id)?.code ?? String(id)).join(", ");
}

function button(text, key, act) {
  const box = make("button", "plain", text);
  box.type = "button";
  box.setAttribute("aria-label", `${text}: ${called(key)}`);
  box.addEventListener("click", act);
  return box;
}

/** Asks once more, instead of the buttons. */
function ask(cell, question, go, act) {
  const before = [...cell.childNodes], cancel = make("button", "plain", t("Cancel")), yes = make("button", "", go);
  const one = oneAtATime(), escape = event => event.key === "Escape" && one(back);
  const back = () => {
    const stays = stayed(cell);
    cell.removeEventListener("keydown", escape);
    cell.replaceChildren(...before);
    if (stays) before.find(box => box.tagName === "BUTTON")?.focus();
  };
  for (const box of [yes, cancel]) box.type = "button";
  cancel.addEventListener("click", () => one(back));
  cell.addEventListener("keydown", escape);
  yes.addEventListener("click", () => one(() => act().then(back, e => { back(); showError(e) })));
  cell.replaceChildren(...question, yes, cancel);
  (cell.querySelector("select") ?? cancel).focus();
}

/** The key is shown before the list is asked for, which may fail. */
const giveKey = (title, made) => give(title, [[t("Key"), made.key], ...(made.secret ? [[t("Secret"), made.secret]] : [])],
  t("Keep it now: it is not shown again. The server keeps only its hash."));

/** older: until when the pair before the last rotation works, which ends now. */
function askRotate(key, cell, older) {
  const overlap = make("select");
  fillSelect(overlap, OVERLAPS());
  const warning = older && make("div", "soft", t("The one before it, good until {time}, ends at once.", { time: dateTime(older) }));
  ask(cell, [make("label", "", t("The old one ends "), overlap), ...(warning ? [warning] : [])], t("Rotate it"), async () => {
    const made = await patiently(rotateKey({ id: key.id, overlap: overlap.value, force: older ? 1 : null }));
    giveKey(t("The new text of {key}", { key: called(key) }), made);
    await showKeys();
  });
}

function askRevoke(key, cell) {
  ask(cell, [make("span", "", t("For good? "))], t("Revoke it"), async () => {
    await patiently(revokeKey({ id: key.id }));
    await showKeys();
    say(t("{key} is revoked.", { key: called(key) }));
    $("#key-title").focus();
  });
}

function keyRow(key) {
  const cell = make("div", "acts"), old = key.state === "good" && key.old_until ? new Date(key.old_until) : null;
  const until = old > new Date() ? old : null;
  if (key.state !== "revoked") {
    cell.append(button(t("Change"), key, () => change(key)), button(t("Rotate"), key, () => askRotate(key, cell, until)),
      button(t("Revoke"), key, () => askRevoke(key, cell)));
  }
  const last = key.expires && key.state === "good" ? day(key.expires) : null;
  const state = [STATES()[key.state], until && t("the old one until {time}", { time: dateTime(until) }),
    last && t("until {day}", { day: last })].filter(Boolean).join(", ");
  const what = make("span", "", name(key.name ?? ""), key.note ? make("div", "soft", name(key.note)) : null);
  const line = row([String(key.id), "number"], what,
    [key.api.toUpperCase(), "word"], [`${ROLES()[key.role].split(":")[0]}${key.secret ? t(", secret") : ""}`, "word"], codes(key.writes),
    codes(key.reads), state, [key.last_used ?? t("never"), "word"], cell);
  line.dataset.id = key.id;
  return line;
}

const chosenOf = box => [...box.selectedOptions].map(o => o.value);

/** The suppliers there are, and those of a key that are gone: without them a change of its note would widen its rights. */
function fillSuppliers(what, ids) {
  const known = suppliers.map(s => [String(s.adapter_id), `${s.code} · ${s.adapter}`]);
  const gone = ids.filter(id => !known.some(([value]) => value === id)).map(id => [id, id]);
  form().elements[what].replaceChildren(...[...known, ...gone].map(([value, text]) =>
    Object.assign(make("option", "", text), { value, selected: ids.includes(value) })));
}

export async function showKeys() {
  ({ items, suppliers } = await keysList());
  const titles = ["", t("Name"), t("API"), t("Role"), t("Writes"), t("Reads"), t("State"), t("Last used"), ""];
  const order = [...items].sort((a, b) => (a.state === "revoked") - (b.state === "revoked") || b.id - a.id);
  $("#keys").replaceChildren(items.length ? table(titles, order.map(keyRow)) : make("p", "soft", t("There is none yet.")));
  for (const what of ["writes", "reads"]) fillSuppliers(what, chosenOf(form().elements[what]));
}

/* ---- the form ---- */

/** Only what a key of this sort can have. */
function fit() {
  const fields = form().elements, ofB = fields.api.value === "b", withSecret = changed ? changed.secret : fields.secret.checked;
  for (const what of ["writes", "reads", "role", "adds_per_day"]) fields[what].disabled = !ofB || (what !== "reads" && !withSecret);
  fields.secret.disabled = fields.text_ids.disabled = !ofB;
  if (!withSecret || !ofB) fields.role.value = "reader";
  else if (!changed && fields.role.value === "reader") fields.role.value = "registrar";
}

/** The form is for a new key, or for what is changed of this one. */
function change(key) {
  const box = form(), fields = box.elements;
  changed = key;
  box.reset();
  for (const part of box.querySelectorAll(".of-new")) part.hidden = Boolean(key);
  $("#key-title").textContent = key ? t("Change {key}", { key: called(key) }) : t("Make a key");
  $("#key-go").textContent = key ? t("Change it") : t("Make it");
  $("#key-back").hidden = !key;
  if (key) {
    fields.api.value = key.api;
    fields.name.value = key.name ?? "";
    fields.note.value = key.note ?? "";
    fields.expires.value = key.expires?.slice(0, 10) ?? "";
    for (const what of LIMITS) fields[what].value = key[what] ?? "";
    fields.text_ids.checked = key.text_ids;
  }
  for (const what of ["writes", "reads"]) fillSuppliers(what, (key?.[what] ?? []).map(String));
  fit();
  if (key) fields.role.value = key.role;
  $("#key-title").focus();
}

async function send() {
  const fields = form().elements, key = changed;
  const value = what => (fields[what].disabled ? undefined : fields[what].value.trim());
  const those = what => (fields[what].disabled ? undefined : chosenOf(fields[what]));
  const wishes = wishesOf({ name: value("name"), note: value("note"), role: value("role"), expires: value("expires"),
    writes: those("writes"), reads: those("reads"), text_ids: fields.text_ids.disabled ? undefined : fields.text_ids.checked,
    ...Object.fromEntries(LIMITS.map(what => [what, value(what)])) }, key);
  try {
    if (key && wishes.length === 0) return say(t("Nothing was changed."));
    if (key) {
      await patiently(changeKey([["id", key.id], ...wishes]));
      change(null);
      await showKeys();
      return say(t("{key} is changed.", { key: called(key) }));
    }
    const made = await patiently(makeKey([["api", fields.api.value], ...(fields.secret.checked ? [["secret", 1]] : []), ...wishes]));
    change(null);
    giveKey(t("The new key"), made);
    await showKeys();
  } catch (e) {
    showError(e);
  }
}

export async function startKeys() {
  const box = form();
  fillSelect(box.elements.api, APIS());
  fillSelect(box.elements.role, ROLES());
  box.elements.api.value = "b";
  box.addEventListener("change", ({ target }) => (target.name === "api" || target.name === "secret") && fit());
  box.addEventListener("submit", event => {
    event.preventDefault();
    sending(send);
  });
  box.addEventListener("reset", () => setTimeout(fit));
  $("#key-back").addEventListener("click", () => change(null));
  fit();
  await showKeys();
}
