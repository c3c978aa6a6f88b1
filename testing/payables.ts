// For each pay call a purchase that its channel takes: brand, market, game and product found in the shipped
// configuration.
import { CONFIRMATIONS } from '#contracts/confirmations.ts';
import { giftCardRoutes } from '#contracts/giftcards.ts';
import type { PayInput } from '#contracts/payments.ts';
import { quote } from '#server/modules/pricing/service.ts';
import type { TestShop } from './shop.ts';

export const CONFIRM_CARD = giftCardRoutes.confirm.path;

export type Payable = { brand: string; clientId: string; body: PayInput };

/** @param payPath a name of payRoutes; throws where no brand sells by it */
export function findPayable({ configuration, services }: TestShop, payPath: string): Payable {
  for (const brand of configuration.brands.values())
    for (const [region, { countries }] of brand.regions)
      for (const { code: country } of countries)
        for (const gameId of brand.file.games) {
          const game = configuration.games.get(gameId as never);
          for (const product of game?.products.values() ?? []) {
            const priced = product.file.beta ? null : quote({ brand, region, country }, product);
            if (!game || !priced) continue;
            const query = { brandKey: brand.key, region, price: priced.price, platform: 'web' } as const;
            for (const channel of brand.channels.filter(({ file }) => file.payPath === payPath)) {
              const sub = channel.sub[0]?.file;
              const pay_id = channel.file.id;
              const channel_id = sub?.channelId ?? channel.file.channelId ?? '';
              const chosen = services.payments.chooseChannel(query, [country, 'GLOBAL'], payPath, pay_id, channel_id);
              if (!chosen) continue;
              const clientId = game.file.subGames?.[0]?.clientId ?? game.file.clients.web;
              const where = { domain_area: region, country, pay_id, channel_id };
              const form = brand.file.areas?.[region]?.confirmation;
              const accepted = form ? { accepted: CONFIRMATIONS[form].version } : {};
              const body = {
                ...accepted,
                client_id: clientId,
                server_id: 's1',
                role_id: 'r1',
                product_id: product.id,
                ...where,
              };
              return { brand: brand.key, clientId, body };
            }
          }
        }
  throw new Error(`nothing can be bought by ${payPath}`);
}
