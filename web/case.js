// One case: the supplier's record beside the candidates, what differs marked, where they are, and what speaks for and against.
import { kindOf } from "./bench.js";
import { marked } from "./differ.js";
import { make, name } from "./dom.js";
import { evidenceOf, explained } from "./evidence.js";
import { notesView } from "./notes.js";
import { distance, plot } from "./plot.js";
import { dateTime, inParts, t } from "./texts.js";

/** A name of the reference is a text, or one for each language. */
export const textOf = value => typeof value === "object" && value !== null ? value.en ?? Object.values(value)[0] : value;

const COUNTRY = t("Country");

/** The compared lines, as the supplier and the reference have them. */
export const LINES = [
  [COUNTRY, r => r.country_name, c => c.country?.name],
  [t("City"), r => r.city_name, c => c.city?.name],
  [t("Category"), r => r.category_name, c => c.hotel_category?.name],
  [t("Address"), r => r.address, c => textOf(c.record.address)],
  [t("Post code"), r => r.zip, c => c.record.zip],
  [t("Phone"), r => r.phone, c => c.record.phone],
];

function isOfTheWeb(address) {
  try {
    return /^https?$/.test(new URL(address).protocol.slice(0, -1));
  } catch {
    return false;
  }
}

/** A link to another site, if it is one: an address of a supplier is text like any other. */
function link(address) {
  if (!address) return null;
  if (!isOfTheWeb(address)) return name(address);
  const box = make("a", "", address);
  Object.assign(box, { href: address, rel: "noreferrer noopener", target: "_blank" });
  return box;
}

/** Fetch photos from the supplier's site after a click, and nothing before it. */
function showPhotos(links) {
  for (const link of links) {
    const picture = make("img", "photo");
    Object.assign(picture, { alt: link.textContent, referrerPolicy: "no-referrer", src: link.href });
    picture.addEventListener("error", () => { picture.replaceWith(picture.alt) });
    link.replaceChildren(picture);
  }
}

/** @param shown  may they be shown here? Else they are links. */
function photos(content, shown) {
  const links = (Array.isArray(content?.photos) ? content.photos : []).slice(0, 8).map((photo, i) => {
    const box = link(typeof photo === "string" ? photo : photo?.url);
    if (box?.tagName === "A") box.textContent = t("Photo {at}", { at: i + 1 });
    return box;
  });
  if (links.length === 0) return null;
  const safe = links.filter(box => /^https\W/.test(box?.protocol ?? "")), box = make("p", "photos", ...links);
  if (!shown || safe.length === 0) return box;
  const show = make("button", "plain", t("Show the photos"));
  show.type = "button";
  show.addEventListener("click", () => { showPhotos(safe); show.remove() });
  box.append(show);
  return box;
}

/** To a supplier's record as a case, mapped or not: an address that can be sent. @param page  of the queue, from here */
export function caseLink({ adapter_id, kind, id }, page) {
  const box = make("a", "", make("code", "", id));
  box.href = `${page}?${new URLSearchParams({ case: `${adapter_id}/${kind}/${id}` })}`;
  return box;
}

function ofSupplier(it, shown) {
  const { record } = it;
  const lines = LINES.filter(([, of]) => of(record))
    .map(([what, of]) => make("tr", "", make("th", "", what), make("td", "", name(of(record)))));
  const table = make("table", "facts", make("tbody", "", ...lines));
  return make("div", "card side", make("p", "soft", `${it.adapter}, ${kindOf(it)} `, caseLink(it, "workbench")),
    make("h2", "", name(record.name)), table,
    record.url ? make("p", "", link(record.url)) : null, photos(it.content, shown));
}

function others(candidate) {
  if (candidate.suppliers.length === 0) return make("p", "soft", t("No supplier’s record is mapped to it yet."));
  const shown = candidate.suppliers.slice(0, 6).map(s => make("li", "", name(s.record.name), make("span", "soft", ` ${s.adapter}`)));
  const more = candidate.suppliers.length - shown.length;
  if (more > 0 || candidate.more_suppliers) shown.push(make("li", "soft",
    candidate.more_suppliers ? t("and more") : t("and {n} more", { n: more })));
  return make("ul", "others", ...shown);
}

