// Draws the candidates' places to scale around the case; on a map, if the operator has named one.
import { make } from "./dom.js";
import { t } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
const SIZE = 260, MIDDLE = SIZE / 2, EDGE = 22, METRES_OF_DEGREE = 111320;

function draw(tag, attributes, ...inside) {
  const box = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) box.setAttribute(name, value);
  box.append(...inside);
  return box;
}

/** East and north of the case, in metres. */
function offset(from, to) {
  const east = (to.lng - from.lng) * Math.cos(from.lat * Math.PI / 180) * METRES_OF_DEGREE;
  return { east, north: (to.lat - from.lat) * METRES_OF_DEGREE };
}

/** Metres between two records; undefined where one of them has no coordinates. */
export function apart(from, to) {
  if (typeof from.lat !== "number" || typeof to.lat !== "number") return undefined;
  const { east, north } = offset(from, to);
  return Math.hypot(east, north);
}

/** 1, 2 or 5 times a power of ten, at least a third of the radius and at most all of it. */
function roundLength(metres) {
  const unit = 10 ** Math.floor(Math.log10(metres));
  return [5, 2, 1].map(n => n * unit).find(n => n <= metres) ?? unit;
}

export function distance(metres) {
  if (metres === null || metres === undefined) return "";
  return metres < 1000 ? t("{metres} m", { metres: String(Math.round(metres)) })
    : t("{km} km", { km: (metres / 1000).toFixed(metres < 10000 ? 1 : 0) });
}

const TILE = 256, FINEST = 19, EQUATOR = 40075016.686;

/**
 * The pictures of a map under the drawing, with their places in it.
 * @param scale  units of the drawing in a metre
 * @returns [{ z, x, y, left, top, size }]
 */
export function tilesOf({ lat, lng }, scale) {
  const slant = Math.cos(lat * Math.PI / 180), z = Math.max(0, Math.min(FINEST, Math.ceil(Math.log2(EQUATOR / TILE * slant * scale))));
  const n = 2 ** z, size = EQUATOR / n * slant * scale, tiles = [];
  const x = (lng + 180) / 360 * n, y = (1 - Math.asinh(Math.tan(lat * Math.PI / 180)) / Math.PI) / 2 * n, reach = MIDDLE / size;
  for (let row = Math.max(0, Math.floor(y - reach)); row < Math.min(n, y + reach); row++)
    for (let column = Math.floor(x - reach); column < x + reach; column++)
      tiles.push({ z, x: (column % n + n) % n, y: row, left: MIDDLE + (column - x) * size, top: MIDDLE + (row - y) * size, size });
  return tiles;
}

/** The drawing on a map. @param map  { tiles, credit }: of the operator */
function onMap(drawing, record, scale, map) {
  const box = make("div", "map"), share = length => `${length / SIZE * 100}%`;
  for (const { z, x, y, left, top, size } of tilesOf(record, scale)) {
    const tile = make("img");
    for (const [what, length] of Object.entries({ left, top, width: size, height: size })) tile.style.setProperty(what, share(length));
    const places = { z, x, y };
    Object.assign(tile, { alt: "", referrerPolicy: "origin", src: map.tiles.replace(/\{([zxy])\}/g, (_, place) => places[place]) });
    tile.addEventListener("error", () => tile.remove()); // without it the drawing is as it was
    box.append(tile);
  }
  box.append(drawing, ...(map.credit ? [make("p", "credit", map.credit)] : []));
  return box;
}

/** The candidates that have coordinates, or null where there is nothing to draw. */
export function plot(record, candidates, map) {
  if (typeof record.lat !== "number") return null;
  const points = candidates.map((c, i) => ({ ...c, at: i + 1 })).filter(c => typeof c.record.lat === "number" && c.metres !== null)
    .map(c => ({ ...c, ...offset(record, c.record) }));
  const near = points.filter(p => p.metres <= 50000);
  if (near.length === 0) return null;
  const radius = Math.max(50, ...near.map(p => Math.hypot(p.east, p.north)));
  const scale = (MIDDLE - EDGE) / radius, ring = roundLength(radius);
  const box = draw("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "plot", role: "img" });
  box.append(draw("title", {}, 
      t("Distances: {all}", { all: near.map(p => t("{at} is {far} away", { at: p.at, far: distance(p.metres) })).join(", ") })),
    draw("circle", { cx: MIDDLE, cy: MIDDLE, r: ring * scale, class: "ring" }),
    draw("text", { x: MIDDLE, y: MIDDLE - ring * scale - 4, class: "ring-text" }, distance(ring)),
    draw("circle", { cx: MIDDLE, cy: MIDDLE, r: 5, class: "here" }));
  for (const p of near.reverse()) {
    const x = MIDDLE + p.east * scale, y = MIDDLE - p.north * scale;
    box.append(draw("circle", { cx: x, cy: y, r: 10, class: "there" }), draw("text", { x, y: y + 4, class: "there-text" }, String(p.at)));
  }
  return map ? onMap(box, record, scale, map) : box;
}
