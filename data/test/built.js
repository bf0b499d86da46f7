// One build for all tests, and the records in it.
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

/** All records, built once per test file. Tests share them and do not change them. */
export function records() {
  if (built) return built;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'reference-'));
  try {
    execFileSync(process.execPath, [BUILD, '--out', folder], { stdio: 'pipe' });
    built = readFileSync(path.join(folder, 'reference.ndjson'), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return built;
}

export function dict(kind) {
  return records().filter((r) => r.type === 'dict' && r.kind === kind);
}

export function air(place) {
  return records().filter((r) => r.type === 'air_place' && r.place === place);
}
