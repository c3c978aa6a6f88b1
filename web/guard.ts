// Guards a page before it is shown. The payment region is found, or the player is sent to choose one; a step of the
// classic version has its earlier steps, or leads back to the first one that is missing.
import type { Region } from '#kernel/regions.ts';
import { stepOf } from '#contracts/documents.ts';
import { listChoices } from './features/games/rules.ts';
import { loadDraft, type Origin } from './features/orders/unfinished/order-info.ts';
import { type CarriedSearch, paths, type ShopPath } from './paths.ts';
import { clearRegion, keepRegion, offeredRegions, storedRegion, tiedRegion } from './platform/region.ts';
import { readBoot } from './platform/boot.ts';
import { currentUser } from './platform/visitor/session.ts';

export type RegionQuestion = {
  /** Query key domain_area. */
  asked: string | undefined;
  /** Region that the brand ties to the client of the address; null for none. */
  tied: Region | null;
  /** The region that the server found or guessed. Null when it found none. */
  assumed: Region | null;
  stored: Region | null;
  offered: readonly Region[];
};

/**
 * The payment region of a visit, or null when what was asked for is not sold here.
 * @source specification section 4, "Payment region"
 */
export function resolveRegion({ asked, tied, assumed, stored, offered }: RegionQuestion): Region | null {
  if (asked !== undefined) return offered.includes(asked) ? asked : null;
  if (offered.length === 1) return offered[0] ?? null;
  if (tied !== null && offered.includes(tied)) return tied;
  if (stored !== null) return offered.includes(stored) ? stored : null;
  return assumed !== null && offered.includes(assumed) ? assumed : null;
}

/** Pages that explain something stay reachable without a region. */
const FREE: readonly string[] = [
  paths.notArea,
  paths.errorReplenish,
  paths.showError,
  paths.certifiedReal,
  paths.replenishGoods,
  paths.code,
];

/**
 * Finds and keeps the region for a page.
 * @returns the path to go to instead, or null when the page may be shown
 */
export function guardRegion(path: string, { domain_area: asked, client_id: client }: CarriedSearch): ShopPath | null {
  if (FREE.includes(path)) return null;
  const region = resolveRegion({
    asked,
    tied: tiedRegion(client),
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

export type StepQuestion = {
  path: string;
  hasGame: boolean;
  /** Goods, and somebody who receives them. */
  hasChoice: boolean;
  hasOrder: boolean;
};

/**
 * The step to go to instead of the one asked for, the furthest that has what it needs; null when the page may be shown.
 * @source specification section 2: "SelectGame is always allowed"
 */
export function resolveStep({ path, hasGame, hasChoice, hasOrder }: StepQuestion): ShopPath | null {
  const step = stepOf(path);
  if (step <= 1) return null;
  if (path === paths.result && hasOrder) return null;
  if (!hasGame) return paths.selectGame;
  if (step === 2) return null;
  if (!hasChoice) return paths.selectGoods;
  return path === paths.recharge ? null : paths.recharge;
}

/** The same for the page at hand: from the address, the draft and who is logged in. */
export function guardStep(path: string, search: CarriedSearch): ShopPath | null {
  const draft = loadDraft();
  const clientId = search.client_id ?? draft?.clientId ?? '';
  const isDrafted = draft !== null && draft.clientId === clientId;
  return resolveStep({
    path,
    hasGame: listChoices(readBoot().games).some((game) => game.client_id === clientId),
    hasChoice: isDrafted && draft.goods !== null && draft.role !== null && currentUser() !== null,
    hasOrder: (search.billing_no ?? draft?.billing_no ?? '') !== '',
  });
}

/**
 * Marks a result with its origin when a player goes from one page to another.
 * @param from undefined on a fresh page: a reload changes nothing
 * @source specification section 2: "Moving from Recharge to Result marks the origin as Recharge"
 */
export function originAfter(from: string | undefined, to: string, now: Origin): Origin {
  if (to !== paths.result || from === undefined || from === paths.result) return now;
  return from === paths.recharge ? 'Recharge' : '';
}
