// The list of cases: as many rows as can be seen, however long it is; pages are fetched as they come near.
import { kindOf } from "./bench.js";
import { keyOf } from "./cases.js";
import { make, name } from "./dom.js";
import { t } from "./texts.js";

const ROW = 56, PAGE = 200, SPARE = 8, FAR = 10 * PAGE;

export class Queue {
  /** @param fetchPage (cursor, limit) => { items, cursor, total } @param reasonText word => text of a reason
   * @param supplierText id => its name @param byItself (change) makes a change that no key has asked for */
  constructor(box, { fetchPage, reasonText, supplierText, chosen, counted, failed, byItself }) {
    Object.assign(this, { box, fetchPage, reasonText, supplierText, chosen, counted, failed, byItself });
    this.inner = make("div", "rows-inner");
    box.replaceChildren(this.inner);
    box.addEventListener("scroll", () => this.paint(), { passive: true });
    box.addEventListener("click", event => this.clicked(event));
    new ResizeObserver(() => this.paint()).observe(box);
    this.clear();
  }

  clear() {
    Object.assign(this, { items: [], cursor: undefined, total: 0, at: -1, ahead: 0, picked: new Set(), fetching: null });
    this.round = (this.round ?? 0) + 1;
    this.box.scrollTop = 0;
  }

  /** From the beginning, with what fetchPage says now, or from the case that is wanted if it is there: on the first page, or with `far` on
   * one of the first ten. If that fails, what was there before is gone all the same. */
  async load(wanted, far) {
    this.clear();
    const { round } = this, at = () => this.items.findIndex(it => keyOf(it) === wanted);
    try {
      do await this.more();
      while (far && round === this.round && this.at < 0 && at() < 0 && this.cursor !== null && this.items.length < FAR);
    } catch (e) {
      if (round === this.round) this.paint();
      throw e;
    }
    const from = Math.max(0, at());
    if (round === this.round && this.at < 0) this.select(this.items.length > 0 ? from + this.ahead : -1);
  }

  more() {
    const { round } = this;
    this.fetching ??= this.fetchMore(round).finally(() => { if (round === this.round) this.fetching = null });
    return this.fetching;
  }

  async fetchMore(round) {
    const wanted = this.items.length + PAGE;
    while (this.cursor !== null && this.items.length < wanted) {
      const page = await this.fetchPage(this.cursor, PAGE);
      if (round !== this.round) return;
      const known = new Set(this.items.map(keyOf));
      this.items.push(...page.items.filter(it => !known.has(keyOf(it))));
      this.cursor = page.cursor;
      if (page.total !== undefined && page.total !== null) this.total = page.total;
    }
    if (this.cursor === null) this.total = this.items.length;
    this.paint();
  }

  /** Fetch the next cases early. If all present ones are decided, the first new one is shown. */
  async refill() {
    const { round } = this;
    await this.more();
    if (round === this.round && this.at < 0 && this.items.length > 0) this.byItself(() => this.select(0));
  }

  get current() { return this.items[this.at] ?? null }

  select(at) {
    this.at = Math.min(at, this.items.length - 1);
    const top = this.at * ROW, { scrollTop, clientHeight } = this.box;
    if (this.at >= 0 && (top < scrollTop || top + ROW > scrollTop + clientHeight)) this.box.scrollTop = top - clientHeight / 3;
    this.paint();
    this.chosen(this.current);
  }

  /** While the list is on its way, steps are counted from where it begins. */
  step(by) {
    if (this.at < 0) this.ahead = Math.max(0, this.ahead + by);
    else if (this.items.length > 0) this.select(Math.max(0, Math.min(this.at + by, this.items.length - 1)));
  }

  pick() {
    const key = this.current && keyOf(this.current);
    if (!key) return;
    if (!this.picked.delete(key)) this.picked.add(key);
    this.step(1);
  }

  /** The first page of the list, or, where all of that is selected, nothing. */
  pickAll() {
    const keys = this.items.slice(0, PAGE).map(keyOf), all = keys.every(key => this.picked.has(key));
    this.picked = new Set(all ? [] : keys);
    this.paint();
  }

  unpick() {
    this.picked = new Set();
    this.paint();
  }

  /** A case as it is seen now: from now on the list says the same of it. */
  renew(key, { version, best, reason }) {
    const it = this.items.find(i => keyOf(i) === key);
    if (!it || (it.version === version && it.best?.id === best?.id)) return;
    Object.assign(it, { version, best, reason: reason ?? it.reason });
    this.paint();
  }

