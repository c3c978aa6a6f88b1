// All SQL of prepaid cards outside the money functions (sql/ here, and those of orders that
// spend cards and give them back).
import type { Bound } from '#kernel/bound.ts';
import type { Texts } from '#contracts/files.ts';
import type { PlayerId } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';

export type CardChannel = 'card' | 'card43';

/**
 * One try of a card by a player. `password_hmac` in hex; `network` as `networkOf` gives it. Only a login leaves out
 * what may be null.
 */
export type CardTry = {
  purpose: 'check' | 'confirm' | 'login';
  player_id: PlayerId | null;
  network: string;
  brand_key: string;
  game_id: string | null;
  channel: string | null;
  card_id: string;
  card_key: string;
  password_hmac: string;
};

export type CardFacts = {
  outcome: 'ok';
  card_id: string;
  batch_id: string;
  channel: CardChannel;
  game_id: string | null;
  product_id: string | null;
  face_minor: number;
  face_currency: Currency;
  gems_number: number;
  extra_gems: number;
  issued_to: PlayerId | null;
  valid_to: string;
};

/** One answer for whoever asks; `reason` is for the log. */
export type CardLook = CardFacts | { outcome: 'refused'; reason: string };

/** Counts, compares and writes down the try, in one step. */
export async function checkCard(db: Queryable, tried: CardTry): Promise<CardLook> {
  const [row] = await query<{ check_card: CardLook }>(
    db,
    'card_check',
    `select check_card(p_player_id => $1, p_brand_key => $2, p_purpose => $3, p_card_id => $4,
       p_card_key => $5, p_password_hmac => $6,
       p_network => $7, p_game_id => $8, p_channel => $9)`,
    [
      tried.player_id,
      tried.brand_key,
      tried.purpose,
      tried.card_id,
      tried.card_key,
      Buffer.from(tried.password_hmac, 'hex'),
      tried.network,
      tried.game_id,
      tried.channel,
    ],
  );
  if (!row) throw new Error('check_card answered nothing');
  return row.check_card;
}

/** Returns true when an account has failed at a card within a day, as check_card counts it. */
export async function hasFailedLately(db: Queryable, playerId: PlayerId): Promise<boolean> {
  const [row] = await query<{ has_failed: boolean }>(
    db,
    'card_failed_lately',
    `select exists (select from card_failed_attempt where subject = 'd:' || $1::text and attempts > 0
       and since > now() - interval '1 day') as has_failed`,
    [playerId],
  );
  return row?.has_failed ?? true;
}

export type NewBatch = {
  batch_id: string;
  brand_key: string | null;
  channel: CardChannel;
  game_id: string | null;
  product_id: string | null;
  face_minor: number;
  currency: Currency;
  gems_number: number;
  extra_gems: number;
  valid_to: Date;
  issued_by: string;
};

/** Returns the numbers that were really new: one that is there already is left out, and its password with it. */
export async function insertCards(
  db: Queryable,
  batch: NewBatch,
  cards: readonly { cardId: string; passwordHmac: string }[],
  options: { isActive: boolean; issuedTo: PlayerId | null },
): Promise<string[]> {
  await query(
    db,
    'card_batch_insert',
    `insert into gift_card_batch (batch_id, brand_key, channel, game_id, product_id, face_minor, currency, gems_number, extra_gems, valid_to, issued_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (batch_id) do nothing`,
    [batch.batch_id, batch.brand_key, batch.channel, batch.game_id, batch.product_id, batch.face_minor, batch.currency, batch.gems_number,
      batch.extra_gems, batch.valid_to, batch.issued_by],
  ); /* a row a line */ // prettier-ignore
  const rows = await query<{ card_id: string }>(
    db,
    'card_insert',
    `insert into gift_card (card_id, batch_id, password_hmac, state, issued_to)
     select card_id, $1, decode(hmac, 'hex'), $4, $5 from unnest($2::text[], $3::text[]) as c(card_id, hmac)
     on conflict do nothing returning card_id`,
    [
      batch.batch_id,
      cards.map((card) => card.cardId),
      cards.map((card) => card.passwordHmac),
      options.isActive ? 'active' : 'created',
      options.issuedTo,
    ],
  );
  return rows.map((row) => row.card_id);
}

/** Activates a batch's cards, or voids them (or one card); spent ones stay as they are. @returns how many */
export async function changeCards(
  db: Queryable,
  which: { batchId: string } | { cardId: string },
  to: 'active' | 'void',
): Promise<number> {
  const from = to === 'active' ? ['created'] : ['created', 'active'];
  const rows = await query(
    db,
    'card_change',
    `update gift_card set state = $3 where state = any($4) and (batch_id = $1 or card_id = $2) returning card_id`,
    ['batchId' in which ? which.batchId : null, 'cardId' in which ? which.cardId : null, to, from],
  );
  return rows.length;
}

