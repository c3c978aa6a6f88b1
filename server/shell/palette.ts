// One hex and two dials become every colour of a page, light and dark. What a player sees is
// exactly what is computed and
// tested here: the style sheets name roles only. Formulas: docs of the look in DESIGN; each says
// where its contrast comes from.
import { luminance, mix, type Oklch, readHex, readOklch, withAlpha, writeHex, writeOklch } from './oklch.ts';

export type Dials = {
  /** "#rrggbb". */
  theme: string;
  /** Hue distance of the second colour, degrees. */
  shift: number;
  /** How much of the brand colour the greys carry, 0..2. */
  tint: number;
};

export type Scheme = 'light' | 'dark';

/** Role (the name of its custom property without the dashes) -> hex. */
export type Palette = Record<string, string>;

/** All roles of a brand in one mode. */
export function makePalette(dials: Dials, scheme: Scheme): Palette {
  const brand = readOklch(dials.theme);
  return {
    ...makeGreys(brand, dials.tint, scheme),
    ...makeAccent(dials, brand, scheme),
    ...makeSpark(brand, dials.shift, scheme),
    ...makeMeanings(scheme),
    ...makeArt(brand, dials.shift),
    ...makeScene(brand, dials, scheme),
    ...makeDepth(brand, scheme),
    ...makeInk(brand, dials.shift),
    ...makePlate(scheme),
  };
}

const clamp = (low: number, value: number, high: number) => Math.min(Math.max(value, low), high);

/** Greys: the brand's hue at a fixed lightness. Only chroma comes from the brand, so contrast cannot break. */
function makeGreys(brand: Oklch, tint: number, scheme: Scheme): Palette {
  const chroma = Math.min(brand.c, 0.2) * 0.07 * tint;
  const grey = (light: [number, number], dark: [number, number]) => {
    const [l, share] = scheme === 'light' ? light : dark;
    return writeOklch({ l, c: chroma * share, h: brand.h });
  };
  return {
    bg: grey([0.965, 1], [0.155, 1.7]),
    surface: grey([0.992, 0.3], [0.215, 1.9]),
    raised: scheme === 'light' ? '#ffffff' : grey([0, 0], [0.258, 2]),
    sunken: grey([0.945, 1.1], [0.185, 1.8]),
    line: grey([0.895, 1.3], [0.335, 2]),
    // Borders that ARE the control (fields, empty radios): 3:1 on surface, raised and bg.
    'line-strong': grey([0.6, 2], [0.585, 2.4]),
    text: grey([0.22, 2], [0.965, 0.6]),
    'text-2': grey([0.43, 2], [0.8, 1.6]),
    'text-3': grey([0.5, 2], [0.715, 1.8]),
  };
}

/** Below this luminance a fill takes white text, above it near-black; 0.165 gives white 4.88:1. */
const BRIGHT = 0.3;
const DARK_ENOUGH = 0.165;

/**
 * The accent. The fill follows WCAG's own arithmetic: a dark hex is scaled down in light (its
 * character stays) until white passes on it, a bright one stays as it is under near-black.
 */
function makeAccent({ theme }: Dials, brand: Oklch, scheme: Scheme): Palette {
  const isLight = scheme === 'light';
  const y = luminance(theme);
  const scale = y >= BRIGHT ? 1 : Math.min(1, DARK_ENOUGH / Math.max(y, 0.001));
  const accent = writeHex(readHex(theme).map((value) => value * scale) as [number, number, number]);
  const { surface = '#000000' } = makeGreys(brand, 1, scheme);
  return {
    accent,
    'on-accent': luminance(accent) > 0.2 ? '#0d0d0d' : '#ffffff',
    'accent-up': mix(accent, '#ffffff', 0.88),
    'accent-down': mix(accent, '#000000', 0.86),
    // As text or icon: 4.5:1 on every surface of its mode.
    'accent-text': writeOklch({
      l: isLight ? Math.min(brand.l, 0.47) : Math.max(brand.l, 0.775),
      c: Math.min(brand.c, isLight ? 0.19 : 0.15),
      h: brand.h,
    }),
    // As edge (selected ring, tab bar, progress): 3:1 on every surface of its mode.
    'accent-line': writeOklch({
      l: isLight ? Math.min(brand.l, 0.58) : Math.max(brand.l, 0.68),
      c: Math.max(brand.c, 0.04),
      h: brand.h,
    }),
    'accent-soft': isLight ? mix(theme, '#ffffff', 0.09) : mix(theme, surface, 0.2),
    focus: writeOklch({ l: isLight ? 0.5 : 0.82, c: Math.max(brand.c, isLight ? 0.14 : 0.1), h: brand.h }),
  };
}

/** Spark, the second voice (bonus, best value, VIP). Never an action. */
function makeSpark(brand: Oklch, shift: number, scheme: Scheme): Palette {
  const isLight = scheme === 'light';
  const h = brand.h + shift;
  return {
    spark: writeOklch({ l: 0.83, c: clamp(0.11, brand.c, 0.16), h }),
    'spark-deep': writeOklch({ l: 0.62, c: clamp(0.11, brand.c, 0.16), h }),
    'on-spark': writeOklch({ l: 0.22, c: 0.05, h }),
    'spark-text': writeOklch({ l: isLight ? 0.46 : 0.85, c: clamp(0.09, brand.c, isLight ? 0.12 : 0.14), h }),
    'spark-soft': writeOklch({ l: isLight ? 0.95 : 0.29, c: isLight ? 0.045 : 0.055, h }),
  };
}

