// The verbs of the game server contract, as a game would carry them out. Wire: docs/game-server-contract.md.

import type { Clock } from './kit/clock.ts';
import { fingerprint, randomHex } from './kit/ids.ts';
import { at, numberAt, textAt } from './kit/read.ts';
import type { GameFaults } from './gameserver-faults.ts';
import type { GameState, Grant } from './gameserver-state.ts';
import { type Role, rolesOf, type World } from './gameserver-world.ts';

export type GameAnswer = { status: number; body: Record<string, unknown>; isRepeated?: boolean };

export type GameCalls = Record<string, (body: unknown, webhookId: string) => GameAnswer>;

/** The password of every simulated account; any other is wrong. */
export const demoPassword = 'refill-demo';

/** Most keys in one answer of `applied`. @source docs/game-server-contract.md */
const appliedPerPage = 1000;

/** The game finds these against a player, by how the user id begins. @source simulators/README.md */
const unwillingAtCheck: [word: string, reason: string][] = [
  ['novice', 'level_too_low'],
  ['bagfull', 'bag_full'],
  ['owner', 'already_owned'],
];
/** Their character takes everything until it is paid: the check is a yes, the grant a no. */
const unwillingAtGrant: [word: string, reason: string][] = [...unwillingAtCheck, ['fickle', 'level_too_low']];

const ok = (content: Record<string, unknown> = {}): GameAnswer => ({ status: 200, body: { status: 'ok', ...content } });
const declined = (reason: string): GameAnswer => ({ status: 200, body: { status: 'declined', reason } });
const invalid = (field: string): GameAnswer => ({ status: 400, body: { error: 'invalid_request', field } });

