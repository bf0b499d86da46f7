// From signing in to signing out with the keyboard alone: a case is opened, mapped, taken back and searched for; and nothing that is asked
// for on the way is refused.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open } from "../lib/browser.js";
import { calm, canChoose, settled } from "../lib/calm.js";
import { atCase, caseShown, desk, PASSWORD, told } from "../lib/desk.js";
import { press, tabTo } from "../lib/keyboard.js";
import { RECORDS } from "../lib/small.js";

let browser, server;
before(async () => { server = await desk(RECORDS); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

const said = (page, text) => page.locator("#said", { hasText: text }).waitFor();

test("signed in, a case mapped, taken back, searched for, and signed out: by keys", async () => {
  const refused = [], watch = it => it.on("response", answer => answer.status() >= 400 && refused.push(`${answer.status()} ${answer.url()}`));
  const page = await open(browser, `${server.url}/workbench`, { before: watch });
  await page.waitForURL(`${server.url}/sign-in?to=workbench`);
  await page.locator("#form:not([hidden])").waitFor();
  await page.keyboard.type("anna");
  await press(page, "Tab");
  await page.keyboard.type(PASSWORD);
  await press(page, "Enter");
  await page.waitForURL(`${server.url}/workbench`);
  await atCase(page);
  await press(page, "j");
  await settled(page);
  await press(page, "k");
  await settled(page);
  const first = await caseShown(page);
  await press(page, "/");
  await page.keyboard.type("Quiet Garden");
  await canChoose(page, "#find-list");
  await press(page, "Enter");
  await said(page, "Decided: mapped.");
  assert.equal((await told(page, first)).dict_id, 104);
  await settled(page);
  await press(page, "u");
  await said(page, "Undone: mapped.");
  assert.equal((await told(page, first)).dict_id, null);
  await calm(page);
  await tabTo(page, "#who", "Shift+Tab");
  await press(page, "Enter");
  await page.locator("#inside:not([hidden])").waitFor();
  await tabTo(page, "#out");
  await press(page, "Enter");
  await page.getByText("You have signed out.").waitFor();
  assert.deepEqual(refused, []);
  await page.close();
});
