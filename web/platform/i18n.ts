// Texts in the player's language: ids of messages/en.json, compiled at build, one file a language.
import { i18n } from '@lingui/core';
import { useSyncExternalStore } from 'react';
import { BRAND_TEXTS_PATH, type BrandTexts } from '#contracts/boot.ts';
import { showCount } from '#kernel/count.ts';
import { directionOf, isLanguage, type Language, toBcp47 } from '#kernel/languages.ts';
import type { MessageParams } from '#generated/messages.d.ts';
import { changeTexts, readBoot } from './boot.ts';
import { save } from './visitor/storage.ts';

export type MessageId = keyof MessageParams;

/** The values a message needs: none, or an object with exactly its names. */
type Values<Id extends MessageId> = {} extends MessageParams[Id] ? [values?: MessageParams[Id]] : [MessageParams[Id]];

/**
 * The text of a message. Components that call it also call `useLanguage()`, so that they are
 * drawn again in a new language.
 * @param id key of messages/en.json
 */
export function t<Id extends MessageId>(id: Id, ...[values]: Values<Id>): string {
  return i18n._(id, isolateAmounts(values as Record<string, unknown> | undefined));
}

/** In a line from right to left the sign of an amount would go to its other end: each is kept in a run of its own. */
function isolateAmounts(values: Record<string, unknown> | undefined) {
  if (!values || directionOf(currentLanguage()) === 'ltr') return values;
  const isolate = (value: unknown) =>
    typeof value === 'string' && /\p{Sc}/u.test(value) ? `\u2068${value}\u2069` : value;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolate(value)]));
}

/** A count with the separators of the amounts beside it, which the server writes. */
export function countIn(count: number): string {
  return showCount(count, readBoot().brand.hasLocalCounts ? currentLanguage() : undefined);
}

/** The language in use; redraws the component when it changes. */
export function useLanguage(): Language {
  return useSyncExternalStore(watchLanguage, currentLanguage, currentLanguage);
}

export function currentLanguage(): Language {
  return isLanguage(i18n.locale) ? i18n.locale : readBoot().language;
}

const watchLanguage = (listener: () => void) => i18n.on('change', listener);

/** Starts with the messages that came inside the page. */
export function startLanguage(): void {
  const { language, messages } = readBoot();
  activate(language, messages);
}

/**
 * Changes the language: loads its messages, keeps the choice, turns the page round where the script asks for it.
 * False when the file did not load; nothing has changed then.
 */
export async function switchLanguage(language: Language): Promise<boolean> {
  const url = readBoot().messagesUrls[language];
  if (!url) return false;
  const [messages, texts] = await Promise.all([fetchJson(url), fetchJson(`${BRAND_TEXTS_PATH}?spec_lang=${language}`)]);
  if (!messages) return false;
  // Without the brand's own words the old ones stay: better than no change at all.
  if (texts) changeTexts(texts as BrandTexts);
  activate(language, messages as Record<string, unknown>);
  save('language', language);
  document.documentElement.lang = toBcp47(language);
  document.documentElement.dir = directionOf(language);
  return true;
}

async function fetchJson(url: string): Promise<unknown> {
  try {
    const answer = await fetch(url);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

function activate(language: Language, messages: Record<string, unknown>): void {
  i18n.loadAndActivate({
    locale: language,
    locales: toBcp47(language),
    messages: messages as Parameters<typeof i18n.load>[1],
  });
}
