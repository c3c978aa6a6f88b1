// `refill vip ...`: the programme of a brand, how far a player is in it, and points by hand.
import type { Command } from 'commander';
import { type Brand, type Configuration, loadConfiguration } from '#server/modules/configuration/service.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { levelOf } from '#server/modules/vip/service.ts';
import { listPoints, operatePoints, readPoints } from '#server/modules/vip/store.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';
import { withDatabase } from '#cli/database.ts';
import { EXIT, InputFault, type Terminal, drawTable, printJson } from '#cli/terminal.ts';
import { PLAYER_OPTION, readActor, readBrand, readCount, readPlayer, readReason } from './player-option.ts';

type BrandOptions = { brand: string; json?: boolean };
type PlayerOptions = BrandOptions & { player: string };
type PointsOptions = PlayerOptions & { give?: string; take?: string; reason: string; by?: string };

/** Our choice: a typing error of three digits more must not pass. */
const MAX_POINTS = 1_000_000;
const ENTRIES_SHOWN = 50;

export function addVipCommands(program: Command, terminal: Terminal): void {
  const vip = program.command('vip').description('levels of a brand, and points of its players');
  const withShopDatabase = <Result>(work: (db: Db, configuration: Configuration) => Promise<Result>) =>
    withDatabase({ environment: terminal.environment }, async (db) => work(db, await loadConfiguration(db)));
  const ofPlayer = (name: string, about: string) =>
    vip
      .command(name)
      .description(about)
      .requiredOption('--brand <key>', 'whose player')
      .requiredOption('--player <id>', PLAYER_OPTION)
      .option('--json', 'one JSON object instead of a sentence');

  vip
    .command('levels')
    .description('the applied levels of a brand with what they need and give')
    .requiredOption('--brand <key>', 'whose levels')
    .option('--json', 'one JSON object instead of a table')
    .action(async (options: BrandOptions) => {
      const { vip: programme } = await withShopDatabase(async (_db, configuration) =>
        readVipBrand(configuration, options.brand),
      );
      if (options.json) return printJson(terminal, { levels: programme.levels });
      terminal.out(
        drawTable(
          ['LEVEL', 'NAME', 'POINTS', 'COUPONS'],
          programme.levels.map(({ id, name, needPoints, coupons }) => [
            id,
            name.en,
            needPoints,
            coupons.map((coupon) => `${coupon.id} (${coupon.type}, ${coupon.rate})`).join(', '),
          ]),
        ),
      );
    });

  ofPlayer('show', 'points and level of a player, and the last entries of the ledger').action(
    async (options: PlayerOptions) => {
      const shown = await withShopDatabase(async (db, configuration) => {
        const { brand, vip: programme } = readVipBrand(configuration, options.brand);
        const { player_id: id } = await readPlayer(terminal, db, brand.key, options.player, options);
        const points = await readPoints(db, id);
        const level = levelOf(programme.levels, points)?.id ?? '';
        return { points, level, entries: await listPoints(db, id, ENTRIES_SHOWN) };
      });
      if (options.json) return printJson(terminal, shown);
      terminal.out(`${shown.points} points, level ${shown.level}.`);
      if (shown.entries.length === 0) return;
      terminal.out(
        drawTable(
          ['WHEN', 'WHAT', 'POINTS', 'ORDER'],
          shown.entries.map((one) => [one.created_at, one.kind, one.points, one.billing_no]),
        ),
      );
    },
  );

  ofPlayer('points', 'give points to a player or take some; exit code 3 when there are not so many')
    .option('--give <n>', 'so many more')
    .option('--take <n>', 'so many fewer')
    .requiredOption('--reason <text>', 'why, for the audit')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .action(async (options: PointsOptions) => {
      const by = readActor(options.by);
      const change = readChange(options);
      const reason = readReason(options.reason);
      const points = await withShopDatabase(async (db, configuration) => {
        const { brand } = readVipBrand(configuration, options.brand);
        const { player_id: player } = await readPlayer(terminal, db, brand.key, options.player, options);
        return transaction(db, async (client) => {
          const left = await operatePoints(client, player, change);
          if (left !== null)
            await addAudit(client, {
              actor: by,
              act: 'vip-points',
              billingNo: null,
              details: { player, points: change, reason },
            });
          return left;
        });
      });
      if (points === null) terminal.setExitCode(EXIT.impossible);
      if (options.json) return printJson(terminal, { isDone: points !== null, points });
      if (points === null) return terminal.err(`The player has fewer than ${-change} points; nothing was taken.`);
      terminal.out(`The player has ${points} points now.`);
    });
}

function readVipBrand(configuration: Configuration, key: string): { brand: Brand; vip: NonNullable<Brand['vip']> } {
  const brand = readBrand(configuration, key);
  if (!brand.vip) throw new InputFault(`--brand "${key}": it has no VIP programme; its file says isVip: false.`);
  return { brand, vip: brand.vip };
}

function readChange({ give, take }: PointsOptions): number {
  if ((give === undefined) === (take === undefined)) throw new InputFault('Say either --give or --take.');
  return give === undefined ? -readCount('--take', take ?? '', MAX_POINTS) : readCount('--give', give, MAX_POINTS);
}
