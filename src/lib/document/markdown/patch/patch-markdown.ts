import type { ContentRef } from '../../content-ref.ts';
import type { Block, JSONDocument } from '../../document.ts';
import { documentOf, isEmptyParagraph } from '../../empty.ts';
import { normalizeDocument, tidyBlocks } from '../../normalize.ts';
import { pairSequences } from '../../pair-sequences.ts';
import { refOfUrl, stableUrl } from '../../stable-url.ts';
import type { TopHeading } from '../forms.ts';
import { type ParseOptions, parseParts } from '../parse.ts';
import { printMarkdown, writeFootnote } from '../print.ts';
import { joinPieces, type Piece } from './join-pieces.ts';
import { meaningOf } from './meaning.ts';
import { type Patching, patchBlocks } from './patch-blocks.ts';
import { withLineEnds } from './print-block.ts';
import { readSourceUnits, type SourceUnits } from './source-units.ts';
import { styleOf } from './style.ts';

export interface PatchOptions {
  /** Resolves the URLs of the source. If it returns undefined, a URL is a stable URL or a plain URL. */
  resolveLink?: ParseOptions['resolveLink'];
  /**
   * The URL to print for a reference; undefined for its stable URL. `url` is the URL in its place. Without this
   * function, URLs stay unchanged as long as they resolve to the reference.
   */
  linkTo?: (ref: ContentRef, url?: string) => string | undefined;
  /** Level of `heading-1`, 1 by default. */
  topHeading?: TopHeading;
}

/**
 * Prints a document as a patch of a Markdown text: blocks with the same meaning keep their text byte for byte, with the
 * blank lines, comments and definitions between them. Only other blocks are printed, in the style of the text. In a
 * kept block, only the URLs that have to differ are replaced. The result is parsed again to check that it gives the
 * document; if not, further blocks are printed as well. Does not handle front matter. The time is bounded like that of
 * parsing the text a few times.
 */
export function patchMarkdown(text: string, document: JSONDocument, options: PatchOptions = {}): string {
  const target = normalizeDocument(document).nodes;
  const printed = new Map<string, ContentRef>();
  const writtenUrls = new Written();
  const source = readWritten(text, options, writtenUrls);
  if (source.units.length === 0) return printMarkdown(document, plainly(options));
  const plain = new Set<Block>();
  for (let round = 0; round < 3; round++) {
    const patched = compose(source, target, {
      options,
      writtenUrls,
      printed,
      plain,
      text,
      round,
      unread: 50_000 + 4 * text.length,
    });
    if (patched.text === text && patched.isWhole) return text;
    const wrong = misread(patched.text, target, options, printed);
    if (wrong.length === 0) return patched.text;
    for (const block of wrong) plain.add(block);
  }
  return withLineEnds(printMarkdown(document, plainly(options)), source.lineEnd);
}

const plainly = ({ linkTo, topHeading = 1 }: PatchOptions) => ({
  topHeading,
  ...(linkTo ? { linkTo: (ref: ContentRef) => linkTo(ref) } : {}),
});

/** The URLs that references were written as. */
class Written {
  readonly #urls = new WeakMap<ContentRef, string>();
  readonly #byTarget = new Map<string, string>();

