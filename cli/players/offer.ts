// `refill offer ...`: the offers of the files and who took them, and giving one player an offer of their own.
import { HOUR_MS } from '#kernel/time.ts';
import type { Command } from 'commander';
import type { GameId } from '#kernel/ids.ts';
import { type Configuration, countingZone, loadConfiguration, runOf } from '#server/modules/configuration/service.ts';
import { withdrawCoupon } from '#server/modules/coupons/service.ts';
import { personalCode } from '#server/modules/offers/rules.ts';
import {
  countTaken,
  givePersonalOffer,
  type GivenOffer,
  listGivenOffers,
  NO_NAME,
  type PersonalOffer,
} from '#server/modules/offers/store.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';
import { withDatabase } from '#cli/database.ts';
import { PLAYER_OPTION, readActor, readAmount, readBrand, readCount, readPlayer } from './player-option.ts';
import { EXIT, InputFault, type Terminal, drawTable, printJson } from '#cli/terminal.ts';

type GiveOptions = {
  brand: string;
  player: string;
  game: string;
  product: string;
  price: string[];
  hours: string;
  id: string;
  name?: string;
  by?: string;
  json?: boolean;
};

const LARGEST_LIST = 1000;
const collect = (value: string, list: string[] = []) => [...list, value];

export function addOfferCommands(program: Command, terminal: Terminal): void {
  const offer = program.command('offer').description('products at another price for a while, and who took them');
  const withShopDatabase = <Result>(work: (db: Db, configuration: Configuration) => Promise<Result>) =>
    withDatabase({ environment: terminal.environment }, async (db) => work(db, await loadConfiguration(db)));

  offer
    .command('list')
    .description('the offers of the applied configuration: where each is open until when, and how often it was taken')
    .option('--json', 'one JSON object instead of a table')
    .action(async ({ json }: { json?: boolean }) => {
      const offers = await withShopDatabase(async (db, configuration) =>
        describeOffers(configuration, await countTaken(db), Date.now()),
      );
      if (json) return printJson(terminal, { offers });
      terminal.out(
        offers.length === 0
          ? 'No offers.'
          : drawTable(
              ['GAME', 'OFFER', 'PRODUCT', 'KIND', 'BRANDS', 'OPEN', 'UNTIL', 'TAKEN', 'DELIVERED'],
              offers.map((one) => [
                one.game,
                one.offer,
                one.product,
                one.kind,
                one.brands.join(' '),
                one.open[0]?.run ?? 'no',
                one.open[0]?.until ?? '',
                one.taken,
                one.delivered,
              ]),
            ),
      );
    });

  offer
    .command('show <offer>')
    .description('one offer of a game, "emberfall/daily_keys", with the newest who took it; exit code 3 for none such')
    .option('--limit <n>', 'at most so many', '50')
    .option('--json', 'one JSON object instead of tables')
    .action(async (name: string, options: { limit: string; json?: boolean }) => {
      const limit = readCount('--limit', options.limit, LARGEST_LIST);
      const shown = await withShopDatabase(async (db, configuration) => {
        const known = describeOffers(configuration, await countTaken(db), Date.now()).find(
          (one) => `${one.game}/${one.offer}` === name,
        );
        const taken = await listGivenOffers(db, { offer: name }, limit);
        return known || taken.length > 0 ? { offer: known ?? null, taken } : null;
      });
      if (!shown) terminal.setExitCode(EXIT.impossible);
      if (options.json) return printJson(terminal, shown ?? { offer: null, taken: [] });
      if (!shown) return terminal.err(`There is no offer "${name}"; refill offer list names them.`);
      const { offer: known, taken } = shown;
      terminal.out(
        known
          ? `${name}: ${known.product} for ${known.prices.join(', ')}; ${known.kind}, ${known.times} a player and run.`
          : `${name} is not in the files any more.`,
      );
      terminal.out(taken.length === 0 ? 'Nobody took it yet.' : drawOffers(taken));
    });

  offer
    .command('give')
    .description('give one player an offer of their own; the same --id again gives no second one')
    .requiredOption('--brand <key>', 'whose player')
    .requiredOption('--player <id>', PLAYER_OPTION)
    .requiredOption('--game <id>', 'of which game')
    .requiredOption('--product <id>', 'what it sells')
    .requiredOption('--price <currency=amount>', 'what it costs, e.g. USD=0.99; may be repeated', collect)
    .requiredOption('--hours <n>', 'how long it stands')
    .requiredOption('--id <id>', 'its name, once for a player')
    .option('--name <text>', 'what the player reads; left out: that it is theirs alone')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of a sentence')
    .action(async (options: GiveOptions) => {
      const by = readActor(options.by);
      const { outcome, code } = await withShopDatabase(async (db, configuration) => {
        const brand = readBrand(configuration, options.brand);
        const player = await readPlayer(terminal, db, brand.key, options.player, options);
        const given = { ...readTerms(configuration, options, by), playerId: player.player_id, brandKey: brand.key };
        return { code: given.code, outcome: await give(db, given, by, options.player) };
      });
      if (outcome !== 'given') terminal.setExitCode(EXIT.impossible);
      if (options.json) return printJson(terminal, { offer: code, given: outcome === 'given' });
      (outcome === 'given' ? terminal.out : terminal.err)(
        outcome === 'given'
          ? `The offer ${code} is given.`
          : `The player has an offer ${code} already; take another --id.`,
      );
    });

  offer
    .command('withdraw <code>')
    .description('take an offer back that no order holds; exit code 3 when there is none such')
    .requiredOption('--brand <key>', 'whose player')
    .requiredOption('--player <id>', PLAYER_OPTION)
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of a sentence')
    .action(async (code: string, options: { brand: string; player: string; by?: string; json?: boolean }) => {
      const by = readActor(options.by);
      const isDone = await withShopDatabase(async (db, configuration) => {
        const player = await readPlayer(
          terminal,
          db,
          readBrand(configuration, options.brand).key,
          options.player,
          options,
        );
        return transaction(db, async (client) => {
          if (!(await withdrawCoupon(client, player.player_id, code))) return false;
          await addAudit(client, {
            actor: by,
            act: 'offer-withdraw',
            billingNo: null,
            details: { offer: code, player: options.player },
          });
          return true;
        });
      });
      if (!isDone) terminal.setExitCode(EXIT.impossible);
      if (options.json) return printJson(terminal, { offer: code, withdrawn: isDone });
      (isDone ? terminal.out : terminal.err)(
        isDone
          ? `The offer ${code} is withdrawn.`
          : `The offer ${code} cannot be withdrawn: it was not given, an order holds it, or it is used.`,
      );
    });
}

