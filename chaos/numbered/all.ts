// The numbered tests that need no process of their own, in the order of their numbers.
import type { ChaosTest } from '../kit/chaos-test.ts';
import { callbacksLost } from '../callbacks-lost.ts';
import { CALLBACK_TESTS } from './callbacks.ts';
import { CARD_TESTS } from './cards.ts';
import { COUPON_TESTS } from './coupons.ts';
import { LIMIT_TESTS } from './limits.ts';
import { toChaosTest } from './numbered-test.ts';
import { PROVIDER_TESTS } from './providers.ts';
import { REFUSAL_TESTS } from './refusals.ts';
import { REPEAT_TESTS } from './repeats.ts';
import { SIGNATURE_TESTS } from './signatures.ts';
import { TAMPERING_TESTS } from './tampering.ts';

export const NUMBERED: readonly ChaosTest[] = [
  ...[
    ...PROVIDER_TESTS,
    ...CALLBACK_TESTS,
    ...SIGNATURE_TESTS,
    ...LIMIT_TESTS,
    ...COUPON_TESTS,
    ...CARD_TESTS,
    ...REFUSAL_TESTS,
    ...REPEAT_TESTS,
    ...TAMPERING_TESTS,
  ].map(toChaosTest),
  callbacksLost,
].toSorted((a, b) => Number(a.number) - Number(b.number));
