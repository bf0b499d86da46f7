// An audit: a sample of what the matcher mapped is judged, one after the other (docs/workbench.md).
import { oneAtATime, patiently, say, showError, stayed } from "./bench.js";
import { caseLink } from "./case.js";
import { agreement, auditSample, decide, precisionOf } from "./curate.js";
import { $, make, name } from "./dom.js";
import { inWords } from "./evidence.js";
import { hitBox } from "./hits.js";
import { KINDS } from "./kinds.js";
import { ApiError } from "./session.js";
import { row, table } from "./tables.js";
import { number, t } from "./texts.js";

const MONTHS = 12;
let items = [], at = 0, judged = 0, mayJudge = false;
let done = [];                      // what was judged here, the last at the end: { place, version }

const one = oneAtATime();
const ACTS = { y: () => one(() => judge("right")), n: () => one(() => judge("wrong")), s: () => one(next), u: () => one(takeBack),
  "/": () => $("#right-input").select() }; // by key
const current = () => items[at] ?? null;
const place = it => [it.city?.name, it.country?.name].filter(Boolean).join(", ");
const near = r => (r.lat === undefined || r.lng === undefined ? "" : `${r.lat}, ${r.lng}`);

/** The names and places of both, side by side. */
export function pairRows(it) {
  const { record, dict } = it;
  const metres = it.metres === null ? "" : t("{metres} m apart", { metres: it.metres });
  return [
    [t("Name"), record.name ?? "", dict.name ?? ""],
    [t("Place"), [record.city_name, record.country_name].filter(Boolean).join(", "), place(dict)],
    [t("Category"), record.category_name ?? "", dict.hotel_category?.name ?? ""],
    [t("Address"), record.address ?? "", dict.record.address ?? ""],
    [t("Coordinates"), near(record), [near(dict.record), metres].filter(Boolean).join(" · ")],
  ].filter(([, one, other]) => one || other);
}

const JUDGING = [["y", t("It is right")], ["n", t("It is wrong")], ["s", t("Skip it")]];

function acts(which) {
  const box = make("div", "acts");
  for (const [key, text] of [...which, ...(done.length > 0 ? [["u", t("Take the last one back")]] : [])]) {
    const button = make("button", key === "y" ? "" : "plain", text, " ", make("kbd", "", key));
    button.type = "button";
    button.addEventListener("click", ACTS[key]);
    box.append(button);
  }
  return box;
}

function paint() {
  const it = current(), box = $("#sample"), stays = stayed(box);
  $("#right").hidden = !it || !mayJudge;
  if (!it) {
    box.replaceChildren(items.length ? make("p", "note", t("{judged} of {all} are judged. Draw another sample, or look at what they tell.",
      { judged, all: items.length })) : make("p", "soft", t("Nothing is left to be judged.")), acts([]));
    if (stays) box.focus();
    return;
  }
  const reference = make("a", "", String(it.dict.id));
  reference.href = `reference?${new URLSearchParams({ record: `${it.kind}/${it.dict.id}` })}`;
  const rows = pairRows(it).map(([what, one, other]) => {
    const head = make("th", "", what);
    head.scope = "row";
    return make("tr", "", head, make("td", "", name(one)), make("td", "", name(other)));
  });
  const pair = table(["", it.adapter ?? String(it.adapter_id), t("Reference")], [
    make("tr", "", make("td", ""), make("td", "", caseLink(it, "../workbench")), make("td", "", reference)), ...rows]);
  pair.className = "pair";
  box.replaceChildren(make("p", "soft number", t("{at} of {all}", { at: at + 1, all: items.length })), pair,
    it.explanation ? make("p", "soft", inWords(it.explanation)) : "", mayJudge ? acts(JUDGING) : "");
  if (stays) box.focus();
}

function next() {
  at++;
  paint();
  if (!current()) showPrecision().catch(showError);
}

/** @param into  the right one, where it is known */
async function judge(what, into) {
  const it = current();
  if (!it) return;
  try {
    const { adapter_id, kind, id, version, dict } = it;
    const { items: [is] } = await decide([{ decide: what, adapter_id, kind, id, version, dict_id: dict.id, ...(into && { into }) }]);
    if (is.result === "refused") say(is.message, true);
    else judged++;
    if (is.result === "done") done.push({ place: at, version: is.version });
    next();
  } catch (e) {
    showError(e);
  }
}