export function createGameCalls(parts: {
  world: World;
  state: GameState;
  faults: GameFaults;
  clock: Clock;
  pageOrigin: () => string;
}): GameCalls {
  const { world, state, faults, clock } = parts;
  const isoNow = () => new Date(clock.now()).toISOString();

  function findRole(body: unknown): Role | 'role_not_found' {
    const [userId, roleId] = [textAt(body, 'user_id') ?? '', textAt(body, 'role_id') ?? ''];
    const roles = rolesOf(world, textAt(body, 'client_id') ?? '', userId) ?? [];
    const role = roles.find((known) => known.id === roleId && known.server_id === textAt(body, 'server_id'));
    // A player whose id begins with `ghost` lost their characters after choosing one.
    const isGone = userId.startsWith('ghost') || faults.isRoleGone(world.id, roleId);
    return role && !isGone ? role : 'role_not_found';
  }

  function decide(body: unknown, unwilling: typeof unwillingAtCheck): Role | GameAnswer {
    for (const field of ['client_id', 'user_id', 'server_id', 'role_id', 'product_id']) {
      if (!textAt(body, field)) return invalid(field);
    }
    const role = findRole(body);
    if (role === 'role_not_found') return declined(role);
    if (textAt(body, 'product_id')!.includes('forbidden')) return declined('product_not_allowed');
    const found = unwilling.find(([word]) => textAt(body, 'user_id')!.startsWith(word));
    return found ? declined(found[1]) : role;
  }

  /** The money of a make-up payment went back: whoever was unblocked by it is blocked again. */
  function blockAgain(replenishId: string): GameAnswer {
    const unblocked = state.hasFlag('unblocked', world.id, replenishId);
    if (!unblocked) return declined('not_unblocked');
    state.setFlag('blocked', world.id, unblocked.detail ?? '', isoNow());
    return ok({ receipt_id: `RV-${replenishId}` });
  }

  return {
    authenticate(body) {
      const [username, password] = [textAt(body, 'username'), textAt(body, 'password')];
      if (!username) return invalid('username');
      if (username.toLowerCase().startsWith('disabled')) return declined('disabled');
      if (password !== demoPassword) return declined('wrong_credentials');
      return ok({ user_id: username.toLowerCase(), username });
    },
    identify(body) {
      const [provider, subject] = [textAt(body, 'provider'), textAt(body, 'subject')];
      if (!provider || !subject) return invalid(provider ? 'subject' : 'provider');
      // A game without this login company has no account of it.
      if (provider === 'vk' || subject.endsWith('nobody')) return declined('unknown_identity');
      return ok({ user_id: `${provider}-${subject}`, username: `Player ${subject.slice(-4)}` });
    },
    servers(body) {
      const area = textAt(body, 'area_id');
      const servers = world.servers.filter((server) => !area || server.area_id === area);
      return ok({ areas: world.areas, servers });
    },
    roles(body) {
      const [userId, server, area] = [textAt(body, 'user_id'), textAt(body, 'server_id'), textAt(body, 'area_id')];
      if (!userId) return invalid('user_id');
      const roles = rolesOf(world, textAt(body, 'client_id') ?? '', userId);
      if (!roles) return declined('unknown_client');
      return ok({
        roles: roles.filter((role) => (!server || role.server_id === server) && (!area || role.area_id === area)),
      });
    },
    check(body) {
      const fault = faults.take(world.id, ['decline'], textAt(body, 'user_id'));
      if (fault) return declined(fault.reason ?? 'role_not_found');
      const found = decide(body, unwillingAtCheck);
      return 'status' in found ? found : ok();
    },
    grant(body, webhookId) {
      const billingNo = textAt(body, 'billing_no');
      if (!billingNo) return invalid('billing_no');
      if (webhookId !== billingNo) return invalid('webhook-id');
      const print = fingerprint(JSON.stringify({ ...(body as object), recovery: undefined }));
      const known = state.findGrant(world.id, billingNo);
      if (known) {
        if (known.print !== print) return { status: 409, body: { error: 'key_reused' } };
        known.repeated += 1;
        state.saveGrant(known);
        return { ...ok({ receipt_id: known.receipt_id }), isRepeated: true };
      }
      const fault = faults.take(world.id, ['decline'], textAt(body, 'user_id'));
      if (fault) return declined(fault.reason ?? 'role_not_found');
      const role = decide(body, unwillingAtGrant);
      if ('status' in role) return role;
      const grant = readGrant(body, { billingNo, game: world.id, role, print, at: isoNow() });
      state.saveGrant(grant);
      return ok({ receipt_id: grant.receipt_id });
    },
    revoke(body, webhookId) {
      const billingNo = textAt(body, 'billing_no');
      if (!billingNo) return invalid('billing_no');
      if (webhookId !== `${billingNo}-revoke`) return invalid('webhook-id');
      const replenishId = textAt(body, 'replenish_id');
      if (replenishId) return blockAgain(replenishId);
      const grant = state.findGrant(world.id, billingNo);
      if (!grant) return declined('not_granted');
      if (grant.revoked) return { ...ok({ receipt_id: grant.revoked.receipt_id }), isRepeated: true };
      grant.revoked = { reason: textAt(body, 'reason') ?? '', receipt_id: `RV-${randomHex(8)}`, at: isoNow() };
      state.saveGrant(grant);
      return ok({ receipt_id: grant.revoked.receipt_id });
    },
    applied(body) {
      const since = (numberAt(body, 'since') ?? 0) * 1000;
      const first = Number(textAt(body, 'cursor') ?? 0);
      const grants = [...state.allGrants()].filter(
        (grant) => grant.game === world.id && Date.parse(grant.granted_at) >= since,
      );
      const unblocked = first === 0 ? state.listUnblocked(world.id, since) : [];
      const next = first + appliedPerPage;
      return ok({
        applied: grants
          .slice(first, next)
          .map(({ billing_no, receipt_id, recovery }) => ({ billing_no, receipt_id, ...(recovery && { recovery }) })),
        ...(unblocked.length > 0 ? { unblocked } : {}),
        ...(next < grants.length ? { next: String(next) } : {}),
      });
    },
    unblock(body, webhookId) {
      const [userId, replenishId] = [textAt(body, 'user_id'), textAt(body, 'replenish_id')];
      if (!userId) return invalid('user_id');
      if (!replenishId) return invalid('replenish_id');
      if (webhookId !== `${replenishId}-unblock`) return invalid('webhook-id');
      if (state.hasFlag('unblocked', world.id, replenishId)) return { ...ok(), isRepeated: true };
      const fault = faults.take(world.id, ['decline'], userId);
      if (fault) return declined(fault.reason ?? 'unknown_user');
      state.clearFlag('blocked', world.id, userId);
      const billingNo = textAt(body, 'billing_no') ?? '';
      const recovery = textAt(body, 'recovery') ?? '';
      state.setFlag('unblocked', world.id, replenishId, isoNow(), { detail: userId, billing_no: billingNo, recovery });
      return ok();
    },
    'real-name'(body) {
      const userId = textAt(body, 'user_id');
      if (!userId) return invalid('user_id');
      if (state.hasFlag('verified', world.id, userId)) return ok({ verified: true });
      // Said once: whoever asks again may try again.
      if (state.hasFlag('refused', world.id, userId)) {
        state.clearFlag('refused', world.id, userId);
        return declined('name_not_confirmed');
      }
      const url = new URL(`${parts.pageOrigin()}/game/real-name`);
      url.searchParams.set('game', world.id);
      url.searchParams.set('user_id', userId);
      const back = textAt(body, 'return_url');
      if (back) url.searchParams.set('return_url', back);
      return ok({ verified: false, url: url.href });
    },
  };
}

function readGrant(
  body: unknown,
  known: { billingNo: string; game: string; role: Role; print: string; at: string },
): Grant {
  const gifts = at(body, 'gifts');
  const area = textAt(body, 'area_id');
  const [amount, currency] = [textAt(body, 'paid.amount'), textAt(body, 'paid.currency')];
  return {
    billing_no: known.billingNo,
    game: known.game,
    client_id: textAt(body, 'client_id')!,
    user_id: textAt(body, 'user_id')!,
    server_id: known.role.server_id,
    ...(area ? { area_id: area } : {}),
    role_id: known.role.id,
    role_name: known.role.name,
    product_id: textAt(body, 'product_id')!,
    ...(textAt(body, 'recovery') ? { recovery: textAt(body, 'recovery')! } : {}),
    quantity: numberAt(body, 'quantity') ?? 1,
    gifts: Array.isArray(gifts)
      ? gifts.map((gift) => ({
          id: textAt(gift, 'id') ?? '',
          name: textAt(gift, 'name') ?? '',
          count: numberAt(gift, 'count') ?? 1,
        }))
      : [],
    paid: amount && currency ? { amount, currency } : null,
    sandbox: at(body, 'sandbox') === true,
    receipt_id: `R-${randomHex(8)}`,
    granted_at: known.at,
    repeated: 0,
    print: known.print,
  };
}
