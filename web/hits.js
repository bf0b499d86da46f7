// Records of the reference that a search has found: as a line, and as the suggestions of a field.
import { showError } from "./bench.js";
import { combobox } from "./combobox.js";
import { referenceOf, searchReference } from "./curate.js";
import { marked } from "./differ.js";
import { name } from "./dom.js";
import { t } from "./texts.js";

const SETTLED = 150, SHOWN = 9, SOUGHT = 40;

/** The record with this number, if a number it is. */
export async function byNumber(kind, text, signal) {
  if (!kind || !/^-?\d{1,15}$/.test(text)) return [];
  const found = await referenceOf({ kind, id: text }, signal).catch(() => null);
  return found ? [found] : [];
}

export const placeOf = r => [r.city?.name, r.country?.name, r.hotel_category?.name].filter(Boolean).join(" · ");

/** @param beside  the name that it is compared with: what differs is marked; may be left out. */
export function hitLine(hit, beside) {
  const named = hit.found && hit.found !== hit.name ? `${hit.found} · ` : "";
  return [beside ? marked(hit.name, beside) : name(hit.name),
    name(`${named}${[placeOf(hit), hit.id].filter(Boolean).join(" · ")}`, "soft")];
}

/**
 * A field with suggestions. Enter or a click chooses one only if it could be seen: not while another answer is on its way, and not when it
 * has come this moment. So long the list is busy to readers of the screen too.
 * @param search  (text, signal) => a promise of what is suggested.
 * @param hasty  () is told of one that came too early.
 */
export function searchBox(box, { search, hasty, ...rest }) {
  const list = box.querySelector("ul");
  let settling = 0;
  const busy = is => list.setAttribute("aria-busy", is);
  async function find(text, signal) {
    clearTimeout(settling);
    if (text === "") return null;
    busy(true);
    try {
      return await search(text, signal);
    } catch (e) {
      if (e.name === "AbortError") throw e;
      showError(e);
      return null;
    }
  }
  function ready() {
    const is = list.getAttribute("aria-busy") === "false";
    if (!is) hasty();
    return is;
  }
  return combobox(box, { ...rest, find, ready, drawn() { settling = setTimeout(busy, SETTLED, false) } });
}

/**
 * A box that finds records of the reference.
 * @param about  () => { kind, beside, without, near }: what is looked for, a name to compare with, an id that is left out, a country that
 *   comes first.
 */
export function hitBox(box, { about, pick, hasty }) {
  async function search(text, signal) {
    const { kind, without, near } = about();
    const named = searchReference({ q: text, kind, limit: near ? SOUGHT : SHOWN + 1 }, signal);
    const [{ items }, numbered] = await Promise.all([named, byNumber(kind, text, signal)]);
    const others = [...numbered, ...items].filter(hit => hit.id !== without);
    const isNear = hit => hit.country?.id === near;
    return (near ? [...others.filter(isNear), ...others.filter(hit => !isNear(hit))] : others).slice(0, SHOWN);
  }
  return searchBox(box, { search, hasty, pick, fill: hit => hitLine(hit, about().beside), text: hit => hit.name,
    none: () => t("Nothing in the reference is called so.") });
}
