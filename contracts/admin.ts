// The admin API: what support and finance ask and do by calls of their own systems, on the operator's port alone.
// Server validation, docs/admin-openapi.json and docs/admin-api.md go by this table.
import Type, { type Static, type TSchema } from 'typebox';

/** `support` and `finance` may read as well, `admin` may everything. */
export const SCOPES = ['read', 'support', 'finance', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export function hasScope(scopes: readonly Scope[], wanted: Scope): boolean {
  if (scopes.includes('admin')) return true;
  return wanted === 'read' ? scopes.length > 0 : scopes.includes(wanted);
}

/** Words for programs; they are added to, never renamed. */
export const ADMIN_ERRORS = {
  bad_request: { http: 400, about: 'a parameter or the body is wrong; the message says which' },
  unauthorized: { http: 401, about: 'key, signature or time are wrong, or the key is expired or revoked' },
  forbidden: { http: 403, about: 'the key lacks the scope' },
  not_found: { http: 404, about: 'there is no such thing' },
  method_not_allowed: { http: 405, about: 'the path has no call of this method; the header Allow names those it has' },
  not_possible: { http: 409, about: 'understood, but not possible in the state things are in; `outcome` says why' },
  replayed: { http: 409, about: 'a read with this webhook-id was answered before' },
  id_used: { http: 409, about: 'an act with this webhook-id was another one' },
  in_progress: { http: 409, about: 'the same act is being carried out; ask again with the same webhook-id' },
  too_large: { http: 413, about: 'the body is too large' },
  too_many: { http: 429, about: 'too many calls; Retry-After says when' },
  failed: { http: 500, about: 'a fault of the shop; the log has it' },
  unavailable: { http: 503, about: 'the database cannot be reached' },
} as const;
export type AdminError = keyof typeof ADMIN_ERRORS;

/** Declares a route; the identity function exists for its types. */
function adminRoute<Params extends TSchema, Query extends TSchema, Body extends TSchema, Output extends TSchema>(
  declaration: AdminRoute<Params, Query, Body, Output>,
): AdminRoute<Params, Query, Body, Output> {
  return declaration;
}

export type AdminRoute<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Output extends TSchema = TSchema,
> = {
  /** A read is answered once for each webhook-id; the webhook-id of a POST is its idempotency key. */
  readonly method: 'GET' | 'POST';
  /** Below /admin/v1, parameters as `:name`. */
  readonly path: string;
  readonly summary: string;
  readonly scope: Scope;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly output: Output;
};

const Strict = <Keys extends Record<string, TSchema>>(keys: Keys) => Type.Object(keys, { additionalProperties: false });
export const NO_DAY = 'it is no day; write e.g. 2026-11-28';
export const NO_MOMENT = 'it is no day or moment; write e.g. 2026-11-28 or 2026-11-28T10:00:00Z';
/** Patterns of texts, and what whoever wrote another one is told: a regular expression is for programs. */
const FORMS = {
  words: ['\\S', 'it is empty'],
  billingNo: ['^[0-9A-Z]{26}$', 'it is no order number; one has 26 digits and capital letters'],
  partOfNumber: ['^[0-9A-Z]{4,26}$', 'it is no part of an order number; write 4 to 26 digits and capital letters'],
  playerId: [
    '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    'it is no id of a player; write e.g. 0198c3a2-7b1e-7c40-9d52-3f6a8b9c0d1e',
  ],
  day: ['^\\d{4}-\\d\\d-\\d\\d$', NO_DAY],
  time: ['^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:\\d\\d))?$', NO_MOMENT],
  limit: ['^([1-9]\\d?|1\\d\\d|200)$', 'it must be a number from 1 to 200'],
  amount: ['^[1-9]\\d{0,14}$', 'it must be a whole number of minor units above zero'],
  currency: ['^[A-Z]{3}$', 'it is no currency; write e.g. USD'],
} as const; /* a row a line */ // prettier-ignore
export const FORM_FAULTS: ReadonlyMap<string, string> = new Map(Object.values(FORMS));
const Form = (name: keyof typeof FORMS, more: { description?: string } = {}) =>
  Type.String({ pattern: FORMS[name][0], ...more });
const Words = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: FORMS.words[0] });
const Optional = Type.Optional;
const OrNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Moment = Type.String({ format: 'date-time' });
/** Its keys are those of the tables; some may come, none is renamed. */
const Row = Type.Object({}, { additionalProperties: true });
const Behind = {
  behind_seconds: Type.Union([Type.Number(), Type.Null()], {
    description: 'read from a replica, and as it was at most so long ago; null: from the primary, as it is',
  }),
};
const None = Strict({});

