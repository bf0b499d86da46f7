// A curator's work by keys: most cases are their first candidate, some are new, now and then one is none of it or was a mistake.
import assert from "node:assert/strict";
import { settled, until } from "./calm.js";
import { caseShown } from "./desk.js";

const WORK = ["1", "1", "jn", "1", "u", "1", "1", "xj", "n", "1", "jjk1", "n", "u", "1", "1", "jx", "j1", "n", "1", "1"];

const keyOf = it => `${it.adapter_id}/${it.kind}/${it.id}`;

/** No hotel can be made where its city, or its category, is not known, and the page says so. */
const isRefused = text => text.includes("is not known");
/** Something nearby has the name: n asks first. */
const asksFirst = text => text.includes("is not made yet: something else");
const complaint = page => page.evaluate(() => document.querySelector("#said.bad")?.textContent ?? "");
const pageSays = page => page.locator("#said").textContent();

/** Presses the key, and waits until another case is marked in the list, and is the one that can be read, or n was refused. If something nearby
 * has the name, n asks first and is pressed once more. @param wanted  which one, if one only */
async function pressOn(page, key, wanted, asked = false) {
  const from = await page.locator(".row.now").getAttribute("data-key");
  await page.keyboard.press(key);
  const reached = await page.waitForFunction(([from, wanted, key, asked]) => {
    const now = document.querySelector(".row.now")?.dataset.key;
    if (key === "n" && document.querySelector("#said.bad")?.textContent.includes("is not known")) return "refused"; // it has come back already
    if (key === "n" && !asked && document.querySelector("#case .nearby")) return "asked";
    return (wanted ? now === wanted : now !== from) && now.endsWith(`/${document.querySelector("#case .side code")?.textContent}`) && "left";
  }, [from, wanted, key, asked]).catch(async () => assert.fail(`${key} leaves ${from}: the page says "${await pageSays(page)}"`));
  if (await reached.jsonValue() !== "asked") return;
  await settled(page);
  await pressOn(page, key, wanted, true);
}

export class Curator {
  /** @param read  () => a promise: the case that is shown could be read */
  constructor(url, page, read) {
    Object.assign(this, { url, page, read, mine: [], counts: {} }); // mine: what was mapped or made so far, the last at the end
  }

  /** What the server says of a case, past the page, of which the memory is looked at. */
  async told({ adapter_id, kind, id }) {
    const answer = await this.page.context().request.get(`${this.url}/v1/curate/case?${new URLSearchParams({ adapter_id, kind, id })}`);
    return (await answer.json()).data;
  }

  async comesBack(it) {
    await this.page.waitForFunction(key => document.querySelector(".row.now")?.dataset.key === key, keyOf(it));
    assert.equal((await this.told(it)).dict_id, null);
    await this.read();
    await pressOn(this.page, "j"); // for somebody else
    return "refused";
  }

  /** @returns what came of it */
  async decide(key) {
    const { page } = this, it = await caseShown(page), before = await this.told(it);
    const shown = await page.locator(".candidate").evaluateAll(all => all.map(box => Number(box.dataset.id))), [first] = shown;
    const pressed = key === "1" && !first ? "n" : key;
    await this.read(); // nobody decides what was not read
    if (pressed === "1" || pressed === "n") {
      await pressOn(page, pressed);
      const came = async () => {
        const now = await this.told(it), bad = now.dict_id === null && pressed === "n" ? await complaint(page) : "";
        return now.dict_id !== null ? now : isRefused(bad) ? true : asksFirst(bad) && "asked";
      };
      const outcome = () => until(came, `${pressed} on ${it.id}`).catch(async e => assert.fail(`${e.message}, the page says "${await pageSays(page)}"`));
      let now = await outcome();
      if (now === "asked") { // the next case was shown already, and this one has come back
        await page.waitForFunction(key => document.querySelector(".row.now")?.dataset.key === key && document.querySelector("#case .nearby"), keyOf(it));
        await settled(page);
        await pressOn(page, "n", undefined, true);
        now = await outcome();
      }
      if (now === true) return this.comesBack(it);
      if (pressed === "1") assert.equal(now.dict_id, first, `${it.id} is its first candidate`);
      else assert.ok(!shown.includes(now.dict_id), `${it.id} is new`);
      assert.deepEqual([now.history.at(-1).by, now.history.at(-1).to], ["anna", now.dict_id]);
      this.mine.push(it);
    } else {
      const refused = before.not_same.length;
      await page.keyboard.press(pressed);
      await until(async () => (await this.told(it)).not_same.length === refused + 1, `x on ${it.id}`);
      const now = await this.told(it);
      assert.deepEqual([now.dict_id, now.not_same.some(n => n.dict_id === first)], [null, true], `${it.id} is not its first candidate`);
      assert.deepEqual(await caseShown(page), it);
    }
    return pressed;
  }

  async takeBack() {
    const it = this.mine.pop();
    await pressOn(this.page, "u", keyOf(it));
    await until(async () => (await this.told(it)).dict_id === null, `u takes ${it.id} back`);
  }

  /** The n-th piece of work. */
  async piece(n) {
    for (const key of WORK[n % WORK.length]) {
      if ("jk".includes(key)) await pressOn(this.page, key);
      else if (key === "u") await this.takeBack();
      const did = "1nx".includes(key) ? await this.decide(key) : key;
      this.counts[did] = (this.counts[did] ?? 0) + 1;
    }
    const bad = await complaint(this.page);
    assert.ok(bad === "" || isRefused(bad), bad);
  }
}

/** @returns a function: bytes and nodes of the page that are in use */
export async function sizeOf(page) {
  const session = await page.context().newCDPSession(page);
  for (const domain of ["HeapProfiler", "Performance", "Runtime"]) await session.send(`${domain}.enable`);
  return async () => {
    for (let i = 0; i < 2; i++) await session.send("HeapProfiler.collectGarbage");
    const { metrics } = await session.send("Performance.getMetrics");
    return { bytes: (await session.send("Runtime.getHeapUsage")).usedSize, nodes: metrics.find(m => m.name === "Nodes").value };
  };
}

const MAX_GROWTH = 2 * 2 ** 20, MAX_NODES = 3000;

/** The page does not grow with what is decided. */
export function doesNotGrow(warm, end) {
  assert.ok(end.bytes - warm.bytes <= MAX_GROWTH, `the heap has grown by ${end.bytes - warm.bytes} bytes`);
  assert.ok(end.nodes <= warm.nodes + MAX_NODES, `${end.nodes} nodes`);
}
