// Finds files and folders of a shop that are not read: those of nearly the right name, and symbolic links.
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { isFolderName } from '#kernel/ids.ts';
import type { Finding } from '#server/modules/configuration/checks/finding-types.ts';

/**
 * Says of a `brand.yml` in the place of the `brand.yaml`, or beside it, that it is not read.
 * @param files that are read where they are there, by path from the root
 */
export async function findMisnamed(root: string, files: readonly string[]): Promise<Finding[]> {
  const found = await Promise.all(
    files.map(async (file): Promise<Finding[]> => {
      const name = posix.basename(file);
      const twin = name.replace(/\.yaml$/, '.yml');
      const names = await readdir(join(root, posix.dirname(file))).catch((): string[] => []);
      if (!names.includes(twin)) return [];
      const isThere = names.includes(name);
      const reason = isThere
        ? `is not read, for ${name} is there too; remove one of them`
        : `is not read; name it ${name}`;
      return [{ level: isThere ? 'warning' : 'fault', file: posix.join(posix.dirname(file), twin), at: [], reason }];
    }),
  );
  return found.flat();
}

/** Says of a folder of brands or games that is a symbolic link that it is none of the shop. */
export async function findLinkedFolders(root: string, room: string): Promise<Finding[]> {
  const entries = await readdir(join(root, room), { withFileTypes: true }).catch((): Dirent[] => []);
  return entries
    .filter((entry) => entry.isSymbolicLink())
    .map(({ name }): Finding => {
      const reason = 'is not read, for links are not followed; copy the folder here';
      return { level: 'warning', file: `${room}/${name}`, at: [], reason };
    });
}

/** Says of a folder of a brand or game that its name would not do as a part of addresses and paths. */
export function explainNames(room: string, names: readonly string[]): Finding[] {
  const reason = 'must have a name of letters, digits, "-" and "_", at most 48, beginning with a letter or digit';
  return names
    .filter((name) => !isFolderName(name))
    .map((name) => ({ level: 'fault', file: `${room}/${name}`, at: [], reason }));
}

/** Says of a picture that seems to be missing that a link stands in its place, or above it. */
export function explainLink(finding: Finding, links: readonly string[]): Finding {
  const [path = ''] = finding.reason.split(' does not exist;');
  const link = links.find((one) => path === one || path.startsWith(`${one}/`));
  if (link === undefined || path === finding.reason) return finding;
  const kind = path === link ? 'file' : 'folder';
  return { ...finding, reason: `${link} is a symbolic link, and links are not followed; copy the ${kind} there` };
}
