// The key art of a landing page in its HTML: asked for before everything else, its colours there before it has come.
import type { BrandPicture, PageData, PagePicture } from '#contracts/boot.ts';
import type { KeyArt } from '#contracts/pictures.ts';
import { HERO_SIZES } from '#contracts/pictures.ts';
import { escapeText } from '#kernel/escape.ts';

/** The brand's own picture, else the chosen game's; null where a drawing stands, or nothing. */
export function keyArtOf({
  brand,
  games,
  clientId,
}: Pick<PageData, 'games' | 'clientId'> & { brand: HasHero }): KeyArt | null {
  const own = brand.hero.picture;
  if (own) return 'avif' in own ? own : null;
  const game = games.find(
    (one) => one.client_id === clientId || Object.values(one.sub_game).some((sub) => sub.client_id === clientId),
  );
  return (game ?? games.find(({ hero }) => hero))?.hero ?? null;
}

type Art = BrandPicture | PagePicture | KeyArt | null;
type HasHero = { readonly hero: { readonly picture: Art } };

export function writePreload({ avif }: KeyArt): string {
  // Phones held sideways have no hero (web/features/layout/layout.hero.css) and need not load one.
  const media = '(min-height: 480px), (orientation: portrait), (min-width: 1024px)';
  return (
    `<link rel="preload" as="image" type="image/avif" imagesrcset="${escapeText(avif)}" imagesizes="${HERO_SIZES}" ` +
    `media="${media}" fetchpriority="high">`
  );
}

/** Its colours from top to bottom, and the point that no crop loses. */
export function writePlaceholder({ color, focus }: KeyArt): string {
  const [first = '', second = first, third = second] = color.split(' ').filter((one) => /^#[0-9a-f]{6}$/.test(one));
  const place = /^\d{1,3}% \d{1,3}%$/.test(focus) ? focus : '50% 50%';
  return `:root{--art-focus:${place};--art-sky:linear-gradient(${first},${second},${third})}`;
}

/** Its first look, under the address of the picture that follows: another game's art never gets it. */
export function writeFirstLook({ avif }: KeyArt, base64: string): string {
  if (!/^[A-Za-z0-9+/]+=*$/.test(base64)) return '';
  const address = addressOf(avif);
  if (!/^[\w./-]+$/.test(address)) return '';
  return `[data-art="${address}"]{--art-first:url(data:image/avif;base64,${base64})}`;
}

/** The first address of a srcset: which picture it is. */
const addressOf = (srcset: string): string => srcset.split(' ')[0] ?? '';

/**
 * The same mark-up as the page's own component draws (web/ui/pictures/Picture.tsx), so that nothing is fetched twice.
 */
export function drawKeyArt({ avif, webp, width, height }: KeyArt): string {
  const last = webp.split(', ').at(-1)?.split(' ')[0] ?? '';
  const source = (type: string, srcset: string) =>
    `<source type="image/${type}" srcset="${escapeText(srcset)}" sizes="${HERO_SIZES}">`;
  return (
    '<picture class="layout-scene" ' +
    `data-art="${escapeText(addressOf(avif))}">${source('avif', avif)}${source('webp', webp)}<img ` +
    `src="${escapeText(last)}" alt="" width="${width}" height="${height}" fetchpriority="high"></picture>`
  );
}
