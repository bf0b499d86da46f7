// The tour search: /api/v1/tour/main-references fills the fields, hotel-references answers.
import { ask, flag } from "./api.js";
import { combobox } from "./combobox.js";
import { $, image, make, name } from "./dom.js";
import { errorText, isolated, lang, number, t } from "./words.js";

const PAGE = 18, SLOW_MS = 800;
const KYIV = 703448, TURKEY = 792, EURO = "EUR";

let lists = null, found = null, shown = PAGE, running = null, cityBox, countryBox;
const chosen = { city: null, country: null, place: "", categories: new Set(), meals: new Set(), currency: EURO };

const sorted = (map, key = "name") => {
  const order = new Intl.Collator(lang());
  return Object.values(map).sort((a, b) => order.compare(a[key], b[key]));
};
const fold = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();
/** The records in which every typed word begins a word. */
function matching(all, typed, more = () => "") {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  return all.filter(x => {
    const there = ` ${fold(`${x.name} ${more(x)}`)}`;
    return words.every(w => there.includes(` ${w}`) || there.includes(`-${w}`));
  });
}

/* ---- the fields ---- */

function fillSelect(select, rows, value) {
  select.replaceChildren(...rows.map(([v, text]) => new Option(text, v, false, String(v) === String(value))));
}

function check(group, id, inside, set, after) {
  const box = document.createElement("input");
  Object.assign(box, { type: "checkbox", value: id });
  box.checked = set.has(id);
  box.addEventListener("change", () => {
    if (box.checked) set.add(id);
    else set.delete(id);
    after();
  });
  return make("label", group, box, make("span", "", ...inside));
}

function fillMeals() {
  const rows = sorted(lists.meals).map(meal =>
    check("row", meal.id, [make("b", "", name(meal.name)), name(meal.description ?? "", "soft")], chosen.meals, () => {}));
  $("#meals .rows").replaceChildren(...rows);
}

/** The categories of what was found, and how many hotels each has. */
function fillCategories() {
  const count = new Map();
  for (const hotel of Object.values(found.hotels)) {
    const { id, name: title } = hotel.hotel_category;
    count.set(id, { id, title, n: (count.get(id)?.n ?? 0) + 1 });
  }
  for (const id of chosen.categories) if (!count.has(id)) chosen.categories.delete(id);
  const had = document.activeElement?.closest("#categories .pill")?.querySelector("input").value; // the next key is for it
  const rows = [...count.values()].sort((a, b) => a.title.localeCompare(b.title, lang(), { numeric: true }));
  $("#categories .pills").replaceChildren(...rows.map(c =>
    check("pill", c.id, [name(c.title), make("span", "soft number", number(c.n))], chosen.categories, () => showHotels())));
  $("#categories").hidden = !rows.length;
  if (had) $(`#categories input[value="${CSS.escape(had)}"]`)?.focus();
}

function fillPlaces() {
  const there = new Set(Object.values(found.hotels).map(h => String(h.city_id)));
  const rows = sorted(found.cities, "title").filter(c => there.has(String(c.id)));
  if (!there.has(chosen.place)) chosen.place = "";
  fillSelect($("#place"), [["", t("anywhere")], ...rows.map(c => [c.id, c.title])], chosen.place);
}

function showFlag() {
  const img = $("#to-flag");
  img.hidden = !chosen.country;
  if (chosen.country) img.src = flag(chosen.country.iso_alpha_2);
}

/* ---- what was found ---- */

function hotelItem(hotel) {
  const text = make("div", "", name(hotel.name, "name"), name(found.cities[hotel.city_id]?.title, "soft"));
  return make("li", "", text, name(hotel.hotel_category.name, "cat"));
}

function wanted() {
  const typed = $("#hotel").value;
  const fits = Object.values(found.hotels).filter(h =>
    (!chosen.categories.size || chosen.categories.has(h.hotel_category.id)) && (!chosen.place || String(h.city_id) === chosen.place));
  return sorted(typed ? matching(fits, typed) : fits);
}

function showNone(all) {
  const anything = Object.keys(found.hotels).length > 0;
  $("#none").hidden = all.length > 0;
  $("#none p").textContent = t(anything ? "noneFits" : "noneThere");
  $("#anything").hidden = !anything;
}

function showRoute() {
  const suppliers = sorted(found.operators), names = suppliers.map(o => isolated(o.name));
  document.dispatchEvent(new CustomEvent("route", { detail: suppliers }));
  $("#route").textContent = names.length ? t("route", { names: names.join(", ") }) : t("routeNone");
}

function showHotels() {
  const all = wanted();
  $("#count").textContent = t("hotels", { n: number(all.length) });
  $("#hotels").replaceChildren(...all.slice(0, shown).map(hotelItem));
  $("#more").hidden = all.length <= shown;
  showNone(all);
}

