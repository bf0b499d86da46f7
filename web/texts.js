// The texts of the workbench. English stands in the code and in the pages; lang-TAG.json has what stands for it in another language.
const KEPT = "language", menu = globalThis.document?.querySelector("#language");

const languageOf = locale => locale.split("-")[0].toLowerCase();

function chosen() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null; // a browser may keep nothing
  }
}

/** The language that was chosen here, else the first known language of the browser. */
function wished() {
  const offered = [...menu?.options ?? []].map(option => option.value), those = menu ? [chosen() ?? "", ...navigator.languages] : [];
  return those.map(languageOf).find(it => offered.includes(it)) ?? "en";
}

async function fetched(language) {
  try {
    if (language !== "en") return [language, await (await fetch(new URL(`lang-${language}.json`, import.meta.url))).json()];
  } catch {} // better in English than not at all
  return ["en", {}];
}

const [tag, texts] = await fetched(wished());
const locale = (menu && navigator.languages.find(it => languageOf(it) === tag)) ?? tag;
const rules = new Intl.PluralRules(tag);

export const language = tag;
export const number = (n, options) => n.toLocaleString(tag, options);
const moment = options => at => new Date(at).toLocaleString(locale, options);
export const dateTime = moment();
export const shortTime = moment({ dateStyle: "short", timeStyle: "short" });
export const timeOfDay = moment({ timeStyle: "short" });
export const day = at => new Date(at).toLocaleDateString(locale);

/** In this language, in the form for as many as `n`: "{n} case|{n} cases" are both of English. */
function said(text, n) {
  const [one, other = one] = text.split("|"), is = texts[text] ?? { one, other };
  return typeof is === "string" ? is : is[n === undefined ? "other" : rules.select(n)] ?? is.other;
}

/** An English text, as it is in this language, with its {places} filled: a list of texts and elements. */
export const inParts = (text, fill = {}) => said(text, fill.n).split(/\{(\w+)\}/).map((part, i) => (
  i % 2 === 0 ? part : !(part in fill) ? `{${part}}` : typeof fill[part] === "number" ? number(fill[part]) : fill[part]));

/** The same as one text. */
export const t = (text, fill) => inParts(text, fill).join("");

/* ---- what stands in the page ---- */

const NOT_OURS = "script, style, code, kbd, bdi, noscript, #language";
const ATTRIBUTES = ["placeholder", "aria-label", "alt"];

function translatePage() {
  const known = text => (texts[text] ? t(text) : text);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (!node.parentElement.closest(NOT_OURS)) node.data = node.data.replace(/\S(?:.*\S)?/s, text => known(text.replace(/\s+/g, " ")));
  for (const what of ATTRIBUTES)
    for (const box of document.querySelectorAll(`[${what}]`)) box.setAttribute(what, known(box.getAttribute(what)));
  document.title = document.title.split(" · ").map(known).join(" · ");
}

if (menu) {
  document.documentElement.lang = tag;
  if (tag !== "en") translatePage();
  menu.value = tag;
  menu.addEventListener("change", () => {
    try {
      localStorage.setItem(KEPT, menu.value);
    } catch {}
    location.reload();
  });
}
