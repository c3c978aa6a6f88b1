// A step of the storefront's build: leaves out what libraries bring along and the page never uses. A
// name that a library asks for and
// that is not here stops the build, so that a newer version cannot lose anything unseen.
import type { Plugin } from 'vite';

/** Files of libraries, and what stands in for them. */
const REPLACEMENTS: readonly { file: RegExp; code: string }[] = [
  {
    // Pages begin at their top by our own hand (web/screens/layout.tsx); the router's way of
    // keeping places is switched off.
    file: /[\\/]router-core[\\/]dist[\\/]esm[\\/]scroll-restoration\.js$/,
    code: [
      'export const setupScrollRestoration = () => {};',
      'export const getElementScrollRestorationEntry = () => undefined;',
      'export const defaultGetScrollRestorationKey = (location) => location.href;',
      "export const storageKey = '';",
    ].join('\n'),
  },
];

export function stripUnused(): Plugin {
  return {
    name: 'refill:strip-unused',
    load: {
      filter: { id: REPLACEMENTS.map(({ file }) => file) },
      handler(id) {
        return REPLACEMENTS.find(({ file }) => file.test(id))?.code ?? null;
      },
    },
  };
}