const BillingNo = Form('billingNo');
const PlayerId = Form('playerId');
const Day = Form('day');
const Time = Form('time', { description: '2026-11-21, midnight UTC, or 2026-11-21T08:30:00Z' });

/** A page of a list: `next` is the `cursor` of the page behind it, null on the last one. */
const paging = {
  limit: Optional(Form('limit', { description: '1 to 200; 50 unless given' })),
  cursor: Optional(Type.String({ maxLength: 200 })),
};
const Page = <Schema extends TSchema>(item: Schema) =>
  Type.Object({ items: Type.Array(item), next: OrNull(Type.String()) });

const FoundOrder = Type.Object({
  billing_no: Type.String(),
  created_at: Moment,
  state: Type.String(),
  review_reason: OrNull(Type.String()),
  brand_key: Type.String(),
  game_id: Type.String(),
  product_id: Type.String(),
  amount_minor: Type.Integer(),
  currency: Type.String(),
  country: Type.String(),
  username: Type.String(),
  server_name: Type.String(),
  role_name: Type.String(),
});

/** Reports an act: `outcome` is a word for programs, `sentence` is for a person. */
const Done = Type.Object({ outcome: Type.String(), sentence: Type.String() });
/** Characters of a reason that a person gives, here and in every command: our choice, two sentences. */
export const MAX_REASON = 200;
const Reason = { reason: Words(MAX_REASON) };
const ofOrder = Strict({ billing_no: BillingNo });
const ofPlayer = Strict({ player_id: PlayerId });
const onPlayer = {
  method: 'POST',
  scope: 'support',
  params: ofPlayer,
  query: None,
  body: Strict(Reason),
  output: Done,
} as const;

