// The decisions of the queue: sent, refused, undone, and overtaken by others' decisions. It knows the server, the list and the time
// only as they are passed in, and nothing of the page: tests/web/unit/ runs it without a browser.
import { keyOf } from "./cases.js";
import { ApiError } from "./session.js";
import { t } from "./texts.js";

const UNDOS = 100, OWN = 2000, TRIES = 10, PAUSE = 100, LOOKS = 20, LOOK_EACH = 500;

const MAPPED = t("mapped"), EACH_MAPPED = t("each is its first candidate"), NOT_SAME = t("not the same");
const ALIKE_MAPPED = t("all that are called the same are mapped"), ACCEPTED = t("first suggestions accepted");
const MAYBE_SAME = t("it may be that one after all"), NEW = t("new in the reference"), COUNTRY = t("its country");
const NEARBY = "needs_a_look";      // of a new record: something else of that name is nearby
const KEEPS_CASE = [NOT_SAME, MAYBE_SAME, COUNTRY]; // after these the case waits still

/** With this probability a case is accepted unseen, whatever the probability of the case that was looked at (C12). */
const SURE = 0.95;

/** How many of these were looked at one by one? */
const looked = list => list.filter(({ decision }) => decision.above === undefined).length;

/** Why it was refused, for people. A record whose version is still the one that was seen was not changed by anybody: then the server says
 * what stands against it. */
const refusalText = r => r.reason === NEARBY && r.nearby
  ? t("{name} is not made yet: something else of that name is nearby. Look at it, or press n once more.", { name: r.it.name ?? r.it.id })
  : r.reason === "changed_since" && r.version !== r.decision.version
  ? t("{name} was changed by somebody else meanwhile: what you decided is not stored.", { name: r.it.name ?? r.it.id }) : r.message;

/** Does it belong in the list still? What is not known is shown as what could not be fetched. */
const isCase = (it, known) => !known || it.linked || known.dict_id === null;

/** The opposite of a decision. What was said not to be the one that it was mapped to is mapped to it again. */
function opposite({ known, decision }) {
  const { dict_id } = decision;
  if (decision.decide === "undo_not_same") return { decide: "not_same", dict_id };
  if (decision.decide !== "not_same") return { decide: "undo" };
  return { decide: known.dict_id === dict_id ? "map" : "undo_not_same", dict_id };
}

/** Is it about the decision? Else the same can be asked again. */
const isAnswer = e => e instanceof ApiError && e.status < 500 && ![403, 429].includes(e.status);

/** Is it no case any more, as the feed of changes has it? */
const isClosed = change => change.what.some(what => what === "mapped" || what === "deleted");

export class Decisions {
  #undoable = [];                   // what was decided here, the last at the end: { label, batch, results, skipped, sent }
  /** How a decision of this page left a case, by key: { version, dict_id, before: the dict_id of the one before it }. */
  #own = new Map();
  #inFlight = new Map();            // by key: the promise of an answer about it
  #undoing = Promise.resolve();
  #comparing = Promise.resolve();
  #resolving = false;               // what is selected is being fetched

  /**
   * @param server  { decide(decisions), batchUndo(batch), caseOf(it) }: promises, of curate.js
   * @param cases   Cases
   * @param list    the Queue, of which it uses current, picked, selected, remove(), putBack()
   * @param page    { mayDecide(), onHold(), shownKey(), shownCase(): [{ it, known }] or [], redraw(), byItself(change), say(text, bad),
   *                showError(e), patiently(promise), decided(n): how many more, or less, were }
   * @param wait    (ms) => a promise
   */
  constructor({ server, cases, list, page, wait }) {
    Object.assign(this, { server, cases, list, page, wait });
  }

  /* ---- what a key or a button decides ---- */

  /** The case that can be seen is its candidate at this place. */
  mapTo(at) {
    return this.#submit(MAPPED, this.page.shownCase(), ({ candidates }) => candidates[at] && { decide: "map", dict_id: candidates[at].id });
  }

