// The simulators as a process: reads its environment, starts, says `ready` on one line, ends with its parent.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnGame } from './gameserver-world.ts';
import { startSimulators } from './start.ts';

const { SIMULATORS_PORT = '0', SIMULATORS_DATA, SHOP_URL, SIMULATORS_DURABLE, SIMULATORS_GAMES } = process.env;
if (!SIMULATORS_DATA || !SHOP_URL) {
  console.error(
    "Set SIMULATORS_DATA (a folder for journals) and SHOP_URL (the shop's address, such as http://127.0.0.1:8080).",
  );
  process.exit(2);
}

const simulators = await startSimulators({
  port: Number(SIMULATORS_PORT),
  dataDir: SIMULATORS_DATA,
  shopUrl: SHOP_URL,
  durable: SIMULATORS_DURABLE !== '0',
  // JSON, a list of OwnGame.
  ...(SIMULATORS_GAMES ? { games: JSON.parse(SIMULATORS_GAMES) as OwnGame[] } : {}),
});

// `refill provider callback` finds them by it.
const addressFile = join(SIMULATORS_DATA, 'address');
writeFileSync(addressFile, simulators.url);

let isEnding = false;
async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  rmSync(addressFile, { force: true });
  await simulators.close();
  process.exit(0);
}

process.on('SIGTERM', () => void end());
process.on('SIGINT', () => void end());
process.on('disconnect', () => void end());
// A parent that was killed sends no signal: its child is handed to another process.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) void end();
}, 1_000);

// Said last: whoever reads it may end this process at once, and the handlers above must stand by then.
console.log(JSON.stringify({ ready: true, url: simulators.url, environment: simulators.environment }));
