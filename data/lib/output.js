// Everything is written into a folder beside its place and then renamed: an interrupted build leaves what was there before.
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

const STAGING = /^\.build-(\d+)$/;

/** Calls write(folder) on an empty folder and moves what it wrote to `out`, entry by entry in the order of `names`. */
export async function publish(out, names, write) {
  mkdirSync(out, { recursive: true });
  removeLeftovers(out);
  const staging = path.join(out, `.build-${process.pid}`);
  const stop = (signal) => {
    remove(staging);
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    remove(staging);
    mkdirSync(staging);
    await write(staging);
    remove(path.join(out, names.at(-1))); // the last one vouches for the others
    for (const name of names) replace(path.join(staging, name), path.join(out, name), staging);
  } finally {
    remove(staging);
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** A file that is on the disk when this returns: the rename must not overtake its bytes. */
export function writeDurably(file, text) {
  const fd = openSync(file, 'wx', 0o644);
  try {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
    fsyncSync(fd);
  } catch (err) {
    err.path ??= file; // errors of descriptors do not name the file
    throw err;
  } finally {
    closeSync(fd);
  }
}

/** rename() replaces a file but no folder that has something in it: an old folder is moved aside first. */
function replace(from, to, staging) {
  if (existsSync(to)) renameSync(to, path.join(staging, `old-${path.basename(to)}`));
  renameSync(from, to);
}

/** What builds left behind that were killed; that of a build that still runs is spared. */
function removeLeftovers(out) {
  for (const name of readdirSync(out)) {
    const pid = STAGING.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) remove(path.join(out, name));
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return err.code === 'EPERM';
  }
}

function remove(folder) {
  rmSync(folder, { recursive: true, force: true });
}
