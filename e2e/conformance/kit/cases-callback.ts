// Callbacks that repeat, come late, come in the wrong order, were changed on the way or
// were never sent by the provider.
import { expect } from 'vitest';
import { type CallbackReading, type RawCallback, readWholeCallback, toWholeCallback } from '#testing/providers.ts';
import type { CaseName } from './case-names.ts';
import type { Run } from './cases-create.ts';
import { isNone } from './declaration.ts';
import { type ProviderHarness, type Started, type ReceivedReport, until } from './provider-harness.ts';
import { changeCharacters, stripSignature } from './tamper.ts';

type CallbackCase = Extract<
  CaseName,
  | 'duplicate callback'
  | 'late callback'
  | 'callback kept while the database is away'
  | 'reordered callbacks'
  | 'tampered callback'
  | 'missing signature'
  | 'wrong signature'
  | 'rubbish as callback'
>;

const firstStatusOf = (harness: ProviderHarness) => (harness.tells('paid') ? 'paid' : 'approved');

/** A genuine callback that says the payment is paid. */
async function genuine(harness: ProviderHarness): Promise<{ payment: Started; original: ReceivedReport }> {
  const payment = await harness.start();
  await harness.pay(payment);
  return { payment, original: await harness.waitForReport(payment, firstStatusOf(harness)) };
}

/** The adapter alone, with a memory that does not outlive the reading. */
function read(harness: ProviderHarness, raw: RawCallback): Promise<CallbackReading> {
  const { context, provider } = harness;
  return provider.readCallback({ ...context, cache: new Map(context.cache) }, raw);
}

/** The shop would act on these parts of a reading: all but the reason, which is for people. */
function beliefs(reading: CallbackReading): unknown[] {
  if (reading.kind !== 'events') return [];
  const final = reading.events.filter(({ report }) => report.status !== 'pending');
  return final.map(({ dedupKey, report: { reason: _reason, ...facts } }) => ({ dedupKey, facts }));
}

