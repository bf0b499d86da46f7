// The program: files, determinism, errors.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { BUILD, build, temporaryFolder } from './built.js';
import { explain } from '../lib/errors.js';

const run = (...args) => spawnSync(process.execPath, [BUILD, ...args], { encoding: 'utf8' });
const entries = (folder) => readdirSync(folder).sort();

/** Every file of a folder with its bytes. */
function snapshot(folder) {
  return Object.fromEntries(readdirSync(folder, { withFileTypes: true }).flatMap((e) => (e.isDirectory()
    ? Object.entries(snapshot(path.join(folder, e.name))).map(([k, v]) => [`${e.name}/${k}`, v])
    : [[e.name, readFileSync(path.join(folder, e.name), 'latin1')]])));
}

const MADE = ['SOURCES.json', 'flags', 'reference.ndjson'];
/** What a build makes, with its bytes; make's own notes lie beside it. */
const made = (folder) => Object.fromEntries(Object.entries(snapshot(folder)).filter(([name]) => MADE.includes(name.split('/')[0])));

test('flags of every country in both shapes, and "no flag"', () => {
  const out = build();
  const lines = readFileSync(path.join(out, 'reference.ndjson'), 'utf8').split('\n').filter((l) => l.includes('"country"'));
  for (const ratio of ['1x1', '4x3']) {
    const names = entries(path.join(out, 'flags', ratio));
    assert.deepEqual(names, [...lines.map((l) => `${JSON.parse(l).iso_alpha_2.toLowerCase()}.svg`), 'xx.svg'].sort());
    for (const name of names) assert.match(readFileSync(path.join(out, 'flags', ratio, name), 'utf8'), /<svg/);
  }
  assert.ok(existsSync(path.join(out, 'flags', '4x3', 'tr.svg')));
});

test('SOURCES.json names every source with version and licence', () => {
  const out = build();
  const sources = JSON.parse(readFileSync(path.join(out, 'SOURCES.json'), 'utf8'));
  const wanted = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).dependencies;
  for (const [name, version] of Object.entries(wanted))
    if (name !== 'gettext-parser') assert.equal(sources.find((s) => s.name === name)?.version, version);
  assert.match(sources.find((s) => s.name === 'iso-codes').licence, /LGPL/);
  assert.match(sources.find((s) => s.name === 'libgeonames-common').licence, /CC-BY-4.0/);
  for (const s of sources) assert.deepEqual(Object.keys(s), ['name', 'version', 'licence', 'for']);
});

test('the lock file binds to no registry address', () => {
  const lock = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
  assert.doesNotMatch(lock, /"resolved"/);
  assert.match(lock, /"integrity"/);
});

test('wrong use: what is wrong and how it is used, exit 2', () => {
  for (const args of [[], ['--outt', 'x'], ['--out', 'x', 'y']]) {
    const { status, stderr } = run(...args);
    assert.equal(status, 2, args.join(' '));
    assert.match(stderr, /^build\.js: .+\nusage: /);
  }
  assert.equal(run('--help').status, 0);
});

test('without iso-codes: one line that says what to install, nothing written', (t) => {
  const out = path.join(temporaryFolder(t), 'out');
  const { status, stderr } = run('--out', out, '--iso-codes', temporaryFolder(t));
  assert.equal(status, 1);
  assert.match(stderr, /^build\.js: [^\n]*install the Debian package iso-codes[^\n]*\n$/);
  assert.ok(!existsSync(out));
});

test('without npm packages: one line that says what to run', (t) => {
  const copy = temporaryFolder(t);
  for (const name of ['build.js', 'lib', 'tables', 'package.json'])
    cpSync(new URL(`../${name}`, import.meta.url), path.join(copy, name), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, [path.join(copy, 'build.js'), '--out', path.join(copy, 'out')], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /^build\.js: the npm package "[\w-]+" is missing[^\n]*run `npm ci` in data\/\n$/);
});

test('a file where the folder should be: one line', (t) => {
  const file = path.join(temporaryFolder(t), 'file');
  writeFileSync(file, '');
  const { status, stderr } = run('--out', file);
  assert.equal(status, 1);
  assert.match(stderr, /^build\.js: not a folder: [^\n]*\n$/);
});

test('a full disk: one line, nothing half-made', { skip: !existsSync('/dev/full') }, () => {
  const err = Object.assign(new Error(), { code: 'ENOSPC', path: '/somewhere/reference.ndjson' });
  assert.equal(explain(err), 'the disk is full while writing /somewhere/reference.ndjson: free some space and run it again');
});

test('what an interrupted build left is removed, the files from before are kept until the next is complete, with the same bytes', async (t) => {
  const out = path.join(temporaryFolder(t), 'folder');
  const first = made(build());
  for (const name of MADE) cpSync(path.join(build(), name), path.join(out, name), { recursive: true });
  writeFileSync(path.join(out, 'reference.ndjson'), 'from before\n');
  mkdirSync(path.join(out, '.build-999999999'));
  const child = spawn(process.execPath, [BUILD, '--out', out], { stdio: 'ignore' });
  await new Promise((resolve) => {
    // Once the leftovers are gone it is about to write: stop it there.
    const watcher = watch(out, () => existsSync(path.join(out, '.build-999999999')) || child.kill('SIGKILL'));
    child.on('exit', () => { watcher.close(); resolve(); });
  });
  const kept = readFileSync(path.join(out, 'reference.ndjson'), 'utf8');
  assert.ok(kept === 'from before\n' || kept.length > 1e6, 'neither the old file nor a complete new one');
  assert.equal(run('--out', out).status, 0);
  assert.deepEqual(snapshot(out), first, 'two builds, one over what was there');
  assert.deepEqual(entries(out), MADE);
});
