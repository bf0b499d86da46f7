// Many answers at once: the first suggestion of all that is shown, from a probability on, after a look at ten of them at random.
import { $, make, name } from "./dom.js";
import { t } from "./texts.js";

const USUAL = "0.95";

/** @param server  { look(filters), accept(filters, total, why) }: promises @param page  { filters(), supplierText(id), patiently(promise),
 * showError(e), accepted({ batch, accepted, refused, left }) } */
export class Accepting {
  #round = 0;

  constructor({ server, page }) {
    Object.assign(this, { server, page });
    const { above } = $("#accept-form").elements;
    $("#accept-all").addEventListener("click", () => this.open());
    $("#accept-cancel").addEventListener("click", () => $("#accept").close());
    above.addEventListener("change", () => this.#look());
    $("#accept-form").addEventListener("submit", event => { event.preventDefault(); this.#accept() });
  }

  get #filters() {
    const { sort, suggested, ...filters } = this.page.filters();
    return { ...filters, above: $("#accept-form").elements.above.value };
  }

  open() {
    const { above } = $("#accept-form").elements, now = this.page.filters().above;
    above.value = [...above.options].some(o => o.value === now) ? now : USUAL;
    $("#accept").showModal();
    return this.#look();
  }

  #paint(text, total, sample) {
    this.total = total;
    $("#accept-told").textContent = text;
    $("#accept-sample").replaceChildren(...sample);
    $("#accept-go").disabled = !total;
    $("#accept-go").textContent = total ? t("Accept {n}", { n: total }) : t("Accept");
  }

  async #look() {
    const round = ++this.#round;
    this.#paint(t("Looking …"), 0, []);
    try {
      const { total, most, sample } = await this.server.look(this.#filters);
      if (round !== this.#round) return;
      const more = total > most ? ` ${t("The first {most} are accepted now.", { most })}` : "";
      const rows = sample.map(s => make("li", "", name(s.name ?? s.id), make("span", "soft", ` ${this.page.supplierText(s.adapter_id)} → `),
        name(s.best.name ?? String(s.best.id))));
      this.#paint(total === 0 ? t("There are none.") : `${t("{n} cases.", { n: total })}${more} ${t("Some of them at random:")}`, total,
        rows);
    } catch (e) {
      if (round === this.#round) this.#paint(t("They could not be looked at."), 0, []);
      this.page.showError(e);
    }
  }

  async #accept() {
    const { total } = this, form = $("#accept-form"), round = ++this.#round;
    if (!total) return;
    $("#accept-go").disabled = true;
    try {
      const done = await this.page.patiently(this.server.accept(this.#filters, total, form.elements.why.value.trim()));
      $("#accept").close();
      form.elements.why.value = "";
      this.page.accepted(done);
    } catch (e) {
      this.page.showError(e);
      if (round === this.#round && e.status === 409) { // more by now than were seen
        await this.#look();
        $("#accept-told").textContent = `${t("There are more by now.")} ${$("#accept-told").textContent}`;
      } else $("#accept").close();
    }
  }
}
