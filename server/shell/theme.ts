// The style element of a brand: its palette and the dials of its look as custom properties.
import type { BootBrand } from '#contracts/boot.ts';
import { makePalette, type Scheme } from './palette.ts';

type Theme = Pick<BootBrand<unknown>, 'theme' | 'look'>;

const VOICES = { sans: 'var(--face)', serif: 'var(--face-serif)', rounded: 'var(--face-rounded)' } as const;

/** CSS for the page's root. All values come from the checked configuration; the theme is checked once more. */
export function writeTheme({ theme, look }: Theme): string {
  if (!/^#[0-9A-Fa-f]{6}$/.test(theme)) throw new Error(`the theme ${theme} is not a six-digit hex colour`);
  const dials = {
    brand: theme,
    shift: look.shift,
    tint: look.tint,
    round: look.round,
    corner: look.corner,
    // A scooped corner on a small button is all corner.
    'corner-small': look.corner === 'scoop' ? 'round' : look.corner,
    dense: look.dense,
    voice: VOICES[look.voice],
    'voice-weight': look.voiceWeight,
    'voice-track': `${look.voiceTrack}em`,
    [`cur-${look.coin}`]: 'inline',
  };
  const colours = (scheme: Scheme) => makePalette({ theme, shift: look.shift, tint: look.tint }, scheme);
  const scheme = look.mode === 'auto' ? 'light dark' : look.mode;
  const first = colours(look.mode === 'dark' ? 'dark' : 'light');
  const root = `:root{color-scheme:${scheme};${writeProperties({ ...dials, ...first })}}`;
  if (look.mode !== 'auto') return root;
  const dark = Object.entries(colours('dark')).filter(([role, colour]) => first[role] !== colour);
  return `${root}@media(prefers-color-scheme:dark){:root{${writeProperties(Object.fromEntries(dark))}}}`;
}

/** The colour a phone gives its own bars, one for each mode that the page has. */
export function writeBarColours({ theme, look }: Theme): string {
  const colour = (scheme: Scheme) => makePalette({ theme, shift: look.shift, tint: look.tint }, scheme).surface;
  if (look.mode !== 'auto') return `<meta name="theme-color" content="${colour(look.mode)}">`;
  return (['light', 'dark'] as const)
    .map((mode) => `<meta name="theme-color" media="(prefers-color-scheme:${mode})" content="${colour(mode)}">`)
    .join('');
}

function writeProperties(properties: Record<string, string | number>): string {
  return Object.entries(properties)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
}
