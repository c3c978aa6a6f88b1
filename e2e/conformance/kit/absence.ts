// Why a case falls away for a provider, and whether that is true as far as the adapter itself can tell.
import { expect } from 'vitest';
import { OutboundError } from '#testing/providers.ts';
import { check } from './cases-check.ts';
import type { CaseName } from './case-names.ts';
import { type Declaration, isNone } from './declaration.ts';
import type { ProviderHarness } from './provider-harness.ts';

/** Cases that are about callbacks alone. */
const callbackCases: ReadonlySet<CaseName> = new Set<CaseName>([
  'acknowledgement',
  'callback without return',
  'callback before the answer',
  'duplicate callback',
  'late callback',
  'callback kept while the database is away',
  'reordered callbacks',
  'tampered callback',
  'missing signature',
  'wrong signature',
  'rubbish as callback',
  'other order',
  'unknown status in a callback',
  'paid in an unreadable shape, by callback',
]);

const isCreateCall = (name: CaseName) =>
  name.startsWith('create breaks') ||
  name === 'create answered by a passing refusal' ||
  name === 'create that nobody hears' ||
  name === 'create is cut off and retried';

const isQueryCall = (name: CaseName) =>
  name.startsWith('query') ||
  name === 'unknown status in an answer' ||
  name === 'unknown status word' ||
  name === 'paid answer torn anywhere';

/** The reason in the provider's declaration; undefined when the case is to be run. */
export function whyAbsent(declaration: Declaration, name: CaseName): string | undefined {
  const { absent, callbacks, createCalls, queryCalls } = declaration;
  if (absent?.[name] !== undefined) return absent[name];
  if (name === 'check with wrong credentials' && absent?.check !== undefined) return absent.check;
  if (isNone(callbacks) && callbackCases.has(name)) return callbacks.none;
  if (!isNone(callbacks) && isNone(callbacks.signature) && /^(missing|wrong) signature$/.test(name))
    return callbacks.signature.none;
  if (createCalls && isCreateCall(name)) return createCalls.none;
  if (queryCalls && isQueryCall(name)) return queryCalls.none;
  if (!isNone(callbacks) && !callbacks.tells.includes('paid') && name === 'paid in an unreadable shape, by callback')
    return 'Callbacks of this provider never say that a payment is paid; they only make us ask.';
  if (name === 'two parts') return whyNoParts(declaration);
  return name === 'refund of what is left' ? absent?.refund : undefined;
}

function whyNoParts({ callbacks }: Declaration): string | undefined {
  if (isNone(callbacks)) return callbacks.none;
  return callbacks.tells.includes('refunded') ? undefined : 'Callbacks of this provider do not tell of refunds.';
}

/** At least a subject and a verb, with a full stop. */
export function isSentence(text: string): boolean {
  return /^[A-Z0-9`].{15,}\.$/.test(text);
}

/** That nothing falls away which the adapter has after all. */
export async function expectAbsent(harness: ProviderHarness, name: CaseName, reason: string): Promise<void> {
  const { provider } = harness;
  expect(isSentence(reason), `the reason is a sentence: ${reason}`).toBe(true);
  if (name.startsWith('refund')) expect(provider.refund, 'a refund verb').toBeUndefined();
  if (name === 'two parts') {
    const payment = await harness.start();
    const { status } = await harness.control.refund(payment.input.reference, 1);
    expect(status, 'a refund of what is unpaid').toBe(404);
  }
  if (name === 'check' && provider.check) {
    // There is a question, and its answer is the same for a stranger; a refusal would prove that it is not.
    const wrong = harness.changed({ settings: { ...harness.declaration.wrongSettings } });
    for (const context of [harness.context, wrong])
      expect((await check(harness, context)).outcome, 'what the check says').toMatchObject({ kind: 'nothing_to_ask' });
  }
  if (name === 'cancel') expect(provider.cancel, 'a cancel verb').toBeUndefined();
  if (isCreateCall(name) && harness.declaration.createCalls) {
    // Must do without the outside altogether, or it could break there.
    const closed = harness.changed({
      outbound: () => () => {
        throw new OutboundError('network', true, 'create called the outside');
      },
    });
    expect(['page', 'redirect']).toContain((await harness.create(harness.newInput(), closed)).kind);
  }
  const isRetry = name === 'create is retried' || name === 'create is cut off and retried';
  if (isRetry && !harness.declaration.createCalls && !provider.capture) {
    // Even so: "refused" would say that nothing can be paid, and the first may be. Where we
    // capture, no money moves without us.
    const input = harness.newInput();
    if (name === 'create is retried') await harness.start(input);
    else await harness.control.spoil('create', 'reset-after', () => harness.create(input));
    const again = await harness.create(input);
    expect(again.kind, `the second create: ${JSON.stringify(again)}`).not.toBe('refused');
  }
  if (name === 'acknowledgement') {
    const payment = await harness.start();
    await harness.pay(payment);
    await harness.settled(payment);
    expect(harness.reports(payment), 'callbacks of a provider without callbacks').toEqual([]);
  }
}
