// The form that the area in use wants beside the button that pays; null for none.
import type { Confirmation } from '#contracts/confirmations.ts';
import { useBrand } from '../brand.ts';
import { currentRegion } from '../region.ts';

/** @param region in place of the page's own */
export function useConfirmation(region = currentRegion()): Confirmation | null {
  const { confirmations } = useBrand();
  return region ? (confirmations[region] ?? null) : null;
}
