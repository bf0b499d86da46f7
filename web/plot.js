// Where the candidates are, as a drawing to scale around the case: no map, and no other host is asked.
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
  return metres < 1000 ? `${Math.round(metres)} m` : `${(metres / 1000).toFixed(metres < 10000 ? 1 : 0)} km`;
}

/** The candidates that have coordinates, or null where there is nothing to draw. */
export function plot(record, candidates) {
  if (typeof record.lat !== "number") return null;
  const points = candidates.map((c, i) => ({ ...c, at: i + 1 })).filter(c => typeof c.record.lat === "number" && c.metres !== null)
    .map(c => ({ ...c, ...offset(record, c.record) }));
  const near = points.filter(p => p.metres <= 50000);
  if (near.length === 0) return null;
  const radius = Math.max(50, ...near.map(p => Math.hypot(p.east, p.north)));
  const scale = (MIDDLE - EDGE) / radius, ring = roundLength(radius);
  const box = draw("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "plot", role: "img" });
  box.append(draw("title", {}, `Distances: ${near.map(p => `${p.at} is ${distance(p.metres)} away`).join(", ")}`),
    draw("circle", { cx: MIDDLE, cy: MIDDLE, r: ring * scale, class: "ring" }),
    draw("text", { x: MIDDLE, y: MIDDLE - ring * scale - 4, class: "ring-text" }, distance(ring)),
    draw("circle", { cx: MIDDLE, cy: MIDDLE, r: 5, class: "here" }));
  for (const p of near.reverse()) {
    const x = MIDDLE + p.east * scale, y = MIDDLE - p.north * scale;
    box.append(draw("circle", { cx: x, cy: y, r: 10, class: "there" }), draw("text", { x, y: y + 4, class: "there-text" }, String(p.at)));
  }
  return box;
}
