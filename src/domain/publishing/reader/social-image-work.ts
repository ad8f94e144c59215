import * as fontkit from 'fontkit';
import { levelsOf } from '../../../lib/pdf/bidi.ts';
import { type Inline, toVisualOrder } from '../../../lib/pdf/visual-order.ts';
import { Coverage, type Stroke } from '../../../lib/raster/coverage.ts';
import { pngOf } from '../../../lib/raster/png.ts';
import { type Direction, directionOf, RTL_CHARACTER } from '../../../lib/text-direction.ts';
import { mixed, rgbOf } from '../../../lib/web/colors.ts';

/** Texts of an image, and its colors as `#rrggbb`. */
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
      draw(coverage, line, { direction: directionOf(text, 'ltr'), y, size });
      y += size * 1.3;
    }
    y += 12;
  }
  const [site = []] = linesOf(fonts, image.siteTitle, 30, 1);
  draw(coverage, site, { direction: directionOf(image.siteTitle, 'ltr'), y: HEIGHT - MARGIN + 20, size: 30 });
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
  font: fontkit.Font;
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
    return { character, font, strokes: glyph.path.commands as Stroke[], unit, width: glyph.advanceWidth * unit };
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

interface DrawnLine {
  direction: Direction;
  y: number;
  size: number;
}

function draw(coverage: Coverage, line: readonly Drawn[], { direction, y, size }: DrawnLine): void {
  if (line.some(({ character }) => RTL_CHARACTER.test(character))) {
    drawShaped(coverage, line, { direction, y, size });
    return;
  }
  let x = MARGIN;
  for (const { strokes, unit, width } of line) {
    coverage.fill(strokes, { x, y, scale: unit * size });
    x += width * size;
  }
}

/** A piece of a line in one font and one direction. */
interface Piece extends Inline {
  source: fontkit.Font;
}

/** A line with text from right to left: in the order in which it is seen, with letters that join. */
function drawShaped(coverage: Coverage, drawn: readonly Drawn[], { direction, y, size }: DrawnLine): void {
  const line = { inlines: piecesOf(drawn, direction) as Inline[] };
  toVisualOrder(line);
  const width = line.inlines.reduce((sum, piece) => sum + piece.width, 0);
  let x = direction === 'rtl' ? WIDTH - MARGIN - width * size : MARGIN;
  for (const { text, source } of line.inlines as Piece[]) {
    const scale = size / source.unitsPerEm;
    const { glyphs, positions } = source.layout(text);
    for (const [index, glyph] of glyphs.entries()) {
      const { xOffset = 0, yOffset = 0, xAdvance = 0 } = positions[index] ?? {};
      coverage.fill(glyph.path.commands as Stroke[], { x: x + xOffset * scale, y: y - yOffset * scale, scale });
      x += xAdvance * scale;
    }
  }
}

function piecesOf(drawn: readonly Drawn[], direction: Direction): Piece[] {
  const baseLevel = direction === 'rtl' ? 1 : 0;
  const levels = levelsOf(drawn.map(({ character }) => character).join(''), direction);
  const pieces: Piece[] = [];
  let at = 0;
  for (const { character, font } of drawn) {
    const level = levels[at] ?? baseLevel;
    at += character.length;
    const last = pieces.at(-1);
    if (last?.level === level && last.source === font) last.text += character;
    else
      pieces.push({
        ...PIECE,
        text: character,
        level,
        baseLevel,
        source: font,
        font: { widthOfString: widthIn(font) },
      });
  }
  return pieces.map((piece) => ({ ...piece, width: piece.font.widthOfString(piece.text, 1, null) }));
}

const PIECE = { x: 0, width: 0, leadingCut: 0, trailingCut: 0, fontSize: 1 };

const widthIn = (font: fontkit.Font) => (text: string) => font.layout(text).advanceWidth / font.unitsPerEm;
