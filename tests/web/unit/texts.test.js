// Every text of the workbench stands in every language file, with the same places, and none stands there that nobody uses.
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";

const WEB = new URL("../../../web/", import.meta.url), read = name => fs.readFileSync(new URL(name, WEB), "utf8");
const files = fs.readdirSync(WEB), languages = files.filter(name => /^lang-.*\.json$/.test(name));

/* ---- the texts of the scripts ---- */

/** What stands in the brackets after an opening one: the first argument. */
function firstArgument(code, from) {
  for (let at = from, depth = 0; ; at++) {
    const c = code[at];
    if (c === '"' || c === "`") for (at++; code[at] !== c; at++) at += code[at] === "\\";
    else if ("([{".includes(c)) depth++;
    else if (")]}".includes(c) && depth-- === 0 || c === "," && depth === 0) return code.slice(from, at);
  }
}

/** @returns [text, …]; a call that does not name its text is refused */
export function textsOf(code, where) {
  return [...code.matchAll(/(?<![\w$])(?<!(?<!\.\.)\.)(?:t|inParts)\(/g)].flatMap(call => {
    const argument = firstArgument(code, call.index + call[0].length), own = [...argument.matchAll(/"((?:\\.|[^"\\])*)"/g)];
    assert.ok(own.length > 0 && !argument.includes("`"), `${where}: t(${argument}) does not name its text`);
    return own.map(([text]) => JSON.parse(text));
  });
}

/* ---- the texts of the pages ---- */

function putTogether(html) {
  return html.replace(/^<!-- ([\w-]+)((?: \w+="[^"\n]*")*) -->$/gm, (whole, name, values) => {
    if (["languages", "reasons"].includes(name)) return "";
    const fill = Object.fromEntries([...values.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
    return putTogether(read(`pieces/${name}.html`).replace(/\{(\w+)\}/g, (_, key) => fill[key]));
  });
}

const plain = text => text.trim().replace(/\s+/g, " ").replaceAll("&amp;", "&").replaceAll("&lt;", "<").replaceAll("&gt;", ">");

function textsOfPage(html) {
  const whole = putTogether(html), body = whole.replace(/<(script|style|code|kbd|noscript|title)\b[^>]*>.*?<\/\1>/gs, "<>");
  const titles = /<title>(.*)<\/title>/.exec(whole)[1].split(" · ");
  const attributes = [...body.matchAll(/ (?:placeholder|aria-label|alt)="([^"]*)"/g)].map(([, text]) => text);
  return [...titles, ...attributes, ...body.split(/<[^>]*>/)].map(plain).filter(text => /\p{L}/u.test(text) && text !== "dragoman");
}

/* ---- all of them ---- */

const scripts = files.filter(name => name.endsWith(".js") && name !== "texts.js" && /from "\.\/texts\.js"/.test(read(name)));
const pages = files.filter(name => name === "sign-in.html" || name === "workbench.html" || name.startsWith("bench-"));
const used = new Set(["English", ...scripts.flatMap(name => textsOf(read(name), name)), ...pages.flatMap(name => textsOfPage(read(name)))]);
const places = text => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

for (const file of languages) {
  const told = JSON.parse(read(file)), tag = file.slice(5, -5);

  test(`${file} has every text, and no other`, () => {
    assert.deepEqual([...used].filter(text => !told[text]), [], "missing");
    assert.deepEqual(Object.keys(told).filter(text => !used.has(text)), [], "nobody uses them");
  });

  test(`${file} has the places of each text, and a form for each number`, () => {
    const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
    for (const [text, is] of Object.entries(told)) {
      const forms = typeof is === "string" ? [is] : Object.values(is);
      assert.equal(typeof is === "object", text.includes("|"), `${text}: it has forms for numbers, or it has none`);
      if (typeof is === "object") assert.deepEqual(Object.keys(is).sort(), [...pluralCategories].sort(), text);
      for (const form of forms) {
        const rest = places(text).filter(place => !(text.includes("|") && place === "{n}"));
        assert.deepEqual(places(form).filter(place => rest.includes(place)), rest, `${text}: ${form}`);
        assert.deepEqual(places(form).filter(place => !places(text).includes(place)), [], `${text}: ${form}`);
        assert.deepEqual([/^\s/.test(form), /\s$/.test(form)], [/^\s/.test(text), /\s$/.test(text)], `${text}: the blanks around it`);
      }
    }
  });
}

test("a text that is not named, missing or of other places is found", () => {
  assert.throws(() => textsOf("t(word)", "a file"), /does not name its text/);
  assert.throws(() => textsOf("t(`of ${n}`)", "a file"), /does not name its text/);
  assert.deepEqual(textsOf('t("a, {n}", { n: "b" }); make(t(x ? "c" : "d")); at("e"); it.t("f")', "a file"), ["a, {n}", "c", "d"]);
});
