// A server with what is left over when a list was matched: cases for the workbench, and people who may work there.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { serve } from "./server.js";

const PROGRAM = process.env.DRAGOMAN_BIN, PASSWORD = "a long password";
const run = (data, args, more) => execFileSync(PROGRAM, [...args, "--data", data], { stdio: ["pipe", "ignore", "ignore"], maxBuffer: 1 << 28, ...more });

/** @param records  null: made-up ones. @param options  of `serve`.
 * With anna, a curator, boris, another, and vera, a viewer. */
export async function desk(records, ...options) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "dragoman-desk-")), data = path.join(folder, "data"), file = path.join(folder, "records.ndjson");
  fs.writeFileSync(file, records ? records.map(r => JSON.stringify(r)).join("\n")
    : execFileSync(PROGRAM, ["synth", "--hotels", "3000", "--adapters", "4", "--seed", "3", "--blind", "--content", "40"], { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 }));
  run(data, ["import", file, "--create"]);
  run(data, ["match"]);
  for (const [name, role] of [["anna", "curator"], ["boris", "curator"], ["vera", "viewer"]])
    run(data, ["user", "add", name, "--role", role], { input: `${PASSWORD}\n` });
  const server = await serve(data, ...options);
  return { ...server, stop: async () => { await server.stop(); fs.rmSync(folder, { recursive: true }) } };
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

/** Signs in, and waits for the first case. */
export async function signIn(page, url, name) {
  await signInTo(page, url, name, "workbench");
  await page.locator(".row.now").waitFor();
  await page.locator("#case .side").waitFor();
}

/** The case that is shown: { adapter_id, kind, id }. */
export async function caseShown(page) {
  const [, adapter_id, kind, id] = /^(\d+)\/(\w+)\/(.*)$/s.exec(await page.locator(".row.now").getAttribute("data-key"));
  return { adapter_id, kind, id };
}

/** What the server says of it, asked for by the page, which has the session. */
export const told = (page, it) => page.evaluate(q => fetch(`v1/curate/case?${new URLSearchParams(q)}`).then(a => a.json()).then(a => a.data), it);
