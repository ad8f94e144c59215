import { type PdfLinkTarget, type PdfPrinting, runsOf } from './context.ts';

/** A piece of text with its style, as in the definition. */
export interface TextRun extends PdfLinkTarget {
  text: string;
  font: string;
  bold?: boolean;
  italics?: boolean;
  decoration?: 'underline' | 'lineThrough';
  color?: string;
  background?: string;
  fontSize?: number;
  sup?: boolean;
  sub?: boolean;
  /** The same for runs that are laid out together from left to right, whatever is around them. */
  isolate?: object;
}

/** The style of a piece of text. */
export type Looks = Omit<TextRun, 'text' | 'font'> & { isMono?: boolean };

/** Plain text with a style. Code is an isolate. */
export function plainRuns(printing: PdfPrinting, text: string, { isMono = false, ...looks }: Looks = {}): TextRun[] {
  const isolate = isMono && { isolate: {} };
  return runsOf(printing, text, isMono).map((run) => ({ ...run, ...looks, ...isolate }));
}
