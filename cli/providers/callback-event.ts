// One event of a provider by the control calls of its simulator, which makes the message, signs it and posts it.
import { setTimeout as sleep } from 'node:timers/promises';
import { InputFault } from '#cli/terminal.ts';
import type { Exchange } from '#simulators/kit/outbox.ts';

/** Maps each word to the control call of a simulator; any other word is an event as the provider itself names it. */
const EVENTS: Readonly<Record<string, readonly [call: string, body: object]>> = {
  paid: ['pay', { decision: 'pay' }],
  failed: ['pay', { decision: 'decline' }],
  pending: ['pay', { decision: 'later' }],
  settled: ['settle', {}],
  refunded: ['refund', {}],
  chargeback: ['chargeback', {}],
  repeat: ['repeat', { times: 1 }],
};
export const EVENT_NAMES: readonly string[] = Object.keys(EVENTS);

type Look = {
  tells: string[];
  payments: unknown[];
  recentCallbacks: { id: string; reference: string; kind: string; exchange?: Exchange }[];
};

/** Our choice: simulators tell a refund after a third of a second; more than that many times over on a busy machine. */
const WAIT_MS = 5_000;
/**
 * @param control `/control/<provider>` of the simulator
 * @returns what went out to the shop because of it, in the order of time
 * @throws InputFault when the provider does not speak, or not of this
 */
export async function sendEvent(control: string, name: string, event: string, reference: string): Promise<Exchange[]> {
  const look = async () => (await (await fetch(`${control}?reference=${reference}`)).json()) as Look;
  const { tells, payments } = await look();
  if (tells.length === 0)
    throw new InputFault(`${name} never calls the shop: the player's browser or a question of ours brings its news.`);
  if (payments.length === 0) throw new InputFault(`The simulator of ${name} knows no payment ${reference}.`);
  const [call, body] = EVENTS[event] ?? ['emit', { kind: event }];
  const begun = Date.now();
  const answer = await fetch(`${control}/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reference, ...body }),
  });
  const known =
    `it tells ${[...tells.map((one) => (one === 'refund' ? 'refunded' : one)), 'repeat'].join(', ')}, or a word ` +
    'of its own';
  if (!answer.ok) throw new InputFault(`${name} cannot say "${event}" of this payment as it stands: ${known}.`);
  for (;;) {
    const { recentCallbacks } = await look();
    const sent = recentCallbacks.flatMap(({ exchange, ...one }) =>
      one.reference.startsWith(reference) && exchange && exchange.at >= begun ? [exchange] : [],
    );
    if (sent.length > 0) return sent.toSorted((one, other) => one.at - other.at);
    if (Date.now() - begun > WAIT_MS) return [];
    await sleep(50);
  }
}
