// From an empty folder to a shop with a brand and a game of its own, whose game server keeps the contract.
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findQuietPort } from '#scripts/start/start-ports.ts';
import type { Step, World } from './run-steps.ts';

/** Of an account in game-server/world.json. */
export const PLAYER = { userId: '1001', username: 'kestrel', password: 'refill-demo' } as const;

async function change(world: World, path: string, edit: (text: string) => string): Promise<void> {
  const file = join(world.shop, path);
  const before = await readFile(file, 'utf8');
  const after = edit(before);
  if (after === before) throw new Error(`${path} does not hold what the rehearsal changes there`);
  await writeFile(file, after);
}

export const shopSteps: readonly Step[] = [
  {
    name: 'new',
    about: 'refill new ../fjord --name "Fjord Games" --game skald',
    async run(world) {
      const out = await world.refill(['new', world.shop, '--name', 'Fjord Games', '--game', 'skald']);
      return out.split('\n')[0] ?? '';
    },
  },
  {
    name: 'own',
    about: 'an own colour, an own price, own words, an own picture',
    async run(world) {
      await change(world, 'brands/fjord/brand.yaml', (text) => text.replace(/^theme: .*$/m, "theme: '#8A3FFC'"));
      await change(world, 'games/skald/game.yaml', (text) => text.replace("USD: '4.99'", "USD: '5.49'"));
      await change(world, 'messages/en.json', () => '{ "recharge.pay": "Get it for {price}" }\n');
      await change(world, 'games/skald/assets/goods/gems-1.svg', (text) => text.replaceAll('#2fae90', '#8a3ffc'));
      return 'four files changed';
    },
  },
  {
    name: 'game',
    about: 'the sample game server starts, and .env says where it is',
    async run(world) {
      const port = await findQuietPort();
      const url = `http://127.0.0.1:${port}/v1`;
      const hasPython = spawnSync('python3', ['--version']).status === 0;
      const command = hasPython
        ? ['python3', join(world.shop, 'game-server', 'python', 'server.py')]
        : [process.execPath, join(world.shop, 'game-server', 'node', 'server.ts')];
      await world.start(command, { PORT: String(port) }, /the game listens on/);
      await change(world, '.env', (text) =>
        text
          .replace(/^#(REFILL_GAME_SKALD_DEMO_URL=).*$/m, `$1${url}`)
          .replace(/^#(REFILL_GAME_SKALD_DEMO_SECRETS=)/m, '$1'),
      );
      world.facts.game = { url, language: hasPython ? 'Python' : 'TypeScript (there is no python3 here)' };
      return `in ${world.facts.game.language}, at ${url}`;
    },
  },
  {
    name: 'check',
    about: 'refill game check skald --user 1001: the whole contract against it',
    async run(world) {
      const password = join(world.scratch, 'password');
      await writeFile(password, PLAYER.password);
      const out = await world.refill([
        'game',
        'check',
        'skald',
        '--user',
        PLAYER.userId,
        '--username',
        PLAYER.username,
        '--password-file',
        password,
      ]);
      return out.trim().split('\n').at(-1) ?? '';
    },
  },
];
