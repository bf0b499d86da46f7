// The build that tests share, and the records in it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const BUILD = fileURLToPath(new URL('../build.js', import.meta.url));

export function temporaryFolder(t) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'reference-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

let built;
let parsed;

/** A folder with one whole build: REFERENCE_BUILD, where one is there already, or built once per test file. Nobody writes into it. */
export function build() {
  if (built) return built;
  if (process.env.REFERENCE_BUILD) return built = process.env.REFERENCE_BUILD;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'reference-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, [BUILD, '--out', folder], { stdio: 'pipe' });
  return built = folder;
}

/** All records. Tests share them and do not change them. */
export function records() {
  parsed ??= readFileSync(path.join(build(), 'reference.ndjson'), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
  return parsed;
}

export function dict(kind) {
  return records().filter((r) => r.type === 'dict' && r.kind === kind);
}

export function air(place) {
  return records().filter((r) => r.type === 'air_place' && r.place === place);
}
