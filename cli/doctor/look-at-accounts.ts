// Looks for accounts that were made twice: limits, caps and blocks count for each of them alone.
import { type Db, query } from '#server/platform/database/db.ts';
import { ill, type Look, well } from './look.ts';

/** Our choice: more than these are told as "at least". */
const MAX = 500;

type Pair = { readonly brand_key: string; readonly suid: string; readonly player_ids: readonly string[] };

/** Looks for two accounts of one brand that are open and have one user id of one game. */
export async function lookAtAccounts(db: Db): Promise<Look> {
  const pairs = await query<Pair>(
    db,
    'doctor_accounts',
    `select brand_key, suid, array_agg(player_id::text order by created_at, player_id) as player_ids
       from player where erased_at is null and disabled_at is null
       group by brand_key, suid having count(*) > 1 order by brand_key, suid limit $1`,
    [MAX],
  );
  // Asked apart: on a spread database players and identities lie apart (decision 64).
  const identities = await query<{ player_id: string; provider: string; subject: string }>(
    db,
    'doctor_identities',
    'select player_id::text, provider, subject from player_identity where player_id = any ($1::uuid[])',
    [pairs.flatMap(({ player_ids: ids }) => ids)],
  );
  const ownOf = Map.groupBy(identities, ({ player_id: id }) => id);
  const twice = pairs.flatMap((pair) => {
    // A browser of super mode has a record of its own on purpose.
    const open = pair.player_ids.filter((id) => !ownOf.get(id)?.some(({ provider }) => provider.endsWith('~beta')));
    return [...Map.groupBy(open, (id) => gameOf(ownOf.get(id) ?? [])).values()]
      .filter((ids) => ids.length > 1)
      .map((ids) => ({ ...pair, player_ids: ids }));
  });
  const name = 'user ids with two accounts';
  const [first] = twice;
  if (!first) return well('database', name, 'are none');
  const count = pairs.length === MAX ? `at least ${twice.length}` : String(twice.length);
  const example = `${first.suid} of ${first.brand_key}: player_id:${first.player_ids.join(' and player_id:')}`;
  return ill('database', 'warning', {
    name,
    reason: `are ${count}, e.g. ${example} (the older one first)`,
    remedy:
      `compare both by \`refill player show --brand ${first.brand_key} --player player_id:...\`, and shut the younger one ` +
      'out by `refill account disable` where it was made by mistake',
  });
}

/** @returns the game that keeps the account, empty where the shop does; two games may have one user id */
function gameOf(identities: readonly { readonly provider: string; readonly subject: string }[]): string {
  const own = identities.find(({ provider }) => provider === 'game');
  return own ? (own.subject.split('/', 1)[0] ?? '') : '';
}
