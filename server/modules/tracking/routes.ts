// Takes the tracking calls of pages, named as the specification does. A beacon cannot carry our header, so these stand
// beside `mountRoute`: nothing of the caller is read, and nothing but a counted, bounded row is written.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { DOT_PATH, DotInput, MAX_BYTES, VISIT_PATH, VisitInput } from '#contracts/tracking.ts';
import { chooseLanguage, readAcceptLanguage } from '#kernel/languages.ts';
import { type HttpDeps, siteOfRequest } from '#server/platform/http/http.ts';
import { sendAnswer } from '#server/platform/http/answer.ts';
import { hasLeftAnotherSite, pageOriginOf } from '#server/platform/http/same-origin.ts';
import type { Teller, TellAnswer, TrackingService } from './service.ts';
import { plainAddress } from '#server/platform/http/plain-address.ts';

export function mountTrackingRoutes(app: FastifyInstance, http: HttpDeps, tracking: TrackingService): void {
  app.register(async (inside) => {
    inside.removeAllContentTypeParsers();
    // A beacon to another host may only be plain text or a form, or the browser asks that host first. @source Fetch
    // Standard, CORS-safelisted request-header
    const asJson = ['application/json', 'text/plain'];
    inside.addContentTypeParser(asJson, { parseAs: 'string', bodyLimit: MAX_BYTES }, (_request, body, done) =>
      parse(() => JSON.parse(String(body)), done),
    );
    const asForm = 'application/x-www-form-urlencoded';
    inside.addContentTypeParser(asForm, { parseAs: 'string', bodyLimit: MAX_BYTES }, (_request, body, done) =>
      parse(() => readForm(String(body)), done),
    );
    const mount = <Input>(path: string, summary: string, schema: TSchema, take: Take<Input>) =>
      inside.post(path, { schema: { summary, body: schema } as never }, (request, reply) =>
        answer(http, request, reply, take),
      );
    mount<DotInput>(DOT_PATH, 'Moments of a visit', DotInput, tracking.dots);
    mount<VisitInput>(VISIT_PATH, 'A visit has begun', VisitInput, tracking.visit);
  });
}

type Take<Input> = (from: Teller, input: Input) => Promise<TellAnswer>;

async function answer<Input>(
  http: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  take: Take<Input>,
): Promise<FastifyReply> {
  const site = siteOfRequest(http, request);
  if (!site) return reply.callNotFound() as unknown as FastifyReply;
  const language = chooseLanguage(site.languages, readAcceptLanguage(request.headers['accept-language']));
  // Pages of strangers would make our visitors count for them; programs have no page and are counted like everybody.
  const isStrange = hasLeftAnotherSite(request.headers, pageOriginOf(request)) || site.pageHosts !== undefined;
  const { code, content } = isStrange
    ? ({ code: 'forbidden', content: null } as const)
    : await take({ brandKey: site.brandKey, ip: plainAddress(request) }, request.body as Input);
  return sendAnswer(http, reply, language, code, content);
}

function parse(read: () => unknown, done: (error: Error | null, body?: unknown) => void): void {
  try {
    done(null, read());
  } catch {
    done(Object.assign(new Error('the body cannot be read'), { statusCode: 400 }));
  }
}

const NUMBERS = new Set(['event', 'time', 'session_time']);
const JSON_FIELDS = new Set(['data', 'list']);

/**
 * A form is all text: numbers and nested fields are read here. `event` is a name in one call and a number in the other.
 */
function readForm(text: string): Record<string, unknown> {
  return Object.fromEntries(
    [...new URLSearchParams(text)].map(([key, value]) => {
      if (JSON_FIELDS.has(key)) return [key, JSON.parse(value)];
      return [key, NUMBERS.has(key) && /^\d{1,15}$/.test(value) ? Number(value) : value];
    }),
  );
}
