import { RTL_CHARACTER } from '../text-direction.ts';
import type { PdfPrinting } from './context.ts';
import type { FontRun } from './fonts.ts';
import { plainRuns, type TextRun } from './runs.ts';
import type { PdfTarget } from './source.ts';

/** A set of icons in a font. */
export interface IconSet {
  font: string;
  icons: ReadonlyMap<string, string>;
}

/**
 * Looks icons up by name. Many names end in words for a variant (`bell-on`, `file-lines-slash`): if the sets have no
 * icon of the name, the icon without its last words is shown.
 */
export function iconLookup(sets: () => readonly IconSet[]): (name: string) => FontRun | undefined {
  let opened: readonly IconSet[] | undefined;
  return (name) => {
    opened ??= sets();
    const words = name.toLowerCase().replace(/^fa-/, '').split('-').slice(0, 8);
    for (let length = words.length; length > 0; length -= 1) {
      const iconName = words.slice(0, length).join('-');
      for (const { font, icons } of opened) {
        const text = icons.get(iconName);
        if (text !== undefined) return { text, font };
      }
    }
    return undefined;
  };
}

/** An icon as text, which is empty if it is unknown. */
export function iconRuns(printing: PdfPrinting, name: string, looks: Partial<TextRun> = {}): TextRun[] {
  const run = printing.icon(name);
  return run ? [{ ...run, ...looks }] : [];
}

/** The emoji or icon of a page before its title. */
export function signRuns(
  printing: PdfPrinting,
  { emoji, icon }: Pick<PdfTarget, 'emoji' | 'icon'>,
  looks: Partial<TextRun> = {},
): TextRun[] {
  const { font: _, text: __, ...others } = looks;
  const sign = emoji ? plainRuns(printing, emoji, others) : icon ? iconRuns(printing, icon, looks) : [];
  return sign.length > 0 ? [...sign, ...plainRuns(printing, '\u2002', others)] : [];
}

/** A label after its sign. A foreign label within content from right to left has the sign on its right. */
export function labelWithSign({ direction }: PdfPrinting, sign: TextRun[], label: TextRun[]): TextRun[] {
  const isForeign = direction === 'rtl' && !label.some(({ text }) => RTL_CHARACTER.test(text));
  return isForeign ? [...label, ...sign.toReversed()] : [...sign, ...label];
}
