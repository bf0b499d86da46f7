// People and keys on the page: an administrator adds somebody, who chooses a password by the link; keys are made, limited, rotated and revoked.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible } from "../lib/axe.js";
import { launch, open } from "../lib/browser.js";
import { calm, until } from "../lib/calm.js";
import { desk, openAt } from "../lib/desk.js";
import { asked, press, tabTo } from "../lib/keyboard.js";
import { late } from "../lib/late.js";
import { RECORDS } from "../lib/small.js";

const LONG = "quite another password";
let browser, server;
before(async () => { server = await desk(RECORDS); browser = await launch() });
after(async () => { await browser?.close(); await server?.stop() });

const openAccess = options => openAt(browser, server.url, "olga", "workbench/access", options).then(async page => {
  await page.locator("#people tr[data-name=anna]").waitFor();
  await page.locator("#keys > *").first().waitFor();
  return page;
});
const said = (page, text) => page.locator("#said", { hasText: text }).waitFor();
const person = (page, name) => asked(page, "v1/access/users").then(d => d.items.find(user => user.name === name));
const keyOf = (page, id) => asked(page, "v1/access/keys").then(d => d.items.find(key => key.id === id));
const opens = key => fetch(`${server.url}/v1/tour/reference`, { headers: { "X-Service-Api-Key": key } }).then(a => a.status === 200);

test("somebody is added, chooses a password by the link, and signs in: by keyboard", async () => {
  const page = await openAccess();
  await tabTo(page, "#add [name=name]");
  await page.keyboard.type("new <b>one</b>");
  await tabTo(page, "#add button");
  await press(page, "Enter");
  await page.locator("#given:not([hidden])").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), "given");
  const link = await page.locator("#given code").textContent();
  assert.match(link, /^http:\/\/\S+\/sign-in#link=\d+-[\w-]{43}$/);
  await accessible(page, "a link");
  assert.equal((await person(page, "new <b>one</b>")).password, "link");

  const other = await open(browser, link);
  await other.locator("#choose:not([hidden])").waitFor();
  await accessible(other, "a password is chosen");
  await other.keyboard.type(LONG);
  await press(other, "Tab");
  await other.keyboard.type("something else");
  await press(other, "Enter");
  await other.getByText("The two are not the same.").waitFor();
  await other.keyboard.type(LONG);
  await press(other, "Enter");
  await other.waitForURL(`${server.url}/workbench`);
  await other.locator("#who", { hasText: "new <b>one</b>, curator" }).waitFor();
  assert.equal(await other.locator("#pages a[href$=access]").count(), 0);
  await other.goto("about:blank");
  await other.goto(link);
  await other.locator("#new").fill(LONG);
  await other.locator("#again").fill(LONG);
  await press(other, "Enter");
  await other.getByText("This link was used").waitFor();
  await other.close();

  await tabTo(page, "#given-done");
  await press(page, "Enter");
  assert.equal(await page.locator("#given code").count(), 0);
  await page.close();
});

test("a password that was chosen is kept, though signing in is refused then", async () => {
  const page = await openAccess();
  await page.locator("#add [name=name]").fill("late");
  await page.locator("#add button").click();
  const link = await page.locator("#given code").textContent();
  await page.close();
  const other = await open(browser, link), refuse = { status: 429, headers: { "Retry-After": "7" }, json: { error: { reason: "slow_down", message: "no" } } };
  await other.route("**/v1/session", route => (route.request().method() === "POST" ? route.fulfill(refuse) : route.continue()));
  await other.locator("#new").fill(LONG);
  await other.locator("#again").fill(LONG);
  await press(other, "Enter");
  await other.getByText("Too many attempts. Try again in 7 seconds.").waitFor();
  assert.equal(await other.locator("#choose").isVisible(), false);
  assert.equal(await other.locator("#name").inputValue(), "late");
  await other.unroute("**/v1/session");
  await other.locator("#password").fill(LONG);
  await other.locator("#go").click();
  await other.waitForURL(`${server.url}/workbench`);
  await other.close();
});