  mapToRecord(dict_id) {
    return this.#submit(MAPPED, this.page.shownCase(), () => ({ decide: "map", dict_id }));
  }

  /** Each of the selected is the candidate that the list has named. */
  async mapEach() {
    if (this.list.picked.size === 0) return this.mapTo(0);
    const selected = await this.#selected((it, { candidates: [first] }) => first && first.id === it.best?.id);
    const decisionOf = ({ candidates: [first] }) => ({ decide: "map", dict_id: first.id });
    return selected && this.#submit(EACH_MAPPED, selected.list, decisionOf, selected.skipped);
  }

  /** The case that can be seen is its first candidate, and so is each that is called the same, has the same one, and is as likely. The
   * server checks that too. */
  async mapAlike() {
    const { page } = this, [shown] = page.shownCase(), first = shown?.known.candidates[0];
    if (!first) return this.mapTo(0);
    const { items } = await page.patiently(this.server.alikeOf(shown.it));
    if (page.shownKey() !== keyOf(shown.it)) return page.say(t("The case has changed. Look again."));
    const same = items.filter(it => it.best?.id === first.id), own = same.find(it => keyOf(it) === keyOf(shown.it))?.best.probability;
    const unknown = shown.it.kind === "hotel" ? 1 : 0; // other kinds have no probability
    const above = Math.min(Math.floor((own ?? unknown) * 100) / 100, SURE), others = same.filter(it => keyOf(it) !== keyOf(shown.it));
    const clear = others.filter(it => !it.reason.startsWith("veto_")), likely = clear.filter(it => (it.best.probability ?? 0) >= above);
    const leftOut = [
      clear.length < others.length ? t("{n} left out: something contradicts them.", { n: others.length - clear.length }) : "",
      likely.length < clear.length ? t("{n} left out: less likely than {percent} %.",
        { n: clear.length - likely.length, percent: Math.round(above * 100) }) : ""].filter(Boolean).join(" ");
    const unseen = likely.map(it => ({ it, known: { version: it.version, dict_id: null, candidates: [], suggestion: null, above } }));
    return this.#submit(ALIKE_MAPPED, [shown, ...unseen], known => ({ decide: "map", dict_id: first.id,
      ...(known.above === undefined ? {} : { above: known.above }) }), 0, leftOut);
  }

  /** Many were accepted at once: they are undone together. */
  accepted({ batch }) {
    if (batch) this.#undoable.push({ label: ACCEPTED, batch, results: [], skipped: 0, sent: Promise.resolve(), whole: true });
  }

  refuse(at) {
    return this.#submit(NOT_SAME, this.page.shownCase(),
      ({ candidates }) => candidates[at] && { decide: "not_same", dict_id: candidates[at].id });
  }

  /** That it is not this one was a mistake. */
  unrefuse(dict_id) {
    return this.#submit(MAYBE_SAME, this.page.shownCase(), () => ({ decide: "undo_not_same", dict_id }));
  }

  /** The country that the supplier's record names is this one of the reference: for all that name it. */
  countryIs(dict_id) {
    return this.#submit(COUNTRY, this.page.shownCase(), () => ({ decide: "country", dict_id }));
  }

  /** Make a record. If another of that name is nearby, that one is shown first. */
  makeRecord() {
    return this.#submit(NEW, this.page.shownCase(), ({ nearby }) => ({ decide: "new", ...(nearby ? {} : { alone: true }) }));
  }

  /** Make a record of each selected case. */
  async makeRecords() {
    if (this.list.picked.size === 0) return this.makeRecord();
    const selected = await this.#selected(() => true);
    return selected && this.#submit(NEW, selected.list, () => ({ decide: "new", alone: true }), selected.skipped);
  }

  /** The selection, as far as it is as the list says, and still selected; else the visible case. Undefined: nothing, and the
   * page says why. @param matches  (it, known) => is it what the list says? @returns { list, skipped } */
  async #selected(matches) {
    const { page, list: { picked, selected } } = this;
    if (picked.size === 0) return { list: page.shownCase(), skipped: 0 };
    if (this.#resolving) return void page.say(t("What is selected is still being looked at. Escape stops that."));
    this.#resolving = true;
    const all = await page.patiently(this.#known(selected)).finally(() => { this.#resolving = false });
    if (picked !== this.list.picked) return void page.say(t("What was selected no longer is: nothing of it was decided."));
    const still = all.filter(({ it }) => picked.has(keyOf(it)));
    const list = still.filter(({ it, known }) => known && known.version === it.version && matches(it, known));
    return { list, skipped: still.length - list.length };
  }

  /* ---- sending: the next case is shown at once; what is refused comes back ---- */

  /** @param decisionOf  (known) => { decide, ... }, or nothing @param skipped  how many of the selected are left out
   * @param leftOut  what else is left out, and why, as a text */
  async #submit(label, list, decisionOf, skipped = 0, leftOut = "") {
    const { page } = this;
    if (!page.mayDecide()) return page.say(t("Your role is viewer: you can look, and not decide."), true);
    if (page.onHold()) return page.say(t("The list has just moved. Look again."));
    const overtaken = list.filter(({ it, known }) => known.dict_id !== null && !it.linked).map(({ it }) => it);
    if (overtaken.length > 0) {
      page.byItself(() => this.list.remove(overtaken));
      return page.say(t("Somebody else has decided this. Look again."), true);
    }
    const decisions = list.flatMap(({ it, known }) => {
      const one = decisionOf(known);
      return one ? [{ it, known, decision: { adapter_id: it.adapter_id, kind: it.kind, id: it.id, version: known.version, ...one } }] : [];
    });
    if (list.length === 0 && skipped === 0) return; // it is not drawn yet
    if (decisions.length === 0)
      return page.say(skipped > 0 ? t("What is selected has changed. Look at it again.") : t("There is nothing to decide so."), true);
    page.say("");
    const keepsCase = KEEPS_CASE.includes(label);
    if (!keepsCase) this.list.remove(decisions.map(d => d.it));
    const entry = { label, batch: null, results: [], skipped, leftOut };
    entry.sent = this.#during(decisions, this.#send(entry, decisions, keepsCase));
    if (this.#undoable.push(entry) > UNDOS) this.#undoable.shift(); // a day has thousands
    return entry.sent;
  }

  /** Until the job has ended, changes of these cases wait: they may be of the job itself. @returns the job */
  #during(decisions, job) {
    const keys = decisions.map(({ it }) => keyOf(it)), inFlight = this.#inFlight;
    const end = () => { for (const key of keys) if (inFlight.get(key) === job) inFlight.delete(key) };
    for (const key of keys) inFlight.set(key, job);
    job.then(end, end);
    return job;
  }

  async #send(entry, decisions, keepsCase) {
    try {
      await this.#applyAnswer(entry, decisions, await this.server.decide(decisions.map(d => d.decision)), keepsCase);
    } catch (e) {
      if (!keepsCase) this.#putBack(decisions.map(d => d.it));
      this.page.showError(e);
    }
    if (entry.results.length === 0 && this.#undoable.includes(entry)) this.#undoable.splice(this.#undoable.indexOf(entry), 1);
  }

  #applyAnswer(entry, decisions, { batch, items }, keepsCase) {
    const { page } = this, results = decisions.map((d, i) => ({ ...d, ...items[i] }));
    const refused = results.filter(r => r.result === "refused"), decided = results.filter(r => r.result === "done");
    for (const { it } of results) this.cases.drop(it);
    for (const r of results) if (r.result !== "refused") this.#keepOwn(r.it, { version: r.version, dict_id: r.is });
    page.decided?.(looked(decided));
    Object.assign(entry, { batch, results: decided, whole: [NEW, COUNTRY].includes(entry.label) || decided.length > 1 });
    if (keepsCase) page.redraw();
    if (entry.label === NOT_SAME && decided.some(d => d.was !== null && d.is === null)) this.#awaitCandidates(decided[0]);
    if (refused.length > 0) {
      const near = refused.filter(r => r.nearby).length;
      page.say(near > 1 ? t("{n} are not made yet: something else of their name is nearby. Look at each.", { n: near })
        : refusalText(refused[0]), true);
      return keepsCase ? undefined : this.#comeBack(refused);
    }
    if (decided.length === 0) return page.say(t("It was so already: {what}.", { what: entry.label }));
    const rest = entry.leftOut ? ` ${entry.leftOut}` : entry.skipped > 0
      ? ` ${t("{skipped} of the selected left: they have changed, or have no such candidate.", { skipped: entry.skipped })}` : "";
    const one = decided.length === 1, what = one ? t("Decided") : t("{n} decided", { n: decided.length });
    page.say(`${what}: ${entry.label}.${one && decided[0].it.name ? ` ${decided[0].it.name}.` : ""}${rest} ${t("Press u to undo.")}`);
  }

  /** A record that was mapped is a case again: the matcher looks for its candidates within a second or so. */
  async #awaitCandidates({ it }) {
    for (let tries = 0; tries < LOOKS; tries++) {
      await this.wait(LOOK_EACH);
      const known = await this.server.caseOf(it).catch(() => null);
      if (known && known.candidates.length === 0) continue;
      this.cases.drop(it);
      if (this.page.shownKey() === keyOf(it)) this.page.redraw();
      return;
    }
  }

  #putBack(list, select = true) {
    if (list.length > 0) this.page.byItself(() => this.list.putBack(list, select));
  }

  /** Each with what is known of it now; null: it could not be fetched. */
  #known(list) {
    return Promise.all(list.map(async it => ({ it, known: await this.cases.get(it).catch(() => null) })));
  }

  /** Somebody was faster: it comes back only if it is still a case. */
  async #comeBack(refused) {
    const now = await this.#known(refused.map(r => r.it));
    refused.forEach(({ nearby }, i) => {
      const { it, known } = now[i];
      if (nearby && known) this.cases.set(it, { ...known, nearby });
    });
    this.#putBack(now.filter(({ it, known }) => isCase(it, known)).map(({ it }) => it));
  }

  /* ---- undo ---- */

  /** The last decision; one after the other, because each undo depends on the state before it. */
  undo() {
    this.#undoing = this.#undoing.then(() => this.#undoLast()).catch(e => this.page.showError(e));
    return this.#undoing;
  }

  async #undoLast() {
    const entry = this.#undoable.pop();
    if (!entry) return this.page.say(t("There is nothing of yours to undo on this page."));
    const shownBefore = this.list.current;
    await entry.sent; // it may still be on its way
    if (entry.results.length === 0 && !entry.whole) return; // the page has said why
    await this.#during(entry.results, this.#undoEntry(entry, shownBefore));
  }

  async #undoEntry(entry, shownBefore) {
    const { list, page } = this;
    let answer;
    try {
      answer = await this.#takeBack(entry);
    } catch (e) {
      if (!isAnswer(e)) this.#undoable.push(entry);
      return page.showError(e);
    }
    page.decided?.(-looked(answer.back));
    const { back, refusal } = answer, now = await Promise.all(back.map(d => this.#asBefore(d).catch(() => null)));
    back.forEach((d, i) => this.#restored(entry, d, now[i]));
    const select = list.current === shownBefore || back.some(d => keyOf(d.it) === page.shownKey());
    this.#putBack(back.filter(({ it }, i) => isCase(it, now[i])).map(({ it }) => it), select);
    page.say(refusal || t("Undone: {what}.", { what: entry.label }), Boolean(refusal));
  }

  /** A record that was made goes with its mapping, and several decisions are one batch for everybody: the batch is undone. @returns { back,
   * refusal } */
  async #takeBack({ batch, results, whole }) {
    if (whole) {
      const { kept } = await this.server.batchUndo(batch);
      return { back: results, refusal: kept > 0 ? t("Something of it was changed since, and stays.") : "" };
    }
    const { items } = await this.server.decide(results.map(d =>
      ({ ...opposite(d), adapter_id: d.it.adapter_id, kind: d.it.kind, id: d.it.id, version: d.version })));
    results.forEach((d, i) => { if (items[i].result !== "refused") this.#rebase(d, items[i].version) });
    const back = results.map((d, i) => ({ ...d, ...items[i] })).filter(d => d.result !== "refused");
    return { back, refusal: items.find(i => i.result === "refused")?.message };
  }

  /** A case is as it was before a decision: earlier decisions here can be undone too. */
  #rebase({ it, decision }, version) {
    for (const d of this.#undoable.flatMap(entry => entry.results))
      if (keyOf(d.it) === keyOf(it) && d.version === decision.version) d.version = version;
  }

  /** As it is now, with the candidates of before: the matcher's are gone with the decision. */
  async #asBefore({ it, known }) {
    let now;
    for (let tries = 0; tries < TRIES; tries++) { // an undone batch is seen a moment later
      this.cases.drop(it);
      now = await this.cases.get(it);
      if (now.dict_id === known.dict_id) break;
      await this.wait(PAUSE);
    }
    const { candidates, suggestion } = known;
    return now.dict_id === null && now.candidates.length === 0 ? { ...now, candidates, suggestion } : now;
  }

  /** @param now  as it is; null if it could not be fetched */
  #restored(entry, d, now) {
    if (now) this.cases.set(d.it, now);
    if (now || !entry.whole) this.#keepOwn(d.it, now ?? { version: d.version, dict_id: d.is });
    else this.#own.delete(keyOf(d.it));
    if (entry.whole && now) this.#rebase(d, now.version);
  }

  /* ---- what others do ---- */

  #keepOwn(it, { version, dict_id }) {
    const key = keyOf(it), own = this.#own, before = own.get(key)?.dict_id;
    own.delete(key); // to the end
    own.set(key, { version, dict_id: dict_id ?? null, before });
    if (own.size > OWN) own.delete(own.keys().next().value);
  }

  /** The feed tells of a change of a supplier's record, by this page or by others. @returns when it is taken in */
  async changed(change) {
    const key = keyOf(change);
    if (!this.#own.has(key) && !this.#inFlight.has(key)) return this.#applyChange(change, isClosed(change));
    this.#comparing = this.#comparing.then(() => this.#compare(change)).catch(e => this.page.showError(e));
    return this.#comparing;
  }

  /** It was decided here too. If the case is not as this page left it, somebody else has changed it. The feed can be late, so the case is
   * fetched. */
  async #compare(change) {
    const key = keyOf(change);
    await this.#inFlight.get(key)?.catch(() => {});
    const own = this.#own.get(key), { current } = this.list;
    if (!own) return this.#applyChange(change, isClosed(change));
    const isKept = this.cases.has(change) || (current && keyOf(current) === key); // else it is fetched when it is shown
    if (!isKept && own.dict_id === (change.dict?.id ?? null)) return;
    const known = await this.server.caseOf(change).catch(() => null);
    if (this.#inFlight.has(key) || this.#own.get(key) !== own) return this.#compare(change); // and decided here again meanwhile
    if (known?.version === own.version || (!known && (change.dict?.id ?? null) === own.before)) return; // or one's own decision, told late
    this.#applyChange(change, known ? known.dict_id !== null : isClosed(change));
  }

  #applyChange(it, closed) {
    const { list, page } = this, isCurrent = list.current && keyOf(list.current) === keyOf(it);
    this.cases.drop(it);
    if (closed && isCurrent) {
      page.byItself(() => list.remove([it]));
      page.say(t("What you looked at has just been decided by somebody else. This is the next case."));
    } else if (closed) list.remove([it]);
    else if (isCurrent) page.byItself(() => page.redraw());
  }
}
