// The common parts of the workbench's pages: the way to the others, the user, and a place for messages.
import { enter, isOver } from "./curate.js";
import { $, make } from "./dom.js";
import { KINDS } from "./kinds.js";
import { ApiError, ROLES, root, session } from "./session.js";
import { language, t } from "./texts.js";

/** Address and name. */
const PAGES = [["workbench", t("Queue")], ["workbench/reference", t("Reference")],
  ["workbench/suppliers", t("Suppliers")], ["workbench/tasks", t("Tasks")], ["workbench/air", t("Air")],
  ["workbench/history", t("History")]];
/** The pages for administrators. */
const PAGES_OF_ADMINS = [["workbench/access", t("People and keys")]];

/** Within a sentence. */
export const kindOf = it => (KINDS[it.kind] ?? it.kind ?? "").toLocaleLowerCase(language);

const SOON = 100, SLOW = 600, READ = 4000, HOLD = 400;
let saidAt = 0;

export function say(text, bad = false) {
  const box = $("#said");
  box.textContent = text;
  box.className = bad ? "note bad" : "note";
  box.hidden = text === "";
  saidAt = Date.now();
}

/** Remove a message once the user could read it and goes on: else it stands over what comes next. */
function goOn() {
  if (Date.now() - saidAt > READ && !$("#said").hidden) say("");
}

addEventListener("keydown", goOn, true);
addEventListener("pointerdown", goOn, true);

let person = "";                    // who opened this page

/** The user has changed: go to the sign-in page, or to the page of the user who has signed in since. */
async function whoNow() {
  const who = await session();
  if (!who) toDoor();
  else if (who.person !== person) location.reload();
}

let leftOut = "";                   // what is said of the address: another error stands behind it

const AWAY = t("The server does not answer. What you see is as it was; try again in a moment.");

/** It answers again. */
export function answered() {
  if ($("#said").textContent === AWAY) say("");
}

/** Show an error. If the session is over, the user signs in again, and the page comes back. */
export function showError(e) {
  if (!(e instanceof ApiError)) return say(e.name === "TypeError" ? AWAY : e.message, true);
  say(leftOut && $("#said").textContent.startsWith(leftOut) ? `${leftOut} ${e.message}` : e.message, true);
  if (isOver(e)) whoNow().catch(() => {});
}

let underway = 0;

function busy(by) {
  underway += by;
  $("main").setAttribute("aria-busy", String(underway > 0));
}

/** Show a job that lasts at the top of the page soon, and tell screen readers. */
export async function visibly(job) {
  let shown = false;
  const soon = setTimeout(() => { shown = true; busy(1) }, SOON);
  try {
    return await job;
  } finally {
    clearTimeout(soon);
    if (shown) busy(-1);
  }
}

/** While it lasts, the page says so. */
export async function patiently(job) {
  const text = t("This takes longer than usual …"), box = $("#said"), before = box.textContent;
  const slow = setTimeout(() => { // an error stays, and so does what was said meanwhile
    if (box.hidden || (!box.classList.contains("bad") && box.textContent === before)) say(text);
  }, SLOW);
  try {
    return await visibly(job);
  } finally {
    clearTimeout(slow);
    if ($("#said").textContent === text) say("");
  }
}

/** The shown item has just changed by itself: for a moment no key decides, and screen readers are told that it changes.
 * @returns { is, begin() } */
export function holdOf(box) {
  let timer = 0;
  return {
    get is() { return timer !== 0 },
    begin() {
      clearTimeout(timer);
      timer = setTimeout(() => { timer = 0; box.setAttribute("aria-busy", "false") }, HOLD);
      box.setAttribute("aria-busy", "true");
    },
  };
}

/* ---- filters, which are in the address ---- */

/** Show a value that a list does not have, too: the server says what is wrong with it. */
export function showIn(box, value) {
  if (box.options && ![...box.options].some(o => o.value === value)) box.append(Object.assign(make("option", "", value), { value }));
  box.value = value;
}

/** Tell the user about parts of the address that the page does not know. */
function sayUnknown(all, known) {
  const unknown = [...new Set(all.keys())].filter(key => !known.includes(key));
  leftOut = unknown.length === 0 ? ""
    : t("This page does not know “{what}” of its address: that was left out.", { what: unknown.join("”, “") });
  if (leftOut) say(leftOut, true);
}

/** { name: value } of the address, and shown in the form. @param others  what the page knows of its address besides */
export function readFilters(form, ...others) {
  const all = new URLSearchParams(location.search), boxes = [...form.elements].filter(box => box.name);
  sayUnknown(all, [...others, ...boxes.map(box => box.name)]);
  for (const box of boxes) showIn(box, all.get(box.name) ?? "");
  const chosen = boxes.filter(box => box.value !== "");
  $("#chosen").textContent = chosen.length > 0 ? `(${chosen.length})` : "";
  return Object.fromEntries(chosen.map(box => [box.name, box.value]));
}

