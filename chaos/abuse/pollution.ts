// Test 35: the same key twice, in arrays, in other letters, with a NUL. The last value counts everywhere, and
// prices come from the list alone.
import { withCleanup } from '#bench/kit/cleanup.ts';
import { query } from '#server/platform/database/db.ts';
import { type Finding, processTest } from '../kit/finding.ts';
import { type Victim, openVictim } from './victim.ts';

export const pollution = processTest({
  number: '35',
  name: 'abuse-pollution',
  about: 'keys that come twice, as arrays, in other letters, with NUL',
  loads: { short: { requests: 120 }, full: { requests: 500 } },
  describe: ({ requests }) => `${requests} requests`,
  run: ({ requests }, borrowed) => withCleanup(async (defer) => play(await openVictim(defer, borrowed), requests)),
});

/** These pairs stand before or after the right pair and must not change the answer. */
const NOISE = [
  'client_id[]=1',
  'client_id[0]=1',
  'CLIENT_ID=1',
  'Client_Id=1',
  'client_id%00=1',
  'client_id.x=1',
  'client_id%5B%5D=1',
  '__proto__[client_id]=1',
  'price=1',
  'price_minor_=1',
  '%00=1',
  'product_id[]=star_6000',
  'PRODUCT_ID=star_6000',
  'Product_id=star_6000',
  'product_id%20=star_6000',
  '%20product_id=star_6000',
  '&&',
  ';client_id=1',
];

async function play(victim: Victim, requests: number): Promise<Finding> {
  const faults: string[] = [];
  const { shop, players } = victim;
  const ask = async (path: string, n: number) => {
    const answer = await shop.server.request({
      method: 'GET',
      path,
      headers: { ...players[n % players.length]?.headers, host: victim.host },
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 500) faults.push(`${path} is answered ${answer.statusCode}`);
    return { status: answer.statusCode, text };
  };
  const price = (query_: string, n: number) => ask(`/api/pay/calculatePrice?${query_}`, n);
  const [cheap, dear] = [
    await price('client_id=70021&product_id=star_50', 0),
    await price('client_id=70021&product_id=star_6000', 0),
  ];
  if (!cheap.text.startsWith('{"code":1,') || !dear.text.startsWith('{"code":1,') || cheap.text === dear.text)
    faults.push(`two products look alike: ${cheap.text} ${dear.text}`);
  const body = JSON.parse(players[0]?.orders[0] ?? '{}') as Record<string, unknown>;
  for (let n = 0; n < requests; n += 1) {
    const noise = NOISE[n % NOISE.length] ?? '';
    const [first, last] = n % 2 === 0 ? ['star_6000', 'star_50'] : ['star_50', 'star_6000'];
    const wanted = last === 'star_50' ? cheap.text : dear.text;
    const polluted =
      n % 3 === 0
        ? `${noise}&product_id=${first}&product_id=${last}&client_id=x&client_id=70021`
        : `product_id=${first}&client_id=70021&product_id=${last}&${noise}`;
    const answer = await price(polluted, n);
    if (answer.text !== wanted) faults.push(`${polluted} is answered ${answer.text.slice(0, 200)}`);
    if (n % 10 !== 0) continue;
    // A payment, its price sent twice and by other names; and a callback with its signature twice.
    const text = JSON.stringify(body).slice(0, -1);
    const paid = await shop.server.request({
      method: 'POST',
      path: `/api/pay/${players[n % players.length]?.provider}_pay?price_minor=1&product_id=star_50`,
      headers: { ...players[n % players.length]?.headers },
      body: `${text},"amount_minor":1,"price":"0.01","PRICE_MINOR":1,"price_minor[]":1,"product_id[]":"star_50"}`,
    });
    await paid.body.dump();
    if (paid.statusCode >= 500) faults.push(`a payment is answered ${paid.statusCode}`);
    const callback = await shop.server.request({
      method: 'POST',
      path: '/callback/adyen?live=false&live=true',
      headers: { host: victim.host, 'content-type': 'application/json' },
      body: '{"live":"false","notificationItems":[],"notificationItems":[{}],"live":"true"}',
    });
    await callback.body.dump();
    if (callback.statusCode >= 500) faults.push(`a callback is answered ${callback.statusCode}`);
  }
  const wrong = await query<{ billing_no: string }>(
    shop.db,
    'chaos_35',
    `select o.billing_no from orders o join payment_attempt a using (player_id, billing_no)
      where o.amount_minor < 99 or a.amount_minor <> o.amount_minor or a.currency <> o.currency`,
  );
  for (const { billing_no: billingNo } of wrong) faults.push(`${billingNo} has a price of somebody else's`);
  return victim.judge(requests, `${requests} asked`, faults);
}
