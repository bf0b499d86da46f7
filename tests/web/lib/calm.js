// When a page has done what it had to do: what a test waits for instead of for some time.
import assert from "node:assert/strict";

/** Guards against hanging only: ms. */
export const PATIENCE = 300000;

/** In every page: window.awaited is how much it has asked for and not taken in yet; what waits for others to decide is not counted. */
export function watchAnswers() {
  let awaited = 0;
  const { fetch: ask } = window, read = Response.prototype.json, counts = url => !/\/changes\?/.test(url);
  /** Until whoever asked has gone on with it. */
  function count(answer) {
    const over = () => setTimeout(() => { awaited-- }); // a turn later
    awaited++;
    answer.then(over, over);
    return answer;
  }
  Object.defineProperty(window, "awaited", { get: () => awaited });
  window.fetch = (url, options) => (counts(String(url)) ? count(ask(url, options)) : ask(url, options));
  Response.prototype.json = function () { return counts(this.url) ? count(read.call(this)) : read.call(this) };
}

/** All that the page has asked for is answered and taken in. What a key sets off has been asked for by the time `press` is over. */
export const calm = page => page.waitForFunction(() => window.awaited === 0);

/** And what has moved by itself could be seen: a key decides again. */
export const settled = page => page.waitForFunction(() => window.awaited === 0 && !document.querySelector("section[aria-busy=true]"));

/** The suggestions of a field could be seen: Enter and a click choose. */
export const canChoose = (page, list) => page.locator(`${list}[aria-busy=false] [aria-selected=true]`).waitFor();

/** Asks again until it holds: of what no page tells. @returns what it holds */
export async function until(holds, what) {
  for (let tries = 0; tries < PATIENCE / 50; tries++) {
    const value = await holds();
    if (value) return value;
    await new Promise(on => setTimeout(on, 50));
  }
  assert.fail(`never: ${what}`);
}
