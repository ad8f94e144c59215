import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument } from 'yaml';
import { YAML_PARSING } from '../read-yaml.ts';
import type { SourceFormat } from './read-source.ts';

/** A place in a text. Line and column count from 1. */
export interface TextPosition {
  line: number;
  column: number;
}

/** YAML is parsed a second time to find places, which takes too much memory for longer texts, in UTF-16 units. */
const MAX_YAML = 2_000_000;

/**
 * The places of values in a JSON or YAML text that `parseSource` can parse, by their JSON Pointers (RFC 6901). The
 * place of a member is that of its name. Pointers without a value have the place of the nearest value around it. Empty
 * for YAML of more than 2,000,000 characters.
 */
export function placesInSource(
  text: string,
  format: SourceFormat,
  pointers: Iterable<string>,
): Map<string, TextPosition> {
  const root: Wanted = { offset: 0, members: new Map() };
  const nodesByPointer = new Map([...new Set(pointers)].map((pointer) => [pointer, wantedAt(root, tokensOf(pointer))]));
  if (format === 'json') locateInJson(text, root);
  else if (text.length <= MAX_YAML) locateInYaml(text, root);
  else return new Map();
  const places = placesAt(text, new Set([...nodesByPointer.values()].map(offsetOf)));
  return new Map([...nodesByPointer].map(([pointer, node]) => [pointer, places.get(offsetOf(node)) ?? START]));
}

const START: TextPosition = { line: 1, column: 1 };

/** A node of the tree of wanted pointers. The offset is set when its value is found. */
interface Wanted {
  offset: number | null;
  parent?: Wanted;
  members: Map<string, Wanted>;
}

const tokensOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

function wantedAt(root: Wanted, tokens: readonly string[]): Wanted {
  let at = root;
  for (const token of tokens) {
    const next = at.members.get(token) ?? { offset: null, parent: at, members: new Map() };
    at.members.set(token, next);
    at = next;
  }
  return at;
}

const offsetOf = (node: Wanted): number => {
  let at: Wanted | undefined = node;
  while (at && at.offset === null) at = at.parent;
  return at?.offset ?? 0;
};

/** Recursion is bounded by the depth of the wanted pointers. */
function locateInJson(text: string, root: Wanted): void {
  const next = /[^\s,:]/y;
  const brackets = /["{}[\]]/g;
  let at = 0;
  /** Goes to the next character that is no white space or separator. */
  const forward = () => {
    next.lastIndex = at;
    while (at < text.length && !next.test(text)) {
      at += 1;
      next.lastIndex = at;
    }
    return text[at];
  };
  const skipString = () => {
    do at = text.indexOf('"', at + 1);
    while (at > 0 && isEscaped(text, at));
    at = at < 0 ? text.length : at + 1;
  };
  const skipValue = () => {
    const first = forward();
    if (first === '"') return skipString();
    if (first !== '{' && first !== '[') {
      while (at < text.length && !/[\s,\]}]/.test(text[at] ?? '')) at += 1;
      return;
    }
    for (let depth = 0; at < text.length; ) {
      brackets.lastIndex = at;
      const match = brackets.exec(text);
      at = match ? match.index : text.length;
      if (text[at] === '"') skipString();
      else {
        depth += text[at] === '{' || text[at] === '[' ? 1 : -1;
        at += 1;
        if (depth === 0) return;
      }
    }
  };
  const readValue = (target: Wanted | undefined) => {
    const first = forward();
    if (!target || target.members.size === 0 || (first !== '{' && first !== '[')) return skipValue();
    at += 1;
    for (let index = 0; ; index++) {
      const character = forward();
      if (character === undefined || character === '}' || character === ']') break;
      const start = at;
      if (first === '{') skipString();
      const member = target.members.get(first === '{' ? JSON.parse(text.slice(start, at)) : String(index));
      if (member) member.offset = start;
      readValue(member);
    }
    at += 1;
  };
  readValue(root);
}

/** Whether an odd number of backslashes is before the offset. */
function isEscaped(text: string, offset: number): boolean {
  let before = offset - 1;
  while (text[before] === '\\') before -= 1;
  return (offset - before) % 2 === 0;
}

function locateInYaml(text: string, root: Wanted): void {
  const document = parseDocument(text, YAML_PARSING);
  const read = (value: unknown, target: Wanted): void => {
    const node = isAlias(value) ? value.resolve(document) : value;
    if (target.members.size === 0) return;
    if (isMap(node)) {
      for (const { key, value: below } of node.items as Pair<Node, Node>[]) {
        const member = target.members.get(String(isScalar(key) ? key.value : key));
        if (!member) continue;
        member.offset = key.range?.[0] ?? null;
        read(below, member);
      }
    } else if (isSeq(node)) {
      for (const [index, item] of (node.items as Node[]).entries()) {
        const member = target.members.get(String(index));
        if (!member) continue;
        member.offset = item.range?.[0] ?? null;
        read(item, member);
      }
    }
  };
  read(document.contents, root);
}

/** Lines and columns of offsets, with one walk through the text. */
function placesAt(text: string, offsets: ReadonlySet<number>): Map<number, TextPosition> {
  const places = new Map<number, TextPosition>();
  let line = 1;
  let start = 0;
  for (const offset of [...offsets].toSorted((a, b) => a - b)) {
    for (let end = text.indexOf('\n', start); end >= 0 && end < offset; end = text.indexOf('\n', start)) {
      line += 1;
      start = end + 1;
    }
    places.set(offset, { line, column: offset - start + 1 });
  }
  return places;
}
