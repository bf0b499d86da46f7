// Merging a record of the reference into another: what moves is shown before it does.
import { kindOf, lock, patiently, say, showError, stayed } from "./bench.js";
import { decide, referenceOf } from "./curate.js";
import { marked } from "./differ.js";
import { make, name } from "./dom.js";
import { hitBox } from "./hits.js";
import { apart, distance } from "./plot.js";
import { facts, supplierLine } from "./record.js";
import { inParts, number, t } from "./texts.js";

const LISTED = 10, COMPARED = 1000;

const count = (n, more) => (more ? t("more than {n}", { n }) : number(n));
const records = (n, more) => (more ? t("more than {n} suppliers’ records", { n })
  : t("{n} supplier’s record|{n} suppliers’ records", { n }));
const merging = from => t("Merge {kind} {id} into another record", { kind: kindOf(from), id: String(from.id) });

/** Suppliers that would have several records at one. */
const atBoth = (from, into) =>
  [...new Set(from.suppliers.filter(s => into.suppliers.some(o => o.adapter_id === s.adapter_id)).map(s => s.adapter))];

function side(what, known, other) {
  const listed = known.suppliers.slice(0, LISTED), left = known.suppliers.length - listed.length;
  return make("div", "card", make("p", "soft", `${what}: ${kindOf(known)} ${known.id}`), make("h3", "", marked(known.name, other.name)),
    facts(known, other),
    make("p", "", records(known.suppliers.length, known.more_suppliers)), make("ol", "others", ...listed.map(s => supplierLine(s, other))),
    left > 0 ? make("p", "soft", t("and {n} more", { n: left })) : null);
}

function moves(from, into) {
  const both = atBoth(from, into);
  const moved = records(from.suppliers.length, from.more_suppliers), there = count(into.suppliers.length, into.more_suppliers);
  const text = from.suppliers.length === 0 ? t("No supplier’s record moves.")
    : t("{moved} will move to {id}, which has {there}.", { moved, id: String(into.id), there });
  const ids = { from: String(from.id), into: String(into.id) }, far = distance(apart(from.record, into.record));
  return [make("p", "note moves", make("b", "", text), far === "" ? "" : t(" They are {far} apart.", { far }),
    " ", t("What refers to {from} refers to {into} then: records of the reference, and ids that were merged into it before.", ids),
    " ", t("The id {from} still works: it leads to {into}. This can be undone.", ids)),
    from.more_suppliers || into.more_suppliers
      ? make("p", "note", t("Only the first {n} of suppliers’ records at each were compared.", { n: COMPARED })) : null,
    both.length > 0 ? make("p", "note bad",
      ...inParts("Look twice: {suppliers} has records at both.|Look twice: {suppliers} have records at both.",
      { suppliers: name(both.join(", ")), n: both.length })) : null];
}

function field(id) {
  const label = make("label", "", t("Into which record? ")), input = make("input"), list = make("ul");
  label.htmlFor = input.id = `${id}-input`;
  Object.assign(input, { autocomplete: "off", spellcheck: false, dir: "auto", placeholder: t("name, in any language") });
  list.id = `${id}-list`;
  list.hidden = true;
  return make("div", "combo", label, input, list);
}

/** @param acts  { merged({ from, into, item }), close() } */
export class Merge {
  constructor(from, into, acts) {
    // round: an older answer that is slow shows nothing
    Object.assign(this, { from, into, acts, round: 0, preview: make("div", "preview") });
    const box = field("into");
    hitBox(box, {
      about: () => ({ kind: this.from.kind, beside: this.from.name, without: this.from.id }),
      pick: hit => this.choose(hit.id), hasty: () => say(t("The list has just changed. Look again.")),
    });
    this.input = box.querySelector("input");
    this.box = make("section", "merge", make("h2", "", merging(from)), box, this.preview);
    this.box.setAttribute("aria-label", t("Merge"));
    this.box.addEventListener("keydown", event => { // before the field closes its list
      if (event.key === "Escape" && this.input.getAttribute("aria-expanded") !== "true") acts.close();
    }, true);
    this.paint();
  }

  begin() {
    (this.into ? this.why : this.input).focus();
  }

  /** Choose the record to merge it into. Until its answer is here there is nothing to merge. */
  async choose(id) {
    const { from } = this;
    if (id === from.id) return say(t("That is the record itself. Choose another one."), true);
    this.into = null;
    this.paint();
    say("");
    const text = this.input.value;
    await this.fetch(from, { kind: from.kind, id }).catch(showError);
    if (this.into?.id === id && stayed(this.input) && this.input.value === text) this.why.focus();
  }

  /** Both as they are now. @returns whether they are shown */
  async fetch(...both) {
    const ticket = ++this.round, [from, into] = await patiently(Promise.all(both.map(it => referenceOf(it))));
    if (ticket !== this.round || !this.box.isConnected) return false;
    const gone = both.find((_, i) => [from, into][i].merged_into);
    if (gone) {
      say(t("{id} was merged into another record meanwhile.", { id: String(gone.id) }), true);
      if (gone.id === both[0].id) await this.acts.close();
      return false;
    }
    Object.assign(this, { from, into });
    this.paint();
    return true;
  }

  swap() {
    this.round++;
    [this.from, this.into] = [this.into, this.from];
    this.paint();
    this.why.focus();
  }

  paint() {
    const { from, into } = this;
    this.box.querySelector("h2").textContent = merging(from);
    if (!into)
      return this.preview.replaceChildren(make("p", "soft",
        t("Choose the record that stays. What moves is shown before anything is done.")));
    this.preview.replaceChildren(make("div", "both", side(t("Goes"), from, into), side(t("Stays"), into, from)),
      ...moves(from, into).filter(Boolean), this.form());
  }

  form() {
    this.why = make("input");
    Object.assign(this.why, { maxLength: 1024, required: true, autocomplete: "off" });
    const button = (text, act) => {
      const box = make("button", "plain", text);
      box.type = "button";
      box.addEventListener("click", act);
      return box;
    };
    const form = make("form", "reason", make("label", "", t("Why? "), this.why),
      make("button", "", t("Merge {from} into {into}", { from: String(this.from.id), into: String(this.into.id) })),
      button(t("The other way round"), () => this.swap()), button(t("Cancel"), () => this.acts.close()));
    form.addEventListener("submit", event => {
      event.preventDefault();
      this.merge(form).catch(showError);
    });
    return form;
  }

  async merge(form) {
    const { from, into } = this, text = this.why.value.trim();
    lock(form);
    try {
      const goes = { kind: from.kind, dict_id: from.id, version: from.version }, stays = { into: into.id, into_version: into.version };
      const { items: [item] } = await patiently(decide([{ decide: "merge", ...goes, ...stays, why: text }]));
      if (item.result !== "refused") return await this.acts.merged({ from, into, item });
      say(`${item.message} ${t("Look at both again.")}`, true);
      if (this.into?.id !== into.id || !await this.fetch(from, into)) return;
      this.why.value = text;
      if (stayed()) this.why.focus();
    } finally {
      for (const box of form.elements) box.disabled = false;
    }
  }
}
