// A real server for a test: on the demo data, or on records of the test's own.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { until } from "./calm.js";

const PROGRAM = process.env.DRG_BIN;
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

const readyz = url => fetch(`${url}/readyz`).then(answer => answer.ok && answer.json(), () => null);

/** @returns {Promise<{url: string, key: (api: string) => string, stop: () => Promise<void>}>} */
export async function serve(data, ...options) {
  const child = spawn(PROGRAM, ["serve", "--data", data, "--listen", "127.0.0.1:0", ...options], { stdio: ["ignore", "ignore", "pipe"] });
  const url = `http://127.0.0.1:${await portOf(child)}`;
  child.stderr.resume();
  await until(() => readyz(url), "the server is ready");
  const made = (api, ...more) => JSON.parse(execFileSync(PROGRAM, ["key", "create", "--api", api, ...more, "--json", "--data", data]));
  /** A key is known a moment after it was made (decision E8). */
  const known = (path, headers) => until(async () => ![401, 403].includes((await fetch(url + path, { headers })).status), "the server knows the key");
  return {
    url,
    ready: () => readyz(url),
    async key(api) {
      const { key } = made(api);
      await known(...(api === "a" ? ["/api/v1/tour/main-references", { "X-Api-Key": key }] : ["/v1/avia/reference?search=a", { "X-Service-Api-Key": key }]));
      return key;
    },
    secret: api => made(api, "--secret"),
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
