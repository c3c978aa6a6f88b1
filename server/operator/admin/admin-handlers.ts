// Handles each call of the admin API by the same functions as the operator's commands; the audit names the key.
import { type AdminError, type AdminInput, type adminRoutes, hasScope, NO_DAY, NO_MOMENT } from '#contracts/admin.ts';
import { isDay, readInstant, readTimeZone } from '#kernel/calendar.ts';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { isCurrency, money } from '#kernel/money.ts';
import { findPlayersByRef, findPlayersShownAs } from '#server/modules/accounts/player-ref.ts';
import type { AccountAct } from '#server/modules/accounts/operate-account.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import { DIMENSIONS, readDimensions } from '#server/modules/orders/operator/money-report-rules.ts';
import { readMoneyReport } from '#server/modules/orders/operator/money-report-store.ts';
import { listDeadLetters, listReviewPage } from '#server/modules/orders/operator/operate-find-store.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { showOrder } from '#server/modules/orders/operator/operate-show.ts';
import { type ActOutcome, decideReview, deliverOrder, refundOrder } from '#server/modules/orders/operator/operate.ts';
import { findUnknownFilter, sayNoBrand } from '#server/modules/orders/operator/unknown-filter.ts';
import { ORDER_STATES } from '#server/modules/orders/rules.ts';
import { NO_FILTER, type OrderFilter, searchOrders } from '#server/modules/orders/operator/search-store.ts';
import { listEndpoints } from '#server/modules/webhooks/store.ts';
import type { Config } from '#server/platform/config.ts';
import { type Cursor, pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type Reads, readPrimary } from '#server/platform/database/reads/reads.ts';
import type { LimitStore } from '#server/platform/limits/limit-store.ts';
import type { Log } from '#server/platform/log.ts';
import { actOnAccount } from './act-on-account.ts';
import { type AdminKey, listAudit } from './key-store.ts';
import { readPlayerFacts } from './player-page-store.ts';
import { readPlayerPage } from './player-page.ts';

export type AdminDeps = {
  readonly config: Pick<Config, 'keySecrets'>;
  readonly counts: LimitStore;
  readonly db: Db;
  /** For what is only looked at. */
  readonly reads?: Reads | undefined;
  readonly log: Log;
  readonly configuration: () => Configuration;
  readonly now: () => number;
};

export type AdminReply =
  | { readonly body: object }
  | { readonly error: AdminError; readonly message?: string; readonly outcome?: string };

type Handlers = {
  readonly [Name in keyof typeof adminRoutes]: (
    input: AdminInput<(typeof adminRoutes)[Name]>,
    key: AdminKey,
  ) => Promise<AdminReply>;
};

const PAGE = 50;
const NOT_AFTER = 'query.until: it must be after query.since';
const wrong = (message: string): AdminReply => ({ error: 'bad_request', message });
const notFound = (message: string): AdminReply => ({ error: 'not_found', message });
/** As audit lines name it. */
const actorOf = (key: AdminKey): string => `key:${key.name}`;

