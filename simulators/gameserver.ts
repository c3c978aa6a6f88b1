// The simulator for the games' servers, under `/game/<game>`, with its control calls.

import type { FastifyInstance } from 'fastify';
import { Webhook } from 'standardwebhooks';
import { rawTextOf } from './kit/bodies.ts';
import type { Clock } from './kit/clock.ts';
import type { Journal } from './kit/journal.ts';
import { numberAt, textAt } from './kit/read.ts';
import { createGameCalls } from './gameserver-calls.ts';
import { createGameFaults, failAfter, failBefore, type GameFault, gameFaultKinds } from './gameserver-faults.ts';
import { mountInbox } from './gameserver-inbox.ts';
import { mountOffers } from './gameserver-offers.ts';
import { openGameState } from './gameserver-state.ts';
import type { Worlds } from './gameserver-world.ts';

export function mountGameServer(context: {
  app: FastifyInstance;
  journal: Journal;
  clock: Clock;
  worlds: Worlds;
  /** `whsec_...` by game; several separated by commas while one replaces the other. */
  secrets: Record<string, string>;
  pageOrigin: () => string;
  /** The shop gives offers to players at this address. */
  shopUrl: string;
  /** Hears of each order when its goods are in the game, before the shop does. */
  onGrant?: ((billingNo: string) => void) | undefined;
}): void {
  const { app, clock, worlds } = context;
  const state = openGameState(context.journal);
  const faults = createGameFaults(clock);
  const isoNow = () => new Date(clock.now()).toISOString();
  const calls: Record<string, number> = {};
  let repeated = 0;

  for (const world of worlds.values()) {
    const verifiers = (context.secrets[world.id] ?? '').split(',').map((secret) => new Webhook(secret.trim()));
    const verbs = createGameCalls({ world, state, faults, clock, pageOrigin: context.pageOrigin });
    for (const [verb, carryOut] of Object.entries(verbs)) {
      app.post(`/game/${world.id}/${verb}`, async (request, reply) => {
        calls[verb] = (calls[verb] ?? 0) + 1;
        const user = textAt(request.body, 'user_id');
        if (await failBefore(faults, world.id, user, reply, clock)) return reply;
        const headers = {
          'webhook-id': String(request.headers['webhook-id'] ?? ''),
          'webhook-timestamp': String(request.headers['webhook-timestamp'] ?? ''),
          'webhook-signature': String(request.headers['webhook-signature'] ?? ''),
        };
        if (!isSignedByOne(verifiers, rawTextOf(request), headers)) {
          return reply.code(401).send({ error: 'invalid_signature' });
        }
        if (request.body === undefined) return reply.code(400).send({ error: 'invalid_json' });
        const answer = carryOut(request.body, headers['webhook-id']);
        if (answer.isRepeated) repeated += 1;
        else if (verb === 'grant' && answer.status === 200) context.onGrant?.(textAt(request.body, 'billing_no') ?? '');
        if (failAfter(faults, world.id, user, reply, answer.body)) return reply;
        return reply.code(answer.status).send(answer.body);
      });
    }
  }

  mountInbox(app, state, worlds, isoNow);
  mountOffers(app, context);

  app.get('/control/game', () => ({ applied: state.countGrants(), repeated, calls, faults: faults.list() }));
  // The applied keys of one game: what a reconciliation compares with the delivered orders.
  app.get('/control/game/applied', (request) => {
    const game = textAt(request.query, 'game');
    const grants = [...state.allGrants()].filter((grant) => !game || grant.game === game);
    return {
      keys: grants.map((grant) => grant.billing_no),
      repeated: grants.reduce((sum, grant) => sum + grant.repeated, 0),
    };
  });
  // Make-up payments whose account was unblocked, and accounts that are blocked now.
  app.get('/control/game/blocks', (request) => {
    const game = textAt(request.query, 'game') ?? '';
    return { unblockedBy: state.listFlags('unblocked', game), blocked: state.listFlags('blocked', game), repeated };
  });
  app.post('/control/game/faults', (request, reply) => {
    const fault = readFault(request.body, clock.now());
    if (!fault) return reply.code(400).send({ error: 'unknown_fault', kinds: gameFaultKinds });
    faults.add(fault);
    return { faults: faults.list() };
  });
  app.delete('/control/game/faults', (request) => {
    faults.clear(textAt(request.query, 'user'));
    return { faults: faults.list() };
  });
  app.post('/control/game/block', (request, reply) => {
    const [game, userId] = [textAt(request.body, 'game'), textAt(request.body, 'user_id')];
    if (!game || !worlds.has(game) || !userId) return reply.code(400).send({ error: 'game_and_user_id_required' });
    state.setFlag('blocked', game, userId, isoNow());
    return { blocked: true };
  });
  app.get('/control/game/player', (request) => {
    const [game, userId] = [textAt(request.query, 'game') ?? '', textAt(request.query, 'user_id') ?? ''];
    return {
      blocked: state.hasFlag('blocked', game, userId) !== undefined,
      verified: state.hasFlag('verified', game, userId) !== undefined,
      unblockedBy: state.hasFlag('unblocked', game, textAt(request.query, 'replenish_id') ?? '') ?? null,
    };
  });
}

function isSignedByOne(verifiers: Webhook[], text: string, headers: Record<string, string>): boolean {
  return verifiers.some((verifier) => {
    try {
      verifier.verify(text, headers, { jsonParse: false });
      return true;
    } catch {
      return false;
    }
  });
}

function readFault(body: unknown, now: number): GameFault | undefined {
  const kind = gameFaultKinds.find((known) => known === textAt(body, 'kind'));
  if (!kind) return undefined;
  const seconds = numberAt(body, 'seconds');
  const entries = Object.entries({
    game: textAt(body, 'game'),
    user: textAt(body, 'user'),
    reason: textAt(body, 'reason'),
    roleId: textAt(body, 'role_id'),
    times: numberAt(body, 'times'),
    probability: numberAt(body, 'probability'),
    ms: numberAt(body, 'ms'),
    bytes: numberAt(body, 'bytes'),
    endsAt: seconds === undefined ? undefined : now + seconds * 1000,
  }).filter(([, value]) => value !== undefined);
  return { kind, ...Object.fromEntries(entries) };
}
