// Which sizes a picture is made in, how many bytes they may have, and how far quality goes down
// before the picture is refused.
import type { PictureRole, WantedPicture } from './picture-types.ts';

type Recipe = {
  /** Pixels, the small one first: it is the one that phones load and that the budget measures. */
  readonly widths: readonly [number, number];
  /** Bytes of the small size as AVIF. */
  readonly budgetBytes: number;
};

/**
 * On slow 4G (about 180 kB a second) 40 kB of hero cost 0.22 s before the first picture, and six cards of
 * 9 kB another 0.3 s behind it.
 * Widths: a phone of 390 points at two pixels a point, and half of a wide desktop at two; a card has 120 to 240 points.
 */
export const RECIPES: Readonly<Record<PictureRole, Recipe>> = {
  hero: { widths: [780, 1600], budgetBytes: 38_000 },
  goods: { widths: [240, 480], budgetBytes: 9000 },
  currency: { widths: [96, 192], budgetBytes: 4000 },
};

/**
 * The first look of key art, inside the page's HTML: there with the page's own bytes, where a picture of its own is
 * there two journeys later (0.56 s each on slow 4G). Width: about that of a phone's hero in points, which is all that
 * may be seen for half a second. The coarsest quality is taken whatever it weighs: the budget is a wish.
 */
export const FIRST_LOOK = { width: 480, budgetBytes: 6000, qualities: [40, 32, 24, 16] } as const;

/** AVIF quality, tried in this order; under 30 flat colours begin to break into blocks. Our choice, by eye. */
export const QUALITIES = [56, 48, 40, 32] as const;

/** WebP needs a higher number for the same look. */
export function webpQuality(avifQuality: number): number {
  return Math.min(90, avifQuality + 22);
}

/** Counts up when the same file would give other bytes: what was made by an older recipe is made again. */
export const RECIPE_VERSIONS: Readonly<Record<PictureRole, number>> = { hero: 2, goods: 1, currency: 1 };

/** Width of the sizes that were made: a small picture is never blown up. */
export function widthsFor(role: PictureRole, sourceWidth: number, isDrawing: boolean): number[] {
  const [small, large] = RECIPES[role].widths;
  if (isDrawing || sourceWidth >= large) return [small, large];
  return sourceWidth > small ? [small, sourceWidth] : [Math.min(small, sourceWidth)];
}

/** "31.2 kB" */
export function showBytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

/** Why a picture is refused, and what to do. */
export function tellOverBudget(
  wanted: WantedPicture,
  measured: { bytes: number; width: number; quality: number },
): string {
  const { budgetBytes } = RECIPES[wanted.role];
  const size = `${measured.width} wide it has ${showBytes(measured.bytes)} as AVIF at quality ${measured.quality}`;
  return (
    `${wanted.path} is too heavy: ${size}, the budget of a ${wanted.role} picture is ${showBytes(budgetBytes)}; ` +
    'calm its grain and fine detail, or crop it'
  );
}
