// A game that does what a test tells it. Like a real one it hands over a billing_no once, however often it is sent.
import type {
  AuthenticateOutcome,
  CheckOutcome,
  GameArea,
  GameRole,
  GameServer,
  GameServerInfo,
  GrantOutcome,
  GrantRequest,
  IdentifyOutcome,
  Recipient,
  UnblockRequest,
} from '#server/modules/games/gameserver.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';

type Answer<Value> = Value | Promise<Value>;

export type GameScript = {
  /** Every verb fails as an unreachable game does. */
  isDown: boolean;
  areas: GameArea[];
  servers: GameServerInfo[];
  roles(userId: string): GameRole[];
  authenticate(username: string, password: string): AuthenticateOutcome;
  identify(provider: string, subject: string): IdentifyOutcome;
  check(recipient: Recipient, productId: string): Answer<CheckOutcome>;
  /** Runs before the goods are handed over; a result replaces "done". */
  grant(request: GrantRequest): Answer<GrantOutcome | undefined>;
  /** The same of unblocking. */
  unblock(request: UnblockRequest): Answer<GrantOutcome | undefined>;
};

export type FakeGame = GameServer & {
  readonly script: GameScript;
  /** Every grant call, in order. */
  readonly granted: GrantRequest[];
  /** How often the goods of a billing_no were handed over. */
  readonly applied: Map<string, number>;
  /** Every unblock call, and the make-up payments that unblocked their account. */
  readonly unblocks: UnblockRequest[];
  readonly unblocked: Map<string, number>;
  /** Every revoke call. */
  readonly revoked: { billingNo: string; reason: string; replenishId: string | null }[];
  readonly calls: { listServers: number; listRoles: number; checkGrant: number };
  /** Most grant calls at one time. */
  peak: number;
  reset(): void;
};

function byDefault(): GameScript {
  return {
    isDown: false,
    areas: [],
    servers: [
      { id: 's1', name: 'Altair', areaId: '', isOpen: true },
      { id: 's2', name: 'Vega', areaId: '', isOpen: true },
      { id: 's9', name: 'Closed', areaId: '', isOpen: false },
    ],
    roles: () => [{ id: 'r1', name: 'Kestrel_07', level: 42, serverId: 's1', areaId: '' }],
    authenticate: () => ({ kind: 'wrong_credentials' }),
    identify: () => ({ kind: 'no_account' }),
    check: () => ({ kind: 'ok' }),
    grant: () => undefined,
    unblock: () => undefined,
  };
}

export function createFakeGame(): FakeGame {
  const script = byDefault();
  const applied = new Map<string, number>();
  const granted: GrantRequest[] = [];
  const unblocks: UnblockRequest[] = [];
  const unblocked = new Map<string, number>();
  const revoked: FakeGame['revoked'] = [];
  const calls = { listServers: 0, listRoles: 0, checkGrant: 0 };
  let inFlight = 0;
  const reach = () => {
    if (script.isDown) throw new OutboundError('network', false, 'game.test cannot be reached (ECONNREFUSED)');
  };
  const game: FakeGame = {
    script,
    granted,
    applied,
    unblocks,
    unblocked,
    revoked,
    calls,
    peak: 0,
    authenticate: async (_clientId, username, password) => {
      reach();
      return script.authenticate(username, password);
    },
    identify: async (_clientId, provider, subject) => {
      reach();
      return script.identify(provider, subject);
    },
    listServers: async () => {
      calls.listServers += 1;
      reach();
      return { areas: script.areas, servers: script.servers };
    },
    listRoles: async ({ userId, serverId }) => {
      calls.listRoles += 1;
      reach();
      return script.roles(userId).filter((role) => !serverId || role.serverId === serverId);
    },
    checkGrant: async (recipient, productId) => {
      calls.checkGrant += 1;
      reach();
      return script.check(recipient, productId);
    },
    grant: async (request) => {
      granted.push(request);
      inFlight += 1;
      game.peak = Math.max(game.peak, inFlight);
      try {
        reach();
        const scripted = await script.grant(request);
        if (scripted) return scripted;
        if (!applied.has(request.billingNo)) applied.set(request.billingNo, 1);
        return { kind: 'done', receiptId: `R-${request.billingNo}` };
      } finally {
        inFlight -= 1;
      }
    },
    revoke: async (billingNo, reason, replenishId) => {
      revoked.push({ billingNo, reason, replenishId: replenishId ?? null });
      return { kind: 'unknown', reason: 'not scripted' };
    },
    unblock: async (request) => {
      unblocks.push(request);
      reach();
      const scripted = await script.unblock(request);
      if (scripted) return scripted;
      unblocked.set(request.replenishId, 1);
      return { kind: 'done', receiptId: request.replenishId };
    },
    reset: () => {
      Object.assign(script, byDefault());
      granted.length = 0;
      applied.clear();
      unblocks.length = 0;
      unblocked.clear();
      revoked.length = 0;
      Object.assign(calls, { listServers: 0, listRoles: 0, checkGrant: 0 });
      game.peak = 0;
    },
  };
  return game;
}
