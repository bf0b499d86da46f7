// A server with what is left over when a list was matched: cases for the workbench, and people who may work there.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { open } from "./browser.js";
import { serve } from "./server.js";

const PROGRAM = process.env.DRG_BIN;
/** Whoever works here: anna and boris, curators, olga, an administrator, and vera, a viewer (tests/web/run). */
export const PASSWORD = "a long password";
const run = (data, args, more) => execFileSync(PROGRAM, [...args, "--data", data], { stdio: ["pipe", "ignore", "ignore"], maxBuffer: 1 << 28, ...more });

/** @param records  null: made-up ones. @param options  of `serve`. */
export async function desk(records, ...options) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "dragoman-desk-")), data = path.join(folder, "data"), file = path.join(folder, "records.ndjson");
  fs.writeFileSync(file, records ? records.map(r => JSON.stringify(r)).join("\n")
    : execFileSync(`${PROGRAM}-synth`, ["--hotels", "3000", "--adapters", "4", "--seed", "3", "--blind", "--content", "40"], { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 }));
  fs.cpSync(process.env.DRG_WEB_PEOPLE, data, { recursive: true });
  run(data, ["import", file]);
  run(data, ["match"]);
  const server = await serve(data, ...(options.includes("--match") ? [] : ["--match", "off"]), ...options);
  return { ...server, data, stop: async () => { await server.stop(); fs.rmSync(folder, { recursive: true }) } };
}

/** Signs in by the page, with the keyboard; where to then. */
export async function signInTo(page, url, name, to) {
  await page.goto(`${url}/sign-in?${new URLSearchParams({ to })}`);
  await page.locator("#name").waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${url}/${to}`);
  await page.locator("#who", { hasText: name }).waitFor();
}

const sessions = new Map();         // the cookie of a person at a server: a promise

/** Signed in once for all pages of a file: a password takes a quarter of a second. */
function cookieOf(url, name) {
  const key = `${url} ${name}`;
  if (!sessions.has(key))
    sessions.set(key, fetch(`${url}/v1/session`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name, password: PASSWORD }) }).then(answer => {
      const [, cookie, value] = /^([^=]+)=([^;]*)/.exec(answer.headers.get("set-cookie"));
      return { name: cookie, value, url, httpOnly: true, sameSite: "Strict" };
    }));
  return sessions.get(key);
}

/** A page of somebody who has signed in. */
export async function openAt(browser, url, name, to, options) {
  const cookie = await cookieOf(url, name);
  const page = await open(browser, `${url}/${to}`, { ...options, before: it => it.context().addCookies([cookie]) });
  await page.locator("#who", { hasText: name }).waitFor();
  return page;
}

/** The first case is there. */
export async function atCase(page) {
  await page.locator(".row.now").waitFor();
  await page.locator("#case .side").waitFor();
  return page;
}

export const openBench = async (browser, url, name, options) => atCase(await openAt(browser, url, name, "workbench", options));

/** The case that is shown: { adapter_id, kind, id }. */
export async function caseShown(page) {
  const [, adapter_id, kind, id] = /^(\d+)\/(\w+)\/(.*)$/s.exec(await page.locator(".row.now").getAttribute("data-key"));
  return { adapter_id, kind, id };
}

/** What the server says of it, asked for by the page, which has the session. */
export const told = (page, it) => page.evaluate(q => fetch(`v1/curate/case?${new URLSearchParams(q)}`).then(a => a.json()).then(a => a.data), it);
