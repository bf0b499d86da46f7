// Where the facts come from: npm packages beside this folder, and Debian's iso-codes and libgeonames-common. Only this file
// knows paths.
import { createRequire } from 'node:module';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BuildError } from './errors.js';

const require = createRequire(import.meta.url);
const ISO_CODES = '/usr/share/iso-codes/json';
const LOCALE = '/usr/share/locale';

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

/** A JSON file of an npm package whose "exports" hide it. */
export function npmJson(name, file) {
  try {
    return JSON.parse(readFileSync(path.join(npmFolder(name), file), 'utf8'));
  } catch (err) {
    if (err.code !== 'ENOENT' && !(err instanceof SyntaxError)) throw err;
    throw new BuildError(`the npm package "${name}" is incomplete, it lacks ${file}: run \`npm ci\` in data/`);
  }
}

/** The gettext catalogue of libgeonames-common in a locale's folder: the bytes of its .mo file. */
export function geonamesCatalogue(folder) {
  const file = path.join(LOCALE, folder, 'LC_MESSAGES/geonames.mo');
  try {
    return readFileSync(file);
  } catch (err) {
    if (err.code !== 'ENOENT') throw err;
    throw new BuildError(`${file} is missing: install the Debian package libgeonames-common (apt-get install libgeonames-common)`);
  }
}

/** The version of a Debian package; null where it did not come from Debian. */
export function debianVersion(name) {
  try {
    return execFileSync('dpkg-query', ['-W', '-f', '${Version}', name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return null;
  }
}
