// `refill order adopt`: a payment of an order that a restored database does not know, delivered or paid back.
import type { Command } from 'commander';
import { readAttemptRef } from '#kernel/ids.ts';
import type { Game, Product } from '#server/modules/configuration/service.ts';
import type { ActOutcome } from '#server/modules/orders/operator/operate.ts';
import { adoptLostPayment } from '#server/modules/orders/recovery/adopt-payment.ts';
import { marketOf } from '#server/modules/pricing/service.ts';
import { PLAYER_OPTION, readActor, readAmount, readBrand, readPlayer } from '#cli/players/player-option.ts';
import { type CommandShop, withShop } from '#cli/shop.ts';
import { InputFault, type Terminal } from '#cli/terminal.ts';

type Options = {
  provider: string;
  amount: string;
  brand: string;
  player: string;
  client: string;
  product: string;
  server?: string;
  area?: string;
  role?: string;
  country?: string;
  providerRef?: string;
  refund?: boolean;
  by?: string;
  json?: boolean;
};

export function addAdoptCommand(
  order: Command,
  terminal: Terminal,
  tell: (billingNo: string, outcome: ActOutcome, json?: boolean) => void,
): void {
  order
    .command('adopt <reference>')
    .description(
      'a payment of which `refill recover` says unknown_order: asks its provider, books it for a player, and ' +
        'delivers it or gives it back; exit code 3 when the provider does not confirm it',
    )
    .requiredOption('--provider <name>', 'who has the money')
    .requiredOption('--amount <amount>', 'what was paid, e.g. USD=4.99')
    .requiredOption('--brand <key>', 'whose player')
    .requiredOption('--player <player>', PLAYER_OPTION)
    .requiredOption('--client <id>', 'the client id of the game')
    .requiredOption('--product <id>', 'what was bought; with --refund anything of that price')
    .option('--server <id>', 'of the character; needed unless --refund')
    .option('--area <id>', 'of the character, in games with areas')
    .option('--role <id>', 'the character; needed unless --refund')
    .option('--country <code>', 'of the purchase; the first of the region unless given')
    .option('--provider-ref <id>', "the provider's own id of the payment, for those that cannot be asked by reference")
    .option('--refund', 'give the money back instead of delivering')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of a sentence')
    .action(async (text: string, options: Options) => {
      const reference = readAttemptRef(text.trim());
      if (!reference)
        throw new InputFault(`"${text}" is no reference of a payment: an order number, a dash and a number.`);
      const outcome = await withShop(terminal, (shop) => adopt(terminal, shop, reference, options));
      tell(reference.billingNo, outcome, options.json);
    });
}

async function adopt(
  terminal: Terminal,
  shop: CommandShop,
  reference: NonNullable<ReturnType<typeof readAttemptRef>>,
  options: Options,
): Promise<ActOutcome> {
  const brand = readBrand(shop.configuration, options.brand);
  const isRefund = options.refund === true;
  if (!isRefund && !(options.server && options.role))
    throw new InputFault('--server and --role: say which character gets the goods, or give the money back (--refund).');
  const { game, product } = readGoods(shop, options);
  if (!brand.file.games.includes(game.id))
    throw new InputFault(`--client "${options.client}": ${brand.key} does not sell it.`);
  const country = options.country?.toUpperCase();
  const market = marketOf(brand, undefined, country, options.client);
  if (!market) throw new InputFault(`--brand "${options.brand}": it has no region to sell in.`);
  if (country !== undefined && market.country !== country) {
    const sold = brand.regions.get(market.region)?.countries.map((one) => one.code) ?? [];
    throw new InputFault(`--country "${options.country}": the region of this client has ${sold.join(', ')}.`);
  }
  const player = await readPlayer(terminal, shop.db, brand.key, options.player, { json: options.json });
  return adoptLostPayment(
    { db: shop.db, payments: shop.payments, by: readActor(options.by) },
    {
      ...reference,
      provider: options.provider,
      providerRef: options.providerRef ?? null,
      amount: readAmount('--amount', options.amount),
      player,
      market,
      game,
      product,
      character: {
        client_id: options.client,
        server_id: options.server ?? '',
        area_id: options.area ?? '',
        role_id: options.role ?? '',
      },
      isRefund,
    },
  );
}

function readGoods(shop: CommandShop, { client, product: id }: Options): { game: Game; product: Product } {
  const game = shop.configuration.gameOfClient(client)?.game;
  if (!game) throw new InputFault(`--client "${client}": no game has this client id.`);
  const product = game.products.get(id);
  if (!product) throw new InputFault(`--product "${id}": ${game.id} has no such goods; see \`refill prices\`.`);
  return { game, product };
}
