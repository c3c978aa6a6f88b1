// Speaks the game server contract (docs/game-server-contract.md): signed JSON calls, and
// careful reading of what comes back.
import { randomUUID } from 'node:crypto';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { GameDeclined, type GameVerbName, type GameVerbRequest, gameVerbs } from '#contracts/game-server.ts';
import { toDecimal } from '#kernel/money.ts';
import type { Applied, GameServer, GrantOutcome, GrantRequest, Recipient } from '#server/modules/games/gameserver.ts';
import type { GameProtocol } from '#server/modules/games/protocol-port.ts';
import { type Outbound, type OutboundAnswer, OutboundError } from '#server/platform/outbound/outbound.ts';
import { createWebhookSigner } from '#server/platform/outbound/webhook-signature.ts';

/** @source docs/game-server-contract.md, "Requests": the shop waits 10 seconds for the whole answer */
const TIMEOUT_MS = 10_000;

const SHOWN_LENGTH = 200;

/** @source docs/game-server-contract.md, "The calls" */
const { authenticate, check, grant, servers, roles, applied } = gameVerbs;
const readDeclined = reader(GameDeclined);
const readOk = reader(check.ok);
const readAuthenticated = reader(authenticate.ok);
const readGranted = reader(grant.ok);
const readServers = reader(servers.ok);
const readRoles = reader(roles.ok);
const readApplied = reader(applied.ok);
const readRealName = reader(gameVerbs['real-name'].ok);

/** A reader of an answer: null unless it is a 2xx of exactly this shape. */
function reader<Schema extends TSchema>(schema: Schema): (answer: OutboundAnswer) => Static<Schema> | null {
  const validator = Compile(schema);
  return ({ status, text }) => {
    if (status < 200 || status > 299) return null;
    const value = parse(text);
    return validator.Check(value) ? (value as Static<Schema>) : null;
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * One game's server in one environment.
 * @param baseUrl what the verbs are appended to; a slash at its end does not matter
 * @param secrets `whsec_...`, the first signs; the others are the operator's note of what the game may still accept
 * @param timeoutMs whole call, milliseconds
 * @throws Error when there is no secret or the first one is not base64
 */
export function createStandardGameServer(options: {
  baseUrl: string;
  secrets: readonly string[];
  outbound: Outbound;
  now: () => number;
  timeoutMs?: number;
}): GameServer {
  const { outbound, now, timeoutMs = TIMEOUT_MS } = options;
  const base = options.baseUrl.replace(/(?<!\/)\/+$/, '');
  const [secret] = options.secrets;
  if (!secret) throw new Error('a game server needs at least one secret (whsec_...)');
  const sign = createWebhookSigner(secret);

  function post<Verb extends GameVerbName>(
    verb: Verb,
    content: GameVerbRequest<Verb>,
    id = randomId(),
  ): Promise<OutboundAnswer> {
    const body = JSON.stringify(content);
    const signedAt = new Date(now());
    return outbound(`${base}/${verb}`, {
      method: 'POST',
      timeoutMs,
      body,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1000)),
        'webhook-signature': sign(id, signedAt, body),
      },
    });
  }

  /**
   * A call whose outcome must never be guessed: whatever is no clear answer is unknown, also a connection never made.
   */
  async function settle<Verb extends 'grant' | 'revoke'>(
    verb: Verb,
    content: GameVerbRequest<Verb>,
    id: string,
  ): Promise<GrantOutcome> {
    try {
      const answer = await post(verb, content, id);
      const granted = readGranted(answer);
      if (granted) return { kind: 'done', receiptId: granted.receipt_id };
      return declined(answer) ?? unclear(verb, answer);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: 'unknown', reason: error.message };
    }
  }

  return {
    async authenticate(clientId, username, password) {
      const answer = await post('authenticate', { client_id: clientId, username, password });
      const user = readAuthenticated(answer);
      if (user) return { kind: 'ok', userId: user.user_id, username: shown(user.username) };
      // A disabled account gets the same answer, so that nobody learns which accounts exist.
      return readDeclined(answer) ? { kind: 'wrong_credentials' } : unclear('authenticate', answer);
    },

    async identify(clientId, provider, subject) {
      const answer = await post('identify', { client_id: clientId, provider, subject });
      if (answer.status === 404) return null;
      const user = readAuthenticated(answer);
      if (user) return { kind: 'ok', userId: user.user_id, username: shown(user.username) };
      return readDeclined(answer) ? { kind: 'no_account' } : unclear('identify', answer);
    },

    async listServers(clientId, areaId) {
      const answer = await post('servers', { client_id: clientId, ...given({ area_id: areaId }) });
      const read = readServers(answer);
      if (!read) throw nonsense('servers', answer);
      return {
        areas: read.areas.map(({ id, name }) => ({ id, name: shown(name) })),
        servers: read.servers.map((one) => ({
          id: one.id,
          name: shown(one.name),
          areaId: one.area_id ?? '',
          isOpen: one.open,
        })),
      };
    },

    async listRoles({ clientId, userId, serverId = '', areaId = '' }) {
      const filters = given({ server_id: serverId, area_id: areaId });
      const answer = await post('roles', { client_id: clientId, user_id: userId, ...filters });
      const read = readRoles(answer);
      if (!read) throw nonsense('roles', answer);
      return read.roles.map((role) => ({
        id: role.id,
        name: shown(role.name),
        level: role.level,
        serverId: role.server_id,
        areaId: role.area_id ?? '',
      }));
    },

    async checkGrant(recipient, productId) {
      const answer = await post('check', { ...writeRecipient(recipient), product_id: productId });
      if (readOk(answer)) return { kind: 'ok' };
      return declined(answer) ?? unclear('check', answer);
    },

    async checkRealName({ clientId, userId, returnUrl }) {
      const answer = await post('real-name', { client_id: clientId, user_id: userId, return_url: returnUrl });
      if (answer.status === 404) return null;
      const said = readRealName(answer);
      if (said?.verified) return { kind: 'verified' };
      if (said?.url) return { kind: 'unfinished', url: said.url };
      const no = declined(answer);
      return no ? { kind: 'refused', reason: no.reason } : unclear('real-name', answer);
    },

    grant: (request) => settle('grant', writeGrant(request), request.billingNo),

    async listApplied(since, cursor) {
      const asked = { since: Math.floor(since / 1000), ...(cursor === null ? {} : { cursor }) };
      const answer = await post('applied', asked);
      if (answer.status === 404) return null;
      const read = readApplied(answer);
      if (!read) throw nonsense('applied', answer);
      return {
        keys: read.applied.map((one) => one.billing_no),
        next: read.next || null,
        applied: read.applied.map((one) => readApplication(one, textOrNull(one.receipt_id))),
        unblocked: (read.unblocked ?? []).map((one) => readApplication(one, null)),
      };
    },

    revoke: (billingNo, reason, replenishId = '') =>
      settle(
        'revoke',
        { billing_no: billingNo, reason, ...given({ replenish_id: replenishId }) },
        `${billingNo}-revoke`,
      ),

    async unblock({ billingNo, replenishId, clientId, userId, recovery }) {
      const content = {
        user_id: userId,
        client_id: clientId,
        replenish_id: replenishId,
        billing_no: billingNo,
        ...given({ recovery: recovery ?? '' }),
      };
      try {
        const answer = await post('unblock', content, `${replenishId}-unblock`);
        // The answer has no receipt of its own: the number of the make-up payment stands for it.
        if (readOk(answer)) return { kind: 'done', receiptId: replenishId };
        return declined(answer) ?? unclear('unblock', answer);
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        return { kind: 'unknown', reason: error.message };
      }
    },
  };
}

