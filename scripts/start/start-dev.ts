// `npm run dev`: restarts a part when its files change.
import { type FSWatcher, watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

// Our choice: an editor writes a file in several steps, a branch switch many files in a row.
const quietMs = 150;

// Tests and an editor's own drafts change nothing that runs.
const isBystander = (file: string): boolean => /\.test\.tsx?$|~$|\.sw.$|\.md$/.test(file);

/**
 * Calls `react` with the changed files when some of `folders` have been quiet again for a
 * moment; never twice at a time.
 * @param folders relative to the project, or absolute; missing ones are left out
 */
export function watchFolders(folders: string[], react: (files: string[]) => Promise<void>): { close: () => void } {
  const changed = new Set<string>();
  const watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isReacting = false;

  const settle = async (): Promise<void> => {
    // Whatever changes meanwhile is kept for the next round.
    if (isReacting || changed.size === 0) return;
    isReacting = true;
    const files = [...changed];
    changed.clear();
    await react(files);
    isReacting = false;
    await settle();
  };
  for (const folder of folders) {
    try {
      watchers.push(
        watch(resolve(root, folder), { recursive: true }, (_event, file) => {
          if (file === null || isBystander(file)) return;
          changed.add(join(folder, file));
          clearTimeout(timer);
          timer = setTimeout(() => void settle(), quietMs);
        }),
      );
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return {
    close: () => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
