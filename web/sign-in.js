// Signing in and out (/v1/session). The session is in a cookie that no script can read.
import { $, name } from "./dom.js";
import { ApiError, choosePassword, ROLES, session, signIn, signOut, whoIsIn } from "./session.js";
import { inParts, t, timeOfDay } from "./texts.js";

const form = $("#form"), inside = $("#inside"), note = $("#said"), password = $("#password"), go = $("#go");

function say(text, look = "note bad") {
  note.textContent = text;
  note.className = look;
  note.hidden = text === "";
}

function ask() {
  inside.hidden = true;
  form.hidden = false;
  (($("#name").value === "") ? $("#name") : password).focus();
}

const OF_WORKBENCH = /^workbench(\/[a-z]+)?(\?[^#]*)?$/;

/** The page that asked for it, else the workbench, where there is one; what stands behind # goes along. */
async function next() {
  const asked = new URLSearchParams(location.search).get("to") ?? "";
  if (OF_WORKBENCH.test(asked)) return `${asked}${location.hash}`;
  const there = await fetch("workbench", { method: "HEAD" }).catch(() => null);
  return there?.ok ? `workbench${location.hash}` : ".";
}

async function welcome(who) {
  form.hidden = true;
  inside.hidden = false;
  $("#who").replaceChildren(...inParts("You are {who}, {role}", { who: name(who.person), role: ROLES[who.role] ?? who.role }));
  $("#until").textContent = t("Until {time}, if nothing is asked for.", { time: timeOfDay(who.expires) });
  $("#on").href = await next();
  $("#on").textContent = $("#on").getAttribute("href") === "." ? t("To the start page") : t("To the workbench");
}

function fault(e) {
  if (e instanceof ApiError && e.status === 429)
    return t("Too many attempts. Try again in {n} second.|Too many attempts. Try again in {n} seconds.",
      { n: Number(e.retryAfter) });
  if (e instanceof ApiError && e.reason === "sign_in_failed") return t("Name or password is wrong.");
  return e instanceof ApiError ? e.message : t("The server does not answer ({why}). Try again in a moment.", { why: e.message });
}

async function enter(event) {
  event.preventDefault();
  go.disabled = true;
  say("");
  try {
    const who = await signIn($("#name").value, password.value);
    password.value = "";
    if (!await session()) return say(t("Your browser has not kept the session. It does so only where this page comes by https."));
    const to = await next();
    if (to === ".") await welcome(who).then(() => $("#who").focus());
    else location.assign(to);
  } catch (e) {
    say(fault(e));
    password.select();
  } finally {
    go.disabled = false;
  }
}

async function leave() {
  try {
    const who = await session();
    if (who) await signOut(who.csrf);
    say(t("You have signed out."), "note");
  } catch (e) {
    if (!(e instanceof ApiError && e.status === 403)) return say(fault(e)); // 403: it was over already
  }
  ask();
}

/* ---- with the link of an administrator ---- */

const linkOf = hash => /^#link=(\d+-[\w-]+)$/.exec(hash)?.[1];
const link = linkOf(location.hash);

async function choose(event) {
  event.preventDefault();
  const chosen = $("#new").value;
  let person;
  if (chosen !== $("#again").value) {
    say(t("The two are not the same."));
    return $("#again").select();
  }
  $("#choose-go").disabled = true;
  say("");
  try {
    ({ person } = await choosePassword(link, chosen));
  } catch (e) {
    const over = e instanceof ApiError && e.reason === "sign_in_failed";
    return say(over ? t("This link was used, or is too old: ask an administrator for a new one.") : fault(e));
  } finally {
    $("#choose-go").disabled = false;
  }
  history.replaceState(null, "", location.pathname); // the link is over
  for (const id of ["#new", "#again"]) $(id).value = "";
  $("#choose").hidden = true;
  $("#name").value = person;
  password.value = chosen;
  ask();
  await enter(event);
}

form.addEventListener("submit", enter);
$("#choose").addEventListener("submit", choose);
addEventListener("hashchange", () => linkOf(location.hash) && location.reload());
$("#out").addEventListener("click", leave);
if (link) {
  $("#choose").hidden = false;
  $("#new").focus();
} else try {
  // If a proxy in front names the user, nothing has to be typed.
  const { session: is, by_proxy } = await whoIsIn(), who = is ?? (by_proxy ? await signIn().catch(() => null) : null);
  if (who) await welcome(who);
  else ask();
} catch (e) {
  say(fault(e));
  ask();
}