export async function hasBatch(db: Queryable, batchId: string): Promise<boolean> {
  const rows = await query(db, 'card_batch_has', 'select 1 as has from gift_card_batch where batch_id = $1', [batchId]);
  return rows.length > 0;
}

/**
 * Ends a card's lockout: its failed attempts and lockouts are counted from nothing again.
 * False when it is not locked out.
 */
export async function unlockCard(db: Queryable, cardId: string): Promise<boolean> {
  const rows = await query(
    db,
    'card_unlock',
    'delete from card_failed_attempt where card_id = $1 and locked_until > now() returning subject',
    [cardId],
  );
  return rows.length > 0;
}

export type BatchLine = {
  batch_id: string;
  brand_key: string | null;
  channel: CardChannel;
  currency: Currency;
  face_minor: number;
  valid_to: Date;
  created: number;
  active: number;
  spent: number;
  void: number;
  owed_minor: number;
};

/** Every batch with its cards by state; `owed_minor` is what can still be spent of it: a liability. */
export function listBatches(db: Queryable): Promise<BatchLine[]> {
  return query<BatchLine>(
    db,
    'card_batches',
    `select b.batch_id, b.brand_key, b.channel, b.currency, b.face_minor, b.valid_to,
       count(*) filter (where c.state = 'created') as created, count(*) filter (where c.state = 'active') as active,
       count(*) filter (where c.state = 'spent') as spent, count(*) filter (where c.state = 'void') as void,
       coalesce(sum(b.face_minor) filter (where c.state in ('created', 'active')
         and greatest(b.valid_to, c.valid_to) > now()), 0)::bigint as owed_minor
     from gift_card_batch b left join gift_card c using (batch_id) group by b.batch_id
     order by b.created_at, b.batch_id`,
  );
}

/** One card with its last tries, for support. Null: there is none. */
export async function findCard(
  db: Queryable,
  cardId: string,
): Promise<{ card: Record<string, unknown>; tries: Record<string, unknown>[] } | null> {
  const [card] = await query<Record<string, unknown>>(
    db,
    'card_find',
    `select c.card_id, c.state, c.issued_to, c.player_id, c.billing_no, c.spent_at,
       greatest(b.valid_to, c.valid_to) as valid_to, b.batch_id, b.brand_key,
       b.channel, b.game_id, b.product_id, b.face_minor, b.currency, b.gems_number, b.extra_gems,
       coalesce(f.attempts, 0) as failed_attempts,
       coalesce(f.locked_until > now(), false) as is_locked_out, f.locked_until
     from gift_card c join gift_card_batch b using (batch_id)
       left join lateral (
         select attempts, locked_until from card_failed_attempt where card_id = c.card_id
         order by attempts desc limit 1) f on true
     where c.card_id = $1`,
    [cardId],
  );
  if (!card) return null;
  const tries = await query<Record<string, unknown>>(
    db,
    'card_tries',
    'select at, purpose, outcome, player_id, brand_key, ip from card_try where card_id = $1 order by at desc limit 20',
    [cardId],
  );
  return { card, tries };
}

export type SpentCardRow = {
  billing_no: string;
  card_id: string;
  face_minor: number;
  currency: Currency;
  extra_gems: number;
  rest_minor: number;
  spent_at: Date;
  role_name: string;
  client_id: string;
  product_id: string;
  product: { name: Texts };
};

/**
 * The cards that paid a player's orders and still stand for them, the latest first. Our choice: two dozen are enough.
 * @param bound what a session that a game opened sees; null: everything of the account
 */
export function listSpentBy(db: Queryable, playerId: PlayerId, bound: Bound | null): Promise<SpentCardRow[]> {
  return query<SpentCardRow>(
    db,
    'cards_spent',
    `select c.billing_no, c.card_id, b.face_minor, b.currency, b.extra_gems, c.rest_minor,
     c.spent_at, o.role_name, o.client_id, o.product_id, o.product
     from gift_card c join gift_card_batch b using (batch_id) join orders o on o.player_id = c.player_id
       and o.billing_no = c.billing_no
     where c.player_id = $1 and c.state = 'spent' and ($2::text is null or o.client_id = $2)
       and ($3::text is null or o.server_id = $3)
       and ($4::text is null or o.area_id = $4) and ($5::text is null or o.role_id = $5)
     order by c.spent_at desc limit 24`,
    [playerId, bound?.client_id ?? null, bound?.server_id ?? null, bound?.area_id ?? null, bound?.role_id ?? null],
  );
}
