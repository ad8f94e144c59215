import { alignKeys } from '../../document/align-keys.ts';
import type { ContentRef } from '../../document/content-ref.ts';
import type { Block, JSONDocument } from '../../document/document.ts';
import { documentOf } from '../../document/empty.ts';
import { freshKeys } from '../../document/keys.ts';
import { IN_PAGES } from '../../document/markdown/forms.ts';
import { parseMarkdown, parseParts } from '../../document/markdown/parse.ts';
import { linesOf } from '../../document/markdown/patch/lines-of.ts';
import { meaningOf } from '../../document/markdown/patch/meaning.ts';
import { normalizeDocument, tidyBlocks } from '../../document/normalize.ts';
import { refOfUrl, stableUrl } from '../../document/stable-url.ts';
import { mergeLines } from '../../merge-lines.ts';
import { mapThreeWay, type ThreeWay } from '../three-way.ts';
import {
  currentText,
  linkResolver,
  printedBlock,
  readVersion,
  type WrittenText,
  type WrittenVersion,
} from './written-version.ts';

/** Versions of a body with blocks that were changed on both sides. */
export interface ContestedBody {
  bodies: ThreeWay<JSONDocument>;
  written: ThreeWay<WrittenText | undefined>;
  /** The keys of these blocks. */
  keys: readonly string[];
}

/**
 * The merged document, or the merged blocks by key. Blocks that are missing cannot be merged. `text` is the merged text
 * of the whole body; undefined if it cannot be merged.
 */
export type MergedTexts = { text?: string | undefined } & (
  | { document: JSONDocument }
  | { blocks: [key: string, merged: Block[]][] }
);

/** Maximum length of a block that is merged by lines. */
const MAX_BLOCK_CHARACTERS = 50_000;

/**
 * Merges bodies by the lines of their texts as `git merge-file` does: of the texts as they were written, or of printed
 * Markdown. If whole texts cannot be merged, since blocks were moved or some lines were changed on both sides, each
 * block is merged by itself. The result has the texts of both sides, or there is no merge.
 */
export function mergeTexts({ bodies, written: writtenTexts, keys }: ContestedBody): MergedTexts {
  const texts = mapThreeWay(bodies, (body, side) => currentText(body, writtenTexts[side]));
  const text = agreeOnLinks(texts, writtenTexts) ? mergedBody(texts) : undefined;
  if (keys.length === 0) return { blocks: [], text };
  const versions = mapThreeWay(bodies, (body, side) => readVersion(body, texts[side], writtenTexts[side]?.links));
  if (text !== undefined) return { document: readMerged(text, versions), text };
  const blocks: [string, Block[]][] = [];
  const byKey = mapThreeWay(bodies, ({ nodes }) => new Map(nodes.map((node) => [node.key, node])));
  for (const key of keys) {
    const merged = mergeBlock(
      mapThreeWay(byKey, (nodes) => nodes.get(key)),
      versions,
    );
    if (merged) blocks.push([key, merged]);
  }
  return { blocks };
}

function mergeBlock(blocks: ThreeWay<Block | undefined>, versions: ThreeWay<WrittenVersion>): Block[] | undefined {
  const { base, ours, theirs } = blocks;
  if (!base || !ours || !theirs) return undefined;
  const all = { base, ours, theirs };
  const asWritten = mapThreeWay(all, (block, side) => versions[side].blocks.get(block));
  return (
    mergeBlockTexts(all, asWritten, contextOf(versions)) ??
    mergeBlockTexts(all, mapThreeWay(all, printedBlock), undefined)
  );
}

/** References in the texts of blocks. */
interface TextContext {
  links: WrittenText['links'];
  notes: string;
}

function mergeBlockTexts(
  blocks: ThreeWay<Block>,
  { base, ours, theirs }: ThreeWay<string | undefined>,
  context: TextContext | undefined,
): Block[] | undefined {
  if (base === undefined || ours === undefined || theirs === undefined) return undefined;
  if (Math.max(base.length, ours.length, theirs.length) > MAX_BLOCK_CHARACTERS) return undefined;
  const merged = mergedText({ base, ours, theirs });
  if (merged === undefined) return undefined;
  // A text by itself can mean something else than in its place.
  if (!isMeaning(readBlocks(ours, context), blocks.ours)) return undefined;
  if (!isMeaning(readBlocks(theirs, context), blocks.theirs)) return undefined;
  const read = documentOf(readBlocks(merged, context));
  return aligned(
    mapThreeWay(blocks, (block) => documentOf([block])),
    read,
    merged,
  ).nodes;
}

