// Texts in a shop's own words, over those of the build: one compiled file a language, under an address by its content.
import { createHash } from 'node:crypto';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import type { FastifyInstance } from 'fastify';
import type { CompiledMessages } from '#contracts/boot.ts';
import { isLanguage, type Language } from '#kernel/languages.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import type { BuiltAssets } from './assets.ts';

export type PageMessages = { readonly messages: CompiledMessages; readonly url: string };

type Made = PageMessages & { readonly text: string };

/** @returns the texts of a language for a page: the build's where the shop says nothing */
export function createOwnMessages(configuration: () => Configuration) {
  let known: { built: BuiltAssets; own: Configuration['messages']; made: Map<Language, Made> } | null = null;

  function make(built: BuiltAssets, language: Language): Made | null {
    const own = configuration().messages;
    const texts = own[language];
    if (!texts) return null;
    if (known?.built !== built || known.own !== own) known = { built, own, made: new Map() };
    const before = known.made.get(language);
    if (before) return before;
    const compiled = Object.entries(texts).map(([key, text]) => [key, compileMessageOrThrow(text)]);
    const messages = { ...built.messagesOf(language), ...(Object.fromEntries(compiled) as CompiledMessages) };
    const text = JSON.stringify(messages);
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8);
    const made = { messages, text, url: `/messages/own/${language}.${hash}.json` };
    known.made.set(language, made);
    return made;
  }

  return {
    of: (built: BuiltAssets, language: Language): PageMessages =>
      make(built, language) ?? { messages: built.messagesOf(language), url: built.messagesUrls[language] },
    mount(app: FastifyInstance, assets: () => Promise<BuiltAssets>): void {
      app.get<{ Params: { file: string } }>(
        '/messages/own/:file',
        { schema: { hide: true } as never },
        async ({ params: { file } }, reply) => {
          const [language = ''] = file.split('.');
          const made = isLanguage(language) ? make(await assets(), language) : null;
          if (!made) return reply.callNotFound();
          // A page of another revision asks for another hash: it gets what there is now, and nobody keeps that.
          const isExact = made.url.endsWith(`/${file}`);
          void reply.header('X-Content-Type-Options', 'nosniff').type('application/json; charset=utf-8');
          return reply
            .header('Cache-Control', isExact ? 'public, max-age=31536000, immutable' : 'no-store')
            .send(made.text);
        },
      );
    },
  };
}