  /** The selection, or the shown case. */
  get selected() {
    const some = this.items.filter(it => this.picked.has(keyOf(it)));
    return some.length > 0 ? some : this.current ? [this.current] : [];
  }

  /** They are no longer cases; if one of them was shown, the next one is. */
  remove(gone) {
    const keys = new Set(gone.map(keyOf)), shown = this.current;
    const before = this.items.slice(0, Math.max(this.at, 0)).filter(it => keys.has(keyOf(it))).length;
    const there = this.items.length;
    this.items = this.items.filter(it => !keys.has(keyOf(it)));
    if (this.items.length === there) return;
    this.total -= there - this.items.length;
    keys.forEach(key => this.picked.delete(key));
    this.at -= before;
    if (shown && keys.has(keyOf(shown))) this.select(Math.min(this.at, this.items.length - 1));
    else this.paint();
  }

  /** It comes after the others: the next one is shown. */
  toTheEnd(it) {
    const known = this.items.find(i => keyOf(i) === keyOf(it)), { total } = this;
    this.remove([it]);
    if (known && this.cursor === null) this.items.push({ ...known, later: true }); // else its page brings it
    this.total = total;
    if (this.at < 0 && this.items.length > 0) this.select(0);
    else this.paint();
  }

  /** A case that is one again stands before the one that is shown; with `select` it is shown itself, also where it is in the list still. */
  putBack(cases, select) {
    const known = new Set(this.items.map(keyOf)), back = cases.filter(it => !known.has(keyOf(it)));
    if (back.length === 0) return select ? this.select(this.items.findIndex(it => keyOf(it) === keyOf(cases[0]))) : this.paint();
    this.at = Math.max(this.at, 0);
    this.items.splice(this.at, 0, ...back);
    this.total += back.length;
    if (select || this.items.length === back.length) return this.select(this.at);
    this.at += back.length;
    this.box.scrollTop += back.length * ROW;
    this.paint();
  }

  clicked(event) {
    const row = event.target.closest("[data-at]");
    if (row) this.select(Number(row.dataset.at));
  }

  paint() {
    const { scrollTop, clientHeight } = this.box;
    const first = Math.max(0, Math.floor(scrollTop / ROW) - SPARE);
    const end = Math.min(this.items.length, Math.ceil((scrollTop + clientHeight) / ROW) + SPARE);
    this.inner.style.height = `${this.items.length * ROW}px`;
    this.inner.replaceChildren(...this.items.slice(first, end).map((it, i) => this.row(it, first + i)));
    this.counted(this.total, this.picked.size);
    if (this.at >= 0) this.box.setAttribute("aria-activedescendant", `row-${this.at}`);
    else this.box.removeAttribute("aria-activedescendant");
    if (end > this.items.length - PAGE / 2 && this.cursor && !this.fetching) this.refill().catch(this.failed);
  }

  row(it, at) {
    const picked = this.picked.has(keyOf(it)), waits = it.waiting > 1 ? t("{n} suppliers wait for the same record", { n: it.waiting }) : "";
    const sure = it.best?.probability > 0 ? `${Math.floor(it.best.probability * 100)} %` : "";
    const alike = it.alike > 1 ? t("{n} called the same", { n: it.alike }) : "", blocked = it.settles - it.alike;
    const rest = blocked > 0 ? t("{n} others wait for it", { n: blocked }) : "";
    const whose = t("{kind} of {supplier}", { kind: kindOf(it), supplier: this.supplierText(it.adapter_id) });
    const text = [sure, alike, rest, this.reasonText(it.reason), it.country?.name, whose, waits]
      .filter(Boolean).join(" · ");
    const box = make("div", `row${at === this.at ? " now" : ""}${picked ? " picked" : ""}`,
      make("span", "row-name", name(it.name)),
      make("span", "row-more soft", it.open_by.length > 0
        ? make("b", "row-open", t("{people} looks at it · ", { people: it.open_by.join(", ") })) : null,
        it.later ? t("later · ") : null, it.assigned ? t("for {person} · ", { person: it.assigned }) : null, text));
    Object.assign(box, { id: `row-${at}`, role: "option", ariaSelected: String(picked), ariaCurrent: String(at === this.at), title: text });
    Object.assign(box.dataset, { at, key: keyOf(it) });
    box.style.top = `${at * ROW}px`;
    return box;
  }
}
