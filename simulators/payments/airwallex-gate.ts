// Decides who may call Airwallex's API and which calls are spoiled: tokens, and the answer of one request id.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, answerCall } from '#simulators/kit/answer.ts';
import { rawTextOf } from '#simulators/kit/bodies.ts';
import type { FaultBook } from '#simulators/kit/faults.ts';
import { fingerprint, randomHex } from '#simulators/kit/ids.ts';
import { textAt } from '#simulators/kit/read.ts';
import type { AirwallexAccount, AirwallexState, Intent } from './airwallex-state.ts';
import type { Context } from './context.ts';

export const base = '/airwallex/api/v1';
const tokenMs = 30 * 60_000;
const hangsForMs = 20_000;

export function createAirwallexGate(
  context: Context,
  account: AirwallexAccount,
  state: AirwallexState,
  faults: FaultBook,
) {
  const { app, clock } = context;
  // A restarted provider knows no token any more, as none is promised to live for long.
  const tokens = new Map<string, number>();
  const spent500 = new Set<string>();

  app.post(`${base}/authentication/login`, (request, reply) =>
    answerCall(reply, clock, faults.take('token'), () => {
      const { 'x-client-id': clientId, 'x-api-key': apiKey } = request.headers;
      if (clientId !== account.clientId || apiKey !== account.apiKey)
        return fault(401, 'credentials_invalid', 'Invalid client ID or API key');
      const token = randomHex(24);
      tokens.set(token, clock.now() + tokenMs);
      const expires = new Date(clock.now() + tokenMs).toISOString().replace('Z', '+0000');
      return { status: 201, body: { token, expires_at: expires } };
    }),
  );

  function call(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: string,
    perform: (spoiled: string | undefined) => Answer | Promise<Answer>,
    about?: Intent,
  ): Promise<FastifyReply> {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if ((tokens.get(token) ?? 0) <= clock.now())
      return answerCall(reply, clock, undefined, () => fault(401, 'unauthorized', 'Access denied'));
    const spoiled = faults.take(operation) ?? (about && questionFault(about));
    return answerCall(reply, clock, spoiled, () => perform(spoiled));
  }

  function questionFault(intent: Intent): string | undefined {
    if (intent.status !== 'SUCCEEDED') return undefined;
    if (intent.faults.includes('timeout') && clock.now() - intent.createdAt < hangsForMs) return 'hang';
    if (!intent.faults.includes('error500') || spent500.has(intent.id)) return undefined;
    spent500.add(intent.id);
    return 'error500';
  }

  /** One thing is made of one request id; the same body gets it again, another body is refused. */
  function once(
    request: FastifyRequest,
    verb: string,
    make: (requestId: string) => Answer | { id: string },
  ): Answer | string {
    const requestId = textAt(request.body, 'request_id');
    if (!requestId || requestId.length > 64) return fault(400, 'validation_error', 'request_id is required');
    const print = fingerprint(rawTextOf(request));
    const known = state.requests.get(`${verb} ${requestId}`);
    if (known)
      return known.print === print ? known.id : fault(400, 'duplicate_request', 'The request_id was used before');
    const made = make(requestId);
    if (isAnswer(made)) return made;
    state.requests.put(`${verb} ${requestId}`, { print, id: made.id });
    return made.id;
  }

  return { call, once };
}

export const isAnswer = (value: Answer | object): value is Answer => 'body' in value;

export function fault(status: number, code: string, message: string): Answer {
  return { status, body: { code, message, source: '', trace_id: randomHex(8) } };
}

export const notFound = () => fault(404, 'not_found', 'The requested resource does not exist');
