import { readFile } from 'node:fs/promises';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import * as fontkit from 'fontkit';
import { markHandled } from '../../../lib/mark-handled.ts';
import { bidiLevels } from '../../../lib/pdf/bidi.ts';
import { type LineInline, toVisualOrder } from '../../../lib/pdf/visual-order.ts';
import { directionOf, RTL_CHARACTER, type TextDirection } from '../../../lib/text-direction.ts';
import { ownFile } from '../../../platform/own-files.ts';

/** Texts of an image, and its colors as `#rrggbb`. */
export interface SocialImage {
  title: string;
  description: string;
  siteTitle: string;
  background: string;
  ink: string;
  accent: string;
  /** Font files, the preferred one first. */
  fonts: readonly string[];
}

const [WIDTH, HEIGHT, MARGIN, BAR] = [1_200, 630, 80, 16];

/** Lowest baseline of the description, above the site's title. */
const LAST_LINE = HEIGHT - MARGIN - 30;

const renderer = readFile(ownFile('node_modules/@resvg/resvg-wasm/index_bg.wasm')).then((wasm) => initWasm(wasm));
markHandled(renderer);

/** Draws the image of a page. Runs in a worker. Returns a PNG in base64. */
export async function work(image: SocialImage): Promise<string> {
  await renderer;
  const { background, ink, accent } = image;
  const resvg = new Resvg(`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="${WIDTH}" height="${HEIGHT}" fill="${background}"/>
    <rect width="${BAR}" height="${HEIGHT}" fill="${accent}"/>
    <g fill="${ink}">${outlinesOf(image).join('')}</g>
  </svg>`);
  const rendered = resvg.render();
  const png = Buffer.from(rendered.asPng()).toString('base64');
  rendered.free();
  resvg.free();
  return png;
}

/**
 * Returns the texts of an image as paths of SVG: title and description from the top, the site's title at the bottom.
 */
function outlinesOf({ title, description, siteTitle, fonts: files }: SocialImage): string[] {
  const fonts = fontsOf(files);
  const paths: string[] = [];
  let y = MARGIN + 64;
  for (const { text, size, maxLines } of [
    { text: title, size: 68, maxLines: 4 },
    { text: description, size: 32, maxLines: 3 },
  ]) {
    const step = size * 1.3;
    const maxThatFit = Math.floor((LAST_LINE - y) / step) + 1;
    for (const line of linesOf(fonts, text, size, Math.min(maxLines, maxThatFit))) {
      paths.push(...lineOutlines(line, { direction: directionOf(text, 'ltr'), y, size }));
      y += step;
    }
    y += 12;
  }
  const [site = []] = linesOf(fonts, siteTitle, 30, 1);
  const atBottom = { direction: directionOf(siteTitle, 'ltr'), y: HEIGHT - MARGIN + 20, size: 30 };
  return [...paths, ...lineOutlines(site, atBottom)];
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
  glyph: fontkit.Glyph;
  unit: number;
  width: number;
}

/** A text in lines that fit the image. What does not fit in the last one is left out, with an ellipsis. */
function linesOf(fontOf: (character: string) => fontkit.Font, text: string, size: number, max: number): Drawn[][] {
  const drawn = [...text].map((character): Drawn => {
    const font = fontOf(character);
    const glyph = font.glyphForCodePoint(character.codePointAt(0) ?? 0);
    const unit = 1 / font.unitsPerEm;
    return { character, font, glyph, unit, width: glyph.advanceWidth * unit };
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
  for (const [index, { character, width: characterWidth }] of rest.entries()) {
    width += characterWidth;
    if (character === ' ') space = index;
    if (width > room) return Math.max(1, space || index);
  }
  return rest.length;
}

interface DrawnLine {
  direction: TextDirection;
  y: number;
  size: number;
}

/** Its own element for each glyph: in one path, overlapping outlines of opposite directions would erase each other. */
const outline = ({ path }: fontkit.Glyph, { x, y, scale }: { x: number; y: number; scale: number }): string =>
  `<path d="${path.scale(scale, -scale).translate(x, y).toSVG()}"/>`;

function lineOutlines(line: readonly Drawn[], { direction, y, size }: DrawnLine): string[] {
  if (direction === 'rtl' || line.some(({ character }) => RTL_CHARACTER.test(character)))
    return shaped(line, { direction, y, size });
  let x = MARGIN;
  return line.map(({ glyph, unit, width }) => {
    const path = outline(glyph, { x, y, scale: unit * size });
    x += width * size;
    return path;
  });
}

/** A piece of a line in one font and one direction. */
interface Piece extends LineInline {
  source: fontkit.Font;
}

/** A line with text from right to left: in the order in which it is seen, with letters that join. */
function shaped(drawn: readonly Drawn[], { direction, y, size }: DrawnLine): string[] {
  const line = { inlines: piecesOf(drawn, direction) as LineInline[] };
  toVisualOrder(line);
  const width = line.inlines.reduce((sum, piece) => sum + piece.width, 0);
  let x = direction === 'rtl' ? WIDTH - MARGIN - width * size : MARGIN;
  return (line.inlines as Piece[]).flatMap(({ text, source }) => {
    const scale = size / source.unitsPerEm;
    const { glyphs, positions } = source.layout(text);
    return glyphs.map((glyph, index) => {
      const { xOffset = 0, yOffset = 0, xAdvance = 0 } = positions[index] ?? {};
      const path = outline(glyph, { x: x + xOffset * scale, y: y - yOffset * scale, scale });
      x += xAdvance * scale;
      return path;
    });
  });
}

function piecesOf(drawn: readonly Drawn[], direction: TextDirection): Piece[] {
  const baseLevel = direction === 'rtl' ? 1 : 0;
  const levels = bidiLevels(drawn.map(({ character }) => character).join(''), direction);
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
