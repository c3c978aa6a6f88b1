import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { money } from '#kernel/money.ts';
import type { GrantRequest } from '#server/modules/games/gameserver.ts';
import { type OutboundRequest, OutboundError } from '#server/platform/outbound/outbound.ts';
import { createStandardGameServer } from './standard.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OLD_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const BILLING_NO = '01JGZZZZZZZZZZZZZZZZZZZZZZ';

type Reply = { status: number; text: string } | OutboundError;

function setUp(reply: Reply, secrets: readonly string[] = [SECRET, OLD_SECRET]) {
  const calls: { url: string; call: OutboundRequest }[] = [];
  const game = createStandardGameServer({
    baseUrl: 'https://game.example/v1/',
    secrets,
    now: Date.now,
    timeoutMs: 1234,
    outbound: async (url, call) => {
      calls.push({ url, call });
      if (reply instanceof OutboundError) throw reply;
      return { ...reply, headers: {} };
    },
  });
  return { game, calls };
}

function ok(body: unknown, status = 200): { status: number; text: string } {
  return { status, text: JSON.stringify(body) };
}

const request: GrantRequest = {
  billingNo: BILLING_NO,
  clientId: '70011',
  userId: 'u-1',
  serverId: 's1',
  areaId: '',
  roleId: 'r-1',
  productId: 'gems-300',
  gifts: [{ id: 'gems', name: 'Gems', count: 30 }],
  paid: money(499, 'USD'),
  isSandbox: true,
};

describe('signature', () => {
  test('the first secret signs, and a game that verifies the raw body accepts it', async () => {
    const { game, calls } = setUp(ok({ status: 'ok', receipt_id: 'R-1' }));
    await game.grant(request);
    const { url, call } = calls[0]!;
    expect([call.method, url, call.timeoutMs]).toEqual(['POST', 'https://game.example/v1/grant', 1234]);
    expect(call.headers!['content-type']).toBe('application/json');
    expect(() => new Webhook(SECRET).verify(call.body!, call.headers!)).not.toThrow();
    expect(() => new Webhook(OLD_SECRET).verify(call.body!, call.headers!)).toThrow('No matching');
    expect(() => new Webhook(SECRET).verify(call.body!.replace('gems-300', 'gems-999'), call.headers!)).toThrow(
      'No matching',
    );
  });

  test('ids are the keys of grant and revoke, and random for reads', async () => {
    const { game, calls } = setUp(ok({ status: 'ok', receipt_id: 'R-1' }));
    await game.grant(request);
    await game.grant(request);
    await game.revoke(BILLING_NO, 'refund');
    await game.checkGrant(request, 'gems-300');
    await game.checkGrant(request, 'gems-300');
    const ids = calls.map(({ call }) => call.headers!['webhook-id']!);
    expect(ids.slice(0, 3)).toEqual([BILLING_NO, BILLING_NO, `${BILLING_NO}-revoke`]);
    expect(ids[3]).toMatch(/^msg_[\w-]{20,}$/);
    expect(ids[4]).not.toBe(ids[3]);
    expect(calls[0]!.call.body).toBe(calls[1]!.call.body);
  });

  test('without a usable secret there is no game server', () => {
    expect(() => setUp(ok({}), [])).toThrow('secret');
    expect(() => setUp(ok({}), ['whsec_!'])).toThrow(/base64/i);
  });
});

