// Texts in the player's language: ids of messages/en.json, compiled at build, one file a language.
import { i18n } from '@lingui/core';
import { useSyncExternalStore } from 'react';
import { directionOf, isLanguage, type Language, toBcp47 } from '#kernel/languages.ts';
import type { MessageParams } from '#generated/messages.d.ts';
import { readBoot } from './boot.ts';
import { save } from './storage.ts';

export { Trans } from '@lingui/react';

export type MessageId = keyof MessageParams;

/** The values a message needs: none, or an object with exactly its names. */
type Values<Id extends MessageId> = {} extends MessageParams[Id] ? [values?: MessageParams[Id]] : [MessageParams[Id]];

/**
 * The text of a message. Components that call it also call `useLanguage()`, so that they are drawn again in a new language.
 * @param id key of messages/en.json
 */
export function t<Id extends MessageId>(id: Id, ...[values]: Values<Id>): string {
  return i18n._(id, values as Record<string, unknown> | undefined);
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
  try {
    const answer = await fetch(url);
    if (!answer.ok) return false;
    activate(language, (await answer.json()) as Record<string, unknown>);
  } catch {
    return false;
  }
  save('language', language);
  document.documentElement.lang = toBcp47(language);
  document.documentElement.dir = directionOf(language);
  return true;
}

function activate(language: Language, messages: Record<string, unknown>): void {
  i18n.loadAndActivate({
    locale: language,
    locales: toBcp47(language),
    messages: messages as Parameters<typeof i18n.load>[1],
  });
}