export const adminRoutes = {
  me: adminRoute({
    method: 'GET', path: '/me', summary: 'Whose key this is, what it may and until when', scope: 'read',
    params: None, query: None, body: None,
    output: Type.Object({ name: Type.String(), scopes: Type.Array(Type.Enum([...SCOPES])), expires_at: Moment }),
  }),
  orders: adminRoute({
    method: 'GET', path: '/orders', scope: 'read',
    summary: 'Find orders; the newest first. Without number, player or known reference: of the last 31 days, unless `since` says more',
    params: None,
    query: Strict({
      number: Optional(Form('partOfNumber', { description: 'an order number, or a part of it' })),
      player: Optional(Words(200)), player_id: Optional(PlayerId), role: Optional(Words(200)),
      provider_ref: Optional(Words(200)), state: Optional(Words(20)), brand: Optional(Words(64)), country: Optional(Words(8)),
      amount_minor: Optional(Form('amount', { description: 'with `currency`' })),
      currency: Optional(Form('currency')), since: Optional(Time), until: Optional(Time), ...paging,
    }),
    body: None,
    output: Type.Intersect([Page(FoundOrder), Type.Object({ days: OrNull(Type.Integer()), ...Behind })]),
  }),
  order: adminRoute({
    method: 'GET', path: '/orders/:billing_no', summary: 'Everything that is known of one order, without secrets',
    scope: 'read', params: ofOrder, query: None, body: None,
    output: Type.Object({
      order: Row, attempts: Type.Array(Row), delivery: OrNull(Row), reservations: Type.Array(Row), ledger: Type.Array(Row),
      callbacks: Type.Array(Row), refunds: Type.Array(Row), revocation: OrNull(Row), audit: Type.Array(Row),
      timeline: Type.Array(Type.Object({ at: Moment, what: Type.String() })),
    }),
  }),
  redeliver: adminRoute({
    method: 'POST', path: '/orders/:billing_no/redeliver', summary: 'Send the goods to the game again, with the same key',
    scope: 'support', params: ofOrder, query: None, body: None, output: Done,
  }),
  refund: adminRoute({
    method: 'POST', path: '/orders/:billing_no/refund', summary: 'Give money back through the provider',
    scope: 'finance', params: ofOrder, query: None,
    body: Strict({
      ...Reason, attempt: Optional(Type.Integer({ minimum: 1, maximum: 99 })), revoke: Optional(Type.Boolean()),
      done: Optional(Type.Boolean({ description: 'it went back by hand already: only book it' })),
    }),
    output: Done,
  }),
  reviews: adminRoute({
    method: 'GET', path: '/reviews', summary: 'Orders that wait for a decision; the oldest first', scope: 'read',
    params: None, query: Strict(paging), body: None, output: Page(FoundOrder),
  }),
  review: adminRoute({
    method: 'POST', path: '/orders/:billing_no/review', scope: 'support',
    summary: 'Decide over an order in review; `refund` takes the scope finance',
    params: ofOrder, query: None, body: Strict({ decision: Type.Enum(['deliver', 'refund']) }), output: Done,
  }),
  deadLetters: adminRoute({
    method: 'GET', path: '/deadletters', summary: 'What no machine goes on with', scope: 'read',
    params: None, query: None, body: None, output: Type.Object({ items: Type.Array(Row) }),
  }),
  players: adminRoute({
    method: 'GET', path: '/players', summary: 'Players of a brand by an id of any kind, or by the name they are shown by',
    scope: 'read', params: None, query: Strict({ brand: Words(64), ref: Words(200) }), body: None,
    output: Type.Object({
      items: Type.Array(Type.Object({ player_id: Type.String(), user_id: Type.String(), username: Type.String() })),
    }),
  }),
  player: adminRoute({
    method: 'GET', path: '/players/:player_id', scope: 'support',
    summary: 'The page of a player; each look is audited', params: ofPlayer, query: None, body: None, output: Row,
  }),
  block: adminRoute({ ...onPlayer, path: '/players/:player_id/block', summary: 'Shut a player out; all sessions end' }),
  unblock: adminRoute({ ...onPlayer, path: '/players/:player_id/unblock', summary: 'Let a player in again' }),
  endSessions: adminRoute({ ...onPlayer, path: '/players/:player_id/end-sessions', summary: 'Log a player out everywhere' }),
  report: adminRoute({
    method: 'GET', path: '/reports/:report', summary: 'Sums over the ledger', scope: 'finance',
    params: Strict({ report: Type.Enum(['revenue', 'refunds', 'chargebacks', 'fees']) }),
    query: Strict({
      since: Day, until: Day, zone: Optional(Words(64)), brand: Optional(Words(64)),
      by: Optional(Type.String({ maxLength: 100, description: 'day, brand, game, country, method, channel, provider by commas' })),
    }),
    body: None,
    output: Type.Object({ by: Type.Array(Type.String()), rows: Type.Array(Row), ...Behind }),
  }),
  audit: adminRoute({
    method: 'GET', path: '/audit', summary: 'Acts of people and keys; the newest first', scope: 'admin', params: None,
    query: Strict({ billing_no: Optional(BillingNo), ...paging }), body: None, output: Page(Row),
  }),
  webhooks: adminRoute({
    method: 'GET', path: '/webhooks', summary: 'Endpoints of outgoing webhooks, and how they do', scope: 'admin',
    params: None, query: None, body: None, output: Type.Object({ items: Type.Array(Row) }),
  }),
}; /* a row a line */ // prettier-ignore

export type AdminInput<Route extends AdminRoute> = {
  readonly params: Static<Route['params']>;
  readonly query: Static<Route['query']>;
  readonly body: Static<Route['body']>;
};
