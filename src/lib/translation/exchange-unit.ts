/** A segment in a file for exchange with other translation tools. Texts have placeholders (`coded-text.ts`). */
export interface ExchangeUnit {
  /** Identifies the segment in its page: a line, and the position in it or nothing for the whole line. */
  id: string;
  source: string;
  target: string | undefined;
  state: 'initial' | 'translated' | 'reviewed';
  notes: readonly string[];
}

/** The segments of a page. */
export interface ExchangePage {
  pageId: string;
  /** Location of the page, for people. */
  path: string;
  units: readonly ExchangeUnit[];
}

/** The languages of a file, as BCP 47 tags. */
export interface ExchangeLanguages {
  from: string;
  to: string;
}

/** The id of a segment: an NMTOKEN of XML. */
export const unitId = (line: string, segment: number | null): string =>
  `u${Buffer.from(`${segment ?? ''} ${line}`, 'utf8').toString('base64url')}`;

/** Fault of a file, or of one of its units. */
export interface ExchangeFault {
  /** Id of the file and the unit, or the position of the unit in the file. Undefined for the file as a whole. */
  unit?: string;
  message: string;
}

/** A file cannot be read. */
export class ExchangeError extends Error {
  override name = 'ExchangeError';
}
