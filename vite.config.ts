// How the storefront is built: one entry and no index.html, because the server writes the page (server/shell).
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { BUILD_TARGETS } from './scripts/browsers/oldest.ts';
import { compileAhead } from './scripts/compile-ahead.ts';
import { stripSchemas } from './scripts/strip-schemas.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** And the file that runs them. */
const isLibrary =
  /node_modules[\\/](react|react-dom|scheduler|@tanstack|@lingui|use-sync-external-store)[\\/]|libraries.ts/;
const isOfOrder = /web[\\/](features[\\/](orders|payments|offers|codes|coupons)|screens)[\\/](?!classic)/;
const isOurs = /[\\/](web|contracts|kernel)[\\/]/;

export default defineConfig({
  root: here('.'),
  publicDir: false,
  plugins: [react(), stripSchemas(), compileAhead(['base', 'main'])],
  resolve: {
    // The page needs paths and kinds of the contracts, never their schemas: those stay on the server.
    alias: [{ find: /^typebox$/, replacement: here('./web/platform/no-schemas.ts') }],
  },
  css: {
    modules: {
      // Readable and the same at every build: the server writes the first picture with these names (server/shell).
      generateScopedName: (name, file) => `${basename(file).split('.')[0]}-${name}`,
    },
  },
  build: {
    outDir: here('./web/dist'),
    emptyOutDir: true,
    manifest: true,
    target: [...BUILD_TARGETS],
    cssTarget: [...BUILD_TARGETS],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    minify: 'terser',
    // The length of a function, which `keep_fargs` would keep, is read by nothing here.
    terserOptions: { module: true, ecma: 2020, compress: { passes: 2, keep_fargs: false } },
    rolldownOptions: {
      // The timing of a slow machine is no warning for an operator who starts a shop.
      checks: { bundlerTimings: false },
      input: here('./web/main.tsx'),
      output: {
        // The name of each later file stands in the entry, which the first page waits for, and a hash cannot be
        // compressed: seven letters of it are plenty, and of the name what tells it apart. The manifest knows the
        // source of each.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: ({ name, isDynamicEntry }) => `assets/${name.slice(0, isDynamicEntry ? 4 : 10)}-[hash:7].js`,
        assetFileNames: ({ names }) => `assets/${(names[0] ?? 'file').slice(0, 5)}-[hash:7][extname]`,
        // Few chunks: over HTTP/1.1 many small ones push the first picture back.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              // A package that only a later part uses comes with that part.
              tags: ['$initial'],
              test: isLibrary,
            },
            { name: 'popups', test: /node_modules[\\/](@base-ui|@floating-ui|tabbable|reselect)[\\/]/ },
            // Code that the landing page and others share comes with the landing page; the rest comes with who needs
            // it.
            { name: 'shop', test: isOurs, tags: ['$initial'] },
            // Code that several steps of an order share is packed in one file: a tenth less than in thirty.
            { name: 'order', test: isOfOrder, minShareCount: 2 },
          ],
        },
      },
    },
  },
});
