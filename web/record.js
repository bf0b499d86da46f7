// One record of the reference: its names, what is known of it, the suppliers' records that are mapped to it, and what was merged into it.
import { caseLink, LINES, textOf } from "./case.js";
import { kindOf, withReason } from "./bench.js";
import { marked } from "./differ.js";
import { make, name } from "./dom.js";
import { Names } from "./names.js";
import { dateTime, number, t } from "./texts.js";

const NOT_SHOWN = new Set(["type", "kind", "id", "name"]);

const FIELDS = { lat: t("Latitude"), lng: t("Longitude"), iso_alpha_2: t("ISO code"), iso_code: t("ISO code") };

const isByLanguage = value => typeof value === "object" && value !== null && !Array.isArray(value);

const factLine = (what, value) => make("tr", "", make("th", "", what), make("td", "", value));

/** The facts about it; beside another record, differences are marked. */
export function facts(known, other) {
  const worded = LINES.filter(([, , has]) => has(known) || (other && has(other)))
    .map(([what, , has]) => factLine(what, other ? marked(has(known), has(other)) : name(has(known))));
  const rest = Object.entries(known.record)
    .filter(([field, value]) => !NOT_SHOWN.has(field) && !/_id$|^(address|zip|phone)$/.test(field) && typeof value !== "object")
    .map(([field, value]) => factLine(FIELDS[field] ?? field.replaceAll("_", " "),
      other ? marked(String(value), String(other.record[field] ?? "")) : name(String(value))));
  return make("table", "facts", make("tbody", "", ...worded, ...rest));
}

/** A supplier's record, with what the reference does not have marked. */
export function supplierLine(s, known) {
  const names = known.record.name, beside = isByLanguage(names) ? names[s.record.lang] ?? known.name : names;
  const parts = LINES.map(([, of, has]) => [of(s.record), has(known)]).filter(([says]) => says);
  return make("li", "", marked(s.record.name, beside), make("span", "soft", " ", name(s.adapter), " ", caseLink(s, "../workbench")),
    parts.length > 0 ? make("div", "soft",
      ...parts.flatMap(([says, has], i) => [i > 0 ? " · " : "", has ? marked(says, textOf(has)) : name(says)])) : null);
}

function suppliers(known) {
  const title = make("h3", "", t("Suppliers’ records "),
    make("span", "soft number", known.more_suppliers ? t("{n} and more", { n: known.suppliers.length }) : number(known.suppliers.length)));
  if (known.suppliers.length === 0) return [title, make("p", "soft", t("No supplier’s record is mapped to it yet."))];
  return [title, make("ol", "others", ...known.suppliers.map(s => supplierLine(s, known)))];
}

function redirects(known, split) {
  if (known.redirects.length === 0) return [];
  const lines = known.redirects.map(d => make("li", "", `${d.id}, ${d.at ? dateTime(d.at) : ""}`,
    d.by ? make("span", "", ", ", name(d.by)) : null, d.why ? make("span", "soft", ": ", name(d.why)) : null,
    split ? make("div", "acts", withReason(t("Split off again"), t("Split {id} off", { id: String(d.id) }), why => split(d, why))) : null));
  return [make("h3", "", t("Merged into it")), make("p", "soft", t("These ids go on answering: they lead here.")),
    make("ul", "others", ...lines)];
}

/** @param acts  { merge(), split(redirect, why), name({ lang, name }) }; null: the user may not decide.
 * @returns a box, with its `names` */
export function recordView(known, acts) {
  const merge = acts && make("button", "plain", t("Merge into another record (m)"));
  merge?.addEventListener("click", acts.merge);
  const title = make("h2", "", name(known.name));
  title.tabIndex = -1;
  const names = new Names(known, known.merged_into ? null : acts?.name);
  const box = make("article", "card record", make("p", "soft", `${kindOf(known)} ${known.id}`), title,
    known.merged_into ? make("p", "note", t("The id that was asked for leads here: it was merged into {id}.",
      { id: String(known.merged_into) })) : null,
    facts(known), names.box, merge ? make("p", "acts", merge) : null, ...suppliers(known), ...redirects(known, acts?.split));
  return Object.assign(box, { names });
}
