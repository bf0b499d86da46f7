// Many answers at once: the first suggestion of all that is shown, from a probability on, after a look at ten of them at random.
import { textOf } from "./case.js";
import { $, make, name } from "./dom.js";
import { distance } from "./plot.js";
import { t } from "./texts.js";

const USUAL = "0.95";

/** The cases that were left out, and why; "" for none. @param left_out  { veto, below } */
export const leftOutText = ({ veto, below }) => [
  veto > 0 ? t("{n} left out: something contradicts them.", { n: veto }) : "",
  below > 0 ? t("{n} are less likely.", { n: below }) : ""].filter(Boolean).join(" ");

/** @param server  { look(filters), accept(filters, total, why), caseOf(it) }: promises
 * @param page  { filters(), supplierText(id), patiently(promise),
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

  /** @param total  how many there are @param most  how many of them are accepted now */
  #paint(text, total, most, sample) {
    this.total = total;
    $("#accept-told").textContent = text;
    $("#accept-sample").replaceChildren(...sample);
    $("#accept-go").disabled = !total;
    $("#accept-go").textContent = total ? t("Accept {n}", { n: Math.min(total, most) }) : t("Accept");
  }

  /** One of the sample, with what tells a namesake in another town from the right one. */
  async #row(s) {
    const known = await this.server.caseOf(s).catch(() => null), record = known?.record ?? {};
    const to = known?.candidates.find(c => c.id === s.best.id);
    const from = [this.page.supplierText(s.adapter_id), textOf(record.city_name), textOf(record.country_name)];
    const where = [`${Math.floor(s.best.probability * 100)} %`, to?.city?.name, to?.country?.name, to ? distance(to.metres) : ""];
    return make("li", "", name(s.name ?? s.id), make("span", "soft", ` ${from.filter(Boolean).join(", ")} → `),
      name(s.best.name ?? String(s.best.id)), make("span", "soft", ` ${where.filter(Boolean).join(" · ")}`));
  }

  async #look() {
    const round = ++this.#round;
    this.#paint(t("Looking …"), 0, 0, []);
    try {
      const { total, most, sample, left_out } = await this.server.look(this.#filters);
      const rows = await Promise.all(sample.map(s => this.#row(s)));
      if (round !== this.#round) return;
      const more = total > most ? t("The first {most} are accepted now.", { most }) : "";
      const text = total === 0 ? [t("There are none."), leftOutText(left_out)]
        : [t("{n} cases.", { n: total }), more, leftOutText(left_out), t("Some of them at random:")];
      this.#paint(text.filter(Boolean).join(" "), total, most, rows);
    } catch (e) {
      if (round === this.#round) this.#paint(t("They could not be looked at."), 0, 0, []);
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
