// Small tables of texts and elements, and bars of shares.
import { make } from "./dom.js";

/** row("text", [element, "class"], …) */
export function row(...cells) {
  return make("tr", "", ...cells.map(cell => (Array.isArray(cell) ? make("td", cell[1], cell[0]) : make("td", "", cell))));
}

export function table(titles, rows) {
  const cells = titles.map(title => make(title ? "th" : "td", "", title));
  const head = titles.some(Boolean) ? make("thead", "", make("tr", "", ...cells)) : null;
  for (const cell of head?.querySelectorAll("th") ?? []) cell.scope = "col";
  return make("table", "", head, make("tbody", "", ...rows));
}

const SVG = "http://www.w3.org/2000/svg";

function block(look, width) {
  const box = document.createElementNS(SVG, "rect");
  for (const [key, value] of Object.entries({ class: look, width, height: 10, rx: 2 })) box.setAttribute(key, value);
  return box;
}

export function shareBar(part, all) {
  const percent = all > 0 ? (100 * part) / all : 0, box = document.createElementNS(SVG, "svg");
  const attributes = { viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": `${percent.toFixed(1)} %` };
  for (const [key, value] of Object.entries(attributes)) box.setAttribute(key, value);
  box.append(block("all", 100), block("part", percent));
  return box;
}
