import { type CodedToken, printTokens, readTokens } from './coded-text.ts';
import { ExchangeError, type ExchangeFault, type ExchangeLanguages, type ExchangePage } from './exchange-unit.ts';
import { splitPlaceholders } from './placeholders.ts';
import { escapeXml, readXml, type XmlElement } from './read-xml.ts';

/** The start of a file in TMX 1.4b (LISA OSCAR, 2005). */
export const tmxStart = ({ from }: ExchangeLanguages): string =>
  '<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n' +
  '<header creationtool="stemma" creationtoolversion="1" segtype="sentence" o-tmf="stemma" adminlang="en" ' +
  `srclang="${from}" datatype="plaintext"/>\n<body>\n`;

export const TMX_END = '</body>\n</tmx>\n';

/** The translated segments of a page as `tu` elements, without those that `seen` has, which they are added to. */
export function tmxOfPage({ units }: ExchangePage, { from, to }: ExchangeLanguages, seen: Set<string>): string {
  return units
    .flatMap(({ source, target, state }) => {
      const key = `${source}\n${target}`;
      if (target === undefined || state === 'initial' || seen.has(key)) return [];
      seen.add(key);
      return [`<tu>${variant(from, source)}${variant(to, target)}</tu>\n`];
    })
    .join('');
}

const variant = (language: string, coded: string): string =>
  `<tuv xml:lang="${language}"><seg>${markup(coded)}</seg></tuv>`;

const markup = (coded: string): string =>
  readTokens(coded)
    .map((token) => {
      if (token.kind === 'text') return escapeXml(token.value);
      const { number, kind } = token;
      const native = escapeXml(printTokens([token]));
      if (kind === 'close') return `<ept i="${number}">${native}</ept>`;
      return kind === 'open' ? `<bpt i="${number}" x="${number}">${native}</bpt>` : `<ph x="${number}">${native}</ph>`;
    })
    .join('');

/** A segment and its translation. */
export interface ReadPair {
  /** Position in the file, from 1. */
  position: number;
  source: string;
  target: string;
}

/**
 * The pairs of a file in these languages, and the units that cannot be read. Throws an `ExchangeError` if it is not TMX
 * or has none.
 */
export async function readTmx(
  bytes: Uint8Array,
  languages: ExchangeLanguages,
): Promise<{ pairs: ReadPair[]; faults: ExchangeFault[] }> {
  const pairs: ReadPair[] = [];
  const faults: ExchangeFault[] = [];
  let [position, isTmx] = [0, false];
  await readXml(bytes, {
    wholeElements: new Set(['tu']),
    opened({ name }) {
      if (!isTmx && name !== 'tmx') throw new ExchangeError('The file is not TMX.');
      isTmx = true;
    },
    ended(unit) {
      if (!isTmx) throw new ExchangeError('The file is not TMX.');
      position += 1;
      try {
        const pair = pairIn(unit, languages);
        if (pair) pairs.push({ position, ...pair });
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error;
        faults.push({ unit: String(position), message: error.message });
      }
    },
  });
  if (!isTmx) throw new ExchangeError('The file is not TMX.');
  if (pairs.length > 0 || faults.length > 0) return { pairs, faults };
  throw new ExchangeError(`No unit of the file has texts in "${languages.from}" and "${languages.to}".`);
}

function pairIn(unit: XmlElement, { from, to }: ExchangeLanguages): { source: string; target: string } | undefined {
  const variants = unit.children.flatMap((child) =>
    typeof child !== 'string' && child.name === 'tuv' ? [{ language: languageOf(child), seg: segOf(child) }] : [],
  );
  const [source, target] = [from, to].map((language) => variantIn(variants, language));
  if (!source || !target) return undefined;
  const numbers = new Map<string, number>();
  const coded = printTokens(tokensOf(source, numbers, false)).trim();
  const translated = printTokens(tokensOf(target, numbers, true)).trim();
  return coded === '' || translated === '' ? undefined : { source: coded, target: translated };
}

const languageOf = ({ attributes }: XmlElement): string =>
  (attributes['xml:lang'] ?? attributes.lang ?? '').toLowerCase();

const segOf = ({ children }: XmlElement): XmlElement['children'] | undefined => {
  const seg = children.find((child) => typeof child !== 'string' && child.name === 'seg');
  return typeof seg === 'string' ? undefined : seg?.children;
};

/** The text in a language, or else in a variety of it, such as `en-US` for `en`. */
function variantIn(
  variants: readonly { language: string; seg: XmlElement['children'] | undefined }[],
  language: string,
): XmlElement['children'] | undefined {
  const exact = variants.find((each) => each.language === language);
  return (exact ?? variants.find((each) => each.language.startsWith(`${language}-`)))?.seg;
}

/** Codes are numbered by their order in the source, as segments number their placeholders. */
function tokensOf(children: XmlElement['children'], numbers: Map<string, number>, isTarget: boolean): CodedToken[] {
  const paired = new Map<string, number>();
  let voids = 0;
  const numberOf = (key: string): number => {
    const existing = numbers.get(key);
    if (existing !== undefined) return existing;
    if (isTarget) throw new ExchangeError('The translation has codes that the source does not have.');
    numbers.set(key, numbers.size + 1);
    return numbers.size;
  };
  const seen = new Map<string, number>();
  /** URLs and variables are placeholders, as they are in segments. */
  const textTokens = (text: string): CodedToken[] =>
    splitPlaceholders(text).flatMap((value, index): CodedToken[] => {
      if (index % 2 === 0) return value === '' ? [] : [{ kind: 'text', value }];
      seen.set(value, (seen.get(value) ?? 0) + 1);
      return [{ kind: 'void', number: numberOf(`text ${seen.get(value)} ${value}`) }];
    });
  const read = (inside: XmlElement['children']): CodedToken[] =>
    inside.flatMap((child): CodedToken[] => {
      if (typeof child === 'string') return textTokens(child);
      const { name, attributes } = child;
      switch (name) {
        case 'bpt': {
          const number = numberOf(`pair ${attributes.x ?? attributes.i ?? ''}`);
          paired.set(attributes.i ?? '', number);
          return [{ kind: 'open', number }];
        }
        case 'ept':
          return [{ kind: 'close', number: paired.get(attributes.i ?? '') ?? 0 }];
        case 'ph':
          voids += 1;
          return [{ kind: 'void', number: numberOf(`void ${attributes.x ?? `at ${voids}`}`) }];
        case 'hi':
          return read(child.children);
        default:
          throw new ExchangeError(`The element "${name}" is not supported.`);
      }
    });
  return read(children);
}