function showTrouble(e, again) {
  const box = $("#trouble"), button = make("button", "plain retry", t("again"));
  button.type = "button";
  button.addEventListener("click", again);
  box.replaceChildren(errorText(e), button);
  box.hidden = false;
}

/** Runs what asks, says so when it takes long, and offers to try again where it fails. */
async function busy(job) {
  running?.abort();
  const controller = (running = new AbortController());
  $("#trouble").hidden = true;
  const slow = setTimeout(() => {
    $("#slow").textContent = t("slow");
    $("#hotels").classList.add("busy");
  }, SLOW_MS);
  try {
    await job(controller.signal);
  } catch (e) {
    if (e.name !== "AbortError") showTrouble(e, () => busy(job));
  } finally {
    clearTimeout(slow);
    if (running === controller) {
      $("#slow").textContent = "";
      $("#hotels").classList.remove("busy");
    }
  }
}

function keepAddress() {
  const query = new URLSearchParams({ lang: lang(), from: chosen.city.id, to: chosen.country.id });
  history.replaceState(null, "", `?${query}`);
}

async function searchHotels(signal) {
  if (!chosen.city || !chosen.country) return;
  const query = new URLSearchParams({ lang: lang(), dep_city: chosen.city.id, country: chosen.country.id });
  found = await ask(`api/v1/tour/hotel-references?${query}`, { signal });
  shown = PAGE;
  keepAddress();
  fillPlaces();
  fillCategories();
  showRoute();
  showHotels();
}

/** The record chosen before, by its id; else that of the address, ours, or the first. */
function keep(all, before, parameter, ours) {
  const asked = Number(new URLSearchParams(location.search).get(parameter));
  const by = id => all.find(x => x.id === id);
  return by(before?.id) ?? by(asked) ?? by(ours) ?? all[0] ?? null;
}

async function loadLists(signal) {
  lists = await ask(`api/v1/tour/main-references?${new URLSearchParams({ lang: lang(), with: "description" })}`, { signal });
  lists.cities = sorted(lists.dep_cities);
  lists.lands = sorted(lists.countries);
  chosen.city = keep(lists.cities, chosen.city, "from", KYIV);
  chosen.country = keep(lists.lands, chosen.country, "to", TURKEY);
  cityBox.set(chosen.city);
  countryBox.set(chosen.country);
  showFlag();
  fillMeals();
  fillSelect($("#currency"), sorted(lists.currencies).map(c => [c.iso_code, `${c.iso_code} · ${c.name}`]), chosen.currency);
  document.dispatchEvent(new CustomEvent("suppliers", { detail: sorted(lists.operators) }));
  if (!chosen.city || !chosen.country) $("#count").textContent = t("noLists");
  await searchHotels(signal);
}

/** With another language, everything is asked for again. */
export const loadSearch = () => busy(loadLists);

/** True if sourceData can show the choice: for the example of the translation. */
export const canShow = () => Boolean(chosen.city && chosen.country);

export const shownSearch = () => ({
  dep_city: chosen.city.id, country: chosen.country.id, hotel: found ? wanted().slice(0, 500).map(h => h.id) : [] });

export function startSearch() {
  const none = () => t("noneCalled");
  cityBox = combobox($("#from"), {
    find: text => matching(lists?.cities ?? [], text, c => c.country.name),
    fill: c => [name(c.name), name(c.country.name, "soft")],
    text: c => c.name,
    none,
    pick(c) { chosen.city = c; busy(searchHotels) },
  });
  countryBox = combobox($("#to"), {
    find: text => matching(lists?.lands ?? [], text, c => c.iso_alpha_2),
    fill: c => [image(flag(c.iso_alpha_2)), name(c.name)],
    text: c => c.name,
    none,
    pick(c) { chosen.country = c; chosen.place = ""; showFlag(); busy(searchHotels) },
  });
  $("#place").addEventListener("change", event => { chosen.place = event.target.value; shown = PAGE; showHotels() });
  $("#currency").addEventListener("change", event => { chosen.currency = event.target.value });
  $("#hotel").addEventListener("input", () => { shown = PAGE; if (found) showHotels() });
  $("#more").addEventListener("click", () => {
    const first = shown;
    shown += PAGE;
    showHotels();
    const item = $("#hotels").children[first];
    item.tabIndex = -1;
    item.focus();
  });
  $("#anything").addEventListener("click", () => {
    chosen.categories.clear();
    chosen.place = $("#hotel").value = "";
    fillPlaces();
    fillCategories();
    showHotels();
    $("#hotel").focus();
  });
}
