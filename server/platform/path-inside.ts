// Paths that are made of a name out of a database, an archive or a request.
import { isAbsolute, join, relative } from 'node:path';

/** @throws RangeError for a path that leads out of `root`, or is `root` itself */
export function pathInside(root: string, path: string): string {
  const whole = join(root, path);
  const way = relative(root, whole);
  if (way === '' || way.split(/[\\/]/)[0] === '..' || isAbsolute(way) || path.includes('\0'))
    throw new RangeError(`${JSON.stringify(path)} leads out of ${root}`);
  return whole;
}
