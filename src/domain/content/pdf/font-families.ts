import * as fontkit from 'fontkit';
import type { FontFamily } from '../../../lib/pdf/fonts.ts';
import type { NamedFonts } from './font-files.ts';

/** A family with the characters of its font. The font is opened when the first character is looked up. */
export function familyIn({ name, files, from = 0 }: NamedFonts): FontFamily {
  const cache = new Map<number, boolean>();
  let font: fontkit.Font | undefined;
  const look = (codePoint: number): boolean => {
    font ??= open(files.normal);
    return font?.hasGlyphForCodePoint(codePoint) ?? false;
  };
  return {
    name,
    has(codePoint) {
      if (codePoint < from) return false;
      const hasGlyph = cache.get(codePoint) ?? look(codePoint);
      cache.set(codePoint, hasGlyph);
      return hasGlyph;
    },
  };
}

function open(file: string): fontkit.Font | undefined {
  const opened = fontkit.openSync(file);
  return 'fonts' in opened ? opened.fonts[0] : opened;
}
