// `refill code ...`: the promo codes of a brand with their uses, and what creators have earned.
import type { Command } from 'commander';
import { type Currency, money, toDecimal } from '#kernel/money.ts';
import { type Brand, loadConfiguration } from '#server/modules/configuration/service.ts';
import { type CreatorSum, listCreatorSums, listPromoUses } from '#server/modules/codes/store.ts';
import type { Db } from '#server/platform/database/db.ts';
import { withDatabase } from '#cli/database.ts';
import { type Terminal, drawTable, printJson, refuseTwoForms } from '#cli/terminal.ts';
import { readTimes } from '#cli/times.ts';
import { readBrand } from './player-option.ts';

type ListOptions = { brand: string; json?: boolean };
type ReportOptions = ListOptions & { creator?: string; since?: string; until?: string; csv?: boolean };

export function addCodeCommands(program: Command, terminal: Terminal): void {
  const code = program.command('code').description('promo codes of a brand, and the shares of their creators');
  const withBrand = <Result>(key: string, work: (db: Db, brand: Brand) => Promise<Result>) =>
    withDatabase({ environment: terminal.environment }, async (db) =>
      work(db, readBrand(await loadConfiguration(db), key)),
    );

  code
    .command('list')
    .description('the applied codes of a brand: what they take off, their limits, and how often they are used now')
    .requiredOption('--brand <key>', 'whose codes')
    .option('--json', 'one JSON object instead of a table')
    .action(async ({ brand: key, json }: ListOptions) => {
      const codes = await withBrand(key, async (db, brand) => describeCodes(brand, await listPromoUses(db, brand.key)));
      if (json) return printJson(terminal, { codes });
      terminal.out(
        codes.length === 0
          ? 'No codes.'
          : drawTable(
              ['CODE', 'OFF', 'USED', 'OF', 'PER PLAYER', 'FOR', 'FROM', 'UNTIL', 'CREATOR', 'SHARE'],
              codes.map((one) => [
                one.code,
                one.off,
                one.used,
                one.total ?? 'any',
                one.first_purchase ? 'first purchase' : (one.per_player ?? 'any'),
                [...one.games, ...one.products, ...one.regions].join(' ') || 'everything',
                one.from,
                one.until,
                one.creator,
                one.share_bp === null ? null : `${one.share_bp / 100}%`,
              ]),
            ),
      );
    });

  code
    .command('report')
    .description('what creators earned, by month of the time zone of the brand and currency; refunds lower it')
    .requiredOption('--brand <key>', 'whose codes')
    .option('--creator <id>', 'only this creator')
    .option('--since <time>', 'booked at or after: 2026-11-21 or 2026-11-21T08:30:00Z (UTC)')
    .option('--until <time>', 'booked before, in the same form')
    .option('--csv', 'lines of a spreadsheet instead of a table')
    .option('--json', 'one JSON object instead of a table')
    .action(async (options: ReportOptions) => {
      refuseTwoForms(options);
      const { since: from, until } = readTimes(options);
      const sums = await withBrand(options.brand, (db, brand) =>
        listCreatorSums(db, {
          brandKey: brand.key,
          timeZone: brand.file.timeZone,
          creator: options.creator ?? null,
          from,
          until,
        }),
      );
      const creators = sums.map(describeSum);
      if (options.json) return printJson(terminal, { creators });
      // No field holds a comma or a quotation mark: ids, months, codes of ISO 4217 and amounts.
      if (options.csv) return terminal.out([COLUMNS, ...creators.map(valuesOf)].map((row) => row.join(',')).join('\n'));
      const heads = COLUMNS.map((column) => column.toUpperCase().replace('_', ' '));
      terminal.out(creators.length === 0 ? 'Nothing was earned.' : drawTable(heads, creators.map(valuesOf)));
    });
}

const COLUMNS = ['creator', 'month', 'currency', 'orders', 'earned', 'taken_back', 'share'] as const;
const valuesOf = (row: ReturnType<typeof describeSum>) => COLUMNS.map((column) => row[column]);

function describeSum(sum: CreatorSum) {
  const amount = (minor: number) => {
    const text = toDecimal(money(Math.abs(minor), sum.currency as Currency));
    return minor < 0 ? `-${text}` : text;
  };
  return {
    creator: sum.creator,
    month: sum.period,
    currency: sum.currency,
    orders: sum.orders,
    earned: amount(sum.earned_minor),
    taken_back: amount(sum.taken_back_minor),
    share: amount(sum.share_minor),
  };
}

function describeCodes(brand: Brand, uses: readonly { code: string; used: number }[]) {
  const usedOf = new Map(uses.map(({ code, used }) => [code, used]));
  const shown = (epochMs: number | null) => (epochMs === null ? null : new Date(epochMs).toISOString());
  return [...brand.promoCodes.values()].map(({ file, validFrom, validEnd }) => ({
    code: file.code,
    off: describeOff(file),
    used: usedOf.get(file.code) ?? 0,
    total: file.total ?? null,
    per_player: file.perPlayer ?? null,
    first_purchase: file.firstPurchase === true,
    games: file.games ?? [],
    products: file.products ?? [],
    regions: file.regions ?? [],
    with_coupon: file.withCoupon === true,
    from: shown(validFrom),
    until: shown(validEnd),
    creator: file.creator?.id ?? null,
    share_bp: file.creator?.share ?? null,
  }));
}

function describeOff({ rate, off }: { rate?: string; off?: Partial<Record<Currency, string>> }): string {
  if (rate !== undefined) return `pays ${rate}`;
  const amounts = Object.entries(off ?? {}).map(([currency, amount]) => `${currency} ${amount}`);
  return amounts.join(' ') || 'nothing';
}
