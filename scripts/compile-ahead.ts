// Tells the browser which files to compile whole while they load, beside the page's own work: V8 else compiles each
// function when it is first called, on the thread that answers presses.
// @source https://v8.dev/blog/explicit-compile-hints; engines that do not know the line read a comment
import type { Plugin } from 'vite';

const HINT = '//# allFunctionsCalledOnLoad\n';

/** @param names of chunks most of whose functions run before the page stands: the hint costs time for the others */
export function compileAhead(names: readonly string[]): Plugin {
  return {
    name: 'compile-ahead',
    // After Vite has written the table of style sheets above the code: the hint counts in the first line alone.
    enforce: 'post',
    // The name is a hash of what is in the file before that, and browsers keep what they have under a name.
    augmentChunkHash: (chunk) => (names.includes(chunk.name) ? HINT : undefined),
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk' && names.includes(file.name)) file.code = HINT + file.code;
        }
      },
    },
  };
}
