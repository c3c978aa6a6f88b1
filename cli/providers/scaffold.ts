// The beginning of a payment provider: its files from templates, and its lines in the two
// lists. Nothing is overwritten.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolders } from '#server/platform/make-folders.ts';
import { InputFault } from '#cli/terminal.ts';

const templates = join(import.meta.dirname, '..', 'templates', 'provider');

export type NewProvider = {
  /** Folder name, callback path, prefix of settings: "bigbank". */
  readonly name: string;
  /** As people write it: "Big Bank". */
  readonly title: string;
};

/** Template -> where its file goes, from the project's root. */
function targetsOf(name: string): Record<string, string> {
  const adapter = `server/providers/payments/${name}`;
  return {
    provider: `${adapter}/provider.ts`,
    wire: `${adapter}/wire.ts`,
    settings: `${adapter}/settings.ts`,
    readme: `${adapter}/README.md`,
    simulator: `simulators/payments/${name}.ts`,
    conformance: `e2e/conformance/${name}.ts`,
  };
}

const REGISTRY = 'server/providers/payments/registry.ts';
const SIMULATORS = 'simulators/payments/all.ts';

/**
 * Writes the files of a new provider and adds it to the registry and to the simulators.
 * @param root the project's folder
 * @returns the paths that were written or changed, from the root
 * Throws InputFault when the name is none or is taken; nothing is written then.
 */
export async function scaffoldProvider(root: string, { name, title }: NewProvider): Promise<string[]> {
  // No dash and no capital: the name is a folder, a path, an export and a part of variables at once.
  if (!/^[a-z][a-z0-9]{1,19}$/.test(name))
    throw new InputFault(`"${name}": a provider's name is 2 to 20 small letters and digits, beginning with a letter.`);
  if (!/^[\p{L}\p{N}][\p{L}\p{N} .&-]{0,39}$/u.test(title))
    throw new InputFault(`--title "${title}": at most 40 letters, digits, spaces, dots, dashes and ampersands.`);
  const targets = Object.entries(targetsOf(name));
  const taken = targets.map(([, path]) => path).find((path) => existsSync(join(root, path)));
  if (taken) throw new InputFault(`${taken} is there already; nothing was written.`);

  const lists = [
    [REGISTRY, addToRegistry(await readFile(join(root, REGISTRY), 'utf8'), name)],
    [SIMULATORS, addToSimulators(await readFile(join(root, SIMULATORS), 'utf8'), name)],
  ] as const;
  for (const [template, path] of targets) {
    const text = await readFile(join(templates, `${template}.template`), 'utf8');
    await makeFolders(dirname(join(root, path)));
    await writeFile(join(root, path), fill(text, { name, title }));
  }
  for (const [path, text] of lists) await writeFile(join(root, path), text);
  return [...targets.map(([, path]) => path), ...lists.map(([path]) => path)];
}

function fill(text: string, { name, title }: NewProvider): string {
  const words: Record<string, string> = {
    name,
    camel: name,
    Camel: capital(name),
    UPPER: name.toUpperCase(),
    Title: title,
  };
  return text.replaceAll(/@(name|camel|Camel|UPPER|Title)@/g, (_all, word: string) => words[word] ?? '');
}

function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Each with its import behind the last one and its entry at the end of the list. */
function addToRegistry(text: string, name: string): string {
  return addLines(text, {
    import: `import { ${name} } from './${name}/provider.ts';`,
    list: /(paymentProviders[^=]*= \[)([^\]]*)(\];)/,
    entry: name,
  });
}

function addToSimulators(text: string, name: string): string {
  return addLines(text, {
    import: `import { mount${capital(name)} } from './${name}.ts';`,
    list: /(paymentMounts[\s\S]*?= \{)([^}]*)(\};)/,
    entry: `${name}: mount${capital(name)}`,
  });
}

function addLines(text: string, line: { import: string; list: RegExp; entry: string }): string {
  const last = [...text.matchAll(/^import .*;$/gm)].at(-1);
  if (!last || !line.list.test(text)) throw new Error('the list of providers is not written as this command knows it');
  const at = last.index + last[0].length;
  const withImport = `${text.slice(0, at)}\n${line.import}${text.slice(at)}`;
  return withImport.replace(line.list, (_all, head: string, body: string, tail: string) => {
    const entries = body
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
    return `${head}\n${[...entries, line.entry].map((one) => `  ${one},\n`).join('')}${tail}`;
  });
}
