// Failures that the person who runs the build can put right: printed as one line, without a stack.

export class BuildError extends Error {}

/** The one line for an error of the file system, or the error itself when it is none that we can explain. */
export function explain(err) {
  if (err instanceof BuildError) return err.message;
  const where = err.path ? ` while writing ${err.dest ?? err.path}` : '';
  switch (err.code) {
    case 'ENOSPC': return `the disk is full${where}: free some space and run it again`;
    case 'EDQUOT': return `the disk quota is used up${where}: free some space and run it again`;
    case 'EROFS': return `the file system is read-only${where}`;
    case 'EACCES':
    case 'EPERM': return `no permission${where}`;
    case 'EEXIST':
    case 'ENOTDIR': return `not a folder: ${err.path}`;
    default: return null;
  }
}