/** Put the form's values, with `more`, into the address; with `replace`, the way back does not lead to the previous ones. */
export function keepFilters(form, more = {}, replace = false) {
  const all = [...new FormData(form), ...Object.entries(more)].filter(([, value]) => value !== ""), query = `?${new URLSearchParams(all)}`;
  if (query !== (location.search || "?")) history[replace ? "replaceState" : "pushState"](null, "", query);
}

export function fillSelect(select, words) {
  select.append(...Object.entries(words).map(([value, text]) => Object.assign(make("option", "", text), { value })));
}

/** In a small window filters are folded, and the fold says how many are chosen. */
function foldFilters() {
  const fold = $(".fold"), small = matchMedia("(max-width: 1000px), (max-height: 740px)"), fit = () => { fold.open = !small.matches };
  if (!fold) return;
  fit();
  small.addEventListener("change", fit);
}

/* ---- keys ---- */

/** Is the user still where the request was sent? Only then may its response move the focus: else the next key means something else. */
export function stayed(at) {
  const now = document.activeElement;
  return now === document.body || now === at || (at !== document.body && Boolean(at?.contains(now)));
}

/** @param find  key => what it does, or nothing. @param moves  keys that may be held. */
export function onKeys(find, moves) {
  addEventListener("keydown", event => {
    if (document.querySelector("dialog[open]")) return; // its own
    if (event.target.closest("input, select, textarea") || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("button, a, summary") && (event.key === " " || event.key === "Enter")) return;
    const act = find(event.key);
    if (!act) return;
    event.preventDefault();
    if (!event.repeat || moves.includes(event.key)) act(); // a key that is held decides once
  });
}

/** A form that is being sent. The next key is for the page at once: a browser takes the focus from what is disabled only when it next
 * paints. */
export function lock(form) {
  if (form.contains(document.activeElement)) document.activeElement.blur();
  for (const box of form.elements) box.disabled = true;
}

/** One thing at a time: what is begun while another lasts, as by the second of a double click, is left out. @returns (act) => a promise */
export function oneAtATime() {
  let busy = false;
  return async act => {
    if (busy) return;
    busy = true;
    try {
      await act();
    } finally {
      busy = false;
    }
  };
}

/** A button that asks for the reason first. @param act  (why) => a promise */
export function withReason(label, go, act) {
  const button = make("button", "plain", label);
  button.addEventListener("click", () => {
    const input = make("input"), form = make("form", "reason", make("label", "", t("Why? "), input), make("button", "", go));
    const cancel = make("button", "plain", t("Cancel"));
    const back = () => {
      const home = form.closest("[tabindex]"), stays = stayed(form) || document.activeElement === home;
      form.replaceWith(button);
      if (stays) button.focus();
    };
    Object.assign(input, { maxLength: 1024, autocomplete: "off" });
    cancel.type = "button";
    cancel.addEventListener("click", back);
    form.addEventListener("keydown", event => event.key === "Escape" && back());
    form.addEventListener("submit", event => {
      event.preventDefault();
      form.closest("[tabindex]")?.focus({ preventScroll: true }); // the next key is for what the form stands in
      lock(form);
      act(input.value.trim()).catch(showError).finally(() => form.isConnected && back());
    });
    form.append(cancel);
    button.replaceWith(form);
    input.focus();
  });
  return button;
}

/* ---- the beginning ---- */

const here = () => location.pathname.slice(root.pathname.length);

const toDoor = () => location.replace(new URL(`sign-in?${new URLSearchParams({ to: here() + location.search })}`, root));

function link([address, text]) {
  const box = make("a", "", text);
  box.href = new URL(address, root);
  if (address === here()) box.setAttribute("aria-current", "page");
  return box;
}

/** Skip to the content of the page. An address of its own would be a step of the way back, which loads a list again. */
function skip(event) {
  event.preventDefault();
  $(event.currentTarget.hash).focus();
}

/** The user: { person, role, … }; null: nobody has signed in, and the page goes to the sign-in page and comes back.
 * @param known  what a page without filters knows of its address */
export async function openPage(...known) {
  $("#pages").replaceChildren(...PAGES.map(link));
  $(".skip").addEventListener("click", skip);
  foldFilters();
  if (!$("#filters")) sayUnknown(new URLSearchParams(location.search), known);
  const me = await enter();
  person = me?.person ?? "";
  if (!me) toDoor();
  else $("#who").textContent = `${me.person}, ${ROLES[me.role] ?? me.role}`;
  if (me?.role === "admin") $("#pages").append(...PAGES_OF_ADMINS.map(link));
  return me;
}
