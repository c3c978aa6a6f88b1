// Tells the import walls (eslint-plugin-boundaries) which file an import means: it does not know the `imports` of
// package.json by itself, and an import that it cannot place passes without a word. CommonJS because it loads it by require.
const { existsSync, readFileSync } = require('node:fs');
const { isBuiltin } = require('node:module');
const path = require('node:path');

exports.interfaceVersion = 2;

/** @returns {{ found: boolean, path?: string | null }} the absolute path, or null for a module of Node itself */
exports.resolve = (source, importer) => {
  if (isBuiltin(source)) return { found: true, path: null };
  if (source.startsWith('.')) return { found: true, path: path.resolve(path.dirname(importer), source) };
  const root = packageRoot(path.dirname(importer));
  if (source.startsWith('#')) return resolveAlias(source, root);
  return { found: true, path: path.join(root, 'node_modules', source) };
};

function resolveAlias(source, root) {
  const { imports = {} } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  for (const [alias, target] of Object.entries(imports)) {
    const prefix = alias.replace(/\*$/, '');
    // The type checker looks whether the file exists: generated ones may not be there yet.
    if (source.startsWith(prefix)) {
      return { found: true, path: path.join(root, target.replace('*', source.slice(prefix.length))) };
    }
  }
  return { found: false };
}

function packageRoot(directory) {
  if (existsSync(path.join(directory, 'package.json'))) return directory;
  const parent = path.dirname(directory);
  return parent === directory ? directory : packageRoot(parent);
}
