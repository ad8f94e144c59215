import { canonicalJson } from '../canonical.ts';
import { textNode } from '../document/build.ts';
import type { Inline, Leaf, Mark, Phrasing } from '../document/document.ts';
import { withoutKeys } from '../document/keys.ts';
import { tidyPhrasing } from '../document/tidy-phrasing.ts';
import { type CodedToken, printTokens, readTokens } from './coded-text.ts';
import { splitPlaceholders } from './placeholders.ts';
import { sentenceEnds } from './sentences.ts';

/** The part behind a placeholder: marks or an inline around content, or a node without content to translate. */
export type PlaceholderContent = { marks: Mark[] } | { around: Inline } | { leaf: Leaf } | { inline: Inline };

/**
 * A segment: a sentence of a line of text, with placeholders for marks, links, code, URLs, variables and other inlines.
 */
export interface Segment {
  /** The text with placeholders that are numbered from 1 in each segment. */
  text: string;
  /** Parts behind the placeholders, by their number less one. */
  placeholders: PlaceholderContent[];
  /** Whitespace around the segment. */
  before: string;
  after: string;
  /** False if there is no letter to translate. */
  isTranslatable: boolean;
}

/** Cuts a line of text into segments. `language` is the language of the text, which decides where sentences end. */
export function cutLine(nodes: readonly Phrasing[], language: string): Segment[] {
  const placeholders: PlaceholderContent[] = [];
  const tokens: CodedToken[] = [];
  flatten(nodes, tokens, placeholders);
  return cutTokens(tokens, language).map((part) => segmentOf(part, placeholders));
}

/** Cuts plain text into segments. */
export const cutText = (value: string, language: string): Segment[] => cutLine([textNode(value)], language);

/** A line of its segments, with the given texts or nodes in place of their own. */
export function joinLine(
  segments: readonly Segment[],
  texts: readonly (string | readonly Phrasing[] | undefined)[],
): Phrasing[] {
  const nodes = segments.flatMap((segment, index): Phrasing[] => {
    const content = texts[index] ?? segment.text;
    const phrasing = typeof content === 'string' ? phrasingOf(readTokens(content), segment.placeholders) : content;
    return [textNode(segment.before), ...phrasing, textNode(segment.after)];
  });
  return tidyPhrasing(nodes, 'block', tidyInline);
}

/** The nodes of a segment without the whitespace around it. */
export const nodesOfSegment = (segment: Segment): Phrasing[] => joinLine([{ ...segment, before: '', after: '' }], []);

/** Whether two lines or segments have the same nodes, apart from keys. */
export const isSameLine = (one: readonly Phrasing[], other: readonly Phrasing[]): boolean =>
  canonicalJson(withoutKeys(one)) === canonicalJson(withoutKeys(other));

/** Joins adjacent texts in links and annotations. */
function tidyInline(node: Inline): Inline {
  if (node.type !== 'link' && node.type !== 'annotation') return node;
  return { ...node, nodes: tidyPhrasing(node.nodes, node.type, tidyInline) };
}

/** Plain text of its segments, with the given texts in place of their own. */
export const joinText = (segments: readonly Segment[], texts: readonly (string | undefined)[]): string =>
  segments
    .map(({ text: coded, placeholders, before, after }, index) => {
      const words = readTokens(texts[index] ?? coded).map((token) => {
        if (token.kind === 'text') return token.value;
        const what = token.kind === 'void' ? placeholders[token.number - 1] : undefined;
        return what && 'leaf' in what && !isCode(what.leaf) ? what.leaf.text : '';
      });
      return before + words.join('') + after;
    })
    .join('');

function flatten(nodes: readonly Phrasing[], tokens: CodedToken[], placeholders: PlaceholderContent[]): void {
  const hold = (what: PlaceholderContent): number => placeholders.push(what);
  for (const node of nodes) {
    if (node.object === 'text') for (const leaf of node.leaves) flattenLeaf(leaf, tokens, hold);
    else if (node.type === 'link' || node.type === 'annotation') {
      const number = hold({ around: node });
      tokens.push({ kind: 'open', number });
      flatten(node.nodes, tokens, placeholders);
      tokens.push({ kind: 'close', number });
    } else tokens.push({ kind: 'void', number: hold({ inline: node }) });
  }
}

