import type { Definition, FootnoteDefinition, RootContent } from 'mdast';
import { assignAnchors } from '../anchors.ts';
import { type ContentRef, isMediaRef } from '../content-ref.ts';
import type { Block, JSONDocument } from '../document.ts';
import { documentOf } from '../empty.ts';
import { assignKeys, makeKey, type NextKey } from '../keys.ts';
import { normalizeDocument } from '../normalize.ts';
import { refOfUrl } from '../stable-url.ts';
import { withLineFeeds } from './entities.ts';
import type { TopHeading } from './forms.ts';
import { documentTree } from './read/document-tree.ts';
import { itemsOf } from './read/items.ts';
import { readBlocks } from './read/read-blocks.ts';
import type { LinkKind, ReadContext } from './read/read-context.ts';
import { readLine } from './read/read-line.ts';
import { type ReadPart, readParts } from './read/read-parts.ts';
import { type Degradation, makeReport, type Report } from './read/report.ts';

export interface ParseOptions {
  /** Resolves a URL. If it returns undefined, the URL is a stable URL or a plain URL. */
  resolveLink?: (url: string, kind: LinkKind) => ContentRef | undefined;
  nextKey?: NextKey;
  /** Level of `heading-1`, 1 by default. Headings of higher levels than the third become `heading-3`. */
  topHeading?: TopHeading;
}

export interface Parsed {
  document: JSONDocument;
  /** Differences between the document and the Markdown, from top to bottom. At most 1,000 entries. */
  degradations: Degradation[];
}

/**
 * Parses a document from Markdown: CommonMark, GFM, and the block tags and HTML that `printMarkdown` writes. Never
 * fails: parts without a counterpart in documents are kept as text and reported. Comments, link titles and text after
 * the language of a fence are left out, and reported as well. Does not handle front matter.
 */
export function parseMarkdown(markdown: string, options: ParseOptions = {}): Parsed {
  const { nextKey = makeKey } = options;
  const { degradations, report } = makeReport();
  const nodes = documentTree(markdown, report);
  const ctx = makeContext(nodes, linesOf(markdown), options, report);
  const blocks = readParts(nodes, ctx).flatMap((part) => part.blocks);
  const document = normalizeDocument(documentOf([...blocks, ...unusedFootnotes(ctx)]));
  assignKeys(document, nextKey);
  assignAnchors(document);
  return { document, degradations: degradations.sort((a, b) => a.line - b.line) };
}

/** The parts of a text with their lines, and the blocks of footnotes without a reference, which follow them. */
export function parseParts(
  markdown: string,
  options: Omit<ParseOptions, 'nextKey'> = {},
): { parts: ReadPart[]; unused: Block[]; nodes: RootContent[] } {
  const { report } = makeReport();
  const nodes = documentTree(markdown, report);
  const ctx = makeContext(nodes, linesOf(markdown), options, report);
  return { parts: readParts(nodes, ctx), unused: unusedFootnotes(ctx), nodes };
}

const linesOf = (markdown: string): string[] => withLineFeeds(markdown).split('\n');

function makeContext(
  nodes: readonly RootContent[],
  lines: readonly string[],
  { resolveLink, topHeading = 1 }: ParseOptions,
  report: Report,
): ReadContext {
  const { definitions, footnotes } = definitionsIn(nodes);
  const refOf = (url: string, kind: LinkKind): ContentRef => resolveLink?.(url, kind) ?? refOfUrl(url);
  const ctx: ReadContext = {
    report,
    refOf,
    mediaOf: (url) => {
      const ref = refOf(url, 'image');
      return isMediaRef(ref) ? ref : { kind: 'url', url };
    },
    definitions,
    footnotes,
    shownFootnotes: new Set(),
    openFootnotes: new Set(),
    budget: lines.reduce((sum, line) => sum + 2 * (line.length + 1), 10_000),
    keptInline: new WeakSet(),
    imageLengths: new WeakMap(),
    anchors: [],
    lines,
    topHeading,
    blocks: (items, depth) => readBlocks(items, ctx, depth),
    blocksOf: (children, depth) => readBlocks(itemsOf(children, report, true), ctx, depth),
    line: (items, depth) => readLine(items, ctx, depth),
    lineOf: (children, depth) => readLine(itemsOf(children, report, false), ctx, depth),
  };
  return ctx;
}

/** All definitions of the tree, the first one of each name (CommonMark section 4.7). */
function definitionsIn(nodes: readonly RootContent[]): {
  definitions: Map<string, Definition>;
  footnotes: Map<string, FootnoteDefinition>;
} {
  const definitions = new Map<string, Definition>();
  const footnotes = new Map<string, FootnoteDefinition>();
  const pending = [...nodes].reverse();
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node);
    if (node.type === 'footnoteDefinition' && !footnotes.has(node.identifier)) footnotes.set(node.identifier, node);
    if ('children' in node) for (const child of node.children.toReversed()) pending.push(child);
  }
  return { definitions, footnotes };
}

/** Footnotes without a reference are kept, so that their text is not lost. */
function unusedFootnotes(ctx: ReadContext): Block[] {
  return [...ctx.footnotes.values()].flatMap((definition) => {
    if (ctx.shownFootnotes.has(definition.identifier)) return [];
    ctx.report(definition.position?.start.line ?? 0, 'A footnote without a reference is moved to the end.');
    return ctx.blocksOf(definition.children, 1);
  });
}