function writeRecipient(recipient: Recipient): Omit<GameVerbRequest<'check'>, 'product_id'> {
  return {
    client_id: recipient.clientId,
    user_id: recipient.userId,
    server_id: recipient.serverId,
    ...given({ area_id: recipient.areaId }),
    role_id: recipient.roleId,
  };
}

function writeGrant(request: GrantRequest): GameVerbRequest<'grant'> {
  return {
    billing_no: request.billingNo,
    ...writeRecipient(request),
    product_id: request.productId,
    quantity: 1,
    gifts: request.gifts.map(({ id, name, count }) => ({ id, name, count })),
    ...(request.paid && { paid: { amount: toDecimal(request.paid), currency: request.paid.currency } }),
    sandbox: request.isSandbox,
    ...given({ recovery: request.recovery ?? '' }),
  };
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

function readApplication(one: { billing_no: string; recovery?: unknown }, receiptId: string | null): Applied {
  return { key: one.billing_no, receiptId, recovery: textOrNull(one.recovery) };
}

/** The contract leaves out what does not apply; an empty text is never sent. */
function given<Fields extends Record<string, string>>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as Partial<Fields>;
}

function declined(answer: OutboundAnswer): { kind: 'declined'; reason: string } | null {
  const read = readDeclined(answer);
  return read && { kind: 'declined', reason: shown(read.reason || 'no_reason') };
}

function unclear(verb: string, answer: OutboundAnswer): { kind: 'unknown'; reason: string } {
  return { kind: 'unknown', reason: explain(verb, answer) };
}

/** Reads have no outcome for nonsense: to the player it is a game that did not answer. */
function nonsense(verb: string, answer: OutboundAnswer): OutboundError {
  return new OutboundError('network', true, explain(verb, answer));
}

function explain(verb: string, { status }: OutboundAnswer): string {
  return status >= 200 && status <= 299
    ? `the game's answer to ${verb} is not what the contract says`
    : `the game answered ${status} to ${verb}`;
}

/** Cut between characters, never inside one. */
function shown(text: string): string {
  return text.length > SHOWN_LENGTH ? Array.from(text).slice(0, SHOWN_LENGTH).join('') : text;
}

/** Drawn from Node's store of randomness: `randomBytes` asks the system each time, 25 us on the way of every order. */
function randomId(): string {
  return `msg_${randomUUID()}`;
}

/** docs/game-server-contract.md. */
export const standardProtocol: GameProtocol = { name: 'standard', open: createStandardGameServer };