export function createAdminHandlers(deps: AdminDeps): Handlers {
  const { db, reads = readPrimary(db) } = deps;
  const operatorOf = (key: AdminKey) => ({ db, by: actorOf(key) });

  const block =
    (act: Exclude<AccountAct, 'password'>, sentences: { done: string; nothing: string }): Handlers['block'] =>
    async ({ params, body: { reason } }, key) => {
      const playerId = params.player_id as PlayerId;
      const facts = await readPlayerFacts(db, playerId);
      if (!facts) return notFound(`there is no player ${playerId}`);
      const isDone = await actOnAccount(db, {
        act,
        brandKey: facts.brand_key,
        playerId,
        password: null,
        by: actorOf(key),
        reason,
      });
      return isDone
        ? { body: { outcome: 'done', sentence: `${facts.username} ${sentences.done}.` } }
        : { error: 'not_possible', outcome: 'nothing_to_do', message: `${facts.username} ${sentences.nothing}.` };
    };

  return {
    me: async (_input, key) => ({ body: { name: key.name, scopes: key.scopes, expires_at: key.expires_at } }),
    orders: async ({ query }) => {
      const page = readPage(query);
      const filter = readFilter(query);
      if ('error' in page) return page;
      if ('error' in filter) return filter;
      const { value: found, behindSeconds } = await reads.read((from) => searchOrders(from, filter, page));
      const unknown = found.rows.length === 0 && findUnknownFilter(deps.configuration(), filter);
      if (unknown) return wrong(`query.${unknown.name}: ${unknown.reason}`);
      return { body: { ...toPage(found.rows, page.limit), days: found.days, behind_seconds: behindSeconds } };
    },
    order: async ({ params }) => {
      const shown = await showOrder(db, params.billing_no);
      return shown ? { body: shown } : notFound(`there is no order ${params.billing_no}`);
    },
    redeliver: async ({ params }, key) => toDone(await deliverOrder(operatorOf(key), params.billing_no)),
    refund: async ({ params, body }, key) =>
      toDone(
        await refundOrder(operatorOf(key), params.billing_no, {
          attemptNo: body.attempt ?? null,
          reason: body.reason,
          isRevoking: body.revoke === true,
          isDone: body.done === true,
        }),
      ),
    reviews: async ({ query }) => {
      const page = readPage(query);
      if ('error' in page) return page;
      return { body: toPage(await listReviewPage(db, page), page.limit) };
    },
    review: async ({ params, body: { decision } }, key) => {
      if (decision === 'refund' && !hasScope(key.scopes, 'finance'))
        return { error: 'forbidden', message: `the key ${key.name} lacks the scope finance` };
      return toDone(await decideReview(operatorOf(key), params.billing_no, decision as 'deliver' | 'refund'));
    },
    deadLetters: async () => ({ body: { items: await listDeadLetters(db) } }),
    players: async ({ query: { brand, ref } }) => {
      const brandKey = brand as BrandKey;
      if (!deps.configuration().brands.has(brandKey))
        return notFound(`query.brand: ${sayNoBrand(deps.configuration())}`);
      const refs = (['user_id', 'login', 'player_id'] as const).map((by) => ({ by, value: ref }));
      const known = await findPlayersByRef(db, brandKey, refs, true);
      const shown = await findPlayersShownAs(db, brandKey, ref, true);
      const items = new Map([...known, ...shown].map(({ suid, ...one }) => [one.player_id, { ...one, user_id: suid }]));
      return { body: { items: [...items.values()] } };
    },
    player: async ({ params }, key) => {
      const playerId = params.player_id as PlayerId;
      const page = await readPlayerPage(db, deps.configuration(), playerId);
      if (!page) return notFound(`there is no player ${playerId}`);
      await addAudit(db, { actor: actorOf(key), act: 'player-read', billingNo: null, details: { player: playerId } });
      return { body: page };
    },
    block: block('disable', { done: 'is shut out', nothing: 'was shut out before' }),
    unblock: block('enable', { done: 'may log in again', nothing: 'is not shut out' }),
    endSessions: block('end-sessions', { done: 'is logged out everywhere', nothing: 'is logged in nowhere' }),
    report: async ({ params, query }) => {
      const read = readDimensions((query.by ?? 'day').split(',').map((name) => name.trim()));
      if ('unknown' in read) return wrong(`query.by: it must be of ${DIMENSIONS.join(', ')}, by commas`);
      const zone = readTimeZone(query.zone ?? 'UTC');
      if (zone === null) return wrong('query.zone: it must be the name of a time zone, e.g. Asia/Tokyo');
      const { since, until, brand = null } = query;
      const notDay = (['since', 'until'] as const).find((name) => !isDay(query[name]));
      if (notDay) return wrong(`query.${notDay}: ${NO_DAY}`);
      if (until <= since) return wrong(NOT_AFTER);
      const kind = params.report as 'revenue' | 'refunds' | 'chargebacks' | 'fees';
      const { value: rows, behindSeconds } = await reads.read((from) =>
        readMoneyReport(from, { kind, since, until, zone, by: read.by, brand }),
      );
      const unknown = rows.length === 0 && findUnknownFilter(deps.configuration(), { brand });
      if (unknown) return wrong(`query.${unknown.name}: ${unknown.reason}`);
      return { body: { by: read.by, rows, behind_seconds: behindSeconds } };
    },
    audit: async ({ query }) => {
      const page = readPage(query);
      if ('error' in page) return page;
      const before = page.before && Number(page.before.id);
      if (before !== null && !Number.isSafeInteger(before)) return wrong('query.cursor: it is no cursor of this list');
      const rows = await listAudit(db, { billingNo: query.billing_no ?? null, before }, page.limit + 1);
      const { rows: items, next } = pageOf(rows, page.limit, (line) => String(line.id));
      return { body: { items, next } };
    },
    webhooks: async () => ({
      body: {
        items: (await listEndpoints(db)).map(({ secret_hash: _hash, previous_hash: _before, ...shown }) => shown),
      },
    }),
  };
}

