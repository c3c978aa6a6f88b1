// A publisher's picture as a page shows it: every size that `refill apply` made of it.
import Type, { type Static } from 'typebox';

/**
 * `avif` and `webp` are srcset values: addresses with their widths. `width` and `height` are those
 * of the largest size in pixels.
 * `color` is one to three hex colours with spaces between them, what stands there until the picture has come.
 * `is_opaque`: it fills its box; others are cut out and stand in it.
 */
export const Picture = Type.Object({
  avif: Type.String(),
  webp: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  color: Type.String(),
  is_opaque: Type.Boolean(),
});
export type Picture = Static<typeof Picture>;

/** A game's key art: `focus` is the point that no crop may lose, as a CSS position. */
export const KeyArt = Type.Object({ ...Picture.properties, focus: Type.String() });
export type KeyArt = Static<typeof KeyArt>;

/** Phones take the small size at any density: the budget of the first picture counts it. */
export const HERO_SIZES = '(max-width: 699px) 260px, 100vw';
