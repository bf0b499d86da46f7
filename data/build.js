#!/usr/bin/env node
// Builds the reference data of the demo: node data/build.js --out DIR. See README.md beside this file.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { explain } from './lib/errors.js';
import { copyFlags } from './lib/flags.js';
import { publish, writeDurably } from './lib/output.js';
import { referenceRecords, toNdjson } from './lib/records.js';
import { sources } from './lib/sources.js';

const USAGE = `usage: node data/build.js --out DIR [--iso-codes DIR]

Writes DIR/reference.ndjson, DIR/flags/{1x1,4x3}/*.svg and DIR/SOURCES.json.
--iso-codes DIR  the JSON files of iso-codes, if they are not in /usr/share/iso-codes/json`;

function options() {
  const { values } = parseArgs({
    options: { out: { type: 'string' }, 'iso-codes': { type: 'string' }, help: { type: 'boolean' } },
  });
  if (!values.help && !values.out) throw new TypeError('--out DIR is missing');
  return values;
}

async function build({ out, 'iso-codes': isoFolder }) {
  if (existsSync(out)) readdirSync(out); // a file in its place is found now, and not when all is made
  const records = await referenceRecords(isoFolder);
  const codes = records.filter((r) => r.kind === 'country').map((r) => r.iso_alpha_2);
  // SOURCES.json comes last: where it is, the rest is complete.
  await publish(out, ['reference.ndjson', 'flags', 'SOURCES.json'], (folder) => {
    writeDurably(path.join(folder, 'reference.ndjson'), toNdjson(records));
    copyFlags(codes, path.join(folder, 'flags'));
    writeDurably(path.join(folder, 'SOURCES.json'), `${JSON.stringify(sources(), null, 2)}\n`);
  });
  return { records: records.length, countries: codes.length };
}

async function main() {
  let chosen;
  try {
    chosen = options();
  } catch (err) {
    console.error(`build.js: ${err.message}\n${USAGE}`);
    return 2;
  }
  if (chosen.help) {
    console.log(USAGE);
    return 0;
  }
  try {
    const done = await build(chosen);
    console.log(`reference data: ${done.records} records, flags of ${done.countries} countries -> ${chosen.out}`);
    return 0;
  } catch (err) {
    const line = explain(err);
    if (!line) throw err; // a bug of ours: the stack is wanted
    console.error(`build.js: ${line}`);
    return 1;
  }
}

process.exitCode = await main();