function flattenLeaf(leaf: Leaf, tokens: CodedToken[], hold: (what: PlaceholderContent) => number): void {
  if (leaf.text === '') return;
  if (isCode(leaf)) {
    tokens.push({ kind: 'void', number: hold({ leaf }) });
    return;
  }
  const number = leaf.marks.length === 0 ? undefined : hold({ marks: leaf.marks });
  if (number !== undefined) tokens.push({ kind: 'open', number });
  for (const [index, value] of splitPlaceholders(leaf.text).entries()) {
    if (index % 2 === 1) tokens.push({ kind: 'void', number: hold({ leaf: { ...leaf, text: value } }) });
    else if (value !== '') tokens.push({ kind: 'text', value });
  }
  if (number !== undefined) tokens.push({ kind: 'close', number });
}

const isCode = ({ marks }: Leaf) => marks.some(({ type }) => type === 'code' || type === 'keyboard');

/** Stands for a placeholder without content, so that a sentence can end before and after it. */
const PLACEHOLDER = '\ufffc';

/** Cuts tokens at the ends of sentences that are outside of all placeholders. */
function cutTokens(tokens: readonly CodedToken[], language: string): CodedToken[][] {
  const plain = tokens.map((token) => plainOf(token)).join('');
  const ends = sentenceEnds(plain, language);
  const parts: CodedToken[][] = [];
  let part: CodedToken[] = [];
  let [offset, depth] = [0, 0];
  const end = () => {
    if (part.length > 0) parts.push(part);
    part = [];
  };
  for (const token of tokens) {
    if (depth === 0 && ends.has(offset)) end();
    if (token.kind === 'open') depth += 1;
    if (token.kind === 'close') depth -= 1;
    if (token.kind === 'text' && depth === 0) {
      let rest = 0;
      for (let at = 1; at < token.value.length; at++) {
        if (!ends.has(offset + at)) continue;
        part.push({ kind: 'text', value: token.value.slice(rest, at) });
        rest = at;
        end();
      }
      part.push({ kind: 'text', value: token.value.slice(rest) });
    } else part.push(token);
    offset += plainOf(token).length;
  }
  end();
  return parts;
}

function plainOf(token: CodedToken): string {
  if (token.kind === 'text') return token.value;
  return token.kind === 'void' ? PLACEHOLDER : '';
}

function segmentOf(part: readonly CodedToken[], all: readonly PlaceholderContent[]): Segment {
  const placeholders: PlaceholderContent[] = [];
  const numbers = new Map<number, number>();
  const tokens = part.map((token): CodedToken => {
    if (token.kind === 'text') return token;
    const number = numbers.get(token.number) ?? placeholders.push(all[token.number - 1] as PlaceholderContent); // numbered when it was held
    numbers.set(token.number, number);
    return { kind: token.kind, number };
  });
  const [before, after] = [takeSpace(tokens, 'start'), takeSpace(tokens, 'end')];
  const isTranslatable = tokens.some((token) => token.kind === 'text' && /\p{L}/u.test(token.value));
  return { text: printTokens(tokens), placeholders, before, after, isTranslatable };
}

/** Removes the whitespace at an end of a segment, and returns it. */
function takeSpace(tokens: CodedToken[], side: 'start' | 'end'): string {
  const index = side === 'start' ? 0 : tokens.length - 1;
  const token = tokens[index];
  if (token?.kind !== 'text') return '';
  const value = side === 'start' ? token.value.trimStart() : token.value.trimEnd();
  tokens[index] = { kind: 'text', value };
  return side === 'start' ? token.value.slice(0, token.value.length - value.length) : token.value.slice(value.length);
}

function phrasingOf(tokens: readonly CodedToken[], placeholders: readonly PlaceholderContent[]): Phrasing[] {
  const root: Phrasing[] = [];
  const stack: { nodes: Phrasing[]; marks: Mark[] }[] = [{ nodes: root, marks: [] }];
  for (const token of tokens) {
    const top = stack.at(-1) ?? { nodes: root, marks: [] };
    if (token.kind === 'text') top.nodes.push(textNode(token.value, top.marks));
    else if (token.kind === 'close') stack.pop();
    else {
      const what = placeholders[token.number - 1];
      if (token.kind === 'open') stack.push(opened(what, top));
      else if (what) top.nodes.push(...closed(what));
    }
  }
  return root;
}

function opened(what: PlaceholderContent | undefined, { nodes, marks }: { nodes: Phrasing[]; marks: Mark[] }) {
  if (what && 'around' in what) {
    const inside: Phrasing[] = [];
    nodes.push({ ...what.around, nodes: inside } as Inline); // links and annotations have nodes
    return { nodes: inside, marks: [] };
  }
  return { nodes, marks: what && 'marks' in what ? [...marks, ...what.marks] : marks };
}

function closed(what: PlaceholderContent): Phrasing[] {
  if ('leaf' in what) return [{ object: 'text', leaves: [what.leaf] }];
  return 'inline' in what ? [what.inline] : [];
}
