// What only the keyboard does.
import assert from "node:assert/strict";

export const press = (page, key) => page.keyboard.press(key);

/** Goes on by Tab, or by Shift+Tab, until the element has the focus. */
export async function tabTo(page, selector, key = "Tab") {
  for (let i = 0; i < 60; i++) {
    if (await page.evaluate(wanted => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${selector} is not reached by ${key}`);
}

/** Into the file input that has the focus, as who presses Enter and then chooses. */
export async function chooseFile(page, file) {
  const opened = page.waitForEvent("filechooser");
  await page.waitForFunction(() => document.activeElement?.type === "file"); // by then the browser knows that we wait, too
  await page.keyboard.press("Enter");
  await (await opened).setFiles(file);
}

/** `data` of a GET, asked for by the page, which has the session. */
export const asked = (page, path) => page.evaluate(path => fetch(`/${path}`).then(a => a.json()).then(a => a.data), path);
