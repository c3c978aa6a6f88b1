// Says which of the oldest browsers lacks a feature, by MDN's data.
import { createRequire } from 'node:module';
import type { CompatData, Identifier, SupportStatement } from '@mdn/browser-compat-data';
import { OLDEST, type OldBrowser } from './oldest.ts';

// 20 MB of JSON: read as the package's main file has it.
const data = createRequire(import.meta.url)('@mdn/browser-compat-data') as CompatData;
export const { css, api } = data;
export const builtins = data.javascript.builtins ?? {};

export type Feature = Identifier | undefined;

/** The data's own name for what is known of a feature. */
export const compatOf = (feature: Feature) => feature?.['__compat' as const];

/** The browsers that lack it, as "chrome 111"; empty for what all have, and for what the data does not know. */
export function lackingIn(feature: Feature): string[] {
  const support = compatOf(feature)?.support;
  if (!support) return [];
  return (Object.keys(OLDEST) as OldBrowser[])
    .filter((browser) => !isIn(support[browser], OLDEST[browser]))
    .map((browser) => `${browser} ${OLDEST[browser]}`);
}

function isIn(statement: SupportStatement | undefined, version: string): boolean {
  // The data does not say: no reason to refuse.
  if (statement === undefined) return true;
  return (Array.isArray(statement) ? statement : [statement]).some((one) => {
    if (one.flags || one.prefix || one.alternative_name) return false;
    const { version_added: added, version_removed: removed } = one;
    if (removed && isAtMost(removed, version)) return false;
    return added === 'preview' || added === null ? false : typeof added === 'string' && isAtMost(added, version);
  });
}

function isAtMost(a: string, b: string): boolean {
  const [x, y] = [a, b].map((one) => one.replace('≤', '').split('.').map(Number)) as [number[], number[]];
  for (let part = 0; part < Math.max(x.length, y.length); part += 1) {
    const difference = (x[part] ?? 0) - (y[part] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return true;
}
