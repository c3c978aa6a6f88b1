// What every walk gets.
import type { TestPlayers } from '#testing/players.ts';
import type { ShopPage } from '../shop-page.ts';
import type { Camera } from './camera.ts';
import type { PictureName } from './pictures.ts';
import type { ShotBrand } from './shot-brands.ts';

export type Walk = {
  camera: Camera;
  shop: ShopPage;
  brand: ShotBrand;
  player: string;
  players: TestPlayers;
  /** Knows the names of all pictures. */
  take: (name: PictureName, options?: Parameters<Camera['take']>[1]) => Promise<void>;
};