/** To the page of the reference, in another tab: the case stays where it is. */
function recordLink(kind, id) {
  const box = make("a", "", t("record {id}", { id: String(id) }));
  Object.assign(box, { href: `workbench/reference?${new URLSearchParams({ record: `${kind}/${id}` })}`, target: "_blank" });
  return box;
}

/** The records that somebody rejected, which are no longer candidates. */
function refused(it, acts) {
  const candidates = new Set(it.candidates.map(c => c.id)), list = it.not_same.filter(n => !candidates.has(n.dict_id));
  if (list.length === 0) return null;
  return make("ul", "others", ...list.map(n => {
    const button = make("button", "plain", t("It is this one after all"));
    button.addEventListener("click", () => acts.mapToRecord(n.dict_id));
    const unrefuse = make("button", "plain", t("It may be"));
    unrefuse.addEventListener("click", () => acts.unrefuse(n.dict_id));
    return make("li", "", ...inParts("Not the same, as was said: {record}", { record: recordLink(it.kind, n.dict_id) }),
      n.by ? make("span", "soft", ", ", name(n.by)) : null, n.why ? make("span", "soft", ": ", name(n.why)) : null,
      make("span", "acts", button, unrefuse));
  }));
}

/** Records with this name nearby, shown before another one of that name is made. */
function nearbyBox(it, acts) {
  if (!it.nearby) return null;
  const lines = it.nearby.map(n => {
    const about = [name(n.name), " ", n.dict_id === null ? caseLink(n, "workbench") : recordLink(n.kind, n.dict_id),
      make("span", "soft", [n.adapter ? `, ${n.adapter}` : "", n.metres === null ? "" : `, ${distance(n.metres)}`].join(""))];
    if (n.dict_id === null) return make("li", "", ...about);
    const button = make("button", "plain", t("It is this one"));
    button.addEventListener("click", () => acts.mapToRecord(n.dict_id));
    return make("li", "", ...about, make("span", "acts", button));
  });
  return make("div", "note nearby", make("p", "", t("Called the same nearby:")), make("ul", "others", ...lines),
    make("p", "", t("If it is another one all the same, press n once more.")));
}

/** Is there something to compare? Not of a country that is known to be the same, whatever the supplier calls it. */
const isSaid = (what, text, it, { country }) => Boolean(text) && !(what === COUNTRY && it.country && it.country.id === country?.id);

function candidateBox(it, candidate, at, acts) {
  const lines = LINES.filter(([, of, has]) => of(it.record) || has(candidate)).map(([what, of, has]) =>
    make("tr", "", make("th", "", what), make("td", "", isSaid(what, of(it.record), it, candidate) ? marked(has(candidate), of(it.record))
      : name(has(candidate)))));
  const accept = make("button", "", `${t("It is this one")}${at < 9 ? ` (${at + 1})` : ""}`);
  const refuse = make("button", "plain", candidate.not_same ? t("Not the same, as was said") : t("Not the same"));
  accept.addEventListener("click", () => acts.mapTo(at));
  const alike = at === 0 && it.alike > 1 ? make("button", "plain", 
    t("And the other {n} called the same (c)", { n: it.alike - 1 })) : null;
  alike?.addEventListener("click", () => acts.mapAlike());
  refuse.addEventListener("click", () => acts.refuse(at));
  refuse.disabled = candidate.not_same;
  const bits = candidate.bits === null ? "" : t("{bits} bits", { bits: `${candidate.bits > 0 ? "+" : ""}${candidate.bits.toFixed(1)}` });
  const box = make("article", `card candidate${candidate.id === it.dict_id ? " mapped" : ""}`,
    make("h3", "", make("span", "number", `${at + 1}. `), marked(candidate.name, it.record.name)),
    make("p", "soft", ...[bits, distance(candidate.metres)].filter(Boolean).map(text => `${text} · `),
      recordLink(it.kind, candidate.id)),
    make("table", "facts", make("tbody", "", ...lines)),
    evidenceOf(candidate, at === 0 ? it.suggestion?.explanation : "", at === 0), others(candidate),
    make("p", "acts", accept, alike, refuse));
  box.tabIndex = -1;
  Object.assign(box.dataset, { at, id: candidate.id });
  return box;
}

