// Callbacks that repeat, come late, come in the wrong order, were changed on the way or
// were never sent by the provider.
import { expect } from 'vitest';
import type { CallbackReading, RawCallback } from '#testing/providers.ts';
import type { CaseName } from './case-names.ts';
import type { Run } from './cases-create.ts';
import { isNone } from './declaration.ts';
import { type Stand, type Started, type Told, until } from './stand.ts';
import { changeCharacters, stripSignature } from './tamper.ts';

type CallbackCase = Extract<
  CaseName,
  | 'duplicate callback'
  | 'late callback'
  | 'reordered callbacks'
  | 'tampered callback'
  | 'missing signature'
  | 'wrong signature'
  | 'rubbish as callback'
>;

const newsOf = (stand: Stand) => (stand.tells('paid') ? 'paid' : 'approved');

/** A genuine callback that says the payment is paid. */
async function genuine(stand: Stand): Promise<{ payment: Started; told: Told }> {
  const payment = await stand.start();
  await stand.pay(payment);
  return { payment, told: await stand.told(payment, newsOf(stand)) };
}

/** The adapter alone, with a memory that does not outlive the reading. */
function read(stand: Stand, raw: RawCallback): Promise<CallbackReading> {
  const { context, provider } = stand;
  return provider.readCallback({ ...context, cache: new Map(context.cache) }, raw);
}

/** What would be believed of a payment: everything but the reason, which is for people. */
function beliefs(reading: CallbackReading): unknown[] {
  if (reading.kind !== 'events') return [];
  const told = reading.events.filter(({ report }) => report.status !== 'pending');
  return told.map(({ dedupKey, report: { reason: _reason, ...facts } }) => ({ dedupKey, facts }));
}

export const callbackCases: Readonly<Record<CallbackCase, Run>> = {
  async 'duplicate callback'(stand) {
    const payment = await stand.start();
    await stand.pay(payment, 'duplicate');
    const status = newsOf(stand);
    const said = () => stand.tellings(payment).filter(({ report }) => report.status === status);
    await until('three callbacks', () => said().length >= 3);
    await stand.desk.repeat(payment.input.reference, 2);
    await until('the repeated ones', () => said().length >= 5);
    const counts = Map.groupBy(said(), ({ dedupKey }) => dedupKey);
    for (const [key, copies] of counts) {
      expect(copies.length, `${key} came once: its key differs from its copies'`).toBeGreaterThan(1);
      const [first] = copies;
      for (const { report, heard } of copies)
        expect([report, heard.answer]).toEqual([first?.report, first?.heard.answer]);
    }
  },

  async 'late callback'(stand) {
    const payment = await stand.start();
    await stand.pay(payment, 'late');
    if (!stand.declaration.queryCalls && !stand.tells('approved'))
      expect((await stand.query(payment)).status).toBe('paid');
    const { report } = await stand.told(payment, newsOf(stand));
    expect(report.amount).toEqual(payment.input.amount);
  },

  async 'reordered callbacks'(stand) {
    for (const note of ['reorder', 'reorder-reverse']) {
      const payment = await stand.start();
      await stand.pay(payment, note);
      const { dedupKey } = await stand.told(payment, newsOf(stand));
      // A stale word that the adapter does not care for is `ignored`, and names no payment then.
      const stale = () =>
        stand.heard(payment).filter(({ reading }) => {
          const told = reading.kind === 'events' ? reading.events.map(({ report }) => report.status) : [];
          return reading.kind !== 'question' && !told.some((status) => status === 'paid' || status === 'approved');
        }); // prettier-ignore
      await until('the stale callback', () => stale().length > 0);
      await until('an end of callbacks', async () => !(await stand.desk.isWaiting(payment.input.reference)));
      for (const { reading, answer } of stale()) {
        expect(['events', 'ignored']).toContain(reading.kind);
        expect(answer.status, 'a stale callback is acknowledged like any other').toBeLessThan(300);
        // The shop drops what it has seen: a stale word with the key of the success would make it drop the success.
        const keys = reading.kind === 'events' ? reading.events.map((one) => one.dedupKey) : [];
        expect(keys).not.toContain(dedupKey);
      }
      if (!stand.declaration.queryCalls) expect((await stand.query(payment)).status).toBe('paid');
    }
  },

  async 'tampered callback'(stand) {
    const { told } = await genuine(stand);
    const truth = beliefs(told.heard.reading);
    expect(beliefs(await read(stand, told.heard.raw)), 'the untouched callback, read again').toEqual(truth);
    let refused = 0;
    for (const { what, raw } of changeCharacters(told.heard.raw)) {
      const believed = beliefs(await read(stand, raw));
      if (believed.length === 0) refused += 1;
      else expect(believed, `${what} was changed, and something else is believed`).toEqual(truth);
    }
    expect(refused).toBeGreaterThan(10);
  },

  async 'missing signature'(stand) {
    const { callbacks } = stand.declaration;
    if (isNone(callbacks) || isNone(callbacks.signature)) return expect.fail('there is no signature to miss');
    const { told } = await genuine(stand);
    for (const { what, raw } of stripSignature(told.heard.raw, callbacks.signature))
      expect((await read(stand, raw)).kind, `${what}`).toBe('invalid');
  },

  async 'wrong signature'(stand) {
    const payment = await stand.start();
    if (stand.declaration.news === 'return') await stand.walk(payment, 'Pay', 'bad-signature');
    else await stand.desk.pay(payment.input.reference, { note: 'bad-signature' });
    await stand.provider.capture?.(stand.context, payment.known);
    const invalid = await until('a callback that is not believed', () =>
      stand.heard(payment).find(({ reading }) => reading.kind === 'invalid'),
    ); // prettier-ignore
    if (!isNone(stand.declaration.callbacks))
      expect(invalid.answer).not.toEqual(stand.declaration.callbacks.acknowledgement);
    expect(stand.tellings(payment).filter(({ report }) => report.status === 'paid')).toEqual([]);
    if (!stand.declaration.queryCalls) expect((await stand.query(payment)).status).toBe('paid');
  },

  async 'rubbish as callback'(stand) {
    const { raw } = (await genuine(stand)).told.heard;
    const bodies = ['', '{}', '[]', 'null', '"x"', '<html>', 'a=b&a=c', '{"a":', `${'['.repeat(5000)}`, '\0\xff'];
    for (const body of bodies) {
      for (const query of [{}, raw.query]) {
        const reading = await read(stand, { ...raw, query, body: Buffer.from(body) });
        // A callback that says everything in its address has no body to spoil.
        if (raw.body.length > 0 || query !== raw.query) expect(beliefs(reading), `${JSON.stringify(body)}`).toEqual([]);
      }
    }
    expect(beliefs(await read(stand, { ...raw, query: {}, headers: {}, body: Buffer.alloc(0) }))).toEqual([]);
  },
};