test("a role, a new link, disabled and enabled", async () => {
  const page = await openAccess(), line = page.locator("#people tr[data-name=boris]");
  const saving = await late(page, /access\/userSet/);
  await line.locator("select").selectOption("viewer");
  await saving.asked;
  assert.equal(await line.locator("select").isDisabled(), true, "no other role while this one is saved");
  saving.go();
  await said(page, "boris has that role now");
  assert.equal((await person(page, "boris")).role, "viewer");
  await line.getByRole("button", { name: "Disable" }).click();
  await said(page, "boris may sign in no more");
  assert.equal((await person(page, "boris")).disabled, true);
  await line.getByRole("button", { name: "Enable" }).click();
  await said(page, "boris may sign in again");
  await line.getByRole("button", { name: "New link" }).click();
  await page.locator("#given:not([hidden])").waitFor();
  assert.equal((await person(page, "boris")).password, "link");
  assert.equal(await page.locator("#people tr[data-name=olga] button, #people tr[data-name=olga] select").count(), 0, "nobody changes their own");
  await page.locator("#past-go").click();
  await page.locator("#past table").waitFor();
  const first = await page.locator("#past tbody tr").first().textContent();
  assert.match(first, /boris.*changed.*link.*olga/s);
  await page.close();
});

test("a key is made, limited, rotated and revoked", async () => {
  const page = await openAccess(), fields = name => page.locator(`#key [name=${name}]`), list = await late(page, "**/v1/access/keys");
  await page.reload();
  await list.asked;
  assert.equal(await fields("writes").isDisabled(), true, "from the start");
  list.go();
  await page.locator("#keys > *").first().waitFor();
  await fields("secret").check();
  assert.equal(await fields("role").inputValue(), "registrar");
  await fields("name").fill("shop");
  const [first, second] = await fields("reads").locator("option").evaluateAll(all => all.map(o => o.value));
  await fields("writes").selectOption([first]);
  await page.locator("#key-go").click();
  const given = async () => {
    await page.locator("#given:not([hidden])").waitFor();
    await calm(page);
    return page.locator("#given code").allTextContents();
  };
  const [key, secret] = await given();
  assert.match(key, /^drgb_\w{43}$/);
  assert.match(secret, /^drgs_\w{43}$/);
  await until(() => opens(key), "the key works");
  await page.locator("#given-done").click();
  const id = Number(await page.locator("#keys tbody tr").first().getAttribute("data-id")), line = page.locator(`#keys tr[data-id="${id}"]`);
  assert.deepEqual((await keyOf(page, id)).writes, [Number(first)]);

  await line.getByRole("button", { name: "Change" }).click();
  assert.equal(await fields("name").inputValue(), "shop");
  await fields("note").fill("for the window");
  await fields("requests_per_second").fill("50");
  assert.equal(await fields("text_ids").isChecked(), false);
  await fields("text_ids").check();
  if (second) await fields("reads").selectOption([first, second]);
  await page.locator("#key-go").click();
  await said(page, "shop is changed");
  const changed = await keyOf(page, id);
  assert.equal(changed.requests_per_second, 50);
  assert.equal(changed.text_ids, true);
  await line.getByRole("button", { name: "Change" }).click();
  assert.equal(await fields("text_ids").isChecked(), true);
  await fields("text_ids").uncheck();
  await page.locator("#key-go").click();
  await until(async () => !(await keyOf(page, id)).text_ids, "numbers again");
  await calm(page); // the list is there anew
  assert.deepEqual([changed.note, changed.name, changed.reads], ["for the window", "shop", second ? [Number(first), Number(second)] : null]);

  await line.getByRole("button", { name: "Rotate" }).click();
  await line.locator("select").selectOption("1h");
  await line.getByRole("button", { name: "Rotate it" }).click();
  const [newer] = await given();
  await until(() => opens(newer), "the new one works");
  assert.equal(await opens(key), true, "and the old one for an hour");
  await page.locator("#given-done").click();
  await line.getByText("the old one until").waitFor();

  await line.getByRole("button", { name: "Rotate" }).click();
  await line.getByText("The old one ends at once").waitFor();
  await line.getByRole("button", { name: "Rotate it" }).click();
  const [newest] = await given();
  await until(() => opens(newest), "the newest one works");
  await until(async () => !await opens(key), "the first one has ended");
  await page.locator("#given-done").click();

  await line.getByRole("button", { name: "Revoke" }).click();
  await press(page, "Shift");
  await press(page, "Escape");
  assert.equal(await line.getByRole("button", { name: "Revoke it" }).count(), 0);
  await line.getByRole("button", { name: "Revoke" }).click();
  await line.getByRole("button", { name: "Revoke it" }).click();
  await said(page, "shop is revoked");
  assert.equal((await keyOf(page, id)).state, "revoked");
  await line.getByText("revoked", { exact: true }).waitFor(); // both of them
  await until(async () => !await opens(newest), "it works no more");
  await page.close();
});

/** A button twice, before the first answer is there. */
async function twice(page, button) {
  await button.evaluate(it => { it.click(); it.click() });
  await page.locator("#given:not([hidden])").waitFor();
  await calm(page);
}

