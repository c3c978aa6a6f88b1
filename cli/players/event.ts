// `refill event ...`: the events that are open, the rewards that players received, and asking a game again for one.
import type { Command } from 'commander';
import {
  type Configuration,
  countingZone,
  loadConfiguration,
  windowsAt,
} from '#server/modules/configuration/service.ts';
import {
  countRewards,
  listRewards,
  retryReward,
  type RewardState,
  type ShownReward,
} from '#server/modules/events/store.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';
import { withDatabase } from '#cli/database.ts';
import { PLAYER_OPTION, readActor, readBrand, readCount, readPlayer } from './player-option.ts';
import { EXIT, InputFault, type Terminal, drawTable, printJson } from '#cli/terminal.ts';

type RewardOptions = {
  brand?: string;
  player?: string;
  game?: string;
  event?: string;
  state?: string;
  flagged?: boolean;
  limit: string;
  json?: boolean;
};

const STATES = ['queued', 'calling', 'done', 'rejected', 'unknown', 'dead'] as const satisfies RewardState[];
const LARGEST_LIST = 1000;

export function addEventCommands(program: Command, terminal: Terminal): void {
  const event = program
    .command('event')
    .description('events that reward top-ups, and the rewards that players received');
  const withShopDatabase = <Result>(work: (db: Db, configuration: Configuration) => Promise<Result>) =>
    withDatabase({ environment: terminal.environment }, async (db) => work(db, await loadConfiguration(db)));

  event
    .command('list')
    .description('the events of the applied configuration: which runs are open where, and their rewards by state')
    .option('--json', 'one JSON object instead of a table')
    .action(async ({ json }: { json?: boolean }) => {
      const events = await withShopDatabase(async (db, configuration) =>
        describeEvents(configuration, await countRewards(db), Date.now()),
      );
      if (json) return printJson(terminal, { events });
      terminal.out(
        events.length === 0
          ? 'No events.'
          : drawTable(
              ['GAME', 'EVENT', 'KIND', 'STEPS', 'BRANDS', 'OPEN', 'UNTIL', 'REWARDS'],
              events.map((one) => [
                one.game,
                one.event,
                one.kind,
                one.steps,
                one.brands.join(' '),
                one.open.map(({ activity_id: id }) => id).join(' ') || 'none',
                one.open[0]?.ends_at ?? '',
                Object.entries(one.rewards)
                  .map(([state, count]) => `${count} ${state}`)
                  .join(', ') || 'none',
              ]),
            ),
      );
    });

  event
    .command('rewards')
    .description('rewards that players received, the newest first')
    .option('--brand <key>', 'whose player')
    .option('--player <id>', PLAYER_OPTION)
    .option('--game <id>', 'of this game')
    .option('--event <id>', 'of this event of the game, all its runs')
    .option('--state <state>', STATES.join(', '))
    .option('--flagged', 'only those whose money went back since')
    .option('--limit <n>', 'at most so many', '50')
    .option('--json', 'one JSON object instead of a table')
    .action(async (options: RewardOptions) => {
      const rewards = await withShopDatabase((db, configuration) => readRewards(terminal, db, configuration, options));
      if (options.json) return printJson(terminal, { rewards });
      terminal.out(rewards.length === 0 ? 'No rewards.' : drawRewards(rewards));
    });

  event
    .command('retry <reward>')
    .description('ask the game again for a reward that was given up; exit code 3 when there is none such')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of a sentence')
    .action(async (rewardNo: string, options: { by?: string; json?: boolean }) => {
      const by = readActor(options.by);
      const isDone = await withShopDatabase((db) =>
        transaction(db, async (client) => {
          if (!(await retryReward(client, rewardNo))) return false;
          await addAudit(client, { actor: by, act: 'reward-retry', billingNo: null, details: { reward: rewardNo } });
          return true;
        }),
      );
      if (!isDone) terminal.setExitCode(EXIT.impossible);
      if (options.json) return printJson(terminal, { ok: isDone, reward: rewardNo });
      (isDone ? terminal.out : terminal.err)(
        isDone
          ? `The game is asked again for ${rewardNo}.`
          : `${rewardNo} cannot be asked again: it is not there, or was not given up.`,
      );
    });
}

function describeEvents(
  { games, brands }: Configuration,
  counted: Awaited<ReturnType<typeof countRewards>>,
  now: number,
) {
  return [...games.values()].flatMap((game) =>
    game.events.map((event) => {
      const shown = [...brands.values()].filter(
        ({ key, file }) => file.games.includes(game.id) && (event.file.brands?.includes(key) ?? true),
      );
      const runs = shown.flatMap((brand) =>
        windowsAt(event, countingZone(brand, game), now).map((window) => ({ brand: brand.key, ...window })),
      );
      return {
        game: game.id,
        event: event.id,
        kind: event.file.kind,
        steps: event.steps.length,
        brands: shown.map(({ key }) => key),
        open: [...Map.groupBy(runs, ({ key }) => key)].map(([activityId, ofRun]) => ({
          activity_id: activityId,
          brands: ofRun.map(({ brand }) => brand),
          ends_at: new Date(Math.max(...ofRun.map(({ endsAt }) => endsAt))).toISOString(),
          is_over: ofRun.every(({ endsAt }) => endsAt <= now),
        })),
        rewards: Object.fromEntries(
          counted
            .filter((one) => one.game_id === game.id && one.event === event.id)
            .map(({ state, rewards }) => [state, rewards]),
        ),
      };
    }),
  );
}

async function readRewards(
  terminal: Terminal,
  db: Db,
  configuration: Configuration,
  options: RewardOptions,
): Promise<ShownReward[]> {
  const state = STATES.find((one) => one === options.state);
  if (options.state !== undefined && !state)
    throw new InputFault(`--state "${options.state}": it must be one of ${STATES.join(', ')}.`);
  if (options.game !== undefined && !configuration.games.has(options.game as never))
    throw new InputFault(`--game "${options.game}": known are ${[...configuration.games.keys()].join(', ')}.`);
  if (options.event !== undefined && options.game === undefined)
    throw new InputFault('--event: say with --game of which game.');
  if (options.player !== undefined && options.brand === undefined)
    throw new InputFault('--player: say with --brand whose player.');
  const player =
    options.brand !== undefined && options.player !== undefined
      ? await readPlayer(terminal, db, readBrand(configuration, options.brand).key, options.player, options)
      : null;
  return listRewards(
    db,
    {
      ...(player && { playerId: player.player_id }),
      ...(options.brand !== undefined && { brandKey: readBrand(configuration, options.brand).key }),
      ...(options.game !== undefined && { gameId: options.game }),
      ...(options.event !== undefined && { event: `${options.game}/${options.event}` }),
      ...(state && { state }),
      isUnearned: options.flagged ?? false,
    },
    readCount('--limit', options.limit, LARGEST_LIST),
  );
}

/** `FLAG`: the orders that it was received for do not reach it any more. */
export function drawRewards(rewards: readonly ShownReward[]): string {
  return drawTable(
    ['REWARD', 'STATE', 'STEP', 'CHARACTER', 'AT', 'RECEIPT', 'FLAG', 'LAST ANSWER'],
    rewards.map((one) => [
      one.reward_no,
      one.state,
      one.issue_key.replace(/^event\//, ''),
      `${one.role_name} (${one.role_id}, ${one.server_id})`,
      one.created_at,
      one.receipt_id ?? '',
      one.is_earned ? '' : 'money went back',
      one.last_error ?? '',
    ]),
  );
}
