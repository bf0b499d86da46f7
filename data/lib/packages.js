// Where the facts come from: npm packages beside this folder and Debian's iso-codes. Only this file knows paths.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BuildError } from './errors.js';

const require = createRequire(import.meta.url);
const ISO_CODES = '/usr/share/iso-codes/json';

/** Loads a module or JSON file of an npm package, e.g. npm('cldr-core/supplemental/windowsZones.json'). */
export function npm(spec) {
  try {
    return require(spec);
  } catch (err) {
    if (err.code !== 'MODULE_NOT_FOUND' && err.code !== 'ERR_MODULE_NOT_FOUND') throw err;
    throw new BuildError(`the npm package "${spec.split('/')[0]}" is missing or incomplete: run \`npm ci\` in data/`);
  }
}

/** The folder of an npm package, for packages that are files and no code. */
export function npmFolder(name) {
  return path.dirname(resolveManifest(name));
}

/** name, version and licence of an npm package as its own package.json states them. */
export function npmManifest(name) {
  return JSON.parse(readFileSync(resolveManifest(name), 'utf8'));
}

function resolveManifest(name) {
  // Not require.resolve(`${name}/package.json`): a package with an "exports" map hides its manifest.
  for (const folder of require.resolve.paths(name)) {
    const file = path.join(folder, name, 'package.json');
    try {
      readFileSync(file);
      return file;
    } catch { /* the next folder up */ }
  }
  throw new BuildError(`the npm package "${name}" is missing: run \`npm ci\` in data/`);
}

/** A list of iso-codes, e.g. isoCodes('3166-1'). */
export function isoCodes(standard, folder = ISO_CODES) {
  const file = path.join(folder, `iso_${standard}.json`);
  try {
    return JSON.parse(readFileSync(file, 'utf8'))[standard];
  } catch (err) {
    if (err.code !== 'ENOENT' && !(err instanceof SyntaxError)) throw err;
    throw new BuildError(`${file} is missing or damaged: install the Debian package iso-codes (apt-get install iso-codes)`);
  }
}

/** The version of iso-codes; its JSON does not say, its pkg-config file does. */
export function isoCodesVersion(file = '/usr/share/pkgconfig/iso-codes.pc') {
  try {
    return /^Version:\s*(\S+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}
