// Steps on a spread database: those that come together for players of one node share a transaction there. What is no
// plain step of its player's rows runs by itself, by way of the coordinator, and so does everything where the node
// cannot be reached from here.
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { type Db, type Queryable, isRefused, query, refuseUndefined, toJsonb } from '#server/platform/database/db.ts';
import type { Nodes } from '#server/platform/database/nodes.ts';
import { gather } from '#server/platform/gather.ts';
import type { Repeat } from '#server/platform/repeat.ts';
import { type Step, runStep } from './step-store.ts';

/** A step with what its node has to be told of it. */
type Placed = { readonly step: Step; readonly input: Readonly<Record<string, unknown>> };

/** Our choice: an order is paid within minutes, and told of to the process that placed it more often than not. */
const REMEMBERED = 10_000;

/**
 * @param db the coordinator's
 * @param options.sort the order in which steps share a transaction
 */
export function createNodeSteps(
  db: Queryable,
  nodes: Nodes,
  options: { sort: (a: Step, b: Step) => number; repeat?: Repeat | undefined },
): <Answer>(step: Step<Answer>) => Promise<Answer> {
  const { repeat, sort } = options;
  const gathered = new Map<Db, (placed: Placed) => Promise<unknown>>();
  const players = new Map<BillingNo, PlayerId>();

  function remember(billingNo: BillingNo, player: PlayerId): PlayerId {
    if (players.size >= REMEMBERED) players.clear();
    players.set(billingNo, player);
    return player;
  }

  async function findPlayer({ values }: Step): Promise<PlayerId | undefined> {
    const { billing_no, player_id } = values as { billing_no: BillingNo | null; player_id?: PlayerId };
    if (billing_no === null) return player_id;
    if (player_id !== undefined) return remember(billing_no, player_id);
    const known = players.get(billing_no);
    if (known !== undefined) return known;
    const [row] = await query<{ player_id: PlayerId }>(
      db,
      'node_player',
      'select player_id from order_lookup where billing_no = $1',
      [billing_no],
    );
    return row && remember(billing_no, row.player_id);
  }

  async function place(step: Step, player: PlayerId): Promise<Placed> {
    refuseUndefined(step.name, step.values);
    if (step.name !== 'receive_report') return { step, input: step.values };
    // Logins lie on the coordinator; a payment tells them to the game (recovery facts).
    const identities = await query(
      db,
      'node_identities',
      'select player_id, provider, subject, created_at from player_identity where player_id = $1',
      [player],
    );
    return { step, input: { ...step.values, player_id: player, identities } };
  }

  const runAt = (node: Db) => async (batch: readonly Placed[]) => {
    const byThemselves = () => batch.map(({ step }) => runStep(db, step));
    const client = await nodes.connect(node);
    if (!client) return byThemselves();
    const sorted = batch.toSorted((a, b) => sort(a.step, b.step));
    let fault: Error | undefined;
    try {
      const [row] = await query<{ answers: unknown[] }>(
        client,
        'run_steps_at_node',
        'select to_jsonb(run_steps_at_node($1::jsonb, $2)) as answers',
        [toJsonb(sorted.map(({ input, step: { name } }) => ({ name, input }))), nodes.stamp],
      );
      if (row?.answers.length !== sorted.length)
        throw new Error(`run_steps_at_node answered ${row?.answers.length} of ${sorted.length} steps`);
      const answerOf = new Map(sorted.map((placed, index) => [placed, row.answers[index]]));
      return batch.map((placed) => answerOf.get(placed) ?? runStep(db, placed.step));
    } catch (error) {
      // One that is gone may have committed: then nobody knows, and each caller is told so.
      if (!isRefused(error)) {
        fault = error as Error;
        throw error;
      }
      nodes.askAnew();
      return byThemselves();
    } finally {
      client.release(fault);
    }
  };

  return async <Answer>(step: Step<Answer>): Promise<Answer> => {
    const player = await findPlayer(step);
    if (player === undefined) return runStep(db, step);
    const [node, placed] = await Promise.all([nodes.find(player), place(step, player)]);
    let run = gathered.get(node);
    if (!run) gathered.set(node, (run = gather(runAt(node), repeat)));
    return (await run(placed)) as Answer;
  };
}
