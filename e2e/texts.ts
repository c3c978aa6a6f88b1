// Reads the shop's texts, by message id and language, so that flows find things by the words a player reads in any
// language.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#scripts/run-tool.ts';
import { parse } from 'yaml';

export type Language = 'en' | 'ar' | 'de' | 'ja' | 'ko' | 'zh-tw';

type Messages = Record<string, string>;
type Named = { method?: string; name?: Record<string, string> };
type Channel = Named & { id: string; sub?: (Named & { channelId: string })[] };
type Method = { key: string; label?: string; name?: Record<string, string> };

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
  // Names come with plain spaces only; French has others before its marks.
  const parts = [first, ...rest].map((part) => escapePattern(part).replaceAll(/\s/g, String.raw`\s`));
  return new RegExp(`^\\s*${parts.join('.+')}`);
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

const { channels, methods } = parse(readFileSync(join(projectRoot, 'channels', 'channels.yaml'), 'utf8')) as {
  channels: Channel[];
  methods: Method[];
};

/** @param id as in channels.yaml, e.g. "paypal", or "xsolla-store-jp/9211" for a way inside one */
function findChannel(id: string): { channel: Channel; inner: (Named & { channelId: string }) | null } {
  const [own = '', inside] = id.split('/');
  const channel = channels.find((one) => one.id === own);
  const inner = channel?.sub?.find((one) => one.channelId === inside) ?? null;
  if (!channel || (inside !== undefined && !inner)) throw new Error(`There is no channel ${id}.`);
  return { channel, inner };
}

/** Key of the method that a channel, or a way inside it, is chosen under. */
export function methodOf(id: string): string {
  const { channel, inner } = findChannel(id);
  return inner?.method ?? channel.method ?? channel.id;
}

/** Returns true when the method inside is chosen in the second popup, because it is none of its own. */
export function isSecondChoice(id: string): boolean {
  const { inner } = findChannel(id);
  return inner !== null && inner.method === undefined;
}

/** Returns the name of a channel's method, which the player chooses. */
export function channelName(language: Language, id: string): string {
  const method = methods.find(({ key }) => key === methodOf(id));
  if (method?.label) return textOf(language, `method.${method.label}`);
  const name = method?.name ?? findChannel(id).channel.name;
  return name?.[language] ?? name?.['en'] ?? id;
}

/** Name of a way inside the second popup. */
export function secondName(language: Language, id: string): string {
  const name = findChannel(id).inner?.name;
  return name?.[language] ?? name?.['en'] ?? id;
}