  add(ref: ContentRef, url: string): void {
    this.#urls.set(ref, url);
    const target = stableUrl(ref);
    if (!this.#byTarget.has(target)) this.#byTarget.set(target, url);
  }

  /** The URL that this very reference was read from. */
  urlOf(ref: ContentRef): string | undefined {
    return this.#urls.get(ref);
  }

  /** The URL that the first reference to the same target was read from. */
  urlTo(ref: ContentRef): string | undefined {
    return this.#byTarget.get(stableUrl(ref));
  }
}

/** Reads a text and notes the URL that each of its references was written as. */
function readWritten(text: string, { resolveLink, topHeading = 1 }: PatchOptions, writtenUrls: Written): SourceUnits {
  return readSourceUnits(text, {
    topHeading,
    resolveLink(url, kind) {
      const ref = { ...(resolveLink?.(url, kind) ?? refOfUrl(url)) };
      writtenUrls.add(ref, url);
      return ref;
    },
  });
}

interface Round {
  options: PatchOptions;
  writtenUrls: Written;
  /** Targets of printed URLs. */
  printed: Map<string, ContentRef>;
  plain: ReadonlySet<Block>;
  text: string;
  round: number;
  /** Number of characters that may be read to try changed words. */
  unread: number;
}

function compose(source: SourceUnits, target: readonly Block[], round: Round): { text: string; isWhole: boolean } {
  const footnotes: (readonly Block[])[] = [];
  const patching = patchingOf(source, round, footnotes);
  const blocks = withoutUnused(source, target);
  const pieces: Piece[] = patchBlocks(source, blocks ?? target, patching);
  const start = firstNumber(round.text);
  // Footnotes may contain footnotes, so the list grows while it is printed.
  for (let i = 0; i < footnotes.length; i++) {
    const text = writeFootnote(start + i, footnotes[i] ?? [], patching.ctx);
    pieces.push({ text: withLineEnds(text, source.lineEnd), isNew: true });
  }
  return {
    text: joinPieces(source, pieces, round.round > 0, blocks !== undefined && source.unused.length > 0),
    isWhole: blocks !== undefined,
  };
}

function patchingOf(source: SourceUnits, round: Round, footnotes: (readonly Block[])[]): Patching {
  const { options, writtenUrls, printed, plain, text } = round;
  const { linkTo, topHeading = 1 } = options;
  const note = (url: string, ref: ContentRef): string => {
    printed.set(url, ref);
    return url;
  };
  const start = firstNumber(text);
  const notes = notesOf(source);
  const patching: Patching = {
    ctx: {
      urlOf(ref) {
        const url = writtenUrls.urlTo(ref);
        return note(linkTo ? (linkTo(ref, url) ?? stableUrl(ref)) : (url ?? stableUrl(ref)), ref);
      },
      footnote: (body) => start - 1 + footnotes.push(body),
      topHeading,
    },
    style: styleOf(source),
    lineEnd: source.lineEnd,
    urlFor(ref, before) {
      const url = writtenUrls.urlOf(before) ?? (before.kind === 'url' ? before.url : stableUrl(before));
      const isSame = stableUrl(ref) === stableUrl(before);
      if (isSame && (!linkTo || !hasPlace(ref))) return { before: url, after: url };
      return { before: url, after: note(linkTo?.(ref, url) ?? stableUrl(ref), ref) };
    },
    writtenUrl(ref) {
      const { before, after } = patching.urlFor(ref, ref);
      return before === after ? patching.ctx.urlOf(ref) : before;
    },
    isReadAs(candidate, block) {
      const refers = candidate.includes('[') && notes !== '';
      // Long notes are not read with each block. The whole text is read in the end.
      if (refers && notes.length > MAX_NOTES) return true;
      const alone = refers ? candidate + notes : candidate;
      round.unread -= alone.length;
      return round.unread >= 0 && isReadAs(alone, block, options, printed);
    },
    isPlain: (block) => plain.has(block),
    inside: (content, blocks) =>
      patchInside(content, blocks, patching, (inner) => readWritten(inner, options, writtenUrls)),
  };
  return patching;
}

/** Whether the URL of a reference depends on the place of its target. */
function hasPlace(ref: ContentRef): boolean {
  return ref.kind !== 'url' && (ref.kind !== 'anchor' || ref.page !== undefined || ref.space !== undefined);
}

/** The content of a container. Empty paragraphs that are its only block have no text. */
function patchInside(
  content: string,
  blocks: readonly Block[],
  patching: Patching,
  read: (content: string) => SourceUnits,
): string {
  const source = { ...read(content), lineEnd: patching.lineEnd };
  const [only, ...others] = blocks;
  const isEmpty = others.length === 0 && (!only || isEmptyParagraph(only));
  if (source.units.length === 0 && isEmpty) return content;
  const pieces = patchBlocks(source, isEmpty ? [] : blocks, patching);
  const joined = joinPieces(source, pieces, false, true);
  return source.units.length === 0 ? joined.slice(0, -patching.lineEnd.length) : joined;
}

/**
 * The blocks without those of unused footnotes, which come from their definitions; undefined if the document lacks
 * them.
 */
function withoutUnused({ unused }: SourceUnits, target: readonly Block[]): readonly Block[] | undefined {
  const at = target.length - unused.length;
  const isPresent = unused.every((block, i) => {
    const other = target[at + i];
    return other && meaningOf(other).identity === meaningOf(block).identity;
  });
  return isPresent ? target.slice(0, at) : undefined;
}

/** Maximum length of notes that are read with a block. */
const MAX_NOTES = 2_000;

/** Link definitions and footnotes, as they can follow any text. */
function notesOf({ units, lineEnd }: SourceUnits): string {
  const notes = units.filter(({ blocks, text }) => blocks.length === 0 && /^ {0,3}\[/.test(text));
  return notes.map(({ text }) => lineEnd + lineEnd + text).join('');
}

/** Whether a text means one block, including the targets of links. */
function isReadAs(
  text: string,
  block: Block,
  { resolveLink, topHeading = 1 }: PatchOptions,
  printed: ReadonlyMap<string, ContentRef>,
): boolean {
  const { parts } = parseParts(text, {
    topHeading,
    resolveLink: (url, kind) => printed.get(url) ?? resolveLink?.(url, kind),
  });
  const [read, ...others] = tidyBlocks(parts.flatMap(({ blocks }) => blocks));
  return read !== undefined && others.length === 0 && meaningOf(read).identity === meaningOf(block).identity;
}

/** A number for a new footnote that no label in the text has. */
function firstNumber(text: string): number {
  let last = 0;
  for (const [, number] of text.matchAll(/\[\^(\d{1,6})\]/g)) last = Math.max(last, Number(number));
  return last + 1;
}

/** The blocks that the text does not mean, apart from the targets of links. */
function misread(
  text: string,
  target: readonly Block[],
  { resolveLink, topHeading = 1 }: PatchOptions,
  printed: ReadonlyMap<string, ContentRef>,
): readonly Block[] {
  const { parts, unused } = parseParts(text, {
    topHeading,
    resolveLink: (url, kind) => printed.get(url) ?? resolveLink?.(url, kind),
  });
  const read = normalizeDocument(documentOf([...parts.flatMap(({ blocks }) => blocks), ...unused])).nodes;
  const [actual, expected] = [read, target].map((blocks) => blocks.map((block) => meaningOf(block).besidesLinks));
  const partners = pairSequences(actual ?? [], expected ?? [], { identity: (meaning) => meaning, score: () => 0 });
  const isSame = actual?.length === expected?.length && partners.every((partner, i) => partner === i);
  if (isSame) return [];
  const wrong = target.filter((_, i) => partners[i] === -1);
  return wrong.length > 0 ? wrong : target;
}
