// Where the pictures of a map lie under the drawing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { tilesOf } from "../../../web/plot.js";

const SIZE = 260, METRES_OF_DEGREE = 111320;

/** Where a place lies in the drawing by the tiles: by its own column and row of the map. */
function placeOf({ lat, lng }, tile) {
  const n = 2 ** tile.z, x = (lng + 180) / 360 * n, y = (1 - Math.asinh(Math.tan(lat * Math.PI / 180)) / Math.PI) / 2 * n;
  return [tile.left + (x - tile.x) * tile.size, tile.top + (y - tile.y) * tile.size];
}

for (const [name, here] of [["Side", { lat: 36.767, lng: 31.389 }], ["Sydney", { lat: -33.86, lng: 151.2 }], ["the equator", { lat: 0, lng: 0.001 }]])
  for (const radius of [50, 1000, 50000])
    test(`${name}, ${radius} m: tiles cover the drawing, and places lie where it has them`, () => {
      const scale = (SIZE / 2 - 22) / radius, tiles = tilesOf(here, scale);
      for (const [x, y] of [[0, 0], [SIZE - 1, 0], [0, SIZE - 1], [SIZE - 1, SIZE - 1], [SIZE / 2, SIZE / 2]])
        assert.equal(tiles.filter(t => t.left <= x && x < t.left + t.size && t.top <= y && y < t.top + t.size).length, 1, `${x}, ${y}`);
      assert.ok(tiles.length <= 16 && tiles.every(t => Number.isInteger(t.x) && Number.isInteger(t.y) && t.x >= 0 && t.x < 2 ** t.z));
      const north = { lat: here.lat + radius / 2 / METRES_OF_DEGREE, lng: here.lng };
      const [x, y] = placeOf(north, tiles[0]);
      assert.ok(Math.abs(x - SIZE / 2) < 1e-6 && Math.abs(y - (SIZE / 2 - radius / 2 * scale)) < 1.5, `${x}, ${y}`);
    });

test("beyond the date line the map goes on with its other end", () => {
  const tiles = tilesOf({ lat: 0, lng: 179.9999 }, 0.1);
  assert.ok(tiles.some(t => t.x === 0) && tiles.some(t => t.x === 2 ** t.z - 1));
});
