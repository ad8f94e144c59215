import { type CodedToken, printTokens, readTokens } from './coded-text.ts';
import {
  ExchangeError,
  type ExchangeFault,
  type ExchangeLanguages,
  type ExchangePage,
  type ExchangeUnit,
} from './exchange-unit.ts';
import { escapeXml, readXml, type XmlElement } from './read-xml.ts';

/** XLIFF 2.0 (OASIS). 2.1 and 2.2 have the same namespace for what is read here. */
const NAMESPACE = 'urn:oasis:names:tc:xliff:document:2.0';

/** The start of a file. */
export const xliffStart = ({ from, to }: ExchangeLanguages): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<xliff xmlns="${NAMESPACE}" version="2.0" srcLang="${from}" trgLang="${to}">\n`;

export const XLIFF_END = '</xliff>\n';

/** A page as a `file`, with a `unit` for each segment. Empty for a page without segments. */
export function xliffOfPage({ pageId, path, units }: ExchangePage): string {
  if (units.length === 0) return '';
  const inside = units.map(xliffOfUnit).join('');
  return `<file id="${escapeXml(pageId)}" original="${escapeXml(path)}">\n${inside}</file>\n`;
}

function xliffOfUnit({ id, source, target, state, notes }: ExchangeUnit): string {
  const noted = notes.map((note) => `<note>${escapeXml(note)}</note>`).join('');
  const translated = target === undefined ? '' : `<target xml:space="preserve">${markup(target)}</target>`;
  return (
    `<unit id="${id}" canResegment="no">${noted && `<notes>${noted}</notes>`}` +
    `<segment state="${target === undefined ? 'initial' : state}"><source xml:space="preserve">${markup(source)}</source>${translated}</segment></unit>\n`
  );
}

const markup = (coded: string): string =>
  readTokens(coded)
    .map((token) => {
      if (token.kind === 'text') return escapeXml(token.value);
      if (token.kind === 'close') return '</pc>';
      return token.kind === 'open' ? `<pc id="${token.number}">` : `<ph id="${token.number}"/>`;
    })
    .join('');

/** A unit of a file that was read. */
export interface ReadUnit {
  pageId: string;
  id: string;
  source: string;
  /** Undefined if there is none. */
  target: string | undefined;
}

/**
 * The units of a file, and those that cannot be read. Throws an `ExchangeError` if it is not XLIFF 2 with these
 * languages.
 */
export async function readXliff(
  bytes: Uint8Array,
  languages: ExchangeLanguages,
): Promise<{ units: ReadUnit[]; faults: ExchangeFault[] }> {
  const units: ReadUnit[] = [];
  const faults: ExchangeFault[] = [];
  let [pageId, isXliff] = ['', false];
  await readXml(bytes, {
    wholeElements: new Set(['unit']),
    opened({ name, namespace, attributes }) {
      if (!isXliff) rejectOther({ name, namespace, attributes }, languages);
      isXliff = true;
      if (name === 'file') pageId = attributes.id ?? '';
    },
    ended(element) {
      if (!isXliff) throw new ExchangeError('The file is not XLIFF 2.');
      const id = element.attributes.id ?? '';
      try {
        units.push({ pageId, id, ...textsOf(element) });
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error;
        faults.push({ unit: `${pageId}/${id}`, message: error.message });
      }
    },
  });
  return { units, faults };
}

function rejectOther(
  { name, namespace, attributes }: Omit<XmlElement, 'children'>,
  { from, to }: ExchangeLanguages,
): void {
  if (name !== 'xliff' || namespace !== NAMESPACE) throw new ExchangeError('The file is not XLIFF 2.');
  const [source, target] = [attributes.srcLang ?? '', attributes.trgLang ?? ''];
  if (source.toLowerCase() === from && target.toLowerCase() === to) return;
  throw new ExchangeError(
    `The file is from "${source}" to "${target}", but the translation is from "${from}" to "${to}".`,
  );
}

/** The texts of a unit, whose segments another tool may have split. */
function textsOf(unit: XmlElement): Pick<ReadUnit, 'source' | 'target'> {
  const parts = unit.children.flatMap((child) =>
    typeof child !== 'string' && (child.name === 'segment' || child.name === 'ignorable') ? [child] : [],
  );
  const sources = parts.map((part) => codedIn(part, 'source') ?? '');
  const targets = parts.map((part, index) =>
    part.name === 'ignorable' ? (codedIn(part, 'target') ?? sources[index]) : codedIn(part, 'target'),
  );
  const target = targets.includes(undefined) ? undefined : targets.join('');
  return { source: sources.join(''), target: target?.trim() === '' ? undefined : target };
}

function codedIn(part: XmlElement, name: 'source' | 'target'): string | undefined {
  const element = part.children.find((child) => typeof child !== 'string' && child.name === name);
  return element === undefined || typeof element === 'string' ? undefined : printTokens(tokensOf(element.children));
}

function tokensOf(children: XmlElement['children']): CodedToken[] {
  return children.flatMap((child): CodedToken[] => {
    if (typeof child === 'string') return [{ kind: 'text', value: child }];
    switch (child.name) {
      case 'ph':
        return [{ kind: 'void', number: numberOf(child.attributes.id) }];
      case 'pc': {
        const number = numberOf(child.attributes.id);
        return [{ kind: 'open', number }, ...tokensOf(child.children), { kind: 'close', number }];
      }
      case 'sc':
        return [{ kind: 'open', number: numberOf(child.attributes.id) }];
      case 'ec':
        return [{ kind: 'close', number: numberOf(child.attributes.startRef ?? child.attributes.id) }];
      case 'mrk':
        return tokensOf(child.children);
      default:
        throw new ExchangeError(`The element "${child.name}" is not supported.`);
    }
  });
}

function numberOf(id: string | undefined): number {
  if (id !== undefined && /^\d{1,5}$/.test(id)) return Number(id);
  throw new ExchangeError(`The code with the ID "${id ?? ''}" is not one of the source.`);
}
