import * as fontkit from 'fontkit';
import type { FontFamily } from '../../../lib/pdf/fonts.ts';
import type { NamedFonts } from './font-files.ts';

/** A family with the characters of its font. The font is opened when the first character is looked up. */
export function familyIn({ name, files, from = 0 }: NamedFonts): FontFamily {
  const known = new Map<number, boolean>();
  let font: fontkit.Font | undefined;
  const look = (codePoint: number): boolean => {
    font ??= open(files.normal);
    return font?.hasGlyphForCodePoint(codePoint) ?? false;
  };
  return {
    name,
    has(codePoint) {
      if (codePoint < from) return false;
      const found = known.get(codePoint) ?? look(codePoint);
      known.set(codePoint, found);
      return found;
    },
  };
}

function open(file: string): fontkit.Font | undefined {
  const opened = fontkit.openSync(file);
  return 'fonts' in opened ? opened.fonts[0] : opened;
}
