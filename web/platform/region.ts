// The payment region and country in use: which prices and channels a player sees.
import { useSyncExternalStore } from 'react';
import type { Country, Region } from '#kernel/regions.ts';
import { readBoot } from './boot.ts';
import { forget, loadText, save } from './visitor/storage.ts';

let region: Region | null = null;
let country: Country | '' = '';
const listeners = new Set<() => void>();

/** The region in use, or null before the guard has found one. */
export function currentRegion(): Region | null {
  return region;
}

/** The country in use; empty leaves it to the server. */
export function useCountry(): Country | '' {
  return useSyncExternalStore(watch, read, read);
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): Country | '' {
  return country;
}

/** The regions this brand sells in, in its order. */
export function offeredRegions(): Region[] {
  return readBoot().regions.map((one) => one.region);
}

/** What the player chose earlier, or null. */
export function storedRegion(): Region | null {
  return loadText('domainArea') || null;
}

/**
 * Keeps the region with the country in it; none given keeps what the server assumed there, or
 * the player's earlier choice.
 */
export function keepRegion(next: Region, chosen?: Country): void {
  const boot = readBoot();
  region = next;
  country = chosen ?? (boot.region === next ? country || boot.country : loadText('country'));
  save('domainArea', next);
  if (country) save('country', country);
  for (const listener of listeners) listener();
}

/** Forgets the region, here and for the next visit. */
export function clearRegion(): void {
  region = null;
  country = '';
  forget('domainArea');
  forget('country');
}
