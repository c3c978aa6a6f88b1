// Answers a request that ends without an answer of its handler.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CodeName } from '#contracts/errors.ts';
import { chooseLanguage, readAcceptLanguage } from '#kernel/languages.ts';
import { isDatabaseDown } from '#server/platform/database/db.ts';
import type { Log } from '#server/platform/log.ts';
import type { Texts } from '#server/platform/texts.ts';
import { sendAnswer } from './answer.ts';
import type { Site } from './site.ts';

const CODE_OF_STATUS: Readonly<Record<number, CodeName>> = {
  403: 'forbidden',
  413: 'tooLarge',
  429: 'tooManyAttempts',
};

/** The answer to what no handler answered: a bad request, a database that is away, a fault of ours. */
export function answerError(
  deps: { readonly texts: Texts; readonly log: Log },
  site: Site | null,
  error: Error & { statusCode?: number; validation?: unknown; validationContext?: string },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  // Nobody's host is nobody's, whatever is wrong with the request.
  if (!site) return reply.code(404).type('text/plain; charset=utf-8').send('Not Found');
  const language = chooseLanguage(site.languages, readAcceptLanguage(request.headers['accept-language']));
  if (isDatabaseDown(error)) {
    deps.log.warn({ err: error, req: request }, 'the database cannot be reached');
    return sendAnswer(deps, reply, language, 'unavailable', null);
  }
  if (error.validationContext === 'headers') return sendAnswer(deps, reply, language, 'badIdempotencyKey', null);
  const status = error.validation ? 400 : (error.statusCode ?? 500);
  if (status >= 500) {
    deps.log.error({ err: error, req: request }, 'a request failed');
    return sendAnswer(deps, reply, language, 'failed', null);
  }
  return sendAnswer(deps, reply, language, CODE_OF_STATUS[status] ?? 'badRequest', null);
}
