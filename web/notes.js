// People's notes at a case: comments, assignments, and cases that were put off.
import { make, name } from "./dom.js";
import { dateTime, t } from "./texts.js";

const drafts = new Map();           // by case: a comment that is not sent yet stays, whatever is drawn again
const keyOf = ({ adapter_id, kind, id }) => `${adapter_id}/${kind}/${id}`;

function noteText({ what, text }) {
  if (what === "comment") return name(text);
  if (what === "assign") return t("for {person}", { person: text });
  if (what === "unassign") return t("for nobody in particular");
  if (what === "now") return t("no longer later");
  return text ? t("later, from {day} on", { day: text }) : t("later");
}

function list({ notes, more_notes }) {
  if (notes.length === 0) return null;
  const lines = notes.map(n => make("li", "", noteText(n),
    make("span", "soft", " — ", name(n.by), `, ${dateTime(n.at)}`)));
  return make("ul", "others notes", more_notes ? make("li", "soft", t("Older ones are not shown.")) : null, ...lines);
}

function button(text, act) {
  const box = make("button", "plain", text);
  box.type = "button";
  box.addEventListener("click", act);
  return box;
}

function commentForm(it, acts) {
  const input = make("input", "note-text"), send = make("button", "plain", t("Comment")), key = keyOf(it);
  Object.assign(input, { maxLength: 1000, autocomplete: "off", value: drafts.get(key) ?? "", dir: "auto" });
  input.setAttribute("aria-label", t("Comment on this case"));
  input.addEventListener("input", () => (input.value ? drafts.set(key, input.value) : drafts.delete(key)));
  const form = make("form", "acts note-form", input, send);
  form.addEventListener("submit", event => {
    event.preventDefault();
    const text = input.value.trim();
    if (text) acts.note("comment", text).then(done => done && drafts.delete(key) && acts.redraw());
  });
  form.addEventListener("keydown", event => event.key === "Escape" && acts.leave());
  return form;
}

/** Add the people who are not there yet. */
export function addPeople(select, people) {
  for (const person of people) if (![...select.options].some(o => o.value === person)) select.append(new Option(person, person));
}

/** To whom. @param people  who may decide */
function assigning(it, people, acts) {
  const select = make("select", "note-person");
  select.setAttribute("aria-label", t("Who should look at this case"));
  select.append(new Option(t("nobody in particular"), ""));
  addPeople(select, [...people, ...(it.assigned ? [it.assigned] : [])]);
  select.value = it.assigned ?? "";
  select.addEventListener("change", () => acts.note(...(select.value ? ["assign", select.value] : ["unassign"])));
  return make("label", "", t("For"), " ", select);
}

function putOff(it, acts) {
  if (it.later) return make("p", "acts", button(t("No longer later (s)"), () => acts.later(it)));
  const day = make("input", "note-day");
  Object.assign(day, { type: "date" });
  day.setAttribute("aria-label", t("From which day on"));
  return make("p", "acts", button(t("Skip, later (s)"), () => acts.later(it, day.value)), day);
}

/** @param acts  { note(what, text): a promise of whether it is stored; later(it, day); redraw(); leave(); people, may } */
export function notesView(it, acts) {
  if (!acts.may && it.notes.length === 0) return null;
  return make("div", "card case-notes", make("h3", "", t("Notes")), list(it),
    ...(acts.may ? [commentForm(it, acts), make("p", "acts", assigning(it, acts.people, acts)), putOff(it, acts)] : []));
}

/** The field of the notes that has the focus: after the case was drawn again, it has it again. */
export function notesFocus() {
  const at = document.activeElement, look = ["note-text", "note-person", "note-day"].find(one => at?.classList.contains(one));
  if (!look) return null;
  const place = look === "note-text" ? at.selectionStart : null;
  return () => {
    const box = document.querySelector(`.${look}`);
    box?.focus({ preventScroll: true });
    if (place !== null) box?.setSelectionRange(place, place);
    return Boolean(box);
  };
}