test("a double click makes one key, rotates it once, adds one person and gives one link", async () => {
  const page = await openAccess(), writes = [];
  page.on("request", r => r.method() === "POST" && writes.push(new URL(r.url()).pathname.split("/").at(-1)));
  await twice(page, page.locator("#key-go"));
  await page.locator("#given-done").click();
  const line = page.locator("#keys tbody tr").first();
  await line.getByRole("button", { name: "Rotate" }).click();
  await twice(page, line.getByRole("button", { name: "Rotate it" }));
  await page.locator("#given-done").click();
  await page.locator("#add [name=name]").fill("twice");
  await twice(page, page.locator("#add button"));
  await page.locator("#given-done").click();
  await twice(page, page.locator("#people tr[data-name=twice]").getByRole("button", { name: "New link" }));
  assert.deepEqual(writes, ["keyCreate", "keyRotate", "userAdd", "userLink"]);
  await page.close();
});

test("what is shown once is shown, though the list after it does not come", async () => {
  const page = await openAccess(), line = page.locator("#keys tbody tr").first();
  const given = async () => {
    await said(page, "The server does not answer");
    const text = await page.locator("#given:not([hidden]) code").first().textContent();
    await page.locator("#given-done").click();
    return text;
  };
  await page.route(/\/v1\/access\/(keys|users)$/, route => route.abort());
  await line.getByRole("button", { name: "Rotate" }).click();
  await line.getByRole("button", { name: "Rotate it" }).click();
  const rotated = await given();
  await until(() => opens(rotated), "the rotated one works");
  await page.locator("#key-go").click();
  const made = await given();
  await until(() => opens(made), "the new one works");
  await page.locator("#add [name=name]").fill("unseen");
  await page.locator("#add button").click();
  assert.match(await given(), /#link=/);
  await page.close();
});

test("a key of a supplier that is gone is still of that one when its note changes", async () => {
  const page = await openAccess(), fields = name => page.locator(`#key [name=${name}]`), chosen = box => [...box.selectedOptions].map(o => o.value);
  await fields("secret").check();
  await fields("name").fill("faithful");
  const gone = await fields("writes").locator("option").first().getAttribute("value");
  for (const what of ["writes", "reads"]) await fields(what).selectOption([gone]);
  await page.route("**/v1/access/keys", async route => {
    const response = await route.fetch(), json = await response.json();
    json.data.suppliers = json.data.suppliers.filter(s => String(s.adapter_id) !== gone);
    await route.fulfill({ response, json });
  });
  await page.locator("#key-go").click();
  await page.locator("#given-done").click();
  await calm(page);
  assert.equal(await fields("writes").locator(`option[value="${gone}"]`).count(), 0);
  const line = page.locator("#keys tbody tr").first(), id = Number(await line.getAttribute("data-id"));
  await line.getByRole("button", { name: "Change" }).click();
  for (const what of ["writes", "reads"]) assert.deepEqual(await fields(what).evaluate(chosen), [gone]);
  await fields("note").fill("for ever");
  const sent = page.waitForRequest("**/v1/access/keySet?*");
  await page.locator("#key-go").click();
  assert.deepEqual([...new URL((await sent).url()).searchParams.keys()].sort(), ["id", "note"]);
  await said(page, "faithful is changed");
  const { note, writes, reads } = await keyOf(page, id);
  assert.deepEqual([note, writes, reads], ["for ever", [Number(gone)], [Number(gone)]]);
  await page.close();
});

test("what the server refuses is said; a curator has nothing to do here", async () => {
  const page = await openAccess();
  await page.locator("#add [name=name]").fill("anna");
  await page.locator("#add button").click();
  await said(page, "there is a user");
  await page.close();
  const anna = await openAt(browser, server.url, "anna", "workbench/access");
  await anna.getByText("Only administrators change people and keys.").waitFor();
  await anna.close();
});

for (const scheme of ["light", "dark"]) {
  for (const [name, size] of Object.entries({ desk: { width: 1280, height: 720 }, zoomed: { width: 640, height: 360 }, phone: { width: 360, height: 740 } })) {
    test(`it fits and can be read, ${scheme}, ${name}`, async () => {
      const page = await openAccess({ scheme, size });
      await page.locator("#past-go").click();
      await page.locator("#past table").waitFor();
      await accessible(page, `people and keys, ${scheme}, ${name}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      if (process.env.DRG_SHOTS) await page.screenshot({ path: `${process.env.DRG_SHOTS}/access-${scheme}-${name}.png` });
      await page.close();
    });
  }
}
