import type { WriteStyle } from '../write/write-context.ts';
import type { SourceUnit, SourceUnits } from './source-units.ts';

/** Habits of a text that printed blocks follow. Absent ones are GitBook's. */
export interface Style extends WriteStyle {
  hardBreak?: '\\' | '  ' | '<br>';
  fence?: '`' | '~';
  /** Headings of the first two levels are underlined. */
  isSetext?: boolean;
  /** Tables have no padding around their cells. */
  isCompact?: boolean;
  /** Maximum length of a line, if lines are wrapped. */
  width?: number;
}

/** The prevailing habits in a text. */
export function styleOf({ units }: SourceUnits): Style {
  const texts = ofType(units, ['paragraph', 'list-unordered', 'list-ordered', 'list-tasks', 'blockquote', 'hint']);
  const prose = texts.join('\n\n').replace(/\$[^\s$]+\$/g, '');
  const numbers = prose.match(/^[ \t]*\d{1,9}[.)](?=[ \t])/gm) ?? [];
  const style: Style = {
    ...most(
      'bullet',
      [...prose.matchAll(/^[ \t]*([-+*])(?=[ \t]+\S)/gm)].map(([, bullet = '']) => bullet),
    ),
    ...most(
      'delimiter',
      numbers.map((number) => number.slice(-1)),
    ),
    ...most(
      'emphasis',
      [...prose.matchAll(/(?<![\w*_\\])([*_])(?=[^\s*_])/g)].map(([, sign = '']) => sign),
    ),
    ...most(
      'strong',
      [...prose.matchAll(/(?<![\w*_\\])(\*\*|__)(?=[^\s*_])/g)].map(([, sign = '']) => sign),
    ),
    ...most('hardBreak', breaksIn(prose)),
    ...most(
      'fence',
      ofType(units, ['code']).flatMap((text) => /[`~]{3}/.exec(text)?.[0].charAt(0) ?? []),
    ),
  };
  if (isMost(ofType(units, ['heading-1', 'heading-2']), (text) => text.includes('\n'))) style.isSetext = true;
  if (isMost(ofType(units, ['table']), isCompactTable)) style.isCompact = true;
  style.escapesUnderscores =
    /[^\W_]\\_[^\W_]/.test(prose) || !/[^\W_]_[^\W_]/.test(prose.replace(/`[^`\n]+`|\([^()\n]*\)|<[^<>\n]*>/g, ''));
  const width = widthOf(ofType(units, ['paragraph']));
  return width === undefined ? style : { ...style, width };
}

function ofType(units: readonly SourceUnit[], types: readonly string[]): string[] {
  return units.flatMap(({ blocks: [only, ...others], text }) =>
    only && others.length === 0 && types.includes(only.type) ? [text] : [],
  );
}

function most<Name extends keyof Style>(name: Name, signs: readonly string[]): Pick<Style, Name> | object {
  const counts = new Map<string, number>();
  for (const sign of signs) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first ? { [name]: first[0] } : {};
}

function isMost(texts: readonly string[], has: (text: string) => boolean): boolean {
  return texts.length > 0 && 2 * texts.filter(has).length > texts.length;
}

function breaksIn(prose: string): string[] {
  const ends = prose.match(/[^ \n] {2,}(?=\r?\n[^\r\n])|\\(?=\r?\n[^\r\n])|<br *\/?>/gi) ?? [];
  return ends.map((end) => (end.startsWith('<') ? '<br>' : end === '\\' ? '\\' : '  '));
}

/** The cells of some column have different widths. */
function isCompactTable(text: string): boolean {
  const widths = new Set(text.split('\n').map((line) => line.trimEnd().length));
  return text.startsWith('|') && widths.size > 1;
}

/** Paragraphs are wrapped if most of the long ones have several lines. */
function widthOf(paragraphs: readonly string[]): number | undefined {
  const wrapped = paragraphs.filter((text) => /[^ \\\r\n]\r?\n/.test(text) && !text.startsWith('<'));
  const lengths = wrapped.flatMap((text) => text.split(/\r?\n/).map((line) => line.length));
  const width = Math.min(Math.max(40, ...lengths), 400);
  const long = paragraphs.filter((text) => text.length > width);
  return wrapped.length > 0 && wrapped.length >= long.length / 2 ? width : undefined;
}
