import type { ContentRef } from '../../document/content-ref.ts';
import type { Block, JSONDocument } from '../../document/document.ts';
import { documentOf } from '../../document/empty.ts';
import { IN_PAGES } from '../../document/markdown/forms.ts';
import { patchMarkdown } from '../../document/markdown/patch/patch-markdown.ts';
import { readSourceUnits } from '../../document/markdown/patch/source-units.ts';
import { printMarkdown } from '../../document/markdown/print.ts';
import { normalizeDocument } from '../../document/normalize.ts';

/** The Markdown that a body was written as. */
export interface WrittenText {
  body: string;
  /** URLs that refer to content. */
  links: Readonly<Record<string, { ref: ContentRef }>>;
  /** Whether the body is still the document that the text was read as. */
  isExact: boolean;
}

/** A version of a body with its text. */
export interface WrittenVersion {
  body: JSONDocument;
  links: WrittenText['links'];
  /** The texts of top-level blocks. A block that shares its lines with others has none. */
  blocks: ReadonlyMap<Block, string>;
  /** Link definitions and footnotes, which the texts of blocks refer to. */
  notes: string;
}

/** Reads the text of a body. */
export function readVersion(body: JSONDocument, text: string, links: WrittenText['links'] = {}): WrittenVersion {
  const resolveLink = linkResolver(links);
  const { units, unused } = readSourceUnits(text, { ...IN_PAGES, resolveLink });
  const owners = [...units.flatMap((unit) => unit.blocks.map(() => unit)), ...unused.map(() => undefined)];
  const isComplete = owners.length === body.nodes.length && normalizeDocument(body).nodes.length === owners.length;
  const blocks = new Map<Block, string>();
  for (const [i, block] of body.nodes.entries()) {
    const unit = owners[i];
    if (isComplete && unit?.blocks.length === 1) blocks.set(block, unit.text);
  }
  const notes = units.filter((unit) => unit.blocks.length === 0).map((unit) => unit.text);
  return { body, links, blocks, notes: notes.join('\n\n') };
}

/** The text of a body: as it was written, with the changes since then, or else printed. */
export function currentText(body: JSONDocument, writtenText: WrittenText | undefined): string {
  if (!writtenText) return printMarkdown(body, IN_PAGES);
  if (writtenText.isExact) return writtenText.body;
  return patchMarkdown(writtenText.body, body, { ...IN_PAGES, resolveLink: linkResolver(writtenText.links) });
}

/** Finds what URLs refer to. */
export const linkResolver =
  (links: WrittenText['links']) =>
  (url: string): ContentRef | undefined =>
    Object.hasOwn(links, url) ? links[url]?.ref : undefined;

/** A single block as it is printed. */
export const printedBlock = (block: Block): string => printMarkdown(documentOf([block]), IN_PAGES);
