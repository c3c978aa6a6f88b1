// The adapter of the game server contract against its simulator, over real HTTP.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { createOutbound, createStandardGameServer } from '#testing/providers.ts';

let simulators: Simulators;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'refill-game-server-'));
  simulators = await startSimulators({ port: 0, dataDir: folder, shopUrl: 'http://127.0.0.1:1', durable: false });
});

afterAll(async () => {
  await simulators?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

async function setFault(body: unknown): Promise<void> {
  const answer = await fetch(`${simulators.url}/control/game/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
}

describe('the game server', () => {
  function newGame() {
    const url = simulators.environment['REFILL_GAME_EMBERFALL_DEMO_URL'] ?? '';
    const secrets = (simulators.environment['REFILL_GAME_EMBERFALL_DEMO_SECRETS'] ?? '').split(',');
    const open = createOutbound({ allowedHosts: new Set([new URL(url).host]) });
    const options = { baseUrl: url, secrets, outbound: open, now: Date.now };
    return { options, open, game: createStandardGameServer(options) };
  }
  const clientId = '70011';

  test('from signing in to goods, once, and back', async () => {
    const { game, open } = newGame();
    const user = await game.authenticate(clientId, 'kestrel', 'refill-demo');
    expect(user.kind).toBe('ok');
    const userId = user.kind === 'ok' ? user.userId : '';
    expect((await game.authenticate(clientId, 'kestrel', 'guess')).kind).toBe('wrong_credentials');
    const { servers } = await game.listServers(clientId, '');
    expect(servers.length).toBeGreaterThan(0);
    const [role] = await game.listRoles({ clientId, userId });
    if (!role) throw new Error('kestrel has no character');
    const recipient = { clientId, userId, serverId: role.serverId, areaId: role.areaId, roleId: role.id };
    expect(await game.checkGrant(recipient, 'gems-300')).toEqual({ kind: 'ok' });
    expect((await game.checkGrant({ ...recipient, roleId: 'nobody' }, 'gems-300')).kind).toBe('declined');
    const billingNo = `01JGZZZZZZZZZZZZZZZZZZ${Date.now() % 10_000}`;
    const request = {
      ...recipient,
      billingNo,
      productId: 'gems-300',
      gifts: [{ id: 'gems', name: 'Gems', count: 30 }],
      paid: { amountMinor: 499, currency: 'USD' as const },
      isSandbox: true,
    };
    const first = await game.grant(request);
    expect(first.kind).toBe('done');
    expect(await game.grant(request)).toEqual(first);
    expect((await game.revoke(billingNo, 'refund')).kind).toBe('done');
    expect((await game.revoke(`${billingNo}X`, 'refund')).kind).toBe('declined');
    await open.close();
  });

  test('a grant that was applied but not answered is unknown, then done', async () => {
    const { game, open } = newGame();
    const user = await game.authenticate(clientId, 'kestrel', 'refill-demo');
    const userId = user.kind === 'ok' ? user.userId : '';
    const [role] = await game.listRoles({ clientId, userId });
    if (!role) throw new Error('kestrel has no character');
    const request = {
      clientId,
      userId,
      serverId: role.serverId,
      areaId: role.areaId,
      roleId: role.id,
      billingNo: `01JGZZZZZZZZZZZZZZZZZY${Date.now() % 10_000}`,
      productId: 'gems-300',
      gifts: [],
      paid: { amountMinor: 499, currency: 'USD' as const },
      isSandbox: true,
    };
    for (const fault of [{ kind: 'applied-but-503' }, { kind: 'cut', bytes: 20 }, { kind: 'html' }]) {
      await setFault({ ...fault, times: 1 });
      expect((await game.grant(request)).kind).toBe('unknown');
    }
    expect((await game.grant(request)).kind).toBe('done');
    await open.close();
  });

  test('a wrong secret reaches nothing', async () => {
    const { options, open } = newGame();
    const stranger = createStandardGameServer({ ...options, secrets: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'] });
    expect((await stranger.authenticate(clientId, 'kestrel', 'refill-demo')).kind).toBe('unknown');
    await open.close();
  });
});
