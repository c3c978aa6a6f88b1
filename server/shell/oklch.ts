// Colour arithmetic: sRGB hex <-> OKLCH and XYZ, mixing, and WCAG contrast. No knowledge of brands or roles.
// @source CSS Color Module Level 4 (conversion matrices), WCAG 2.2 "relative luminance" and "contrast ratio"

/** Lightness 0..1, chroma 0.., hue in degrees. */
export type Oklch = { l: number; c: number; h: number };
type Triple = [number, number, number];

const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const toGamma = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

/** "#3B7A9E" -> linear light, 0..1 each. */
export function readHex(hex: string): Triple {
  const part = (from: number) => toLinear(Number.parseInt(hex.slice(from, from + 2), 16) / 255);
  return [part(1), part(3), part(5)];
}

/** Linear light -> "#3b7a9e"; values outside 0..1 are cut. */
export function writeHex(linear: Triple): string {
  const part = (value: number) =>
    Math.round(Math.min(1, Math.max(0, toGamma(Math.max(0, value)))) * 255)
      .toString(16)
      .padStart(2, '0');
  return `#${linear.map(part).join('')}`;
}

/** Linear sRGB -> OKLab. */
function toOklab([r, g, b]: Triple): Triple {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** OKLab -> linear sRGB; may lie outside 0..1. */
function fromOklab([lightness, a, b]: Triple): Triple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

export function readOklch(hex: string): Oklch {
  const [l, a, b] = toOklab(readHex(hex));
  return { l, c: Math.hypot(a, b), h: (Math.atan2(b, a) * 180) / Math.PI };
}

/**
 * OKLCH -> hex. What sRGB cannot show keeps its lightness and hue and gives up chroma:
 * lightness is what contrast hangs on.
 */
export function writeOklch({ l, c, h }: Oklch): string {
  const angle = (h * Math.PI) / 180;
  const at = (chroma: number) => fromOklab([l, chroma * Math.cos(angle), chroma * Math.sin(angle)]);
  const isInside = (linear: Triple) => linear.every((value) => value >= -0.0005 && value <= 1.0005);
  if (isInside(at(c))) return writeHex(at(c));
  let [low, high] = [0, c];
  // Twelve halvings: finer than one step of eight bits.
  for (let step = 0; step < 12; step += 1) {
    const middle = (low + high) / 2;
    if (isInside(at(middle))) low = middle;
    else high = middle;
  }
  return writeHex(at(low));
}

/** `share` (0..1) of `a` in `b`, mixed in OKLab as CSS color-mix does. */
export function mix(a: string, b: string, share: number): string {
  const [x, y] = [toOklab(readHex(a)), toOklab(readHex(b))];
  return writeHex(fromOklab(x.map((value, index) => value * share + (y[index] ?? 0) * (1 - share)) as Triple));
}

/** Relative luminance of a hex colour, 0..1. */
export function luminance(hex: string): number {
  const [r, g, b] = readHex(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG contrast ratio of two hex colours, 1..21. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** Two hex digits of opacity behind a colour. */
export function withAlpha(hex: string, alpha: number): string {
  return `${hex}${Math.round(alpha * 255)
    .toString(16)
    .padStart(2, '0')}`;
}
