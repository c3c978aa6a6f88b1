// Body parsing that keeps the exact text, because signatures and checksums are over bytes, not over parsed JSON.

import type { FastifyInstance, FastifyRequest } from 'fastify';

const texts = new WeakMap<FastifyRequest, string>();

/** The body exactly as it came, or an empty text. */
export function rawTextOf(request: FastifyRequest): string {
  return texts.get(request) ?? '';
}

/**
 * JSON and form parsers. JSON that does not parse becomes `undefined`, so that each simulator answers in its own words.
 */
export function installBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    texts.set(request, text);
    done(null, parseJson(text));
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    texts.set(request, text);
    done(null, Object.fromEntries(new URLSearchParams(text)));
  });
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    texts.set(request, String(body));
    done(null, undefined);
  });
}

function parseJson(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
