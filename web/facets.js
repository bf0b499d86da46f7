// How many cases wait, by reason, supplier, kind, place and probability; and what to do with those that nobody can map one by one.
import { $, make, name } from "./dom.js";
import { number, t } from "./texts.js";

/** Sums of what `of` gives for each item, the largest first: [[value, cases], …] */
export function summed(items, of) {
  const sums = new Map();
  for (const it of items) sums.set(of(it), (sums.get(of(it)) ?? 0) + it.cases);
  return [...sums].sort((a, b) => b[1] - a[1]);
}

/** A remedy for all of them at once, by why they have no suggestion: { text, go?, filters?, instead?, none? }: where to go, and
 * where else, with what words, if nothing waits there: a supplier that names places at its hotels only has no records of them. */
export function remedyOf({ reason, adapter_id, kind }) {
  const of = kind => ({ adapter_id: String(adapter_id), kind });
  const instead = { ...of(kind), reason };
  const countries = { go: t("To its countries"), filters: of("country"), instead,
    none: t("No country of this supplier waits: “Map its country” at one of these counts for all that name it so.") };
  if (reason === "country_unmapped")
    return { text: t("Map this supplier’s countries: then these are matched by themselves."), ...countries };
  if (reason === "country_missing")
    return { text: t("Add these countries to the reference with “dragoman import”, or map them to others."), ...countries };
  if (reason === "city_unmapped")
    return { text: t("Map this supplier’s cities: then these are matched by themselves."), go: t("To its cities"), filters: of("city"),
      instead, none: t("No city of this supplier waits: load its list of cities, or search the reference for each of these.") };
  if (reason === "lacks_name" || reason === "lacks_place")
    return { text: t("Ask the supplier for names, coordinates or cities, and load the list again.") };
  if (reason === "no_candidates" && kind === "hotel")
    return { text: t("Perhaps they are new: “dragoman match new” proposes those that several suppliers have; n makes one here.") };
  return { text: t("Search the reference for each, or make new records with n.") };
}

export class Facets {
  #round = 0;

  /** @param fetchFacets  (filters) => a promise @param choose  (filters, said?) => shows the cases of these @param words  { reason,
   * supplier, kind }: value => text @param failed  is told why it could not be fetched */
  constructor({ fetchFacets, choose, words, failed }) {
    Object.assign(this, { fetchFacets, choose, words, failed });
    $("#facets").addEventListener("toggle", () => this.#paint());
  }

  /** Load the facets of the list as it is now. */
  async load(filters) {
    const round = ++this.#round;
    Object.assign(this, { filters, known: null });
    this.#paint();
    const known = await this.fetchFacets(filters).catch(this.failed);
    if (round !== this.#round || !known) return;
    this.known = known;
    this.#paint();
  }

  #button(text, cases, filters) {
    const box = make("button", "plain", name(text), make("span", "number soft", ` ${number(cases)}`));
    box.type = "button";
    box.addEventListener("click", () => this.choose({ ...this.filters, ...filters }));
    return make("li", "", box);
  }

  #list(title, values, filtersOf, text) {
    if (values.length === 0) return null;
    return make("section", "", make("h3", "", title), make("ul", "",
      ...values.slice(0, 30).map(([value, cases]) => this.#button(text(value), cases, filtersOf(value)))));
  }

  #paint() {
    const { known, words } = this;
    $("#without").hidden = !known?.without || this.filters.suggested !== undefined;
    $("#stuck").hidden = !known || this.filters.suggested !== "0" || known.groups.length === 0;
    if (!known) return;
    $("#without").textContent = t("{n} without a suggestion", { n: known.without });
    if (!$("#stuck").hidden) this.#paintStuck();
    if (!$("#facets").open) return;
    const { groups } = known, places = list => list.map(it => [it, it.cases]);
    $("#facet-lists").replaceChildren(...[
      this.#list(t("How sure"), known.probabilities.map(p => [p.above, p.cases]).filter(([, n]) => n > 0),
        above => ({ above: String(above) }),
        above => (above > 0 ? t("{percent} % and more", { percent: above * 100 }) : t("less"))),
      this.#list(t("Why not mapped"), summed(groups, g => g.reason), reason => ({ reason }), words.reason),
      this.#list(t("Supplier"), summed(groups, g => g.adapter_id), id => ({ adapter_id: String(id) }), words.supplier),
      this.#list(t("Kind"), summed(groups, g => g.kind), kind => ({ kind }), words.kind),
      this.#list(t("Country"), places(known.countries), it => ({ country_id: String(it.id) }), it => it.name ?? String(it.id)),
      this.#list(t("City"), places(known.cities), it => ({ city_id: String(it.id) }), it => it.name ?? String(it.id)),
    ].filter(Boolean));
  }

  async #follow({ filters, instead, none }) {
    const known = await this.fetchFacets(filters);
    if (!known || known.groups.length > 0) return this.choose(filters);
    this.choose(instead, none);
  }

  #paintStuck() {
    const rows = [...this.known.groups].sort((a, b) => b.cases - a.cases).slice(0, 20).map(group => {
      const remedy = remedyOf(group), { text, go } = remedy, button = go && make("button", "plain", go);
      button?.addEventListener("click", () => this.#follow(remedy).catch(this.failed));
      const { reason, supplier, kind } = this.words;
      return make("li", "", make("b", "", t("{n} × {kind} of {supplier}: ",
        { n: group.cases, kind: kind(group.kind), supplier: supplier(group.adapter_id) })),
        `${reason(group.reason)}. ${text} `, button ?? null);
    });
    $("#stuck").replaceChildren(make("h2", "", t("What helps all of these at once")), make("ul", "others", ...rows));
  }
}