function toDone({ kind, outcome, sentence }: ActOutcome): AdminReply {
  if (kind === 'done') return { body: { outcome, sentence } };
  return kind === 'not_found' ? notFound(sentence) : { error: 'not_possible', outcome, message: sentence };
}

type Refusal = { readonly error: AdminError; readonly message: string };

function readPage(query: { limit?: string; cursor?: string }): { limit: number; before: Cursor | null } | Refusal {
  const { limit = String(PAGE), cursor } = query;
  const before = cursor === undefined ? null : readCursor(cursor);
  if (cursor !== undefined && before === null)
    return { error: 'bad_request', message: 'query.cursor: it is no cursor of a list' };
  return { limit: Number(limit), before };
}

function toPage<Row extends { billing_no: string; cursor_at: string }>(found: readonly Row[], limit: number) {
  const { rows, next } = pageOf(found, limit, (one) => one.billing_no);
  return { items: rows, next };
}

function readFilter(query: AdminInput<typeof adminRoutes.orders>['query']): OrderFilter | Refusal {
  const fault = (message: string) => ({ error: 'bad_request' as const, message });
  const { amount_minor: minor, currency } = query;
  if ((minor === undefined) !== (currency === undefined))
    return fault('query.amount_minor: it goes with query.currency');
  if (currency !== undefined && !isCurrency(currency)) return fault('query.currency: it is no known currency');
  const state = ORDER_STATES.find((known) => known === query.state) ?? null;
  if (query.state !== undefined && state === null)
    return fault(`query.state: it must be one of ${ORDER_STATES.join(', ')}`);
  const [since, until] = [momentOf(query.since), momentOf(query.until)];
  if (Number.isNaN(since?.getTime())) return fault(`query.since: ${NO_MOMENT}`);
  if (Number.isNaN(until?.getTime())) return fault(`query.until: ${NO_MOMENT}`);
  if (since && until && until <= since) return fault(NOT_AFTER);
  return {
    ...NO_FILTER,
    state,
    number: query.number ?? null,
    player: query.player ?? null,
    playerId: (query.player_id as PlayerId | undefined) ?? null,
    role: query.role ?? null,
    providerRef: query.provider_ref ?? null,
    brand: query.brand ?? null,
    country: query.country?.toUpperCase() ?? null,
    amount: minor !== undefined && currency !== undefined ? money(Number(minor), currency) : null,
    since,
    until,
  };
}

/** Null: it was not asked for. NaN: there is no such moment. */
function momentOf(text: string | undefined): Date | null {
  if (text === undefined) return null;
  return new Date(readInstant(isDay(text) ? `${text}T00:00:00Z` : text) ?? Number.NaN);
}
