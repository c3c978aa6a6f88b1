// Names and hints of methods in every language: from the file where a name is a company's own, from
// messages/ where it is a word.
import type { MethodHint } from '#contracts/channels-file.ts';
import type { Texts } from '#contracts/files.ts';
import { LANGUAGES } from '#kernel/languages.ts';
import type { Channel, Method, SubChannel } from '#server/modules/configuration/service.ts';
import type { Texts as Messages } from '#server/platform/texts.ts';

export type MethodTexts = {
  methodOf(key: string | null): Method | undefined;
  nameOfMethod(method: Method): Texts;
  /**
   * Returns the name of an entry in the channel list: its own, else its method's, else the names of the entries inside
   * it.
   */
  nameOf(channel: Channel, sub: SubChannel | null): Texts;
  hintOf(hint: MethodHint | undefined): Texts | null;
};

/** @param messages every language is asked for once a text, and kept */
export function createMethodTexts(messages: Messages): (methods: ReadonlyMap<string, Method>) => MethodTexts {
  const known = new Map<string, Texts>();
  const everywhere = (id: string): Texts => {
    const found = known.get(id);
    if (found) return found;
    const texts = Object.fromEntries(LANGUAGES.map((language) => [language, messages(language, id)])) as Texts;
    known.set(id, texts);
    return texts;
  };
  return (methods) => {
    const methodOf = (key: string | null) => (key === null ? undefined : methods.get(key));
    const nameOfMethod = ({ key, label, name }: Method): Texts => {
      if (label) return everywhere(`method.${label}`);
      return name ?? { en: key };
    };
    const nameOf = (channel: Channel, sub: SubChannel | null): Texts => {
      const entry = sub ?? channel;
      const method = methodOf(entry.method);
      if (entry.file.name) return entry.file.name;
      if (method) return nameOfMethod(method);
      return joinNames(channel.sub.map((one) => nameOf(channel, one)));
    };
    return { methodOf, nameOfMethod, nameOf, hintOf: (hint) => (hint ? everywhere(`method.hint_${hint}`) : null) };
  };
}

/** "Bank transfer, E-wallet": what a channel is called that is nothing but the ways inside it. */
function joinNames(names: readonly Texts[]): Texts {
  const inLanguage = (language: (typeof LANGUAGES)[number]) =>
    names.map((name) => name[language] ?? name.en).join(language.startsWith('zh') || language === 'ja' ? '、' : ', ');
  return Object.fromEntries(LANGUAGES.map((language) => [language, inLanguage(language)])) as Texts;
}
