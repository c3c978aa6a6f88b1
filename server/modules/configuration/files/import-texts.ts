// Texts that languages lack, filled in by translators in a table and taken up by the files of the shop. On any fault
// nothing is written.
import { join } from 'node:path';
import type { FieldPath, Fault } from '#server/modules/configuration/checks/finding-types.ts';
import { editYaml } from '#server/modules/configuration/goods-sheet/edit-yaml.ts';
import type { CsvLine } from '#server/modules/configuration/goods-sheet/sheet-types.ts';
import { readUtf8 } from '#server/platform/utf8.ts';
import { type MissingText, readFiles, type ReadOptions } from './read-files.ts';
import { readYaml } from './read-yaml.ts';
import { findNewFaults, replaceFile } from './replace-file.ts';

/** `text` is empty in an export. */
export const TEXT_COLUMNS = ['file', 'path', 'language', 'english', 'text'] as const;

type TextFault = { readonly line: number; readonly column: string; readonly reason: string };
export type TextsImport =
  | { readonly ok: true; readonly files: readonly string[]; readonly texts: number; readonly empty: number }
  | { readonly ok: false; readonly faults: readonly TextFault[] }
  | { readonly ok: false; readonly fileFaults: readonly Fault[] };

type Wanted = { readonly missing: MissingText; readonly text: string };

/** @param lines with the head */
export async function importTexts(root: string, lines: readonly CsvLine[], options: ReadOptions): Promise<TextsImport> {
  const read = await readFiles(root, options);
  const missing = new Map((read.missingTexts ?? []).map((one) => [keyOf(one.file, one.path, one.language), one]));
  const rows = readRows(lines, missing);
  if (rows.faults.length > 0) return { ok: false, faults: rows.faults };
  const edited = new Map<string, string>();
  for (const [file, wanted] of Map.groupBy(rows.wanted, (one) => one.missing.file)) {
    const before = await readUtf8(join(root, file));
    const yaml = readYaml(before);
    const body = structuredClone(yaml.body);
    for (const one of wanted) setAt(body, [...one.missing.at, one.missing.language], one.text);
    const text = typeof before === 'string' ? editYaml(before, body) : null;
    if (text === null) {
      const reason = 'is written in a way that cannot be edited in place; write its texts by hand';
      return { ok: false, fileFaults: [{ file, line: 1, field: '', reason, sentence: `${file}:1: ${reason}` }] };
    }
    edited.set(file, text);
  }
  const fileFaults = await findNewFaults(root, edited, options);
  if (fileFaults.length > 0) return { ok: false, fileFaults };
  for (const [file, text] of edited) {
    const reason = await replaceFile(join(root, file), text);
    if (reason !== null)
      return { ok: false, fileFaults: [{ file, line: 1, field: '', reason, sentence: `${file}:1: ${reason}` }] };
  }
  return { ok: true, files: [...edited.keys()], texts: rows.wanted.length, empty: rows.empty };
}

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);

function readRows(
  [head, ...body]: readonly CsvLine[],
  missing: ReadonlyMap<string, MissingText>,
): { wanted: Wanted[]; faults: TextFault[]; empty: number } {
  const names = (head?.cells ?? []).map((name) => name.toLowerCase());
  const absent = TEXT_COLUMNS.filter((column) => column !== 'english' && !names.includes(column));
  const faults: TextFault[] = absent.map((column) => ({
    line: head?.line ?? 1,
    column,
    reason: 'is missing in the head; take the table of `refill texts export`',
  }));
  if (faults.length > 0) return { wanted: [], faults, empty: 0 };
  const wanted = new Map<string, Wanted>();
  let empty = 0;
  for (const { line, cells } of body) {
    const [file = '', path = '', language = '', text = ''] = (['file', 'path', 'language', 'text'] as const).map(
      (column) => cells[names.indexOf(column)] ?? '',
    );
    const key = keyOf(file, path, language);
    const known = missing.get(key);
    if (text === '') empty += 1;
    else if (!known) faults.push({ line, column: 'path', reason: `${file} lacks no ${language} text at ${path}` });
    else if (wanted.has(key)) faults.push({ line, column: 'text', reason: 'is there twice; keep one of the lines' });
    else wanted.set(key, { missing: known, text });
  }
  return { wanted: [...wanted.values()], faults, empty };
}

/** A path that a check has named leads to texts by language. */
function setAt(body: unknown, path: FieldPath, text: string): void {
  let place = body as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) place = place[step] as Record<string | number, unknown>;
  const last = path.at(-1);
  if (last !== undefined) place[last] = text;
}
