// A real server for a test: on the demo data, or on records of the test's own.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const PROGRAM = process.env.DRAGOMAN_BIN;
const SAYS_PORT = /listens on \S*:(\d+)/;

async function portOf(child) {
  let said = "";
  for await (const piece of child.stderr) {
    said += piece;
    const found = SAYS_PORT.exec(said);
    if (found) return Number(found[1]);
  }
  throw new Error(`serve ended: ${said}`);
}

async function ready(url) {
  for (;;) {
    if ((await fetch(`${url}/readyz`).catch(() => null))?.ok) return;
    await new Promise(done => setTimeout(done, 50));
  }
}

/** @returns {Promise<{url: string, key: (api: string) => string, stop: () => Promise<void>}>} */
export async function serve(data, ...options) {
  const child = spawn(PROGRAM, ["serve", "--data", data, "--listen", "127.0.0.1:0", ...options], { stdio: ["ignore", "ignore", "pipe"] });
  const url = `http://127.0.0.1:${await portOf(child)}`;
  child.stderr.resume();
  await ready(url);
  return {
    url,
    key: api => JSON.parse(execFileSync(PROGRAM, ["key", "create", "--api", api, "--json", "--data", data])).key,
    secret: api => JSON.parse(execFileSync(PROGRAM, ["key", "create", "--api", api, "--secret", "--json", "--data", data])),
    stop: () => new Promise(done => { child.on("exit", done); child.kill("SIGTERM") }),
  };
}

export const demo = (...options) => serve(process.env.DRG_WEB_DATA, "--demo", "--snapshot", "none", ...options);

/** On records of its own. */
export async function serveRecords(records, ...options) {
  const data = fs.mkdtempSync(path.join(os.tmpdir(), "dragoman-web-"));
  const file = path.join(data, "records.ndjson");
  fs.writeFileSync(file, records.map(r => JSON.stringify(r)).join("\n"));
  execFileSync(PROGRAM, ["import", file, "--create", "--data", path.join(data, "data")], { stdio: ["ignore", "ignore", "inherit"] });
  const server = await serve(path.join(data, "data"), ...options);
  const { stop } = server;
  return { ...server, stop: async () => { await stop(); fs.rmSync(data, { recursive: true }) } };
}
