// Everything that the shop holds about one player, as one JSON document: a head that says what each part is and why it
// is kept, then the rows of every table. Made of the table of personal data, a batch of rows at a time.
import type { PlayerId } from '#kernel/ids.ts';
import type { Db } from '#server/platform/database/db.ts';
import { waysTo } from './erasing/erase-plan.ts';
import { type Row, findExported, readRows } from './export-store.ts';
import { PERSONAL_DATA, namedColumns } from './personal-data.ts';
import type { End, PersonalTable } from './personal-data-types.ts';

/** Tables that only lead from a number to rows that are in the document anyway. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  order_lookup: 'leads from an order number to the player; the orders are here',
  provider_reference: "leads from a provider's number to the payment; both stand with the payments",
  wallet_credit_reference: 'leads from a number of the operator to the credit; the movements of the balance are here',
};

export type ExportPart = {
  readonly table: string;
  readonly is: string;
  readonly kept: string;
  readonly when_erased: string;
  /** Describes each column that tells of a person. */
  readonly columns: Readonly<Record<string, string>>;
};

/** Columns that an export leaves out: hashes, secrets and addresses that open something. */
export const secretsOf = ({ columns }: PersonalTable): string[] =>
  Object.entries(columns).flatMap(([column, { isSecret }]) => (isSecret ? [column] : []));

/** The tables of an export, in its order. */
export const EXPORTED: readonly (readonly [string, PersonalTable])[] = Object.entries(PERSONAL_DATA).filter(
  ([table, one]) => waysTo(one).length > 0 && !(table in LEFT_OUT),
);

function describePart(table: string, one: PersonalTable): ExportPart {
  const secrets = new Set(secretsOf(one));
  const columns = Object.entries(one.columns).filter(([column]) => !secrets.has(column));
  const kept = one.onErasure === 'keep';
  return {
    table,
    is: one.purpose,
    kept: one.ends.map(describeEnd).join('; '),
    when_erased: kept ? 'stays without what names you' : 'goes',
    columns: Object.fromEntries(columns.map(([column, { is }]) => [column, is])),
  };
}

function describeEnd(end: End): string {
  switch (end.how) {
    case 'rows':
      return `goes some time after ${end.since}`;
    case 'columns':
      return `${end.columns.join(', ')}: emptied some time after ${end.since}`;
    case 'books':
      return 'books: as long as tax and commerce law say';
    case 'account':
      return 'as long as the account is there';
    case 'operator':
      return 'until the shop takes it away';
    case 'soon':
      return `goes by itself within ${end.within}`;
  }
}

/** A card's number opens it, together with its password: its end is enough to know it again. */
function maskCards(row: Row): Row {
  const isCard = row.provider === 'card';
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) =>
      typeof value === 'string' && (key === 'card_id' || (isCard && key === 'capture_ref'))
        ? [key, `...${value.slice(-4)}`]
        : [key, value],
    ),
  );
}

/**
 * The document as pieces of JSON text. It holds one connection while it is read; a reader who stops for a quarter of a
 * minute ends it (idle_in_transaction_session_timeout).
 * @throws Error when there is no such player
 */
export async function* exportPerson(db: Db, playerId: PlayerId, at: Date): AsyncGenerator<string> {
  const client = await db.connect();
  let isOver = false;
  try {
    // All tables as of one moment.
    await client.query('begin transaction isolation level repeatable read read only');
    const player = await findExported(client, playerId);
    if (!player) throw new Error(`there is no player ${playerId}`);
    const head: object = {
      format: 'refill-person-1',
      exported_at: at.toISOString(),
      brand: player.brand_key,
      player_id: playerId,
      ...(player.erased_at ? { erased_at: player.erased_at.toISOString() } : {}),
      about:
        'Everything that this shop holds about you. Under "parts" stands what each part is, why it is kept and ' +
        'what becomes of it when you have your data erased; under "data" stand the rows. Passwords, tokens and ' +
        'their hashes are never part of it; numbers of prepaid cards are shown by their last four characters. ' +
        'The names of characters and accounts are those that the game told.',
      not_held:
        'The shop holds no name, document or picture of a check of your real name, only what it came to. Reports ' +
        'of faults and moments of visits carry no account, so nobody can say whether they are yours.',
      parts: EXPORTED.map(([table, one]) => describePart(table, one)),
      left_out: LEFT_OUT,
    };
    yield `${JSON.stringify(head).slice(0, -1)},"data":{`;
    let isFirst = true;
    for (const [table, one] of EXPORTED) {
      yield `${isFirst ? '' : ','}\n${JSON.stringify(table)}:[`;
      isFirst = false;
      let isFirstRow = true;
      for await (const row of readRows(client, playerId, { table, ways: waysTo(one), secrets: secretsOf(one) })) {
        yield `${isFirstRow ? '' : ',\n'}${JSON.stringify(maskCards(row))}`;
        isFirstRow = false;
      }
      yield ']';
    }
    yield '}}';
    await client.query('commit');
    isOver = true;
  } finally {
    // A reader who went away leaves the transaction open: the connection goes with it.
    client.release(!isOver);
  }
}

/** Columns of a table as an export has them, for the test that compares. */
export const exportedColumns = (one: PersonalTable): string[] =>
  [...new Set(namedColumns(one))].filter((column) => !secretsOf(one).includes(column));
