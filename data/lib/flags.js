// The flags of all countries, and xx.svg for "no flag".
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { BuildError } from './errors.js';
import { npmFolder } from './packages.js';

export const RATIOS = ['1x1', '4x3'];

/** `codes`: alpha-2 in capitals. Copies into `folder`, which must not exist. */
export function copyFlags(codes, folder) {
  const source = path.join(npmFolder('flag-icons'), 'flags');
  for (const ratio of RATIOS) {
    mkdirSync(path.join(folder, ratio), { recursive: true });
    for (const code of [...codes, 'XX']) {
      const file = path.join(ratio, `${code.toLowerCase()}.svg`);
      if (!existsSync(path.join(source, file)))
        throw new BuildError(`the npm package "flag-icons" is incomplete, it lacks flags/${file}: run \`npm ci\` in data/`);
      copyFileSync(path.join(source, file), path.join(folder, file));
    }
  }
}
