// The airport box: suggestions of /v1/avia/reference with each keystroke.
import { ask } from "./api.js";
import { combobox } from "./combobox.js";
import { $, make, name } from "./dom.js";
import { errorText, lang, t } from "./words.js";

const LIMIT = 8;

const badge = place => make("span", `badge ${place.type === "city" ? "city" : ""}`, place.code ?? "");
const where = place => [place.city?.title, place.country?.title].filter(Boolean).join(", ");

async function find(text, signal) {
  if (!text) return null;
  const query = new URLSearchParams({ search: text.slice(0, 200), limit: LIMIT, lang: lang() });
  try {
    return (await ask(`v1/avia/reference?${query}`, { signal })).items;
  } catch (e) {
    if (e.name !== "AbortError") $("#air-said").textContent = errorText(e);
    throw e;
  }
}

function pick(place) {
  const box = $("#air-chosen"), at = place.coordinates;
  box.replaceChildren(badge(place), name(place.title), name(where(place), "soft"));
  if (at) box.append(make("span", "soft number", `${at.lat.toFixed(3)}, ${at.lng.toFixed(3)}`));
  box.hidden = false;
}

export function startAirports() {
  combobox($("#air"), {
    find,
    pick,
    fill: place => [badge(place), name(place.title), name(where(place), "soft")],
    text: place => place.title,
    none: () => t("airNone"),
    drawn(ms, n) {
      performance.measure("keystroke", { start: performance.now() - ms, duration: ms });
      $("#air-said").textContent = t("airSaid", { n, ms: ms.toFixed(0) });
    },
  });
}
