// `npm run dev`: restarts a part when its files change.
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join, resolve, sep } from 'node:path';
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
  const watchers = folders.map((folder) =>
    watchTree(resolve(root, folder), (file) => {
      if (isBystander(file)) return;
      changed.add(join(folder, file));
      clearTimeout(timer);
      timer = setTimeout(() => void settle(), quietMs);
    }),
  );
  return {
    close: () => {
      clearTimeout(timer);
      for (const close of watchers) close();
    },
  };
}

/**
 * Watches each folder below `top` by itself. Node's own `recursive` does, on Linux, watch each file: a file that was
 * replaced by rename, as git and most editors save, is never heard of again.
 * @param tell gets the path below `top`
 */
function watchTree(top: string, tell: (file: string) => void): () => void {
  const watched = new Map<string, FSWatcher>();
  const unwatch = (folder: string): void => {
    for (const [path, watcher] of watched) {
      if (path !== folder && !path.startsWith(folder + sep)) continue;
      watcher.close();
      watched.delete(path);
    }
  };
  /** @param isNew files in it have come since somebody last looked */
  const add = (folder: string, isNew: boolean): void => {
    unwatch(folder);
    let entries;
    try {
      const watcher = watch(folder, (event, name) => {
        if (name !== null) notice(join(folder, name), event === 'rename');
      });
      // A folder that goes away is told by the one around it.
      watcher.on('error', () => unwatch(folder));
      watched.set(folder, watcher);
      entries = readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      if (!isGone(error)) throw error;
      unwatch(folder);
      return;
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) add(path, isNew);
      else if (isNew) tell(path.slice(top.length + 1));
    }
  };
  const notice = (path: string, isRename: boolean): void => {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
    if (isFolder && isRename) add(path, true);
    else if (isRename) unwatch(path);
    tell(path.slice(top.length + 1));
  };
  add(top, false);
  return () => unwatch(top);
}

function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
