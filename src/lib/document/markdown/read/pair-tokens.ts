import type { RootContent } from 'mdast';
import { escapeTag } from '../entities.ts';
import { isOptionallyEmpty, isUnknownTag } from '../unknown-tag.ts';
import { endedBy, isKnownHtml } from './html-names.ts';
import type { Item, MarkupElement, PlacedItem } from './item.ts';
import type { MarkupToken } from './markup.ts';
import type { Report } from './report.ts';

/** Elements that are nested deeper are replaced by their content. */
const MAX_NESTING = 64;

type Opening = Extract<MarkupToken, { kind: 'open' }>;

/** Result for a token: where its element ends, or whether it is an end itself. */
interface Pairing {
  /** For each token, the index of the token that ends its element or precedes the end; -1 without a partner. */
  ends: Int32Array;
  closes: Set<number>;
}

/** Pairs opening and closing tags in linear time, and nests the tokens between them. */
export function pairTokens(tokens: readonly PlacedItem[], report: Report): Item[] {
  return nest(tokens, findPairs(tokens), report);
}

function findPairs(tokens: readonly PlacedItem[]): Pairing {
  const ends = new Int32Array(tokens.length).fill(-1);
  const closes = new Set<number>();
  const open: number[] = [];
  const depths = new Map<string, number>();
  const pop = (end: number): string => {
    const at = open.pop() ?? 0;
    const name = nameOf(tokens[at]);
    depths.set(name, (depths.get(name) ?? 1) - 1);
    ends[at] = end;
    return name;
  };
  tokens.forEach((token, i) => {
    if (token.kind === 'open' && !token.isVoid) {
      while (open.length > 0 && isEndedBy(nameOf(tokens[open.at(-1) ?? 0]), token.name)) pop(i);
      open.push(i);
      depths.set(token.name, (depths.get(token.name) ?? 0) + 1);
    } else if (token.kind === 'close' && (depths.get(token.name) ?? 0) > 0) {
      while (nameOf(tokens[open.at(-1) ?? 0]) !== token.name)
        pop(endedBy.has(nameOf(tokens[open.at(-1) ?? 0])) ? i : -1);
      pop(i);
      closes.add(i);
    }
  });
  while (open.length > 0) pop(endedBy.has(nameOf(tokens[open.at(-1) ?? 0])) ? tokens.length : -1);
  return { ends, closes };
}

function nest(tokens: readonly PlacedItem[], { ends, closes }: Pairing, report: Report): Item[] {
  const root: Item[] = [];
  const frames: { items: Item[]; end: number; element?: MarkupElement }[] = [{ items: root, end: tokens.length + 1 }];
  for (const [i, token] of tokens.entries()) {
    while (frames.length > 1 && frames.at(-1)?.end === i) {
      const { element } = frames.pop() ?? {};
      if (element && closes.has(i)) element.endLine = lineOfToken(token);
    }
    for (const { element } of frames) if (element) element.endLine = Math.max(element.endLine, lineOfToken(token));
    const items = frames.at(-1)?.items ?? root;
    if (closes.has(i)) continue;
    if (token.kind !== 'open') {
      items.push(...single(token, report));
      continue;
    }
    const end = ends[i] ?? -1;
    if (end === -1 && !token.isVoid && !isOptionallyEmpty(token.name)) items.push(...unpaired(token, report));
    else if (end !== -1 && frames.length > MAX_NESTING)
      report(token.line, 'Nested too deeply. Only the content is kept.');
    else {
      const element = elementOf(token);
      const closing = tokens[end];
      if (closing?.kind === 'close' && closes.has(end)) {
        element.closing = { source: closing.source, line: closing.line };
      }
      items.push(element);
      if (end !== -1) frames.push({ items: element.items, end, element });
    }
  }
  return root;
}

function elementOf({ name, attributes, rest, source, line }: Opening & { line: number }): MarkupElement {
  return { kind: 'element', name, attributes, rest, source, line, endLine: line, items: [] };
}

function single(token: Exclude<PlacedItem, { kind: 'open' }>, report: Report): Item[] {
  if (token.kind === 'node') return [token];
  if (token.kind === 'text') return [{ kind: 'text', source: token.source, line: token.line }];
  if (token.kind === 'close') return unpaired(token, report);
  report(token.line, 'A comment is left out.');
  return [];
}

function unpaired(token: Extract<PlacedItem, { kind: 'open' | 'close' }>, report: Report): Item[] {
  const { name, source, line } = token;
  if (name.startsWith('%')) {
    if (token.kind === 'open' && isUnknownTag(name)) {
      return [elementOf(token)];
    }
    report(line, `The tag ${source} has no partner and is kept as text.`);
    return [{ kind: 'node', node: literal(source, line) }];
  }
  if (token.inBlock && isKnownHtml(name)) {
    report(line, `The tag ${source} has no partner and is left out.`);
    return [];
  }
  return [{ kind: 'text', source: escapeTag(source), line }];
}

/** A paragraph that consists of this text. */
export function literal(value: string, line: number): RootContent {
  const at = { line, column: 1 };
  return { type: 'paragraph', children: [{ type: 'text', value }], position: { start: at, end: at } };
}

function lineOfToken(token: PlacedItem): number {
  return token.kind === 'node' ? (token.node.position?.start.line ?? 0) : token.line;
}

function nameOf(token: PlacedItem | undefined): string {
  return token && 'name' in token ? token.name : '';
}

function isEndedBy(open: string, next: string): boolean {
  return endedBy.get(open)?.includes(next) ?? false;
}
