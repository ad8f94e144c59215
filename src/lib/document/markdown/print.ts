import type { ContentRef } from '../content-ref.ts';
import type { Block, JSONDocument } from '../document.ts';
import { inlineRules } from '../node-rules.ts';
import { normalizeDocument } from '../normalize.ts';
import { stableUrl } from '../stable-url.ts';
import { indentedFootnote } from './layout.ts';
import { writeBlocks } from './write-blocks.ts';
import type { WriteContext } from './write-context.ts';

export interface PrintOptions {
  /** The address a reference is printed as; undefined leaves it to its stable form. */
  linkTo?: (ref: ContentRef) => string | undefined;
}

/**
 * The document as Markdown, without front matter: CommonMark, GFM, block tags, and HTML for the rest. Ends in one
 * line break; an empty document is the empty text. `parseMarkdown` reads it back as the same document but for keys,
 * once it is in the form that `normalizeDocument` gives and unless blocks are nested more than some 46 deep.
 */
export function printMarkdown(document: JSONDocument, { linkTo }: PrintOptions = {}): string {
  const footnotes: (readonly Block[])[] = [];
  const ctx: WriteContext = {
    urlOf: (ref) => linkTo?.(ref) ?? stableUrl(ref),
    footnote: (body) => footnotes.push(body),
  };
  const parts = [writeBlocks(normalizeDocument(document).nodes, ctx)];
  // Footnotes may have footnotes: the list grows while it is printed.
  for (let i = 0; i < footnotes.length; i++) parts.push(writeFootnote(i + 1, footnotes[i] ?? [], ctx));
  const text = parts.filter((part) => part !== '').join('\n\n');
  return text === '' ? '' : `${text}\n`;
}

function writeFootnote(number: number, body: readonly Block[], ctx: WriteContext): string {
  const content = writeBlocks(body, ctx, { allowed: inlineRules.annotation.fragments?.[0]?.allowed ?? [] });
  return content === '' ? `[^${number}]:` : `[^${number}]: ${indentedFootnote(content)}`;
}