/** The last judgement was a mistake: it is as it was, and shown again. */
async function takeBack() {
  const last = done.pop();
  if (!last) return say(t("There is nothing of yours to undo on this page."));
  try {
    const it = items[last.place], { adapter_id, kind, id } = it;
    const { items: [is] } = await decide([{ decide: "undo", adapter_id, kind, id, version: last.version }]);
    if (is.result === "refused") return say(is.message, true);
    judged--;
    it.version = is.version;
    at = last.place;
    paint();
    say(t("Undone: judge it again."));
    await showPrecision();
  } catch (e) {
    if (!(e instanceof ApiError)) done.push(last); // it did not come to it
    showError(e);
  }
}

/** The right one is found in the reference. */
function startFinding() {
  const finder = hitBox($("#right"), {
    about() {
      const { kind, record, dict } = current();
      return { kind, beside: record.name, without: dict.id, near: dict.country?.id };
    },
    hasty: () => say(t("The list has just changed. Look again.")),
    pick(hit) {
      $("#sample").focus();
      finder.clear();
      one(() => judge("wrong", hit.id));
    },
  });
  $("#right").addEventListener("keydown", event => event.key === "Escape" && $("#sample").focus());
}

async function draw(form) {
  try {
    const values = Object.fromEntries(new FormData(form));
    ({ items } = await patiently(auditSample(values)));
    [at, judged, done] = [0, 0, []];
    paint();
    $("#sample").focus();
  } catch (e) {
    showError(e);
  }
}

const percent = share => `${number(Math.round(share * 1000) / 10)} %`;

async function showPrecision() {
  const { items: list } = await precisionOf({});
  const kind = it => (it.kind === "all" ? t("All") : KINDS[it.kind] ?? it.kind);
  const rows = list.map(it => row(kind(it), [number(it.judged), "number"], [number(it.right), "number"], [percent(it.precision), "number"],
    [`${percent(it.from)} – ${percent(it.to)}`, "number"]));
  $("#precision").replaceChildren(list.length ? table([t("Kind"), t("Judged"), t("Right"), t("Share"), t("With 95 % between")], rows)
    : make("p", "soft", t("Nothing was judged yet.")));
}

/** The sums of all suppliers, the newest month first. */
export function monthly(list) {
  const months = new Map();
  for (const { month, kind, automatic, asked, people, overruled } of list) {
    const sum = months.get(`${month} ${kind}`) ?? { month, kind, automatic: 0, asked: 0, people: 0, overruled: 0 };
    for (const [what, n] of Object.entries({ automatic, asked, people, overruled })) sum[what] += n;
    months.set(`${month} ${kind}`, sum);
  }
  return [...months.values()].sort((a, b) => b.month.localeCompare(a.month) || a.kind.localeCompare(b.kind));
}

async function showMonths() {
  const since = new Date();
  since.setUTCMonth(since.getUTCMonth() - MONTHS + 1, 1);
  const { items: list } = await agreement({ since: since.toISOString().slice(0, 10), limit: 5000 });
  const rows = monthly(list).map(m => row(m.month, KINDS[m.kind] ?? m.kind,
    ...["automatic", "asked", "people", "overruled"].map(what => [number(m[what]), "number"])));
  const titles = [t("Month"), t("Kind"), t("Mapped by the matcher"), t("Asked"), t("Decided by people"), t("Against the matcher")];
  $("#months").replaceChildren(rows.length ? table(titles, rows) : make("p", "soft", t("Nothing was matched yet.")));
}

/** Keys of the sample; nothing where there is none. */
export const auditKey = key => (mayJudge && (current() || (key === "u" && items.length > 0)) ? ACTS[key] : null);

export async function startAudit(canJudge) {
  mayJudge = canJudge;
  startFinding();
  $("#draw").addEventListener("submit", event => {
    event.preventDefault();
    one(() => draw(event.target));
  });
  await Promise.all([showPrecision(), showMonths()]);
}