/** How a mapping came about (docs/interchange.md, mapping_event). */
export const HOW = { set: t("decided"), undo: t("undone"), merge: t("by a merge"), split: t("by a split"), import: t("by an import"),
  gone: t("gone from the supplier’s list"), back: t("back in the supplier’s list"), match: t("by the matcher"), audit: t("in an audit") };

function history(list, more) {
  if (list.length === 0) return null;
  const lines = list.map(h => make("li", "",
    `${dateTime(h.at)}: ${h.from ?? t("not mapped")} → ${h.to ?? t("not mapped")}, ${HOW[h.how] ?? h.how}`,
    h.by ? make("span", "", ", ", name(h.by)) : null, h.why ? make("span", "soft", ": ", name(h.why)) : null));
  return make("details", "", make("summary", "",
    more ? t("History (the last {n})", { n: list.length }) : t("History ({n})", { n: list.length })), make("ol", "history", ...lines));
}

/** Its mapping, or why it has none; null: not known. */
function whyOf({ kind, dict_id, suggestion, record, adapter_id }, reasonText, { openCase, mapCountry }) {
  if (dict_id !== null) return make("p", "why", make("b", "", t("Mapped to ")), recordLink(kind, dict_id));
  const heading = suggestion?.outcome === "automatic" ? t("Would be mapped: ") : t("Not mapped: ");
  if (!suggestion) return null;
  const itsCountry = ["country", record.country_id ?? record.country_name];
  const place = { country_unmapped: itsCountry, country_missing: itsCountry, city_unmapped: ["city", record.city_id] }[suggestion.reason];
  const box = make("p", "why", make("b", "", heading), reasonText(suggestion.reason));
  if (suggestion.reason === "country_missing")
    box.append(". ", t("Add it to the reference with “dragoman import”, or map it to another country."));
  if (place === itsCountry && !place[1]) box.append(". ", t("It names no country, by code or by name: ask the supplier for it."));
  if (!place?.[1]) return box;
  const button = make("button", "plain", place[0] === "country" ? t("Map its country") : t("Map its city"));
  const act = place[0] === "country" ? mapCountry : openCase;
  button.addEventListener("click", () => act({ adapter_id, kind: place[0], id: String(place[1]) }));
  return make("div", "", box, make("p", "acts", button));
}

/** @param acts { mapTo(at), refuse(at), makeRecord(), mapToRecord(id), unrefuse(id) }: Decisions @param noteActs  of notes.js
 * @param pictures { map, photos }: what may be shown from other hosts */
export function caseView(it, reasonText, acts, noteActs, pictures) {
  const why = whyOf(it, reasonText, noteActs), makeRecord = make("button", "plain", t("New in the reference (n)"));
  makeRecord.addEventListener("click", () => acts.makeRecord());
  const drawing = plot(it.record, it.candidates, pictures.map);
  return [make("div", "pair",
    make("div", "left", ofSupplier(it, pictures.photos), why, explained(it), drawing, nearbyBox(it, acts),
      make("p", "acts", makeRecord), refused(it, acts),
      notesView(it, noteActs), history(it.history, it.more_history)),
    make("div", "candidates", ...(it.candidates.length > 0 ? it.candidates.map((c, at) => candidateBox(it, c, at, acts))
      : [make("p", "soft", t("Nothing in the reference is like it."))])))];
}
