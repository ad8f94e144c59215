import * as fontkit from 'fontkit';
import { Coverage, type Stroke } from '../../../lib/raster/coverage.ts';
import { pngOf } from '../../../lib/raster/png.ts';
import { mixed, rgbOf } from '../../../lib/web/colors.ts';

/** What an image says, and its colors as `#rrggbb`. */
export interface SocialImage {
  title: string;
  description: string;
  siteTitle: string;
  back: string;
  ink: string;
  accent: string;
  /** Font files, the preferred one first. */
  fonts: readonly string[];
}

const [WIDTH, HEIGHT, MARGIN, BAR] = [1_200, 630, 80, 16];
const SHADES = 255;

/** A text in lines of one size. */
interface Block {
  text: string;
  size: number;
  lines: number;
}

/** Draws the image of a page. Runs in a thread. Returns a PNG in base64. */
export async function work(image: SocialImage): Promise<string> {
  const fonts = fontsOf(image.fonts);
  const coverage = new Coverage(WIDTH, HEIGHT);
  let y = MARGIN + 64;
  for (const { text, size, lines } of [
    { text: image.title, size: 68, lines: 4 },
    { text: image.description, size: 32, lines: 3 },
  ] satisfies Block[]) {
    for (const line of linesOf(fonts, text, size, lines)) {
      draw(coverage, line, MARGIN, y, size);
      y += size * 1.3;
    }
    y += 12;
  }
  const [site = []] = linesOf(fonts, image.siteTitle, 30, 1);
  draw(coverage, site, MARGIN, HEIGHT - MARGIN + 20, 30);
  const rows = [...coverage.rows()].map((shares) =>
    Uint8Array.from(shares, (share, column) => (column < BAR ? SHADES : Math.round(share * (SHADES - 1)))),
  );
  const shades = Array.from({ length: SHADES }, (_, index) => mixed(image.back, image.ink, index / (SHADES - 1)));
  const palette = [...shades, image.accent].map(rgbOf);
  return Buffer.from(pngOf({ width: WIDTH, rows, palette })).toString('base64');
}

/** Opens fonts when the ones before lack a character. */
function fontsOf(files: readonly string[]): (character: string) => fontkit.Font {
  const opened: fontkit.Font[] = [];
  const open = (index: number): fontkit.Font | undefined => {
    const file = files[index];
    if (opened[index] || file === undefined) return opened[index];
    const font = fontkit.openSync(file);
    opened[index] = ('fonts' in font ? font.fonts[0] : font) as fontkit.Font; // collections have fonts
    return opened[index];
  };
  return (character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    for (let index = 0; index < files.length; index++) {
      const font = open(index);
      if (font?.hasGlyphForCodePoint(codePoint)) return font;
    }
    return open(0) as fontkit.Font; // there is one at least
  };
}

/** A character that is drawn, with its width at size 1. */
interface Drawn {
  character: string;
  strokes: readonly Stroke[];
  unit: number;
  width: number;
}

/** A text in lines that fit the image. What does not fit in the last one is left out, with an ellipsis. */
function linesOf(fontOf: (character: string) => fontkit.Font, text: string, size: number, max: number): Drawn[][] {
  const drawn = [...text].map((character): Drawn => {
    const font = fontOf(character);
    const glyph = font.glyphForCodePoint(character.codePointAt(0) ?? 0);
    const unit = 1 / font.unitsPerEm;
    return { character, strokes: glyph.path.commands as Stroke[], unit, width: glyph.advanceWidth * unit };
  });
  const room = (WIDTH - 2 * MARGIN) / size;
  const lines: Drawn[][] = [];
  let rest = drawn;
  while (rest.length > 0 && lines.length < max) {
    const end = endOfLine(rest, room);
    lines.push(rest.slice(0, end));
    rest = rest.slice(end);
    while (rest[0]?.character === ' ') rest = rest.slice(1);
  }
  if (rest.length === 0) return lines;
  const [dots] = linesOf(fontOf, '…', size, 1);
  return [...lines.slice(0, -1), [...(lines.at(-1) ?? []).slice(0, -2), ...(dots ?? [])]];
}

/** The number of characters in the first line: up to the last space that fits, or as many as fit. */
function endOfLine(rest: readonly Drawn[], room: number): number {
  let [width, space] = [0, 0];
  for (const [index, { character, width: own }] of rest.entries()) {
    width += own;
    if (character === ' ') space = index;
    if (width > room) return Math.max(1, space || index);
  }
  return rest.length;
}

function draw(coverage: Coverage, line: readonly Drawn[], left: number, y: number, size: number): void {
  let x = left;
  for (const { strokes, unit, width } of line) {
    coverage.fill(strokes, { x, y, scale: unit * size });
    x += width * size;
  }
}
