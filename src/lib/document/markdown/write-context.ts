import type { ContentRef } from '../content-ref.ts';
import type { Block } from '../document.ts';

/** What printing one document needs at every place. */
export interface WriteContext {
  urlOf(ref: ContentRef): string;
  /** Notes the body of an annotation and gives the number of its footnote. */
  footnote(body: readonly Block[]): number;
}

/** Where a line of Markdown stands. */
export interface LinePlace {
  /** Whether line breaks can be written as such: in paragraphs they can, in headings and cells not. */
  hasBreaks: boolean;
  inCell: boolean;
  inLink: boolean;
}
