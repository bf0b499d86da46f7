import { about, NOT_MADE_UP } from "./about.js";

const state = document.querySelector("#state");
const COUNTS = [["suppliers", "suppliers"], ["sources", "records of suppliers"], ["dicts", "records of the reference"],
  ["air_places", "airports and their cities"]];

function say(text, look) {
  state.textContent = text;
  state.className = `state ${look}`;
}

function count(number, words) {
  const box = document.createElement("div"), name = document.createElement("dt"), value = document.createElement("dd");
  name.textContent = words;
  value.textContent = number.toLocaleString("en");
  box.append(name, value);
  return box;
}

function hint(text) {
  const box = document.querySelector("#hint");
  box.textContent = text;
  box.hidden = false;
}

try {
  const it = await about(() => say("Loading its data …", ""));
  say(`dragoman ${it.version} runs here, on data version ${it.data_version.toLocaleString("en")}`, "good");
  if (it.demo) {
    const counts = document.querySelector("#counts");
    counts.append(...COUNTS.map(([name, words]) => count(it.demo[name], words)));
    counts.hidden = false;
    hint("This is demo data: real places, made-up hotels and suppliers. The pages bring a key that reads it.");
  } else {
    hint(it.demo_wanted ? NOT_MADE_UP : "You need an API key; the server’s operator creates one: dragoman key create --api a");
  }
} catch (e) {
  say(`The server does not answer (${e.message}). Load this page again in a moment.`, "bad");
}
