// Sends a handler's answer: code, text in the caller's language, content.
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { CODES, type CodeName } from '#contracts/errors.ts';
import type { Language } from '#kernel/languages.ts';
import { type Texts, waitText } from '#server/platform/texts.ts';

/** A handler returns this: a name of the code catalogue and the content of the contract. */
export type Answer<Content> = {
  readonly code: CodeName;
  readonly content: Content | null;
  /** Key of a message that says more than the code's own. */
  readonly text?: string;
  /** Until it is worth another try. */
  readonly waitSeconds?: number;
  /** The whole envelope as JSON text, for a content that is too large to be held at once. */
  readonly envelope?: Readable;
};

export const succeed = <Content>(content: Content): Answer<Content> => ({ code: 'success', content });
export const refuse = (code: CodeName, text?: string): Answer<never> => ({
  code,
  content: null,
  ...(text === undefined ? {} : { text }),
});
export const refuseFor = (waitSeconds: number): Answer<never> => ({ ...refuse('tooManyAttempts'), waitSeconds });

/** Sends the envelope of a code, its text in the caller's language. */
export function sendAnswer(
  deps: { readonly texts: Texts },
  reply: FastifyReply,
  language: Language,
  code: CodeName,
  content: unknown,
  { text = CODES[code].text, waitSeconds, envelope }: Pick<Answer<unknown>, 'text' | 'waitSeconds' | 'envelope'> = {},
): FastifyReply {
  const { code: number, http } = CODES[code];
  const msg =
    code === 'success'
      ? ''
      : code === 'tooManyAttempts'
        ? waitText(deps.texts, language, waitSeconds)
        : deps.texts(language, text);
  if (http === 429 || http === 503) reply.header('retry-after', String(waitSeconds ?? 5));
  reply.code(http).type('application/json; charset=utf-8');
  if (envelope) return reply.send(envelope);
  return reply.send({ code: number, msg, content });
}