describe('what is sent', () => {
  test('a grant carries all the contract names, and no empty area', async () => {
    const { game, calls } = setUp(ok({ status: 'ok', receipt_id: 'R-1' }));
    await game.grant(request);
    await game.grant({ ...request, areaId: 'asia', paid: money(5900, 'KRW'), gifts: [], isSandbox: false });
    expect(JSON.parse(calls[0]!.call.body!)).toEqual({
      billing_no: BILLING_NO,
      client_id: '70011',
      user_id: 'u-1',
      server_id: 's1',
      role_id: 'r-1',
      product_id: 'gems-300',
      quantity: 1,
      gifts: [{ id: 'gems', name: 'Gems', count: 30 }],
      paid: { amount: '4.99', currency: 'USD' },
      sandbox: true,
    });
    expect(JSON.parse(calls[1]!.call.body!)).toMatchObject({
      area_id: 'asia',
      paid: { amount: '5900', currency: 'KRW' },
      gifts: [],
      sandbox: false,
    });
  });

  test('each verb has its own path and body', async () => {
    const { game, calls } = setUp({ status: 503, text: '' });
    await game.authenticate('70011', 'kestrel', 'pw');
    await game.listServers('70011', '').catch(() => {});
    await game.listServers('70011', 'asia').catch(() => {});
    await game.listRoles({ clientId: '70011', userId: 'u-1' }).catch(() => {});
    await game.listRoles({ clientId: '70011', userId: 'u-1', serverId: 's1', areaId: 'asia' }).catch(() => {});
    await game.checkGrant({ ...request, areaId: 'asia' }, 'gems-300');
    await game.revoke(BILLING_NO, 'chargeback');
    expect(calls.map(({ url, call }) => [url.split('/').at(-1), JSON.parse(call.body!)])).toEqual([
      ['authenticate', { client_id: '70011', username: 'kestrel', password: 'pw' }],
      ['servers', { client_id: '70011' }],
      ['servers', { client_id: '70011', area_id: 'asia' }],
      ['roles', { client_id: '70011', user_id: 'u-1' }],
      ['roles', { client_id: '70011', user_id: 'u-1', server_id: 's1', area_id: 'asia' }],
      [
        'check',
        {
          client_id: '70011',
          user_id: 'u-1',
          server_id: 's1',
          area_id: 'asia',
          role_id: 'r-1',
          product_id: 'gems-300',
        },
      ],
      ['revoke', { billing_no: BILLING_NO, reason: 'chargeback' }],
    ]);
  });
});

const UNCLEAR: [string, Reply][] = [
  ['400', ok({ status: 'declined', reason: 'x' }, 400)],
  ['401', ok({}, 401)],
  ['409', ok({}, 409)],
  ['500', ok({ status: 'ok', receipt_id: 'R-1' }, 500)],
  ['a redirect', { status: 302, text: '' }],
  ['an HTML page', { status: 200, text: '<html>' }],
  ['nothing', { status: 200, text: '' }],
  ['null', { status: 200, text: 'null' }],
  ['a list', ok(['ok'])],
  ['another status', ok({ status: 'OK', receipt_id: 'R-1' })],
];
const UNREACHED: [string, Reply][] = [
  ['a timeout', new OutboundError('timeout', true, 'late')],
  ['no connection', new OutboundError('network', false, 'refused')],
];

describe.each(['grant', 'revoke'] as const)('%s', (verb) => {
  const settle = (reply: Reply) => {
    const { game } = setUp(reply);
    return verb === 'grant' ? game.grant(request) : game.revoke(BILLING_NO, 'refund');
  };

  test('2xx, ok and a receipt is done', async () => {
    expect(await settle(ok({ status: 'ok', receipt_id: 'R-1', more: 1 }))).toEqual({ kind: 'done', receiptId: 'R-1' });
    expect((await settle(ok({ status: 'ok', receipt_id: 'R-1' }, 201))).kind).toBe('done');
  });

  test('2xx and declined is a decision', async () => {
    expect(await settle(ok({ status: 'declined', reason: 'role_not_found' }))).toEqual({
      kind: 'declined',
      reason: 'role_not_found',
    });
    expect(await settle(ok({ status: 'declined' }))).toEqual({ kind: 'declined', reason: 'no_reason' });
    expect(await settle(ok({ status: 'declined', reason: 'x'.repeat(5000) }))).toEqual({
      kind: 'declined',
      reason: 'x'.repeat(200),
    });
  });

  test.each([
    ...UNCLEAR,
    ...UNREACHED,
    ['ok without a receipt', ok({ status: 'ok' })] as [string, Reply],
    ['ok with an empty receipt', ok({ status: 'ok', receipt_id: '' })] as [string, Reply],
    ['ok with a number as receipt', ok({ status: 'ok', receipt_id: 7 })] as [string, Reply],
    ['ok with a giant receipt', ok({ status: 'ok', receipt_id: 'R'.repeat(129) })] as [string, Reply],
  ])('%s is unknown', async (_name, reply) => {
    expect((await settle(reply)).kind).toBe('unknown');
  });
});

describe('check', () => {
  test.each<[string, Reply]>([
    ['ok', ok({ status: 'ok' })],
    ['declined', ok({ status: 'declined', reason: 'limit_reached' })],
  ])('%s', async (kind, reply) => {
    expect((await setUp(reply).game.checkGrant(request, 'gems-300')).kind).toBe(kind);
  });
  test.each(UNCLEAR)('%s is unknown', async (_name, reply) => {
    expect((await setUp(reply).game.checkGrant(request, 'gems-300')).kind).toBe('unknown');
  });
  test.each(UNREACHED)('%s throws', async (_name, reply) => {
    await expect(setUp(reply).game.checkGrant(request, 'gems-300')).rejects.toThrow(OutboundError);
  });
});

