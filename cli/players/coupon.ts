// `refill coupon ...`: giving coupons to players, looking at them, withdrawing one.
import { DAY_MS } from '#kernel/time.ts';
import type { Command } from 'commander';
import type { Texts } from '#contracts/files.ts';
import { isLanguage, type Language, LANGUAGES } from '#kernel/languages.ts';
import { listPlayerIds } from '#server/modules/accounts/player-store.ts';
import { type Brand, type Configuration, loadConfiguration } from '#server/modules/configuration/service.ts';
import { type CouponGift, giveCoupons, withdrawCoupon } from '#server/modules/coupons/service.ts';
import { isWithdrawn } from '#server/modules/coupons/present.ts';
import { listPlayerCoupons } from '#server/modules/coupons/store.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';
import { withDatabase } from '#cli/database.ts';
import { PLAYER_OPTION, readActor, readAmount, readBrand, readCount, readPlayer } from './player-option.ts';
import { EXIT, InputFault, type Terminal, drawTable, printJson } from '#cli/terminal.ts';

type IssueOptions = {
  brand: string; player?: string; all?: boolean; rate: string; name: string[]; days: string; game?: string[]; product?: string[]; min?: string[];
  claimable?: boolean; once?: string; by?: string; json?: boolean;
}; /* a row a line */ // prettier-ignore
type PlayerOptions = { brand: string; player: string; by?: string; json?: boolean };

const collect = (value: string, list: string[] = []) => [...list, value];

export function addCouponCommands(program: Command, terminal: Terminal): void {
  const coupon = program.command('coupon').description('give coupons to players and take them back');
  const withShopDatabase = <Result>(work: (db: Db, configuration: Configuration) => Promise<Result>) =>
    withDatabase({ environment: terminal.environment }, async (db) => work(db, await loadConfiguration(db)));

  coupon
    .command('issue')
    .description('give a coupon to one player, or to every player of a brand')
    .requiredOption('--brand <key>', 'whose player')
    .option('--player <id>', PLAYER_OPTION)
    .option('--all', 'every player of the brand')
    .requiredOption('--rate <decimal>', 'the part of the price that is paid: 0.8 is a fifth off')
    .requiredOption(
      '--name <text>',
      'what the player reads, in English; again with ja=... for other languages',
      collect,
    )
    .option('--days <n>', 'good for so many days', '30')
    .option('--game <id>', 'only for this game; may be repeated', collect)
    .option('--product <id>', 'only for these goods; may be repeated', collect)
    .option('--min <currency=amount>', 'least price, e.g. USD=9.99; may be repeated', collect)
    .option('--claimable', 'the player has to claim it')
    .option('--once <key>', 'a player that had a coupon with this key gets no second one')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of a sentence')
    .action(async (options: IssueOptions) => {
      if ((options.player === undefined) === !options.all)
        throw new InputFault('Say for whom: either --player or --all.');
      const by = readActor(options.by);
      const { codes, isShown } = await withShopDatabase(async (db, configuration) => {
        const brand = readBrand(configuration, options.brand);
        const gift = readGift(configuration, brand, options, by);
        const players = options.all
          ? await listPlayerIds(db, brand.key)
          : [(await readPlayer(terminal, db, brand.key, options.player ?? '', options)).player_id];
        const issued = await transaction(db, async (client) => {
          const given = await giveCoupons(
            client,
            players.map((playerId) => ({ ...gift, playerId })),
          );
          await addAudit(client, {
            actor: by,
            act: 'coupon-issue',
            billingNo: null,
            details: {
              brand: brand.key,
              player: options.player ?? 'all',
              rate: options.rate,
              name: gift.name,
              given: given.length,
            },
          });
          return given;
        });
        return { codes: issued, isShown: brand.file.isVip };
      });
      if (!isShown)
        terminal.err(
          `warning: no page of ${options.brand} shows this coupon and no order takes it while its brand.yaml has isVip: false.`,
        );
      if (options.json) return printJson(terminal, { given: codes.length, codes });
      terminal.out(codes.length === 1 ? `Coupon ${codes[0]} is given.` : `${codes.length} coupons are given.`);
    });

  coupon
    .command('list')
    .description('the coupons of a player')
    .requiredOption('--brand <key>', 'whose player')
    .requiredOption('--player <id>', PLAYER_OPTION)
    .option('--json', 'one JSON object instead of a table')
    .action(async (options: PlayerOptions) => {
      const coupons = await withShopDatabase(async (db, configuration) => {
        const brand = readBrand(configuration, options.brand);
        return listPlayerCoupons(db, (await readPlayer(terminal, db, brand.key, options.player, options)).player_id);
      });
      if (options.json) return printJson(terminal, { coupons });
      terminal.out(
        coupons.length === 0
          ? 'No coupons.'
          : drawTable(
              ['CODE', 'STATE', 'RATE', 'NAME', 'UNTIL', 'ORDER', 'FROM'],
              coupons.map((one) => [
                one.code,
                one.is_used ? 'used' : isWithdrawn(one) ? 'withdrawn' : one.state,
                one.discount_rate,
                one.name.en,
                one.valid_end,
                one.billing_no,
                one.source,
              ]),
            ),
      );
    });

  coupon
    .command('withdraw <code>')
    .description('take a coupon back that no order holds; exit code 3 when there is none such')
    .requiredOption('--brand <key>', 'whose player')
    .requiredOption('--player <id>', PLAYER_OPTION)
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of a sentence')
    .action(async (code: string, options: PlayerOptions) => {
      const by = readActor(options.by);
      const isDone = await withShopDatabase(async (db, configuration) => {
        const brand = readBrand(configuration, options.brand);
        const player = await readPlayer(terminal, db, brand.key, options.player, options);
        return transaction(db, async (client) => {
          if (!(await withdrawCoupon(client, player.player_id, code))) return false;
          await addAudit(client, {
            actor: by,
            act: 'coupon-withdraw',
            billingNo: null,
            details: { code, player: options.player },
          });
          return true;
        });
      });
      if (!isDone) terminal.setExitCode(EXIT.impossible);
      if (options.json) return printJson(terminal, { code, withdrawn: isDone });
      (isDone ? terminal.out : terminal.err)(
        isDone
          ? `Coupon ${code} is withdrawn.`
          : `Coupon ${code} cannot be withdrawn: it is not there, held by an order, or used.`,
      );
    });
}

