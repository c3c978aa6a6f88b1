// Test 40b: the version before is at work, the database is migrated under it, then its servers are replaced
// one by one. For a while both versions work on the same orders.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withCleanup } from '#bench/kit/cleanup.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { type ChaosTest, FLAWLESS, type Size } from './kit/chaos-test.ts';
import { makePlayers } from './kit/players.ts';
import { startChaosShop } from './kit/shop.ts';
import { startTraffic } from './kit/traffic.ts';
import { judge } from './kit/verdict.ts';

type UpgradeLoad = { readonly phaseSeconds: number; readonly perSecond: number; readonly players: number };
const LOADS: Readonly<Record<Size, UpgradeLoad>> = {
  short: { phaseSeconds: 10, perSecond: 20, players: 32 },
  full: { phaseSeconds: 60, perSecond: 50, players: 96 },
};
/**
 * A pay call may take this long while the tables belong to the migration: no call fails, and a server's call that waits
 * longer for a connection of its pool would. @source server/platform/database/db.ts, connectionTimeoutMillis
 */
const STALL_MS = 3000;
/** Versions are upgraded from this one on; nothing before it was ever released. */
const BASELINE = '0001-baseline.sql';
const HOW =
  'npm run chaos -- upgrade --from <folder>: a checkout of the version before, with its packages (npm ci) and ' +
  'its pages (npm run build)';

export const upgrade: ChaosTest = {
  number: '40b',
  name: 'upgrade',
  about: 'from another version while orders flow, both at work together; needs --from, not part of "all"',
  load: (size) => `4 x ${LOADS[size].phaseSeconds} s, ${LOADS[size].perSecond} orders/s`,
  run: async (size, { options, say }) => {
    if (!options['from']) return { ...FLAWLESS, notRun: HOW };
    const from = resolve(options['from']);
    const lacks = ['server/main.ts', 'node_modules', 'web/dist'].find((part) => !existsSync(join(from, part)));
    if (!existsSync(join(from, 'migrations', BASELINE)))
      return { ...FLAWLESS, notRun: `${from} is from before the first release: it has no migrations/${BASELINE}.` };
    if (lacks) return { ...FLAWLESS, notRun: `${from} has no ${lacks}. ${HOW}` };
    return withCleanup(async (defer) => {
      const { phaseSeconds, perSecond, players } = LOADS[size];
      const shop = await startChaosShop(defer, { servers: 2, code: from });
      const traffic = startTraffic(shop, await makePlayers(shop, players), perSecond, STALL_MS);
      const phase = () => sleep(phaseSeconds * 1000);
      await phase();
      const { applied, renewed } = await migrate(shop.postgres.url);
      await phase();
      const repeated = traffic.countRepeated();
      for (const slot of shop.slots) {
        await slot.stop();
        await slot.start();
        await phase();
      }
      const { billingNos, faults, figures } = await traffic.stop();
      say(
        `      under the old servers: migrations ${applied.join(', ') || 'none'}, ${renewed.length} functions ` +
          `and views renewed; ${figures}`,
      );
      if (repeated > 0) faults.push(`${repeated} pay calls failed under the migration`);
      return { ...(await judge(shop, billingNos)), orders: billingNos.length, faults };
    });
  },
};
