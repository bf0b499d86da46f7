// The demo: which key, which language; then the three parts.
import { about, NOT_MADE_UP } from "./about.js";
import { startAirports } from "./airports.js";
import { ask, keys } from "./api.js";
import { $ } from "./dom.js";
import { loadSearch, startSearch } from "./search.js";
import { loadTranslate, startTranslate } from "./translate.js";
import { errorText, LANGUAGES, speak, t } from "./words.js";

function load() {
  $("#all").hidden = false;
  loadTranslate();
  loadSearch();
}

function changeLanguage(tag) {
  speak(tag);
  if (!$("#all").hidden) load();
}

function startLanguages() {
  const asked = new URLSearchParams(location.search).get("lang");
  const own = [asked, ...navigator.languages].map(tag => tag?.split("-")[0]).find(tag => tag && Object.hasOwn(LANGUAGES, tag)) ?? "en";
  $("#lang").replaceChildren(...Object.entries(LANGUAGES).map(([tag, title]) => {
    const option = new Option(title, tag, false, tag === own);
    option.lang = tag;
    return option;
  }));
  $("#lang").addEventListener("change", event => changeLanguage(event.target.value));
  speak(own);
}

/** Both keys are tried before the form is shown. */
async function tryKeys() {
  keys.a = $("#key-a").value.trim();
  keys.b = $("#key-b").value.trim();
  $("#keys-said").textContent = t("asking");
  try {
    await Promise.all([ask("api/v1/tour/main-references"), ask("v1/avia/reference?search=a&limit=1")]);
    $("#keys").hidden = true;
    load();
  } catch (e) {
    $("#keys-said").textContent = errorText(e);
    $("#key-a").focus();
  }
}

function askForKeys(why) {
  $("#keys").hidden = false;
  $("#keys-said").textContent = why;
}

async function start() {
  let it;
  try {
    it = await about(() => say(t("loading")));
  } catch {
    return say(t("away"));
  }
  say("");
  if (!it.demo) return askForKeys(it.demo_wanted ? NOT_MADE_UP : t("keysWhy"));
  [keys.a, keys.b] = [it.demo.key_a, it.demo.key_b];
  load();
}

function say(text) {
  $("#news").textContent = text;
  $("#news").hidden = !text;
}

startLanguages();
startSearch();
startAirports();
startTranslate();
$("#keys").addEventListener("submit", event => {
  event.preventDefault();
  tryKeys();
});
start();
