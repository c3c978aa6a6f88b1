// Test 34: nonsense on every route, drawn from a number. The same number asks the same questions again.
import { withCleanup } from '#bench/kit/cleanup.ts';
import type { ChaosContext, ChaosTest, Outcome, Size } from '../kit/chaos-test.ts';
import { type Call, type OpenApi, listCalls } from '../kit/routes.ts';
import { borrowFor } from '../kit/finding.ts';
import { type Random, createRandom } from '../sim/random.ts';
import { type Victim, openVictim } from './victim.ts';
import { BODIES, KEYS, OTHERS, QUERIES, TYPES, VALUES } from './nonsense-words.ts';

const COUNTS: Readonly<Record<Size, number>> = { short: 800, full: 50_000 };
const LANES = 8;
/** Our choice: memory is looked at after this part, when caches and the compiler have settled. */
const WARM = 0.4;
const MAY_GROW = 1.1;

/** Would end the players' sessions, or keep everybody out. */
const NOT_ASKED = /logout|end_session|end_other|change_password/;

export const nonsense: ChaosTest = {
  number: '34',
  name: 'abuse-fuzz',
  about: 'nonsense on every route, drawn from a number (--seed K asks the same again)',
  load: (size, options) => `${COUNTS[size]} requests${options['seed'] ? `, seed ${options['seed']}` : ''}`,
  run: (size, context) =>
    withCleanup(async (defer) => play(await openVictim(defer, await borrowFor(size, context)), size, context)),
};

