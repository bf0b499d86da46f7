// New records: what several suppliers have and the reference has not; what is ticked is made (docs/workbench.md).
import { patiently, say, showError } from "./bench.js";
import { proposalsOf, takeBack } from "./curate.js";
import { $, make, name } from "./dom.js";
import { counts, taken } from "./take-back.js";
import { t } from "./texts.js";

const MOST = 100;
const LACKS = () => ({ country: t("Its country is not known."), city: t("Its city is not known."),
  category: t("Its category is not known.") });
let items = [], total = 0, busy = false;

const cell = value => `"${String(value).replaceAll('"', '""')}"`;

/** The file that makes them: as `dragoman match new` writes it, with its decisions. */
export function fileOf(chosen) {
  const rows = chosen.flatMap((it, i) => it.members.map(m => [i + 1, m.adapter_id, "hotel", m.id, "new"]));
  return [["cluster", "adapter_id", "kind", "id", "decision"], ...rows].map(line => line.map(cell).join(",")).join("\r\n");
}

function proposalBox(it, i) {
  const tick = Object.assign(make("input"), { type: "checkbox", value: String(i), disabled: Boolean(it.lacks) });
  const where = [it.city?.name, it.country?.name].filter(Boolean).join(", ");
  const members = it.members.map(m => make("li", "", name(m.adapter ?? String(m.adapter_id)), ": ", name(m.name), " ",
    make("code", "", m.id), m.city ? ", " : "", m.city ? name(m.city) : ""));
  return make("div", "proposal", make("label", "", tick, make("b", "", name(it.name)), where ? name(where, "soft") : "",
    it.category ? name(it.category.name, "soft") : ""), it.lacks ? make("p", "soft", LACKS()[it.lacks]) : "", make("ul", "", ...members));
}

function paint() {
  const make_ = make("button", "", t("See what would be made")), all = make("button", "plain", t("Tick all"));
  for (const box of [make_, all]) box.type = "button";
  const ticks = () => [...$("#proposed").querySelectorAll("input[type=checkbox]:not(:disabled)")];
  all.addEventListener("click", () => ticks().forEach(tick => { tick.checked = true }));
  make_.addEventListener("click", () => create(ticks().filter(tick => tick.checked).map(tick => items[tick.value]), true));
  $("#proposed").replaceChildren(make("p", "soft",
    t("{n} is proposed.|{n} are proposed; those of most suppliers come first.", { n: total })),
    make("div", "", ...items.map(proposalBox)), items.length ? make("div", "acts", all, make_) : "");
}

async function look() {
  if (busy) return;
  busy = true;
  try {
    const found = await patiently(proposalsOf(MOST));
    ({ items, total } = found);
    paint();
    $("#proposed").focus();
  } catch (e) {
    showError(e);
  } finally {
    busy = false;
  }
}

/** Preview the records that would be made. */
function paintLook(d, chosen) {
  const go = make("button", "", t("Make them")), back = make("button", "plain", t("Choose others"));
  for (const box of [go, back]) box.type = "button";
  go.disabled = d.made === 0;
  go.addEventListener("click", () => create(chosen, false));
  back.addEventListener("click", () => {
    paint();
    $("#proposed").focus();
  });
  $("#proposed").replaceChildren(...taken(d), make("div", "acts", go, back));
}

async function create(chosen, dry) {
  if (busy) return;
  if (chosen.length === 0) return say(t("Tick one first."), true);
  busy = true;
  try {
    const d = await patiently(takeBack({ of: "new", file: "proposals.csv", dry_run: dry ? 1 : "" }, new Blob([fileOf(chosen)])));
    if (dry) paintLook(d, chosen);
    else $("#proposed").replaceChildren(...taken(d));
    $("#proposed").focus();
    say(dry ? "" : counts(d));
  } catch (e) {
    showError(e);
  } finally {
    busy = false;
  }
}

export function startProposals() {
  $("#proposing").hidden = false;
  $("#new-look").addEventListener("click", look);
}