function describeOffers(
  { games, brands }: Configuration,
  counted: Awaited<ReturnType<typeof countTaken>>,
  now: number,
) {
  return [...games.values()].flatMap((game) =>
    game.offers.map((one) => {
      const { file } = one;
      const shown = [...brands.values()].filter(
        (brand) => brand.file.games.includes(game.id) && (file.brands?.includes(brand.key) ?? true),
      );
      const runs = shown.flatMap((brand) => {
        const run = runOf(one, countingZone(brand, game), now);
        return run ? [{ brand: brand.key, ...run }] : [];
      });
      const count = counted.find(({ offer }) => offer === `${game.id}/${one.id}`);
      return {
        game: game.id,
        offer: one.id,
        product: file.product,
        kind: file.after ? `after a purchase, ${file.after.minutes} minutes` : 'for everybody',
        times: file.times ?? 1,
        prices: Object.entries(file.prices).map(([currency, amount]) => `${currency} ${amount}`),
        brands: shown.map(({ key }) => key),
        open: [...Map.groupBy(runs, ({ key }) => key)].map(([run, ofRun]) => ({
          run,
          brands: ofRun.map(({ brand }) => brand),
          until: new Date(Math.max(...ofRun.map(({ endsAt }) => endsAt))).toISOString(),
        })),
        taken: count?.taken ?? 0,
        delivered: count?.delivered ?? 0,
      };
    }),
  );
}

function readTerms(configuration: Configuration, options: GiveOptions, by: string) {
  const product = configuration.productOf(options.game as GameId, options.product);
  if (!product) throw new InputFault(`--product "${options.product}": the game "${options.game}" has no such product.`);
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(options.id))
    throw new InputFault(`--id "${options.id}": write letters, digits, "_" and "-", 64 at most.`);
  const prices = options.price.map((text) => {
    const price = readAmount('--price', text);
    const was = product.prices.get(price.currency);
    if (!was) throw new InputFault(`--price "${text}": ${product.id} is not sold in ${price.currency}.`);
    if (price.amountMinor <= 0 || price.amountMinor >= was.amountMinor)
      throw new InputFault(`--price "${text}": it must be above zero and below the price of ${product.id}.`);
    return [price.currency, price.amountMinor];
  });
  return {
    code: personalCode(options.game, options.id),
    name: options.name ? { en: options.name } : NO_NAME,
    gameId: product.gameId,
    productId: product.id,
    prices: Object.fromEntries(prices) as Record<string, number>,
    until: Date.now() + readCount('--hours', options.hours, 2160) * HOUR_MS,
    source: `operator ${by}`,
  };
}

/** The grant and its line of the audit stand or fall together. */
function give(db: Db, offer: PersonalOffer, by: string, player: string) {
  return transaction(db, async (client) => {
    const outcome = await givePersonalOffer(client, offer);
    if (outcome === 'given') {
      const { code, productId: product, prices } = offer;
      await addAudit(client, {
        actor: by,
        act: 'offer-give',
        billingNo: null,
        details: { offer: code, player, product, prices },
      });
    }
    return outcome;
  });
}

export function stateOf({ state, order_state: order, valid_end: end }: GivenOffer): string {
  if (state === 'void') return 'withdrawn';
  if (state === 'taken') return order === 'delivered' ? 'used' : `held (${order ?? 'no order'})`;
  return end.getTime() <= Date.now() ? 'over' : 'open';
}

export function drawOffers(offers: readonly GivenOffer[]): string {
  return drawTable(
    ['OFFER', 'STATE', 'PRODUCT', 'UNTIL', 'PLAYER', 'ORDER', 'FROM'],
    offers.map((one) => [
      one.code,
      stateOf(one),
      one.product_id,
      one.valid_end,
      one.player_id,
      one.billing_no,
      one.source,
    ]),
  );
}
