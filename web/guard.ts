// What happens before a page is shown: the payment region is found, or the player is sent to where one is chosen.
import type { Region } from '#kernel/regions.ts';
import { paths } from './paths.ts';
import { clearRegion, keepRegion, offeredRegions, storedRegion } from './platform/region.ts';
import { readBoot } from './platform/boot.ts';

export type RegionQuestion = {
  /** Query key domain_area. */
  asked: string | undefined;
  /** What the server found: it knows the region of a game's client_id as well. Null when it found none. */
  assumed: Region | null;
  stored: Region | null;
  offered: readonly Region[];
};

/**
 * The payment region of a visit, or null when what was asked for is not sold here.
 * @source specification section 4, "Payment region"
 */
export function resolveRegion({ asked, assumed, stored, offered }: RegionQuestion): Region | null {
  if (asked !== undefined) return offered.includes(asked) ? asked : null;
  if (offered.length === 1) return offered[0] ?? null;
  if (stored !== null) return offered.includes(stored) ? stored : null;
  return assumed !== null && offered.includes(assumed) ? assumed : null;
}

/** Pages that explain something stay reachable without a region. */
const FREE: readonly string[] = [paths.notArea, paths.errorReplenish, paths.showError, paths.certifiedReal];

/**
 * Finds and keeps the region for a page.
 * @returns the path to go to instead, or null when the page may be shown
 */
export function guardRegion(path: string, asked: string | undefined): string | null {
  if (FREE.includes(path)) return null;
  const region = resolveRegion({
    asked,
    assumed: readBoot().region,
    stored: storedRegion(),
    offered: offeredRegions(),
  });
  if (region) {
    keepRegion(region);
    return null;
  }
  clearRegion();
  return paths.notArea;
}
