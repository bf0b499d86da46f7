// People who may sign in: adding, roles, links to choose a password, disabling (docs/workbench.md).
import { fillSelect, oneAtATime, patiently, say, showError } from "./bench.js";
import { addUser, changeUser, linkOfUser, usersList } from "./curate.js";
import { $, make, name } from "./dom.js";
import { give } from "./given.js";
import { ROLES } from "./session.js";
import { row, table } from "./tables.js";
import { day as dayOf, t } from "./texts.js";

const PASSWORDS = () => ({ yes: t("chosen"), no: t("none: by a proxy"), link: t("link not used yet"), old_link: t("the link is too old") });

let me = "";
const day = text => (text ? dayOf(text) : "");

function giveLink(user) {
  give(t("A link for {name}", { name: user.name }), [[t("Link"), user.link]],
    t("Give it to that person only. Anyone who opens it can choose the password. It works once, until {day}, and is not shown again.",
      { day: day(user.link_until) }));
}

/** @param act  () => a promise @param done  what is said then; "": nothing */
async function change(act, done) {
  try {
    const user = await patiently(act());
    if (user.link) giveLink(user);
    if (done) say(done);
  } catch (e) {
    showError(e);
  }
  await showPeople().catch(showError);
}

function button(text, label, act) {
  const box = make("button", "plain", text), one = oneAtATime();
  box.type = "button";
  box.setAttribute("aria-label", label);
  box.addEventListener("click", () => one(act));
  return box;
}

function roleChoice(user) {
  const box = make("select");
  fillSelect(box, ROLES);
  box.value = user.role;
  box.setAttribute("aria-label", t("Role of {name}", { name: user.name }));
  box.addEventListener("change", () => {
    const { value: role } = box;
    box.disabled = true;            // what is chosen meanwhile would be lost
    change(() => changeUser({ name: user.name, role }), t("{name} has that role now.", { name: user.name }))
      .finally(() => { box.disabled = false });
  });
  return box;
}

function acts(user) {
  const mine = user.name === me, disabled = user.disabled ? 0 : 1;
  const what = user.disabled ? t("Enable") : t("Disable");
  const done = t(disabled ? "{name} may sign in no more; all sessions are over." : "{name} may sign in again.", { name: user.name });
  const onOff = button(what, `${what}: ${user.name}`, () => change(() => changeUser({ name: user.name, disabled }), done));
  const link = button(t("New link"), `${t("New link")}: ${user.name}`, () => change(() => linkOfUser({ name: user.name }), ""));
  return make("div", "acts", mine ? null : link, mine ? null : onOff);
}

function personRow(user) {
  const line = row(name(user.name), [user.name === me ? ROLES[user.role] : roleChoice(user), "word"],
    user.disabled ? t("disabled") : PASSWORDS()[user.password] ?? user.password, [day(user.added), "word"], acts(user));
  line.dataset.name = user.name;
  return line;
}

export async function showPeople() {
  const { items } = await usersList(), at = document.activeElement, whose = at?.closest("#people tr")?.dataset.name, tag = at?.tagName;
  $("#people").replaceChildren(table([t("Name"), t("Role"), t("Password"), t("Added"), ""], items.map(personRow)));
  if (!whose) return;
  const same = [...$("#people").querySelectorAll("tr")].find(line => line.dataset.name === whose);
  (same?.querySelector(tag) ?? $("#add [name=name]")).focus(); // where it was
}

async function add(form) {
  try {
    const user = await patiently(addUser(Object.fromEntries(new FormData(form))));
    form.reset();
    say(t("{name} may sign in as {role}.", { name: user.name, role: ROLES[user.role] }));
    if (user.link) giveLink(user); // before the list is asked for: that may fail
    await showPeople();
  } catch (e) {
    showError(e);
  }
}

/** @param person  who works here */
export async function startPeople(person) {
  const adding = oneAtATime();
  me = person;
  fillSelect($("#add [name=role]"), ROLES);
  $("#add [name=role]").value = "curator";
  $("#add").addEventListener("submit", event => {
    event.preventDefault();
    adding(() => add(event.target));
  });
  await showPeople();
}
