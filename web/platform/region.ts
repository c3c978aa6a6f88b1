// The payment region and country in use: which prices and channels a player sees.
import { useSyncExternalStore } from 'react';
import type { Country, Region } from '#kernel/regions.ts';
import { readBoot } from './boot.ts';
import { clear, loadText, save } from './visitor/storage.ts';

let region: Region | null = null;
let country: Country | '' = '';
const listeners = new Set<() => void>();

/** The region in use, or null before the guard has found one. */
export function currentRegion(): Region | null {
  return region;
}

/** The country in use; empty leaves it to the server. */
export function useCountry(): Country | '' {
  return useSyncExternalStore(watch, currentCountry, currentCountry);
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The same outside a component. */
export function currentCountry(): Country | '' {
  return country;
}

/** The regions this brand sells in, in its order. */
export function offeredRegions(): Region[] {
  return readBoot().regions.map((one) => one.region);
}

/** Returns the region that the player chose earlier, or null. */
export function storedRegion(): Region | null {
  return loadText('domainArea') || null;
}

/** Is true where the brand's file says that its prices include tax; without a word of it the page has none. */
export function useTaxIncluded(): boolean {
  const shown = useCountry();
  const { regions } = readBoot();
  return shown !== '' && regions.some((one) => one.region === region && one.taxIn?.includes(shown) === true);
}

/** The region that the brand ties to a client; null for none. @source specification section 4: "from client_id" */
export function tiedRegion(clientId: string | undefined): Region | null {
  return (clientId !== undefined && readBoot().clientRegions?.[clientId]) || null;
}

/**
 * Returns the region's part of the address of another game of this page: a client that is tied elsewhere must not move
 * a player who is here already.
 */
export function keptArea(clientId: string): { domain_area?: Region } {
  const tied = tiedRegion(clientId);
  return tied !== null && region !== null && tied !== region ? { domain_area: region } : {};
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

/** Clears the region, here and for the next visit. */
export function clearRegion(): void {
  region = null;
  country = '';
  clear('domainArea');
  clear('country');
}
