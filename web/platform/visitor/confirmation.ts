// The form that the area in use wants beside the button that pays; null for none.
import type { Confirmation } from '#contracts/confirmations.ts';
import { useBrand } from '../brand.ts';
import { currentRegion } from '../region.ts';

export function useConfirmation(): Confirmation | null {
  const { confirmations } = useBrand();
  const region = currentRegion();
  return region ? (confirmations[region] ?? null) : null;
}
