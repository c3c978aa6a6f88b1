// One shop for a run, however many flows it has; ended in every case.
import { announceShop } from './running-shop.ts';
import { startShop } from './start-shop.ts';

export default async function setup(): Promise<() => Promise<void>> {
  const { shop, stop } = await startShop();
  announceShop(shop);
  return stop;
}
