// The names of a record of the reference by language: one can be changed, added and removed in place.
import { lock, say, showError, stayed } from "./bench.js";
import { make, name } from "./dom.js";
import { language, t } from "./texts.js";

const COMMON = ["ar", "bg", "cs", "de", "el", "en", "es", "fr", "he", "hr", "it", "ja", "ka", "kk", "ko", "lt", "lv", "nl", "pl", "pt",
  "ro", "ru", "tr", "uk", "zh"];
const MOST = 1024; // characters of a name

const isByLanguage = value => typeof value === "object" && value !== null && !Array.isArray(value);
const normal = tag => tag.trim().toLowerCase().replaceAll("_", "-");

/** The code of a language that is said by its name; what is said otherwise is the code. */
function codeOf(text) {
  const tag = normal(text);
  return COMMON.find(code => languageName(code).toLowerCase() === tag) ?? tag;
}

export function languageName(code) {
  try {
    return new Intl.DisplayNames([language], { type: "language" }).of(code);
  } catch {
    return code;
  }
}

const button = (look, text, act) => {
  const box = make("button", look, text);
  box.type = "button";
  box.addEventListener("click", act);
  return box;
};

function input(label, value, longest) {
  const box = make("input");
  Object.assign(box, { value, maxLength: longest, autocomplete: "off", spellcheck: false, dir: "auto" });
  box.setAttribute("aria-label", label);
  return box;
}

export class Names {
  /** @param save  ({ lang, name }) => a promise; name null: it is removed. null: the user may not decide */
  constructor(known, save) {
    this.names = isByLanguage(known.record.name) ? known.record.name : { en: known.record.name };
    this.columns = Object.entries({ ...known.record, name: this.names }).filter(([, value]) => isByLanguage(value));
    this.save = save;
    this.rows = new Map();
    this.box = make("div", "names-box", this.table(), save ? this.adding() : null);
  }

  table() {
    const codes = [...new Set(this.columns.flatMap(([, value]) => Object.keys(value)))];
    const head = make("tr", "", make("th", "", t("Language")), ...this.columns.map(([field]) => make("th", "", field.replaceAll("_", " "))),
      this.save ? make("th", "", make("span", "unseen", t("Change"))) : null);
    for (const cell of head.children) cell.scope = "col";
    return make("table", "facts names", make("caption", "", t("By language")), make("thead", "", head),
      make("tbody", "", ...codes.map(code => this.row(code))));
  }

  row(code) {
    const change = this.save && button("plain", t("Change"), () => this.edit(code));
    change?.setAttribute("aria-label", t("Change the name in {language}", { language: languageName(code) }));
    const title = make("th", "", languageName(code), make("code", "", ` ${code}`));
    title.scope = "row";
    const row = make("tr", "", title, ...this.columns.map(([, value]) => make("td", "", name(value[code]))),
      change && make("td", "", change));
    this.rows.set(code, row);
    return row;
  }

  /** The name that has the focus, or else the first. */
  begin() {
    const at = [...this.rows].find(([, row]) => row.contains(document.activeElement));
    this.edit(at?.[0] ?? this.rows.keys().next().value);
  }

  focus(code) {
    (this.rows.get(code)?.querySelector("button") ?? this.add).focus();
  }

  /** A form for one name; with Escape it is gone, and nothing has changed. @param text  what was typed already */
  edit(code, text = this.names[code] ?? "") {
    const row = this.rows.get(code);
    if (!row) return this.beginAdding(code, text);
    const open = row.querySelector("form input");
    if (open) return open.focus();
    const cell = row.children[1 + this.columns.findIndex(([field]) => field === "name")], shown = [...cell.childNodes];
    const box = input(t("Name in {language}", { language: languageName(code) }), text, MOST);
    const remove = button("plain", t("Remove"), () => this.send(form, box, code, null));
    const mayGo = Object.keys(this.names).length > 1 && code in this.names;
    const form = this.form([box], mayGo ? remove : null, t("Save"), () => {
      cell.replaceChildren(...shown);
      const change = row.querySelector("button");
      change.hidden = false;
      return change;
    });
    form.addEventListener("submit", event => {
      event.preventDefault();
      const typed = box.value.trim();
      if (typed === (this.names[code] ?? "")) return form.leave();
      if (typed === "") return say(t("The name is empty. Remove takes it away."), true);
      this.send(form, box, code, typed);
    });
    box.lang = code;
    row.querySelector("button").hidden = true;
    cell.replaceChildren(form);
    box.focus();
    box.select();
  }

  adding() {
    this.add = button("plain", t("Add a language (a)"), () => this.beginAdding());
    return make("p", "acts", this.add);
  }

  beginAdding(code = "", text = "") {
    const open = this.box.querySelector(".adding input");
    if (open) return open.focus();
    const lang = input(t("Language, such as uk or pt-br"), code, 35), box = input(t("Name in it"), text, MOST), known = make("datalist");
    known.id = "languages";
    known.append(...COMMON.filter(tag => !(tag in this.names))
      .map(tag => Object.assign(make("option", "", languageName(tag)), { value: tag })));
    lang.setAttribute("list", known.id);
    lang.placeholder = t("language, such as uk");
    box.placeholder = t("name");
    const form = this.form([lang, known, box], null, t("Add"), () => { form.replaceWith(this.add); return this.add });
    form.classList.add("adding");
    form.addEventListener("submit", event => {
      event.preventDefault();
      const tag = codeOf(lang.value), typed = box.value.trim();
      if (tag === "") return lang.focus();
      if (/^\p{L}{4,}$/u.test(tag)) { // a tag like any other to the server, but a name to people
        lang.select();
        return say(t("A language is said by its code, such as uk or pt-br: “{text}” is none.", { text: lang.value.trim() }), true);
      }
      if (tag in this.names) {
        form.leave();
        this.edit(tag);
        return say(t("There is a name in {language} already: change it here.", { language: languageName(tag) }));
      }
      if (typed === "") return box.focus();
      this.send(form, box, tag, typed);
    });
    this.add.replaceWith(form);
    (code ? box : lang).focus();
  }

  /** @param back  puts back what was there, and gives what has the focus then */
  form(boxes, more, go, back) {
    const form = make("form", "reason naming", ...boxes, make("button", "", go), more);
    form.leave = () => { const stays = stayed(form), at = back(); if (stays) at.focus() };
    form.append(button("plain", t("Cancel"), form.leave));
    form.addEventListener("keydown", event => event.key === "Escape" && form.leave());
    return form;
  }

  /** Once: what is typed meanwhile is not for it. If it is refused, the form is there again as it was. */
  async send(form, box, lang, name) {
    lock(form);
    try {
      await this.save({ lang, name });
    } catch (e) {
      showError(e);
    }
    if (!form.isConnected) return;
    for (const each of form.elements) each.disabled = false;
    if (stayed(form)) box.focus();
  }
}