const mergedText = (texts: ThreeWay<string>): string | undefined =>
  mergeLines(mapThreeWay(texts, (text) => text.split(/\r\n?|\n/)))?.join('\n');

/** The same byte for byte. If only a side has other line ends, all lines have those of ours. */
function mergedBytes(texts: ThreeWay<string>): string | undefined {
  const [lineEnd = '\n'] = /\r\n?|\n/.exec(texts.ours) ?? [];
  return mergeLines(mapThreeWay(texts, linesOf))?.join('') ?? mergedText(texts)?.replaceAll('\n', lineEnd);
}

/** Undefined if both sides define a label, such as that of a footnote: the first definition would count for both. */
function mergedBody(texts: ThreeWay<string>): string | undefined {
  const merged = mergedBytes(texts);
  if (merged === undefined) return undefined;
  const [ours, theirs] = [definitionsIn(texts.ours), definitionsIn(texts.theirs)];
  for (const [label, count] of definitionsIn(merged)) {
    if (count > Math.max(1, ours.get(label) ?? 0, theirs.get(label) ?? 0)) return undefined;
  }
  return merged;
}

/** The start of a definition, also within quotations and lists. What only looks like one, in code, counts as well. */
const definition = /^[ \t>*+\-\d.)]*\[([^\][]{1,999})\]:/;

/** How often a text defines each label of links and footnotes. */
function definitionsIn(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split(/\r\n?|\n/)) {
    const [, label] = definition.exec(line) ?? [];
    if (label === undefined) continue;
    const key = label.toLowerCase().split(/\s+/).join(' ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The blocks of a text. Without a context, the text is complete. */
function readBlocks(text: string, context: TextContext | undefined): Block[] {
  if (!context) return parseMarkdown(text, { ...IN_PAGES, nextKey: freshKeys(text) }).document.nodes;
  const resolveLink = linkResolver(context.links);
  const whole = context.notes === '' || !text.includes('[') ? text : `${text}\n\n${context.notes}`;
  return tidyBlocks(parseParts(whole, { ...IN_PAGES, resolveLink }).parts.flatMap(({ blocks }) => blocks));
}

function isMeaning(read: readonly Block[], block: Block): boolean {
  const [only, ...others] = read;
  const expected = normalizeDocument(documentOf([block])).nodes;
  if (!only || others.length > 0 || expected.length !== 1 || !expected[0]) return false;
  return meaningOf(only).identity === meaningOf(expected[0]).identity;
}

function contextOf({ ours, theirs }: ThreeWay<WrittenVersion>): TextContext {
  return {
    links: { ...ours.links, ...theirs.links },
    notes: [theirs.notes, ours.notes].filter((notes) => notes !== '').join('\n\n'),
  };
}

function readMerged(text: string, versions: ThreeWay<WrittenVersion>): JSONDocument {
  const resolveLink = linkResolver(contextOf(versions).links);
  const { document } = parseMarkdown(text, { ...IN_PAGES, resolveLink, nextKey: freshKeys(text) });
  return aligned(
    mapThreeWay(versions, ({ body }) => body),
    document,
    text,
  );
}

/** Whether the URLs of both texts lead to the same targets. */
function agreeOnLinks(texts: ThreeWay<string>, writtenTexts: ContestedBody['written']): boolean {
  const targetIn = (side: 'ours' | 'theirs', url: string): string | undefined => {
    const ref: ContentRef | undefined = linkResolver(writtenTexts[side]?.links ?? {})(url);
    if (ref) return stableUrl(ref);
    return texts[side].includes(url) ? stableUrl(refOfUrl(url)) : undefined;
  };
  return [writtenTexts.ours, writtenTexts.theirs].every((text) =>
    Object.keys(text?.links ?? {}).every((url) => {
      const [a, b] = [targetIn('ours', url), targetIn('theirs', url)];
      return a === undefined || b === undefined || a === b;
    }),
  );
}

/** The document of a merged text, with the keys of the sides' nodes. */
function aligned({ ours, theirs }: ThreeWay<JSONDocument>, read: JSONDocument, text: string): JSONDocument {
  const nextKey = freshKeys(text);
  return alignKeys(theirs, alignKeys(ours, read, nextKey), nextKey);
}