describe('authenticate', () => {
  test('ok tells who it is', async () => {
    const { game } = setUp(ok({ status: 'ok', user_id: '884213', username: 'Kestrel' }));
    expect(await game.authenticate('70011', 'kestrel', 'pw')).toEqual({
      kind: 'ok',
      userId: '884213',
      username: 'Kestrel',
    });
  });
  test.each(['wrong_credentials', 'disabled'])('%s lets nobody in and tells nothing', async (reason) => {
    const { game } = setUp(ok({ status: 'declined', reason }));
    expect(await game.authenticate('70011', 'kestrel', 'pw')).toEqual({ kind: 'wrong_credentials' });
  });
  test.each([...UNCLEAR, ['ok without a user', ok({ status: 'ok' })] as [string, Reply]])(
    '%s is unknown',
    async (_name, reply) => {
      expect((await setUp(reply).game.authenticate('70011', 'kestrel', 'pw')).kind).toBe('unknown');
    },
  );
});

describe('identify', () => {
  const ask = (reply: Reply) => setUp(reply).game.identify?.('70011', 'google', '108');
  test('names the provider and its subject, and hears whose account it is', async () => {
    const { game, calls } = setUp(ok({ status: 'ok', user_id: '884213', username: 'Kestrel' }));
    const user = { kind: 'ok', userId: '884213', username: 'Kestrel' };
    expect(await game.identify?.('70011', 'google', '108')).toEqual(user);
    expect(calls[0]?.url).toMatch(/\/identify$/);
    expect(JSON.parse(calls[0]?.call.body ?? '')).toEqual({ client_id: '70011', provider: 'google', subject: '108' });
  });
  test('an identity without an account, and a game that does not offer it, are no trouble', async () => {
    expect(await ask(ok({ status: 'declined', reason: 'unknown_identity' }))).toEqual({ kind: 'no_account' });
    expect(await ask({ status: 404, text: 'no such verb' })).toBeNull();
  });
  test('anything else is unknown', async () => {
    expect(await ask({ status: 503, text: '' })).toMatchObject({ kind: 'unknown' });
    expect(await ask(ok({ status: 'ok' }))).toMatchObject({ kind: 'unknown' });
  });
});

describe('lists', () => {
  test('servers with and without areas', async () => {
    const { game } = setUp(
      ok({
        status: 'ok',
        areas: [{ id: 'asia', name: 'Asia' }],
        servers: [
          { id: 's1', name: 'S1', area_id: 'asia', open: true },
          { id: 's2', name: '火の谷', open: false },
        ],
      }),
    );
    expect(await game.listServers('70011', '')).toEqual({
      areas: [{ id: 'asia', name: 'Asia' }],
      servers: [
        { id: 's1', name: 'S1', areaId: 'asia', isOpen: true },
        { id: 's2', name: '火の谷', areaId: '', isOpen: false },
      ],
    });
  });

  test('roles, with names cut between characters', async () => {
    const role = { id: 'r-1', name: '𠮷'.repeat(400), level: 42, server_id: 's1' };
    const { game } = setUp(ok({ status: 'ok', roles: [role] }));
    expect(await game.listRoles({ clientId: '70011', userId: 'u-1' })).toEqual([
      { id: 'r-1', name: '𠮷'.repeat(200), level: 42, serverId: 's1', areaId: '' },
    ]);
  });

  const role = { id: 'r-1', name: 'n', level: 1, server_id: 's1' };
  test.each([
    ...UNCLEAR,
    ...UNREACHED,
    ['declined', ok({ status: 'declined', reason: 'x' })] as [string, Reply],
    ['a role without a level', ok({ status: 'ok', roles: [{ ...role, level: undefined }] })] as [string, Reply],
    ['an id that is a number', ok({ status: 'ok', roles: [{ ...role, id: 7 }] })] as [string, Reply],
    ['a giant id', ok({ status: 'ok', roles: [{ ...role, id: 'r'.repeat(129) }] })] as [string, Reply],
    ['too many', ok({ status: 'ok', roles: Array.from({ length: 501 }, () => role) })] as [string, Reply],
  ])('%s counts as not reached', async (_name, reply) => {
    await expect(setUp(reply).game.listRoles({ clientId: '70011', userId: 'u-1' })).rejects.toThrow(OutboundError);
    await expect(setUp(reply).game.listServers('70011', '')).rejects.toThrow(OutboundError);
  });
});
