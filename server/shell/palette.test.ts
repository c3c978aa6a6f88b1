// The contrast of every pair of roles that meet on a page, for every brand of the specification, light and dark.
import { describe, expect, test } from 'vitest';
import { contrast, mix, readOklch, writeOklch } from './oklch.ts';
import { makePalette } from './palette.ts';

/** WCAG 2.2: 1.4.3 text, 1.4.11 controls. */
const TEXT = 4.5;
const CONTROL = 3;

const GROUNDS = ['bg', 'surface', 'raised', 'sunken'];

/** Lists the pairs of text and ground: 26 of text ... */
const texts: [string, string][] = [
  ...['text', 'text-2', 'text-3', 'accent-text'].flatMap((ink) =>
    GROUNDS.map((ground): [string, string] => [ink, ground]),
  ),
  ['text', 'accent-soft'],
  ['text-2', 'accent-soft'],
  ['accent-text', 'accent-soft'],
  ['on-accent', 'accent'],
  ['on-spark', 'spark'],
  ['spark-text', 'raised'],
  ['spark-text', 'surface'],
  ['spark-text', 'spark-soft'],
  ['danger', 'surface'],
  ['danger', 'danger-soft'],
  ['success', 'raised'],
  ['success', 'success-soft'],
  ['warning', 'warning-soft'],
];
/** ... and what is a control or its state beside what. */
const controls: [string, string][] = [
  ...GROUNDS.map((ground): [string, string] => ['line-strong', ground]),
  ...GROUNDS.map((ground): [string, string] => ['accent-line', ground]),
  ['accent-line', 'accent-soft'],
  ['focus', 'bg'],
  ['focus', 'surface'],
  ['focus', 'raised'],
];

/** @source BRANDS: theme colour and the two dials that touch colours */
const brands: Record<string, [theme: string, shift: number, tint: number]> = {
  watt: ['#5B6CFF', -78, 1.35],
  dragon: ['#C8321F', 50, 1.15],
  ko: ['#1F8A5B', 40, 0.7],
  product: ['#3B7A9E', 60, 0.8],
  ru: ['#8A2BE2', 50, 1.4],
  joynet: ['#F28C28', -40, 1],
  ssgame: ['#0FA3B1', 80, 0.8],
  joyage: ['#E0457B', 60, 1],
  acenet: ['#2F6FED', -60, 0.8],
  acenetJp: ['#B23A48', 68, 0.32],
  rhinosTwhk: ['#6B8E23', -30, 0.8],
  rhinos: ['#4A5568', 150, 1],
  spotJp: ['#00897B', 90, 0.4],
  rhinosJp: ['#8E5572', 50, 0.6],
  rhinosSea: ['#D4A017', 105, 1],
  brandEn: ['#12B886', 110, 0.9],
};

/** An operator may bring any hex: the corners of the cube and greys. */
const extremes: Record<string, [string, number, number]> = Object.fromEntries(
  ['#000000', '#ffffff', '#808080', '#ff0000', '#00ff00', '#0000ff', '#ffff00', '#00ffff', '#ff00ff'].map((hex) => [
    hex,
    [hex, 60, 1],
  ]),
);

test('the list has 41 pairs', () => {
  expect(texts.length + controls.length).toBe(41);
});

describe.each(Object.entries({ ...brands, ...extremes }))('%s', (_name, [theme, shift, tint]) => {
  test.each(['light', 'dark'] as const)('is readable in %s', (scheme) => {
    const palette = makePalette({ theme, shift, tint }, scheme);
    const weak = [
      ...texts.map((pair) => ({ pair, least: TEXT })),
      ...controls.map((pair) => ({ pair, least: CONTROL })),
    ]
      .map(({ pair: [ink, ground], least }) => ({
        what: `${ink} on ${ground}`,
        ratio: contrast(palette[ink] ?? '', palette[ground] ?? ''),
        least,
      }))
      // Not "< least": a role that is missing makes NaN, and that must fail.
      .filter(({ ratio, least }) => !(ratio >= least));
    expect(weak).toEqual([]);
  });
});

describe('colour arithmetic', () => {
  test('agrees with CSS: values as browsers compute them', () => {
    // @source getComputedStyle in Chromium 156: oklch(from #5B6CFF l c h), oklch(0.6 0.1 30),
    // color-mix(in oklab, red 50%, blue)
    const { l, c, h } = readOklch('#5B6CFF');
    expect(l).toBeCloseTo(0.6015, 3);
    expect(c).toBeCloseTo(0.2167, 3);
    expect((h + 360) % 360).toBeCloseTo(273.02, 1);
    expect(writeOklch({ l: 0.6, c: 0.1, h: 30 })).toBe('#b4685c');
    expect(mix('#ff0000', '#0000ff', 0.5)).toBe('#8c53a2');
  });

  test('black on white is 21 to 1', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  });

  test('what sRGB cannot show keeps its lightness', () => {
    expect(readOklch(writeOklch({ l: 0.83, c: 0.4, h: 200 })).l).toBeCloseTo(0.83, 2);
  });
});
