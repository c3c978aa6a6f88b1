// The payment region in use: which prices and channels a player sees.
import { isRegion, type Region } from '#kernel/regions.ts';
import { readBoot } from './boot.ts';
import { forget, loadText, save } from './storage.ts';

let region: Region | null = null;

/** The region in use, or null before the guard has found one. */
export function currentRegion(): Region | null {
  return region;
}

/** The regions this brand sells in, in its order. */
export function offeredRegions(): Region[] {
  return readBoot().regions.map((one) => one.region);
}

/** What the player chose earlier, or null. */
export function storedRegion(): Region | null {
  const kept = loadText('domainArea');
  return isRegion(kept) ? kept : null;
}

export function keepRegion(next: Region): void {
  region = next;
  save('domainArea', next);
}

/** Forgets the region, here and for the next visit. */
export function clearRegion(): void {
  region = null;
  forget('domainArea');
}