/** Meanings keep their own hue, so that a red brand still has a readable failure. Always with an icon and a word. */
function makeMeanings(scheme: Scheme): Palette {
  const pair = (light: [number, number, number], dark: [number, number, number]) => {
    const [l, c, h] = scheme === 'light' ? light : dark;
    return writeOklch({ l, c, h });
  };
  return {
    danger: pair([0.5, 0.19, 25], [0.76, 0.14, 22]),
    'danger-soft': pair([0.955, 0.025, 25], [0.28, 0.06, 22]),
    success: pair([0.47, 0.12, 155], [0.8, 0.15, 155]),
    'success-soft': pair([0.955, 0.035, 155], [0.28, 0.05, 155]),
    warning: pair([0.49, 0.11, 70], [0.83, 0.13, 80]),
    'warning-soft': pair([0.955, 0.04, 80], [0.29, 0.05, 75]),
  };
}

/** The drawn goods: six facets from lit to shaded, three lights of metal, three of wood. The same by day and night. */
function makeArt({ c, h }: Oklch, shift: number): Palette {
  const facet = (l: number, chroma: number, turn: number) => writeOklch({ l, c: chroma, h: h + shift * turn });
  return {
    g0: facet(0.955, Math.max(c, 0.09) * 0.38, 0.22),
    g1: facet(0.86, Math.max(c, 0.09) * 0.68, 0.14),
    g2: facet(0.735, Math.max(c, 0.1), 0.06),
    g3: facet(0.615, Math.max(c, 0.11), 0),
    g4: facet(0.49, Math.max(c * 0.95, 0.1), -0.05),
    g5: facet(0.34, Math.max(c * 0.7, 0.07), -0.09),
    m0: facet(0.93, 0.06, 1),
    m1: facet(0.83, clamp(0.11, c, 0.16), 1),
    m2: facet(0.62, clamp(0.11, c, 0.16), 1),
    m3: facet(0.44, 0.09, 1),
    w1: facet(0.52, 0.065, 0.35),
    w2: facet(0.4, 0.065, 0.28),
    w3: facet(0.27, 0.05, 0.2),
  };
}

/** The scene over the page: six planes from sky to foreground, daylight on light pages, night on dark ones. */
function makeScene(brand: Oklch, { shift, tint }: Dials, scheme: Scheme): Palette {
  const c = Math.min(brand.c, 0.2);
  const plane = (light: [number, number, number], dark: [number, number, number]) => {
    const [l, share, turn] = scheme === 'light' ? light : dark;
    return writeOklch({ l, c: c * share, h: brand.h + shift * turn });
  };
  return {
    s0: plane([0.93, 0.2 * Math.min(tint, 1.2), 0], [0.19, 0.42, 0]),
    s1: plane([0.975, 0.13, 0.6], [0.4, 0.72, 0.12]),
    s2: plane([0.885, 0.28, 0], [0.355, 0.58, 0]),
    s3: plane([0.8, 0.42, 0], [0.285, 0.5, 0]),
    s4: plane([0.69, 0.56, 0], [0.215, 0.4, 0]),
    s5: plane([0.55, 0.72, 0], [0.15, 0.32, 0]),
    sun: writeOklch(
      scheme === 'light'
        ? { l: 0.72, c: clamp(0.1, brand.c, 0.17), h: brand.h }
        : { l: 0.86, c: 0.13, h: brand.h + shift },
    ),
  };
}

/** The dark ground of pictures, the same by day and night: white text and the second colour read on it. */
function makeInk({ c, h }: Oklch, shift: number): Palette {
  const plane = (l: number) => writeOklch({ l, c: Math.min(c, 0.2) * 0.34, h });
  return {
    ink: plane(0.2),
    'ink-2': plane(0.3),
    'on-ink': '#ffffff',
    'ink-text': writeOklch({ l: 0.86, c: 0.025, h }),
    // The player's card, from its light corner to its dark one.
    'card-1': writeOklch({ l: 0.28, c: Math.min(c, 0.11), h }),
    'card-2': writeOklch({ l: 0.17, c: Math.min(c, 0.07), h: h + shift * 0.3 }),
  };
}

/** The ground of other companies' marks, which are drawn for white, and its edge. */
function makePlate(scheme: Scheme): Palette {
  return scheme === 'light'
    ? { plate: '#ffffff', 'plate-line': withAlpha('#000000', 0.12) }
    : { plate: writeOklch({ l: 0.94, c: 0.004, h: 260 }), 'plate-line': withAlpha('#000000', 0) };
}

/** Shadows from light to deep, the veil behind a popup, and the light from above. */
function makeDepth(brand: Oklch, scheme: Scheme): Palette {
  if (scheme === 'dark') {
    return {
      'shade-0': withAlpha('#000000', 0.4),
      'shade-1': withAlpha('#000000', 0.3),
      'shade-2': withAlpha('#000000', 0.42),
      'shade-3': withAlpha('#000000', 0.6),
      'rim-light': withAlpha('#ffffff', 0.07),
      scrim: withAlpha('#020204', 0.66),
    };
  }
  const shade = writeOklch({ l: 0.3, c: 0.07, h: brand.h });
  return {
    'shade-0': withAlpha(shade, 0.06),
    'shade-1': withAlpha(shade, 0.07),
    'shade-2': withAlpha(shade, 0.12),
    'shade-3': withAlpha(shade, 0.24),
    'rim-light': withAlpha('#ffffff', 0.9),
    scrim: withAlpha(writeOklch({ l: 0.2, c: 0.02, h: brand.h }), 0.46),
  };
}
