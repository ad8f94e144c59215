import { type Link, type Printing, runsOf } from './context.ts';

/** A piece of text with its style, as in the definition. */
export interface TextRun extends Link {
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
}

/** The style of a piece of text. */
export type Looks = Omit<TextRun, 'text' | 'font'> & { isMono?: boolean };

/** Plain text with a style. */
export const plainRuns = (printing: Printing, text: string, { isMono = false, ...looks }: Looks = {}): TextRun[] =>
  runsOf(printing, text, isMono).map((run) => ({ ...run, ...looks }));