async function play(victim: Victim, size: Size, { options, say }: ChaosContext): Promise<Outcome> {
  const seed = Number(options['seed'] ?? 1 + (Math.floor(Date.now() / 1000) % 1_000_000));
  say(`      seed ${seed}`);
  const document = await victim.shop.server.request({
    method: 'GET',
    path: '/openapi.json',
    headers: { host: victim.host },
  });
  const calls = listCalls((await document.body.json()) as OpenApi).filter(({ path }) => !NOT_ASKED.test(path));
  const faults: string[] = [];
  if (calls.length < 50) faults.push(`only ${calls.length} calls are known`);
  const seen = new Map<number, number>();
  const weights: number[] = [];
  let warm = 0;
  let next = 0;
  const count = COUNTS[size];
  const lane = async () => {
    for (let index = next++; index < count; index = next++) {
      // Each request has a chance of its own, so that it does not matter which lane sends it.
      const asked = draw(createRandom(seed * 1_000_003 + index), calls, victim);
      const outcome = await ask(victim, asked);
      seen.set(outcome.status, (seen.get(outcome.status) ?? 0) + 1);
      if (outcome.fault)
        faults.push(
          `seed ${seed}, request ${index}: ${outcome.fault}: ${asked.method} ${asked.path.slice(0, 120)} ` +
            `${asked.body?.slice(0, 120) ?? ''}`,
        );
      if (index === Math.floor(count * WARM)) warm = await victim.weigh();
      if (index > count * 0.8 && index % 50 === 0) weights.push(await victim.weigh());
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const end = Math.min(...weights);
  // In short nothing has settled yet: there only a leak of the grossest kind is seen.
  const bound = size === 'full' ? warm * MAY_GROW : warm + 150;
  if (end > bound) faults.push(`memory grew from ${warm.toFixed(0)} to ${end.toFixed(0)} MB`);
  const statuses = [...seen]
    .toSorted(([a], [b]) => a - b)
    .map(([status, times]) => `${times} x ${status}`)
    .join(', ');
  say(
    `      ${calls.length} calls and ${OTHERS.length} other addresses: ${statuses}; memory ${warm.toFixed(0)} -> ` +
      `${end.toFixed(0)} MB`,
  );
  const { result: _, ...outcome } = await victim.judge(count, statuses, faults);
  return outcome;
}

type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  /** Answers in the envelope. */
  readonly isCall: boolean;
};

function draw(random: Random, calls: readonly Call[], victim: Victim): Asked {
  const player = random.pick(victim.players);
  const call = random.pick(calls);
  const isCall = random.chance(0.8);
  const odd = ['GET', 'GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'];
  const method = isCall ? (random.chance(0.9) ? call.method : random.pick(['GET', 'POST'])) : random.pick(odd);
  const headers: Record<string, string> = { host: victim.host };
  if (random.chance(0.8)) headers['authorization'] = player.headers['authorization'] ?? '';
  if (random.chance(0.1))
    headers['accept-language'] = random.pick(['*', 'xx', ';q=9', 'zh-Hant-TW,zh;q=2', 'a'.repeat(2000)]);
  if (random.chance(0.1)) headers['idempotency-key'] = random.pick(['', 'x', 'k'.repeat(500), 'same-key-again']);
  if (random.chance(0.1))
    headers['cookie'] = random.pick([
      'refill-demo=',
      'refill-demo=rf1_x',
      'a=b; a=c; refill-demo=%00',
      '=',
      ';;;',
      `x=${'y'.repeat(2000)}`,
    ]);
  if (random.chance(0.5)) headers['accept'] = random.pick(['text/html', '*/*', '', 'application/json']);
  const base = isCall ? call.path : random.pick(OTHERS);
  const input: [string, string][] = Object.entries(call.input).map(([key, value]) => [key, JSON.stringify(value)]);
  // Up to three things are wrong, and sometimes nothing.
  for (let n = random.between(0, 3); n > 0; n -= 1) {
    const known = Object.keys(call.keys);
    const key = random.chance(0.7) && known.length > 0 ? random.pick(known) : random.pick(KEYS);
    const value = random.pick(VALUES);
    const at = input.findIndex(([name]) => name === key);
    if (at >= 0 && random.chance(0.7)) input[at] = [key, value];
    else if (random.chance(0.2)) input.splice(0, 1);
    else input.push([key, value]);
  }
  if (method === 'GET' || method === 'HEAD' || random.chance(0.1)) {
    const pairs = input.map(
      ([key, value]) => `${encode(key)}=${encode(value.slice(0, 1000).replaceAll(/^"|"$/g, ''))}`,
    );
    if (random.chance(0.3)) pairs.push(random.pick(QUERIES));
    return {
      method,
      path: pairs.length === 0 ? base : `${base}?${pairs.join('&')}`,
      headers,
      body: null,
      isCall: isCall && method === call.method,
    };
  }
  headers['content-type'] = random.pick(TYPES);
  headers['x-refill'] = '1';
  headers['sec-fetch-site'] = random.pick(['same-origin', 'same-origin', 'cross-site', 'none', 'x']);
  const whole = `{${input.map(([key, value]) => `"${key}":${value}`).join(',')}}`;
  const body = random.chance(0.15) ? random.pick([...BODIES, whole.slice(0, -2), `${whole},`]) : whole;
  return { method, path: base, headers, body, isCall };
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

async function ask(victim: Victim, asked: Asked): Promise<{ status: number; fault: string | null }> {
  const { method, path, headers, body } = asked;
  try {
    const answer = await victim.shop.server.request({
      method: method as 'GET',
      path,
      headers,
      ...(body === null ? {} : { body }),
    });
    const text = await answer.body.text();
    const { statusCode: status } = answer;
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    // Games and providers are well here, so nothing may be away.
    if (status >= 500 || status < 200) return { status, fault: `answered ${status} ${text.slice(0, 200)}` };
    const isOutside = /^\/(return|callback|pay)\//.test(path);
    if (asked.isCall && !isOutside && !(isJson && /^\{"code":-?\d+,"msg":"/.test(text)))
      return { status, fault: `answered without the envelope: ${status} ${text.slice(0, 200)}` };
    const isTelling = /\bat .{1,80}\.(ts|js|mjs):\d+|node_modules|ECONN|syntax error at or near/.test(text);
    if (isJson && isTelling && !path.startsWith('/openapi'))
      return { status, fault: `tells of its inside: ${text.slice(0, 300)}` };
    return { status, fault: null };
  } catch (error) {
    return { status: 0, fault: `no answer: ${(error as Error).message}` };
  }
}
