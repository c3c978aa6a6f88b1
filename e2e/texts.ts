// What the shop says, by message id and language, so that flows find things by the words a player reads in any language.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#scripts/run-tool.ts';
import { parse } from 'yaml';

export type Language = 'en' | 'ar' | 'ja' | 'zh-tw';

type Messages = Record<string, string>;
type Channel = {
  id: string;
  name: Record<string, string>;
  sub?: { channelId: string; name: Record<string, string> }[];
};

const catalogues = new Map<Language, Messages>();

/** A message with its plain placeholders filled in; plurals are left to the shop. @throws Error for an unknown id */
export function textOf(language: Language, id: string, values: Record<string, string> = {}): string {
  const text = messagesOf(language)[id] ?? messagesOf('en')[id];
  if (text === undefined) throw new Error(`There is no message ${id}.`);
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** A message as a pattern that takes anything for its placeholders. */
export function patternOf(language: Language, id: string): RegExp {
  const [first = '', ...rest] = textOf(language, id).split(/\{\w+\}/);
  return new RegExp(`^\\s*${[first, ...rest].map(escapePattern).join('.+')}`);
}

export function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function messagesOf(language: Language): Messages {
  const known = catalogues.get(language);
  if (known) return known;
  const messages = JSON.parse(readFileSync(join(projectRoot, 'messages', `${language}.json`), 'utf8')) as Messages;
  catalogues.set(language, messages);
  return messages;
}

const { channels } = parse(readFileSync(join(projectRoot, 'channels', 'channels.yaml'), 'utf8')) as {
  channels: Channel[];
};

/** Name of a way to pay, or of a way inside it. @param id as in channels.yaml, e.g. "paypal" or "xsolla-local-sea/9101" */
export function channelName(language: Language, id: string): string {
  const [own = '', inner] = id.split('/');
  const channel = channels.find((one) => one.id === own);
  const found = inner === undefined ? channel : channel?.sub?.find((one) => one.channelId === inner);
  const name = found?.name[language] ?? found?.name['en'];
  if (name === undefined) throw new Error(`There is no channel ${id}.`);
  return name;
}
