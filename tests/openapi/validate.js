// node validate.js DOCUMENT FOLDER [--some]: hold every exchange that the black-box tests have recorded in FOLDER against a
// document. Without --some each operation has to be among them.
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { Document, read } from "./document.js";
import { faults_of } from "./exchange.js";

const [file, folder, some] = process.argv.slice(2);
const document = new Document(read(file));
const met = new Map(), said = new Set();
let count = 0, failed = 0;

for (const name of fs.readdirSync(folder).filter((n) => n.endsWith(".ndjson"))) {
  const lines = readline.createInterface({ input: fs.createReadStream(path.join(folder, name)), crlfDelay: Infinity });
  for await (const line of lines) {
    const exchange = JSON.parse(line);
    const faults = [...faults_of(document, exchange)];
    const key = `${exchange.method === "HEAD" ? "GET" : exchange.method} ${document.route(exchange.path)?.path}`;
    met.set(key, (met.get(key) ?? new Map()).set(exchange.status, true));
    count++;
    if (faults.length > 0) failed++;
    const told = `${key} ${exchange.status} ${faults[0]}`;
    if (faults.length === 0 || said.has(told)) continue;
    said.add(told);
    console.error(`${exchange.test}\n  ${exchange.method} ${exchange.path} ${exchange.status}\n  ${faults.slice(0, 5).join("\n  ")}`);
  }
}

/** Each operation was answered at least once as it should. */
for (const route of some === undefined ? document.routes : [])
  for (const method of Object.keys(route.item))
    if (!met.get(`${method.toUpperCase()} ${route.path}`)?.has(200)) {
      failed++;
      console.error(`${method.toUpperCase()} ${route.path}: no test has got a 200`);
    }
console.log(`${count} exchanges, ${failed} that the document does not have`);
process.exit(failed > 0 || count === 0 ? 1 : 0);
