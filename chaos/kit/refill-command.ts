// The operator's command against a shop of these tests, as a process of its own that can be killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BillingNo, GameId } from '#kernel/ids.ts';
import type { ChaosShop } from './shop.ts';

const CLI = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

export function runRefill<Json>(
  shop: ChaosShop,
  args: readonly string[],
): { child: ChildProcess; ended: Promise<Json> } {
  const child = spawn(process.execPath, [CLI, ...args, '--json', '--by', 'chaos'], {
    env: { ...shop.environment, REFILL_LOG: 'warn' } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => void (out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => void (err += chunk.toString()));
  const ended = once(child, 'close').then(() => {
    if (!out.trim().startsWith('{')) throw new Error(`refill ${args[0]} said nothing: ${err.slice(0, 500)}`);
    return JSON.parse(out) as Json;
  });
  return { child, ended };
}

type Recovered = {
  ok: boolean;
  orders: {
    billing_no: BillingNo;
    game: GameId;
    outcome: string;
    decisions: { decision: string; second?: string }[];
  }[];
  rewards: { reward_no: string; outcome: string; decisions: { decision: string }[] }[];
  money: { provider: string; reference: string | null; outcome: string }[];
  erased: { player_id: string; outcome: string }[];
  left: { billing_no: string | null }[];
};

export const recover = (shop: ChaosShop, since: Date, how: '--plan' | '--yes') =>
  runRefill<Recovered>(shop, ['recover', '--since', since.toISOString(), how]);
