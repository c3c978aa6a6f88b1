// Decides who may call Adyen's API, the answer of one idempotency key, and which calls are spoiled.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, answerCall } from '#simulators/kit/answer.ts';
import { rawTextOf } from '#simulators/kit/bodies.ts';
import type { FaultBook } from '#simulators/kit/faults.ts';
import { fingerprint } from '#simulators/kit/ids.ts';
import { textAt } from '#simulators/kit/read.ts';
import type { AdyenState, PaymentLink } from './adyen-state.ts';
import type { Context } from './context.ts';

const hangsForMs = 20_000;

export type AdyenGate = (
  request: FastifyRequest,
  reply: FastifyReply,
  operation: string,
  perform: (fault: string | undefined) => Answer | Promise<Answer>,
  about?: PaymentLink,
) => Promise<FastifyReply>;

export function createAdyenGate(context: Context, state: AdyenState, faults: FaultBook): AdyenGate {
  const { clock } = context;
  const account = context.credentials.adyen;
  const spent500 = new Set<string>();

  function questionFault(link: PaymentLink): string | undefined {
    const payment = state.paymentOf(link);
    if (!payment) return undefined;
    if (payment.faults.includes('timeout') && clock.now() - payment.createdAt < hangsForMs) return 'hang';
    if (!payment.faults.includes('error500') || spent500.has(link.id)) return undefined;
    spent500.add(link.id);
    return 'error500';
  }

  return async function call(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: string,
    perform: (fault: string | undefined) => Answer | Promise<Answer>,
    about?: PaymentLink,
  ): Promise<FastifyReply> {
    const send = (answer: Answer) => answerCall(reply, clock, undefined, () => answer);
    if (request.headers['x-api-key'] !== account.apiKey) {
      return send(adyenError(401, '000', 'HTTP Status Response - Unauthorized', 'security'));
    }
    const merchant = textAt(request.body, 'merchantAccount');
    if (request.method === 'POST' && merchant !== account.merchantAccount) {
      return send(
        merchant === undefined
          ? adyenError(422, '101', "Required object 'merchantAccount' is not provided.", 'validation')
          : adyenError(403, '901', 'Invalid Merchant Account', 'security'),
      );
    }
    const fault = faults.take(operation) ?? (about && questionFault(about));
    const key = request.headers['idempotency-key'];
    if (request.method !== 'POST' || typeof key !== 'string')
      return answerCall(reply, clock, fault, () => perform(fault));

    if (key.length > 64)
      return send(adyenError(422, '702', 'Idempotency-Key is longer than 64 characters', 'validation'));
    const stored = state.replies.get(`${request.url} ${key}`);
    const print = fingerprint(rawTextOf(request));
    if (stored && stored.print !== print) {
      return send(
        adyenError(422, '704', 'request already processed with another body under this Idempotency-Key', 'validation'),
      );
    }
    return answerCall(reply, clock, fault, async () => {
      const answer = stored?.answer ?? (await perform(fault));
      if (!stored && answer.status < 500) state.replies.put(`${request.url} ${key}`, { print, answer });
      return { ...answer, headers: { 'idempotency-key': key } };
    });
  };
}

export function adyenError(status: number, errorCode: string, message: string, errorType: string): Answer {
  return { status, body: { status, errorCode, message, errorType } };
}
