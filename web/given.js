// Shows a link, a key or a secret once. It stays until the user says that it is kept.
import { say, stayed } from "./bench.js";
import { $, make } from "./dom.js";
import { t } from "./texts.js";

let back = null;                    // where the focus was

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(t("Copied."));
  } catch {
    say(t("The browser does not let this page copy: mark it, and copy it yourself."), true);
  }
}

function line([what, text]) {
  const button = make("button", "plain", t("Copy"));
  button.type = "button";
  button.setAttribute("aria-label", `${t("Copy")}: ${what}`);
  button.addEventListener("click", () => copy(text));
  return make("div", "", make("dt", "", what), make("dd", "", make("code", "", text), button));
}

/** @param texts  [[what, text], …] */
export function give(title, texts, note) {
  back = document.activeElement;
  $("#given-title").textContent = title;
  $("#given-texts").replaceChildren(make("dl", "", ...texts.map(line)));
  $("#given-note").textContent = note;
  $("#given").hidden = false;
  $("#given").focus();
}

/** @param otherwise  gets the focus where what had it is gone */
export function startGiven(otherwise) {
  $("#given-done").addEventListener("click", () => {
    const inside = stayed($("#given"));
    $("#given-texts").replaceChildren(); // a secret is not kept in the page
    $("#given").hidden = true;
    if (inside) (back?.isConnected ? back : otherwise).focus();
  });
}