/** "Spring" in English, "ja=春" in another language. */
function readNames(given: readonly string[]): Texts {
  const names = new Map<Language, string>();
  for (const text of given) {
    const { language, name } = readName(text);
    if (names.has(language)) throw new InputFault(`--name "${text}": ${language} has a name already; give one each.`);
    names.set(language, name);
  }
  const en = names.get('en');
  if (!en) throw new InputFault('--name: there is none in English; other languages fall back to it. Add --name "...".');
  return { ...Object.fromEntries(names), en };
}

/** A misspelt language must not become part of the English name, which every player reads. */
function readName(text: string): { language: Language; name: string } {
  const [, prefix, rest = ''] = /^([a-z]{2,3}(?:-[A-Za-z]+)?)=(.*)$/s.exec(text) ?? [];
  if (prefix === undefined) return { language: 'en', name: text };
  const language = prefix.toLowerCase();
  if (!isLanguage(language))
    throw new InputFault(
      `--name "${text}": ${prefix} is no language; known are ${LANGUAGES.join(', ')}. Write "en=${text}" where it ` +
        'belongs to the English name.',
    );
  if (rest.trim() === '') throw new InputFault(`--name "${text}": there is no text behind ${prefix}=.`);
  return { language, name: rest };
}

function readGift(
  configuration: Configuration,
  brand: Brand,
  options: IssueOptions,
  by: string,
): Omit<CouponGift, 'playerId'> {
  const games = options.game ?? [];
  for (const id of games)
    if (!brand.file.games.includes(id))
      throw new InputFault(
        `--game "${id}": ${brand.key} does not sell it; its games are ${brand.file.games.join(', ')}.`,
      );
  const sold = brand.file.games.flatMap((id) => [...(configuration.games.get(id as never)?.products.values() ?? [])]);
  for (const id of options.product ?? [])
    if (!sold.some((product) => product.id === id && product.file.isCoupon))
      throw new InputFault(`--product "${id}": no product of ${brand.key} that takes coupons.`);
  if (!/^0\.\d{1,6}$/.test(options.rate) || Number(options.rate) === 0)
    throw new InputFault(`--rate "${options.rate}": write a decimal above 0 and below 1, e.g. 0.8 for a fifth off.`);
  const now = Date.now();
  return {
    brandKey: brand.key,
    name: readNames(options.name),
    discountRate: options.rate,
    minSpend: Object.fromEntries(
      (options.min ?? [])
        .map((text) => readAmount('--min', text))
        .map(({ currency, amountMinor }) => [currency, amountMinor]),
    ),
    games,
    products: options.product ?? [],
    validFrom: now,
    validEnd: now + readCount('--days', options.days, 3660) * DAY_MS,
    isClaimable: options.claimable === true,
    source: `operator ${by}`,
    ...(options.once ? { issueKey: options.once } : {}),
  };
}
