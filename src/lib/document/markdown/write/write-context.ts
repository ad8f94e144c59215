import type { ContentRef } from '../../content-ref.ts';
import type { Block } from '../../document.ts';
import type { TopHeading } from '../forms.ts';

/** State for printing a document. */
export interface WriteContext {
  urlOf(ref: ContentRef): string;
  /** Stores the body of an annotation and returns the number of its footnote. */
  footnote(body: readonly Block[]): number;
  topHeading: TopHeading;
  /** Forms to prefer among those with the same meaning. */
  style?: WriteStyle;
}

/** Forms that text around a printed block uses. */
export interface WriteStyle {
  bullet?: '*' | '-' | '+';
  /** The character after the numbers of lists. */
  delimiter?: '.' | ')';
  emphasis?: '_' | '*';
  strong?: '**' | '__';
  /** Underscores in words are escaped, as GitBook does. */
  escapesUnderscores?: boolean;
}

/** The context of a line of Markdown. */
export interface LinePlace {
  /** Whether line breaks can be printed: in paragraphs they can, in headings and cells they cannot. */
  hasBreaks: boolean;
  inCell: boolean;
  inLink: boolean;
  style?: WriteStyle | undefined;
  marksDollars?: boolean;
}
