// Test 14: callbacks that nobody signed, signed badly, in part, for another brand's shop, or with a key
// that was just replaced. The real adapter of Adyen, whose signature is a plain HMAC; the other providers' own vectors
// are in their tests.
import { createHmac } from 'node:crypto';
import { adyen } from '#server/providers/payments/adyen/provider.ts';
import { signedText } from '#server/providers/payments/adyen/webhook.ts';
import { query } from '#server/platform/database/db.ts';
import { PER_NETWORK } from '#server/platform/noise-budget.ts';
import { type Numbered, expectSame, inTurns, times } from './numbered-test.ts';

const KEY = 'a1'.repeat(32);
const KEY_BEFORE = 'b2'.repeat(32);
const KEY_OF_OTHERS = 'c3'.repeat(32);

type Signing = { readonly name: string; readonly status: number; sign(text: string): string | undefined };

const hmac = (text: string, key: string) =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(text, 'utf8').digest('base64');

const SIGNINGS: readonly Signing[] = [
  { name: 'right', status: 200, sign: (text) => hmac(text, KEY) },
  { name: 'with the key before, which is still listed', status: 200, sign: (text) => hmac(text, KEY_BEFORE) },
  { name: 'missing', status: 401, sign: () => undefined },
  { name: 'of another amount', status: 401, sign: (text) => hmac(text.replace('499', '498'), KEY) },
  { name: 'cut short', status: 401, sign: (text) => hmac(text, KEY).slice(0, -4) },
  { name: "with another shop's key", status: 401, sign: (text) => hmac(text, KEY_OF_OTHERS) },
];

function webhook(signing: Signing, n: number): string {
  const item = {
    eventCode: 'AUTHORISATION',
    success: 'true' as const,
    pspReference: `PSP${signing.name.length}N${n}`,
    merchantAccountCode: 'WattECOM',
    merchantReference: '01JGZZZZZZZZZZZZZZZZZZZZZZ-1',
    amount: { value: '499', currency: 'USD' },
  };
  const hmacSignature = signing.sign(signedText(item));
  const sent = {
    ...item,
    amount: { value: 499, currency: 'USD' },
    additionalData: hmacSignature === undefined ? {} : { hmacSignature },
  };
  return JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: sent }] });
}

const signatures: Numbered = {
  number: '14',
  name: 'signatures',
  about: 'bad, missing, cut, strange and rotated signatures',
  counts: { short: 6 * 20, full: 6 * 200 },
  overrides: {
    providers: [adyen],
    environment: {
      REFILL_ADYEN_DEMO_API_KEY: 'key',
      REFILL_ADYEN_DEMO_MERCHANT_ACCOUNT: 'WattECOM',
      REFILL_ADYEN_DEMO_HMAC_KEYS: `${KEY},${KEY_BEFORE}`,
    },
  },
  play: async (round) => {
    const { shop, count, fault } = round;
    await inTurns(times(count), async (n) => {
      const signing = SIGNINGS[n % SIGNINGS.length] as Signing;
      const answer = await shop.post('/callback/adyen', webhook(signing, n), {
        headers: { 'x-refill': undefined, 'sec-fetch-site': undefined },
      });
      if (answer.status !== signing.status) fault(`a signature ${signing.name} is answered ${answer.status}`);
    });
    const believed = SIGNINGS.filter(({ status }) => status === 200).length;
    const [kept] = await query<{ inbox: number; refused: number; rows: number }>(
      shop.db,
      'chaos_14',
      `select (select count(*) from callback_inbox)::integer as inbox, (select coalesce(sum(count), 0)
         from callback_refused)::integer as refused,
         (select count(*) from callback_refused)::integer as rows`,
    );
    expectSame(round, 'kept', kept, {
      inbox: (count / SIGNINGS.length) * believed,
      // Refusals of one network are written down only so often a minute.
      refused: Math.min(PER_NETWORK, (count / SIGNINGS.length) * (SIGNINGS.length - believed)),
      rows: 1,
    });
    return count;
  },
};

export const SIGNATURE_TESTS: readonly Numbered[] = [signatures];
