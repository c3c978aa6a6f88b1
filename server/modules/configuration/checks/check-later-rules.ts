// Settings that a file may name already and the shop does nothing about yet. Taking one without a word would
// let an operator believe in it.
import type { BrandFile } from '#contracts/brand-file.ts';
import type { Finding } from './finding-types.ts';

/** Key of the file, and why `true` is refused. A row goes when its feature comes. */
const LATER: Partial<Record<keyof BrandFile, string>> = {
  needsRealName: 'the shop cannot check a real name yet, so unverified players would pay',
};

export function checkLater(file: string, body: BrandFile): Finding[] {
  return Object.entries(LATER).flatMap(([key, reason]): Finding[] =>
    body[key as keyof BrandFile] === true
      ? [{ level: 'fault', file, at: [key], reason: `${reason}; remove the line` }]
      : [],
  );
}
