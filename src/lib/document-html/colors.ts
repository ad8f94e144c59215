type Rgb = readonly [number, number, number];

/** The channels of `#rgb` or `#rrggbb`, from 0 to 255. Other text is black. */
function rgbOf(color: string): Rgb {
  const [, hex = '000000'] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color) ?? [];
  const six = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
  const channel = (at: number) => Number.parseInt(six.slice(at, at + 2), 16);
  return [channel(0), channel(2), channel(4)];
}

const hexOf = (rgb: Rgb) => `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;

/** Relative luminance, from 0 to 1 (WCAG 2.2, "relative luminance"). */
function luminance(color: string): number {
  const [red, green, blue] = rgbOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** Contrast ratio of two colors, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** A color between two others. `share` of 0 is the first, 1 the second. */
export function mixColors(one: string, other: string, share: number): string {
  const [from, to] = [rgbOf(one), rgbOf(other)];
  const between = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * share;
  return hexOf([between(0), between(1), between(2)]);
}

/** Black or white, whichever is easier to read on a background. */
export const inkOn = (background: string): string =>
  contrast('#ffffff', background) >= contrast('#000000', background) ? '#ffffff' : '#000000';

/** The contrast that text needs (WCAG 2.2, 1.4.3), and a little more for rounding. */
const MIN_TEXT_CONTRAST = 4.6;
const MIXING_STEPS = 20;

/** The color, or the nearest one towards black or white that can be read as text on all backgrounds. */
export function readableOn(color: string, ...backgrounds: readonly string[]): string {
  const ink = inkOn(backgrounds[0] ?? '#ffffff');
  for (let step = 0; step < MIXING_STEPS; step++) {
    const tried = mixColors(color, ink, step / MIXING_STEPS);
    if (backgrounds.every((background) => contrast(tried, background) >= MIN_TEXT_CONTRAST)) return tried;
  }
  return ink;
}

/** Contrast from which on a color is close enough to be darkened for white text (WCAG 2.2, 1.4.3, large text). */
const MIN_LARGE_TEXT_CONTRAST = 3;

/** A background for text near a color, and the ink on it: white where a slightly darker color allows it. */
export function solidColors(color: string): { back: string; ink: string } {
  if (contrast('#ffffff', color) < MIN_LARGE_TEXT_CONTRAST) return { back: color, ink: inkOn(color) };
  for (let step = 0; step < MIXING_STEPS; step++) {
    const back = mixColors(color, '#000000', step / MIXING_STEPS);
    if (contrast('#ffffff', back) >= MIN_TEXT_CONTRAST) return { back, ink: '#ffffff' };
  }
  return { back: color, ink: inkOn(color) };
}
