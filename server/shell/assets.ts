// Reads the build of scripts/build.ts in web/dist, once: entry, preloads, inline CSS, icons, messages.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CLASSIC_STEPS } from '#contracts/documents.ts';
import { isLanguage, type Language } from '#kernel/languages.ts';
import type { CompiledMessages } from '#contracts/boot.ts';

export type BuiltAssets = {
  /** Folder of the built files. */
  folder: string;
  /** Address of the entry's script. */
  entry: string;
  /** Scripts that the entry imports. */
  preloads: string[];
  /** The entry's style sheets, to be written into the page. */
  css: string;
  /** Pages of the classic version need these beside the entry, by their path. */
  steps: Partial<Record<string, PageAssets>>;
  /** The sprite of line icons, for the page's body. */
  icons: string;
  messagesUrls: Record<Language, string>;
  /** The compiled messages of a language. */
  messagesOf: (language: Language) => CompiledMessages;
};

/** Scripts and style sheets of one page, whose code does not come with the entry. */
export type PageAssets = {
  preloads: string[];
  /** Addresses of its style sheets, and what is in them. */
  sheets: string[];
  css: string;
};

/** The files of the steps, in the order of CLASSIC_STEPS. */
const STEP_FILES = ['select-game', 'select-goods', 'recharge', 'result'];

type Chunk = { file: string; imports?: string[]; css?: string[]; isEntry?: boolean };

/** Reads a built storefront. Throws with what to do when there is none. */
async function readAssets(folder: string): Promise<BuiltAssets> {
  const read = (...path: string[]) => readFile(join(folder, ...path), 'utf8');
  const manifest = JSON.parse(await readOrExplain(() => read('.vite', 'manifest.json'))) as Record<string, Chunk>;
  const entry = Object.values(manifest).find((chunk) => chunk.isEntry);
  if (!entry) throw new Error('The built storefront has no entry: run `npm run build`.');
  const chunks = listImports(manifest, entry);
  const styles = [entry, ...chunks].flatMap((chunk) => chunk.css ?? []);
  const css = await Promise.all([...new Set(styles)].toReversed().map((file) => read(file)));
  const readPage = async (key: string): Promise<PageAssets | undefined> => {
    const chunk = manifest[key];
    if (!chunk) return undefined;
    const own = [chunk, ...listImports(manifest, chunk)].filter((one) => one !== entry && !chunks.includes(one));
    const sheets = [...new Set(own.flatMap((one) => one.css ?? []))].filter((file) => !styles.includes(file));
    const texts = await Promise.all(sheets.map((file) => read(file)));
    const toUrl = (file: string) => `/${file}`;
    return { preloads: own.map((one) => toUrl(one.file)), sheets: sheets.map(toUrl), css: texts.join('') };
  };
  const steps = await Promise.all(
    CLASSIC_STEPS.map(
      async (path, step) => [path, await readPage(`web/screens/classic/${STEP_FILES[step]}.tsx`)] as const,
    ),
  );
  const index = JSON.parse(await read('messages', 'index.json')) as Record<string, string>;
  const messages = new Map<Language, CompiledMessages>();
  const messagesUrls = {} as Record<Language, string>;
  for (const [language, file] of Object.entries(index)) {
    if (!isLanguage(language)) continue;
    messagesUrls[language] = `/messages/${file}`;
    messages.set(language, JSON.parse(await read('messages', file)) as CompiledMessages);
  }
  return {
    folder,
    entry: `/${entry.file}`,
    preloads: chunks.map((chunk) => `/${chunk.file}`),
    css: css.join(''),
    steps: Object.fromEntries(steps),
    icons: await read('icons.svg'),
    messagesUrls,
    messagesOf: (language) => messages.get(language) ?? {},
  };
}

/** Lists the imports of a chunk, and their imports, each once. */
function listImports(manifest: Record<string, Chunk>, from: Chunk, found = new Set<Chunk>()): Chunk[] {
  for (const key of from.imports ?? []) {
    const chunk = manifest[key];
    if (!chunk || found.has(chunk)) continue;
    found.add(chunk);
    listImports(manifest, chunk, found);
  }
  return [...found];
}

async function readOrExplain(read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error('The storefront has not been built: run `npm run build`.', { cause: error });
  }
}

/**
 * The built storefront as it is now: read again when a new one has been put in its place.
 * @param onNew has ended before a page of the new one is written
 * @returns a function that is cheap to call for every page
 */
export function followAssets(folder: string, onNew: () => Promise<void> = async () => {}): () => Promise<BuiltAssets> {
  let known: { builtAt: number; assets: Promise<BuiltAssets> } | null = null;
  return async () => {
    const builtAt = await stat(join(folder, 'built-from.txt')).then(
      (file) => file.mtimeMs,
      () => 0,
    );
    if (known?.builtAt !== builtAt) {
      const assets = onNew().then(() => readAssets(folder));
      // A failed reading is told once and tried again.
      assets.catch(() => (known = null));
      known = { builtAt, assets };
    }
    return known.assets;
  };
}
