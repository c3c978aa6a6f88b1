// npm run bench -- recovery: what the text costs that a game keeps of each order for the shop (decision 61): processor
// time of making and of opening it, and its length.
import { openFacts, sealFacts } from '#server/modules/orders/recovery/recovery-text.ts';
import type { Goal } from './kit/figures.ts';
import { printGoals, printTable, show } from './kit/print.ts';

const CALLS = 10_000;
/** Our choice: beside a server time of some milliseconds an order. */
const SEALED: Goal = { name: 'sealing, processor time an order', sense: 'at most', limit: 0.1, unit: 'ms' };
const ROOTS = ['bench-secret-0123456789abcdef', 'former-secret-0123456789abcd'];

/** As sql/recovery_facts.sql makes them: the plain ones of a delivered order, and all that an order can have. */
function factsOf(index: number, isRich: boolean): object {
  const number = `01JD3Y8Q5R7T9V1X3Z5B${String(index).padStart(6, '0')}`;
  const plain = {
    player_id: `6f8f3a0e-5f43-4c1b-9a92-${String(index).padStart(12, '0')}`, billing_no: number, brand_key: 'watt',
    game_id: 'starlane', client_id: '70021', product_id: 'star_540', server_id: 's1', area_id: '', role_id: 'r1',
    suid: `u-${index}`, amount_minor: 999, discount_minor: 0, currency: 'USD', region: 'universal', country: 'US',
    language: 'en', points: 99, created_at: 1795132800.123456 + index, paid_at: 1795132812.654321 + index,
    product: {
      name: { en: '540 star gems', de: '540 Sternjuwelen', ja: 'スタージェム540個', ko: '스타 젬 540개', fr: '540 gemmes' },
      art: 'pack-3', gameName: 'Starlane', gifts: [{ id: 'gem', name: 'gems', count: 54, isCurrency: true }], amount: 540,
    },
    identities: [{ provider: 'password', subject: `kestrel-${index}` }],
    attempt: {
      attempt_no: 1, provider: 'adyen', channel_key: '10101_', channel_name: { en: 'Card', ja: 'カード' }, channel_id: '',
      method: 'card', provider_ref: `PL${index}ABCDEF`, capture_ref: `PSP${index}GHIJKL`,
    },
  }; /* a row a line */ // prettier-ignore
  if (!isRich) return plain;
  return {
    ...plain, coupon_code: `C-${index}`, promo_code: 'KESTREL', creator: 'kestrel', share_minor: 49,
    accepted: { version: '2026-11-01', language: 'en', terms: 'https://example.com/terms' },
    reservations: ['bonus', 'code', 'coupon', 'limit', 'stock'].map((kind) => ({
      kind, game_id: 'starlane', product_id: 'star_540', subject: `role:r1:${index}`, period: '2026-11-23', cap: 3,
    })),
    coupon: { name: { en: 'A fifth off', ja: '2割引' }, discount_rate: 0.8, source: 'level', issue_key: `level:${index}`, valid_end: '2026-12-01T00:00:00+00:00' },
    tender: { kind: 'wallet', spends: 'free_first', free_minor: 200, paid_minor: 799 },
  }; /* a row a line */ // prettier-ignore
}

/** @returns whether sealing is as cheap as it is meant to be */
export function benchRecovery(): boolean {
  const rows: string[][] = [];
  let worst = 0;
  for (const [name, isRich] of [
    ['a plain order', false],
    ['an order with all there is', true],
  ] as const) {
    const facts = Array.from({ length: CALLS }, (_, index) => factsOf(index, isRich));
    for (const one of facts.slice(0, CALLS / 10)) sealFacts('live', ROOTS, one);
    const texts: string[] = [];
    const sealing = timePerCall(() => facts.forEach((one) => texts.push(sealFacts('live', ROOTS, one) ?? '')));
    const opening = timePerCall(() => texts.forEach((text) => openFacts('live', ROOTS, text)));
    const [first] = facts;
    const length = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
    rows.push([name, show(JSON.stringify(first).length), show(length), show(sealing, 'ms'), show(opening, 'ms')]);
    worst = Math.max(worst, sealing);
  }
  printTable(['facts', 'as JSON', 'sealed, characters', 'sealing, CPU', 'opening, CPU'], rows);
  return printGoals([{ goal: SEALED, value: worst, note: `${CALLS} calls` }]);
}

/** Milliseconds of processor time. */
function timePerCall(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / CALLS;
}
