// Answers that come late: as late as a test says, and not after so many seconds.
import { PATIENCE } from "./calm.js";

/** Answers of this address wait until they are let go. */
export async function late(page, address, which = () => true) {
  let go, came;
  const gate = new Promise(on => { go = on }), asked = new Promise(on => { came = on });
  await page.route(address, async route => {
    if (!which(route.request().url())) return route.continue();
    came();
    await gate;
    await route.continue().catch(() => {}); // it may have been given up
  });
  const over = page.waitForEvent("close", { timeout: PATIENCE }).then(() => {}, () => { throw new Error(`nobody asked for ${address}`) });
  const either = Promise.race([asked, over]);
  either.catch(() => {}); // it is of use only where somebody waits
  return { go, asked: either };
}