export const callbackCases: Readonly<Record<CallbackCase, Run>> = {
  async 'duplicate callback'(harness) {
    const payment = await harness.start();
    await harness.pay(payment, 'duplicate');
    const status = firstStatusOf(harness);
    const said = () => harness.reports(payment).filter(({ report }) => report.status === status);
    await until('three callbacks', () => said().length >= 3);
    await harness.control.repeat(payment.input.reference, 2);
    await until('the repeated ones', () => said().length >= 5);
    const counts = Map.groupBy(said(), ({ dedupKey }) => dedupKey);
    for (const [key, copies] of counts) {
      expect(copies.length, `${key} came once: its key differs from its copies'`).toBeGreaterThan(1);
      const [first] = copies;
      for (const { report, received } of copies)
        expect([report, received.answer]).toEqual([first?.report, first?.received.answer]);
    }
  },

  async 'late callback'(harness) {
    const payment = await harness.start();
    await harness.pay(payment, 'late');
    if (!harness.declaration.queryCalls && !harness.tells('approved'))
      expect((await harness.query(payment)).status).toBe('paid');
    const { report } = await harness.waitForReport(payment, firstStatusOf(harness));
    expect(report.amount).toEqual(payment.input.amount);
  },

  /** The reading is proven when it came, or could not be and is checked hours later, as of then. */
  async 'callback kept while the database is away'(harness) {
    const { context, provider } = harness;
    const { original } = await genuine(harness);
    const { raw, reading } = original.received;
    const arrivedAt = Date.now();
    const onDisk = <Value>(value: Value) => JSON.parse(JSON.stringify(value)) as Value;
    expect(beliefs(onDisk(reading)), 'what was read').toEqual(beliefs(reading));
    const kept = readWholeCallback(onDisk(toWholeCallback(raw, provider.signedHeaders)));
    // Nothing is remembered of the day on which it came.
    const later = { ...context, now: () => arrivedAt, cache: new Map() };
    expect(beliefs(await provider.readCallback(later, kept))).toEqual(beliefs(reading));
    expect(beliefs(reading)).not.toEqual([]);
    const { repeatsCallbacksForSeconds: seconds } = provider;
    expect(seconds === undefined || Number.isInteger(seconds), 'for how long it repeats').toBe(true);
  },

  async 'reordered callbacks'(harness) {
    for (const note of ['reorder', 'reorder-reverse']) {
      const payment = await harness.start();
      await harness.pay(payment, note);
      const { dedupKey } = await harness.waitForReport(payment, firstStatusOf(harness));
      // A stale word that the adapter does not care for is `ignored`, and names no payment then.
      const stale = () =>
        harness.received(payment).filter(({ reading }) => {
          const statuses = reading.kind === 'events' ? reading.events.map(({ report }) => report.status) : [];
          return reading.kind !== 'question' && !statuses.some((status) => status === 'paid' || status === 'approved');
        });
      await until('the stale callback', () => stale().length > 0);
      await until('an end of callbacks', async () => !(await harness.control.isWaiting(payment.input.reference)));
      for (const { reading, answer } of stale()) {
        expect(['events', 'ignored']).toContain(reading.kind);
        expect(answer.status, 'a stale callback is acknowledged like any other').toBeLessThan(300);
        // The shop drops what it has seen: a stale word with the key of the success would make it drop the success.
        const keys = reading.kind === 'events' ? reading.events.map((one) => one.dedupKey) : [];
        expect(keys).not.toContain(dedupKey);
      }
      if (!harness.declaration.queryCalls) expect((await harness.query(payment)).status).toBe('paid');
    }
  },

  async 'tampered callback'(harness) {
    const { original } = await genuine(harness);
    const truth = beliefs(original.received.reading);
    expect(beliefs(await read(harness, original.received.raw)), 'the untouched callback, read again').toEqual(truth);
    let refused = 0;
    for (const { what, raw } of changeCharacters(original.received.raw)) {
      const believed = beliefs(await read(harness, raw));
      if (believed.length === 0) refused += 1;
      else expect(believed, `${what} was changed, and something else is believed`).toEqual(truth);
    }
    expect(refused).toBeGreaterThan(10);
  },

  async 'missing signature'(harness) {
    const { callbacks } = harness.declaration;
    if (isNone(callbacks) || isNone(callbacks.signature)) return expect.fail('there is no signature to miss');
    const { original } = await genuine(harness);
    for (const { what, raw } of stripSignature(original.received.raw, callbacks.signature))
      expect((await read(harness, raw)).kind, `${what}`).toBe('invalid');
  },

  async 'wrong signature'(harness) {
    const payment = await harness.start();
    if (harness.declaration.knownBy === 'return') await harness.walk(payment, 'Pay', 'bad-signature');
    else await harness.control.pay(payment.input.reference, { note: 'bad-signature' });
    await harness.provider.capture?.(harness.context, payment.known);
    const invalid = await until('a callback that is not believed', () =>
      harness.received(payment).find(({ reading }) => reading.kind === 'invalid'),
    );
    if (!isNone(harness.declaration.callbacks))
      expect(invalid.answer).not.toEqual(harness.declaration.callbacks.acknowledgement);
    expect(harness.reports(payment).filter(({ report }) => report.status === 'paid')).toEqual([]);
    if (!harness.declaration.queryCalls) expect((await harness.query(payment)).status).toBe('paid');
  },

  async 'rubbish as callback'(harness) {
    const { raw } = (await genuine(harness)).original.received;
    const bodies = ['', '{}', '[]', 'null', '"x"', '<html>', 'a=b&a=c', '{"a":', `${'['.repeat(5000)}`, '\0\xff'];
    for (const body of bodies) {
      for (const query of [{}, raw.query]) {
        const reading = await read(harness, { ...raw, query, body: Buffer.from(body) });
        // A callback that says everything in its address has no body to spoil.
        if (raw.body.length > 0 || query !== raw.query) expect(beliefs(reading), `${JSON.stringify(body)}`).toEqual([]);
      }
    }
    expect(beliefs(await read(harness, { ...raw, query: {}, headers: {}, body: Buffer.alloc(0) }))).toEqual([]);
  },
};
