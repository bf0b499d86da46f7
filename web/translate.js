// The panel "translate": ids of a supplier, its records and the reference's side by side.
import { ask } from "./api.js";
import { $, make, name } from "./dom.js";
import { errorText, KINDS, lang, number, t } from "./words.js";
import { canShow, shownSearch } from "./search.js";

const AROUND = 60;

const idsTyped = () => $("#ids").value.split(/[,;\n\t]/).map(id => id.trim()).filter(Boolean);
const stateOf = item => (item.dict ? "mapped" : item.source ? "open" : "unknown");

/** Beneath a name what else is known: place, country, category. */
function more(record) {
  const parts = [record.category_title ?? record.category_name, record.city_title ?? record.city_name,
    record.country_title ?? record.country_name, record.description, record.iso_code];
  const there = parts.filter(Boolean);
  return there.length ? make("div", "soft", name(there.join(" · "))) : null;
}

function cell(record, id) {
  if (!record) return make("td", "soft", "—");
  return make("td", "", name(record.name ?? record.title), id, more(record));
}

function row(item) {
  const state = stateOf(item);
  const id = item.dict && make("code", "soft", `#${item.dict.id}`);
  return make("tr", "", make("td", "", make("code", "", name(item.id))), cell(item.source), cell(item.dict, id),
    make("td", "", make("span", `mark ${state}`, t(state))));
}

function show(items, ms) {
  const tally = { mapped: 0, open: 0, unknown: 0 };
  for (const item of items) tally[stateOf(item)]++;
  $("#pairs tbody").replaceChildren(...items.map(row));
  $("#pairs-scroll").hidden = !items.length;
  $("#translate-said").textContent = t("translated", {
    n: number(items.length), ms: ms.toFixed(1), mapped: number(tally.mapped), open: number(tally.open), unknown: number(tally.unknown) });
}

const info = (kind, ids) => ask(`v1/tour/sourceInfo?${new URLSearchParams({ adapter_id: $("#supplier").value, lang: lang() })}`,
  { body: { [kind]: ids } });

async function guarded(job) {
  $("#translate-trouble").hidden = true;
  try {
    await job();
  } catch (e) {
    $("#translate-trouble").textContent = errorText(e);
    $("#translate-trouble").hidden = false;
    $("#translate-said").textContent = "";
  }
}

let asking = null; // the last request; an older one that is slow shows nothing

async function translate() {
  const ids = idsTyped(), kind = $("#kind").value;
  if (!ids.length) {
    $("#translate-said").textContent = t("noIds");
    $("#ids").focus();
    return;
  }
  $("#translate-said").textContent = t("asking");
  const began = performance.now();
  const ticket = asking = {};
  const items = (await info(kind, ids))[kind] ?? [];
  if (ticket === asking) show(items, performance.now() - began);
}

/** Some ids of this supplier that stand for hotels shown above, others near them that are not mapped, and one that does not exist. */
async function example() {
  if (!canShow()) return;
  const adapter = $("#supplier").value;
  const data = await ask("v1/tour/sourceData", { body: { adapter_id: Number(adapter), ...shownSearch() } });
  const mapped = (data.hotel ?? []).map(h => String(h.orig_id)).slice(0, 4);
  const behind = id => Array.from({ length: AROUND }, (_, i) => String(Number(id) + i + 1).padStart(id.length, "0"));
  const near = mapped.filter(id => /^\d{1,9}$/.test(id)).flatMap(behind);
  const open = near.length ? (await info("hotel", [...new Set(near)])).hotel.filter(h => h.source && !h.dict).map(h => h.id) : [];
  $("#kind").value = "hotel";
  $("#ids").value = [...mapped, ...open.slice(0, 2), "no-such-id"].join(", ");
  await translate();
}

export function loadTranslate() {
  const chosen = $("#kind").value;
  $("#kind").replaceChildren(...KINDS.map(k => new Option(t(`kind_${k}`), k, false, k === chosen)));
  $("#pairs-scroll").hidden = true;
  $("#translate-said").textContent = "";
}

export function startTranslate() {
  const select = $("#supplier");
  let own = false; // chosen by the visitor; until then it is one that serves the route
  document.addEventListener("suppliers", ({ detail }) => {
    const chosen = select.value;
    select.replaceChildren(...detail.map(o => new Option(o.name, o.id, false, String(o.id) === chosen)));
  });
  document.addEventListener("route", ({ detail }) => {
    if (!own && detail.length) select.value = detail[0].id;
  });
  select.addEventListener("change", () => { own = true });
  $("#translate").addEventListener("submit", event => {
    event.preventDefault();
    guarded(translate);
  });
  $("#example").addEventListener("click", () => guarded(example));
}
