// Declares the input of every walk.
import type { TestPlayers } from '#testing/players.ts';
import type { ShopPage } from '../shop-page.ts';
import type { Camera } from './camera.ts';
import type { PictureName } from './pictures.ts';
import type { ShotBrand } from './shot-brands.ts';

/** The packs that are pressed: each game has its own amounts, and the first of a brand's games is the one shown. */
const PACKS = { small: ['60', '50'], middle: ['320', '260'], large: ['680', '540'] } as const;

export async function choosePack(shop: ShopPage, size: keyof typeof PACKS): Promise<void> {
  await shop.goods('').first().waitFor();
  for (const amount of PACKS[size]) if ((await shop.goods(amount).count()) > 0) return shop.chooseGoods(amount);
  throw new Error(`no pack of ${PACKS[size].join(' or ')} is on the shelf`);
}

export type Walk = {
  camera: Camera;
  shop: ShopPage;
  brand: ShotBrand;
  player: string;
  players: TestPlayers;
  /** Knows the names of all pictures. */
  take: (name: PictureName, options?: Parameters<Camera['take']>[1]) => Promise<void>;
};
