// messages/<language>.json of a shop of one's own: texts of the shop in the publisher's own words, by the product's
// keys.
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isLanguage, type Language, LANGUAGES } from '#kernel/languages.ts';
import { findNear } from '#kernel/near.ts';
import type { Finding } from '#server/modules/configuration/checks/finding-types.ts';
import type { OwnTexts } from '#server/modules/configuration/configuration.ts';
import { findTextFault } from '#server/platform/message-values.ts';
import { readUtf8, type TextFault } from '#server/platform/utf8.ts';
import { readYaml, type ReadYaml } from './read-yaml.ts';

/** The product's own. */
const SOURCE = resolve(import.meta.dirname, '..', '..', '..', '..', 'messages');

export type ReadMessages = {
  readonly texts: OwnTexts;
  readonly findings: readonly Finding[];
  readonly sources: ReadonlyMap<string, ReadYaml>;
};

const NOTHING: ReadMessages = { texts: {}, findings: [], sources: new Map() };

/** Nothing where there is no such folder, or where it is the product's own. Throws when the disk fails. */
export async function readMessages(root: string): Promise<ReadMessages> {
  const folder = resolve(root, 'messages');
  if (folder === SOURCE) return NOTHING;
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = names.filter((name) => name.endsWith('.json')).toSorted();
  const unread = names
    .filter((name) => isLanguage(name.replace(/\.ya?ml$/, '')) && !files.includes(name))
    .toSorted()
    .map((name): Finding => {
      const reason = `is not read; write its texts as JSON into ${name.replace(/\.ya?ml$/, '.json')}`;
      return { level: 'warning', file: `messages/${name}`, at: [], reason };
    });
  if (files.length === 0) return { ...NOTHING, findings: unread };
  const source = JSON.parse(await readFile(join(SOURCE, 'en.json'), 'utf8')) as Record<string, string>;
  const read = await Promise.all(files.map(async (name) => readOne(name, await readUtf8(join(folder, name)), source)));
  return {
    // A file that says nothing is no change of the shop.
    texts: Object.fromEntries(
      read.flatMap(({ language, texts }) => (language && Object.keys(texts).length > 0 ? [[language, texts]] : [])),
    ),
    findings: [...unread, ...read.flatMap(({ findings }) => findings)],
    sources: new Map(read.map(({ file, yaml }) => [file, yaml])),
  };
}

type ReadOne = {
  readonly file: string;
  readonly yaml: ReadYaml;
  readonly language: Language | null;
  readonly texts: Readonly<Record<string, string>>;
  readonly findings: readonly Finding[];
};

function readOne(name: string, text: string | TextFault, source: Readonly<Record<string, string>>): ReadOne {
  const file = `messages/${name}`;
  // JSON is YAML, and this way every fault has its line, also of a key that is there twice.
  const yaml = readYaml(text);
  const fault = (at: Finding['at'], reason: string): Finding => ({ level: 'fault', file, at, reason });
  const refuse = (...findings: Finding[]): ReadOne => ({ file, yaml, language: null, texts: {}, findings });
  const language = name.slice(0, -'.json'.length);
  if (!isLanguage(language))
    return refuse(fault([], `is no language of the shop; name it after one of ${LANGUAGES.join(', ')}`));
  const broken = typeof text === 'string' ? findJsonFault(text) : null;
  if (broken !== null)
    return refuse({ ...fault([], 'is no valid JSON here; write {"key": "text", "key": "text"}'), line: broken });
  if (yaml.syntaxFaults.length > 0)
    return refuse(...yaml.syntaxFaults.map(({ line, reason }) => ({ ...fault([], reason), line })));
  const { body } = yaml;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refuse(fault([], 'is no list of texts; write {"key": "text"}'));
  const entries = Object.entries(body as Record<string, unknown>);
  const findings = entries.flatMap(([key, value]) => {
    const reason = explain(source, key, value);
    return reason === null ? [] : [fault([key], reason)];
  });
  return { file, yaml, language, texts: body as Record<string, string>, findings };
}

const JSON_TOKEN = /\s+|[{}[\],:]|"(?:[^"\\\p{Cc}]|\\.)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null/iuy;

/**
 * YAML takes more than JSON: a translator's tool, or a comma too many, would be seen by the next reader only.
 * @returns the line where the text ends to be JSON, counted from 1; null when all of it is
 */
function findJsonFault(text: string): number | null {
  // A byte order mark is no part of the text.
  const json = text.replace(/^\uFEFF/, '');
  try {
    JSON.parse(json);
    return null;
  } catch (error) {
    // Node names no place of a character that begins no token.
    const said = /at position (\d+)/.exec((error as Error).message)?.[1];
    const place = said === undefined ? findStrangeCharacter(json) : Number(said);
    // A bracket that is missing at the end belongs behind the last line that has something.
    return json.slice(0, Math.min(place, json.trimEnd().length)).split('\n').length;
  }
}

/** @returns its place; the end of the text where there is none */
function findStrangeCharacter(json: string): number {
  let place = 0;
  while (place < json.length) {
    JSON_TOKEN.lastIndex = place;
    const token = JSON_TOKEN.exec(json)?.[0];
    if (token === undefined) return place;
    place += token.length;
  }
  return place;
}

function explain(source: Readonly<Record<string, string>>, key: string, value: unknown): string | null {
  const original = source[key];
  if (original === undefined) {
    const near = findNear(key, Object.keys(source));
    return (
      'the shop has no such text; ' +
      `${near ? `did you mean "${near}"?` : 'its keys stand in messages/en.json of Refill'}`
    );
  }
  if (typeof value !== 'string') return `${JSON.stringify(value)} is no text; put it in quotes`;
  const reason = findTextFault(original, value);
  return reason === null ? null : `${reason}; the source is ${JSON.stringify(original)}`;
}
