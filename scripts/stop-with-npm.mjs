// Ends a long-running child when the npm above it is gone. Plain JavaScript, for any Node.
import { readFileSync } from 'node:fs';

/**
 * `kill -9` of npm reaches nobody else: only new parents tell, of this process or of the shell in between
 * (which dash leaves standing).
 * Without npm, losing the parent is a wish (nohup).
 */
export function stopWithNpm(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const npm = readParent(shell);
  setInterval(() => {
    if (process.ppid !== shell || readParent(shell) !== npm) child.kill('SIGTERM');
  }, 500).unref();
}

/** Parent of another process; undefined where there is no /proc, and then the check above sees no change. */
function readParent(pid) {
  try {
    // The name in brackets may hold anything, even brackets.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
  } catch {
    return undefined;
  }
}
