import type { ContentRef } from '../content-ref.ts';
import type { Block, JSONDocument } from '../document.ts';
import { inlineRules } from '../node-rules.ts';
import { normalizeDocument } from '../normalize.ts';
import { stableUrl } from '../stable-url.ts';
import type { TopHeading } from './forms.ts';
import { indentedFootnote } from './write/layout.ts';
import { writeBlocks } from './write/write-blocks.ts';
import type { WriteContext } from './write/write-context.ts';

export interface PrintOptions {
  /** The URL to print for a reference; undefined for its stable URL. */
  linkTo?: (ref: ContentRef) => string | undefined;
  /** Level of `heading-1`, 1 by default. */
  topHeading?: TopHeading;
}

/**
 * Prints a document as Markdown, without front matter: CommonMark, GFM, block tags, and HTML for the rest. Ends with
 * one line break; an empty document is the empty string. For documents that `normalizeDocument` returns,
 * `parseMarkdown` with the same `topHeading` restores the same document apart from keys, unless blocks are nested more
 * than about 46 levels deep.
 */
export function printMarkdown(document: JSONDocument, { linkTo, topHeading = 1 }: PrintOptions = {}): string {
  const footnotes: (readonly Block[])[] = [];
  const ctx: WriteContext = {
    urlOf: (ref) => linkTo?.(ref) ?? stableUrl(ref),
    footnote: (body) => footnotes.push(body),
    topHeading,
  };
  const parts = [writeBlocks(normalizeDocument(document).nodes, ctx)];
  // Footnotes may contain footnotes, so the list grows while it is printed.
  for (let i = 0; i < footnotes.length; i++) parts.push(writeFootnote(i + 1, footnotes[i] ?? [], ctx));
  const text = parts.filter((part) => part !== '').join('\n\n');
  return text === '' ? '' : `${text}\n`;
}

export function writeFootnote(number: number, body: readonly Block[], ctx: WriteContext): string {
  const content = writeBlocks(body, ctx, { allowed: inlineRules.annotation.fragments?.[0]?.allowed ?? [] });
  return content === '' ? `[^${number}]:` : `[^${number}]: ${indentedFootnote(content)}`;
}
