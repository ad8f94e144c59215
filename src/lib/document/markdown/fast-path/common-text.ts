import type { PhrasingContent } from 'mdast';
import { dollarTextAt } from '../syntax/syntax-dollars.ts';
import { positionOfLines } from './lines.ts';

/** Text that micromark could read as a link. */
const possibleLink = /www\.|@|:\/\//i;

/** Text without a character that can begin or end anything. */
const plain = /[^\\`*_[\]!<&~$:\n]+/y;
const escaped = /\\[!-/:-@[-`{-~]/y;
const code = /`([^`\n]+)`(?!`)/y;
const target = /\]\(((?:[^\s()<>\\&`\p{Cc}]|\\_)*)(?: "([^"\\&`\n]*)")?\)/uy;
const reference = /&(amp|lt|gt|quot|nbsp|#x20);/y;
const possibleEmoji = /:[\w+-]+:/y;
/** A tag of HTML without anything that could end it earlier. */
const tag = /<(?:\/[a-z][a-z0-9]*|[a-z][a-z0-9]*(?: [a-z][-a-z]*="[^"\n]*")*(?: ?\/)?)>/iy;
const run = /\*{1,2}|_{1,2}/y;

const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0', '#x20': ' ' };

const wordCharacter = /[\p{L}\p{N}]/u;
const punctuation = /[\p{P}\p{S}]/u;
const attention = /[*_~]/;

/**
 * The nodes of a text in which everything is certain: plain text, escapes, code, emphasis that begins and ends between
 * words, links and images. Undefined for all other texts. Brackets are no references.
 */
export function commonText(text: string, line: number): PhrasingContent[] | undefined {
  const reader = new TextReader(text, line);
  return reader.read(0, text.length, { inLink: false, until: undefined })?.nodes;
}

interface Place {
  inLink: boolean;
  /** The signs that end the emphasis. */
  until: string | undefined;
}

interface Read {
  nodes: PhrasingContent[];
  end: number;
}

interface Found {
  node: PhrasingContent;
  end: number;
}

class TextReader {
  readonly #text: string;
  #line: number;
  #close = 0;

  constructor(text: string, line: number) {
    this.#text = text;
    this.#line = line;
  }

  /** The nodes from an offset to another one, or to the end of the emphasis that they are in. */
  read(from: number, to: number, place: Place): Read | undefined {
    const nodes: PhrasingContent[] = [];
    let value = '';
    let line = this.#line;
    let offset = from;
    while (offset < to) {
      const chunk = this.#plain(offset, to);
      if (chunk !== undefined) {
        value += chunk.value;
        offset += chunk.length;
        continue;
      }
      if (place.until !== undefined && this.#text.startsWith(place.until, offset)) break;
      const before = this.#line;
      const inline = this.#node(offset, to, place);
      if (inline === undefined && this.#text.charAt(offset) === '[' && !place.inLink) {
        // No link begins here, and a reference has a definition.
        this.#line = before;
        value += '[';
        offset += 1;
        continue;
      }
      if (inline === undefined || possibleLink.test(value)) return undefined;
      if (value !== '') nodes.push({ type: 'text', value, position: positionOfLines(line) });
      nodes.push(inline.node);
      offset = inline.end;
      value = '';
      line = this.#line;
    }
    if (possibleLink.test(value) || (place.until !== undefined && offset >= to)) return undefined;
    if (value !== '') nodes.push({ type: 'text', value, position: positionOfLines(line) });
    return { nodes, end: offset };
  }

  /** Text at the offset that is nothing else. */
  #plain(offset: number, to: number): { value: string; length: number } | undefined {
    const text = this.#text;
    const length = lengthAt(plain, text, offset);
    if (length > 0) {
      const value = text.slice(offset, Math.min(to, offset + length));
      return { value, length: value.length };
    }
    if (lengthAt(escaped, text, offset) > 0) return { value: text.charAt(offset + 1), length: 2 };
    const [source, name = ''] = matchAt(reference, text, offset) ?? [];
    if (source !== undefined) return { value: characters[name] ?? '', length: source.length };
    const sign = text.charAt(offset);
    const dollars = sign === '$' ? dollarTextAt(text, offset) : 0;
    if (dollars > 0)
      return offset + dollars > to ? undefined : { value: text.slice(offset, offset + dollars), length: dollars };
    if (sign === '\n') this.#line += 1;
    return isAlone(sign, offset, text) ? { value: sign, length: 1 } : undefined;
  }

  #node(offset: number, to: number, place: Place): Found | undefined {
    switch (this.#text.charAt(offset)) {
      case '`':
        return this.#code(offset, to);
      case '*':
      case '_':
        return place.until !== undefined ? undefined : this.#emphasis(offset, to, place);
      case '[':
        return place.inLink ? undefined : this.#link(offset, to);
      case '!':
        return this.#image(offset, to);
      case '<':
        return this.#tag(offset, to);
      case '\\':
        return this.#break(offset);
      default:
        return undefined;
    }
  }

  #code(offset: number, to: number): Found | undefined {
    const value = matchAt(code, this.#text, offset)?.[1];
    if (value === undefined || (value.startsWith(' ') && value.endsWith(' '))) return undefined;
    const end = offset + value.length + 2;
    return end > to ? undefined : { node: { type: 'inlineCode', value, position: positionOfLines(this.#line) }, end };
  }

  #emphasis(offset: number, to: number, place: Place): Found | undefined {
    const text = this.#text;
    const signs = matchAt(run, text, offset)?.[0] ?? '';
    const start = offset + signs.length;
    if (!isEdge(signs, text.charAt(offset - 1), text.charAt(start))) return undefined;
    const line = this.#line;
    const inner = this.read(start, to, { ...place, until: signs });
    if (inner === undefined || inner.end === start) return undefined;
    const end = inner.end + signs.length;
    if (end > to || !isEdge(signs, text.charAt(end), text.charAt(inner.end - 1))) return undefined;
    const type = signs.length === 2 ? 'strong' : 'emphasis';
    return { node: { type, children: inner.nodes, position: positionOfLines(line) }, end };
  }

  #link(offset: number, to: number): Found | undefined {
    const close = this.#closeAfter(offset);
    const [source, url = '', title = null] = (close > 0 && matchAt(target, this.#text, close)) || [];
    if (source === undefined || close + source.length > to || close === offset + 1) return undefined;
    if (this.#text.charAt(offset + 1) === '^') return undefined;
    const line = this.#line;
    const inner = this.read(offset + 1, close, { inLink: true, until: undefined });
    if (inner === undefined) return undefined;
    const node: PhrasingContent = {
      type: 'link',
      title,
      url: unescaped(url),
      children: inner.nodes,
      position: positionOfLines(line),
    };
    return { node, end: close + source.length };
  }

  /** Offset of the next closing bracket; -1 if there is none. */
  #closeAfter(offset: number): number {
    if (this.#close !== -1 && this.#close <= offset) this.#close = this.#text.indexOf(']', offset);
    return this.#close;
  }

  #tag(offset: number, to: number): Found | undefined {
    const value = matchAt(tag, this.#text, offset)?.[0];
    if (value === undefined || offset + value.length > to) return undefined;
    return { node: { type: 'html', value, position: positionOfLines(this.#line) }, end: offset + value.length };
  }

  /** A backslash at the end of a line. */
  #break(offset: number): Found | undefined {
    if (this.#text.charAt(offset + 1) !== '\n') return undefined;
    this.#line += 1;
    return { node: { type: 'break', position: positionOfLines(this.#line - 1, this.#line) }, end: offset + 2 };
  }

  #image(offset: number, to: number): Found | undefined {
    if (this.#text.charAt(offset + 1) !== '[') return undefined;
    const start = offset + 2;
    const close = start + lengthAt(plain, this.#text, start);
    const alt = this.#text.slice(start, close);
    const [source, url = '', title = null] = matchAt(target, this.#text, close) ?? [];
    if (source === undefined || close + source.length > to || alt.startsWith('^') || possibleLink.test(alt)) {
      return undefined;
    }
    return {
      node: { type: 'image', title, url: unescaped(url), alt, position: positionOfLines(this.#line) },
      end: close + source.length,
    };
  }
}

/** Whether a character is literal. */
function isAlone(sign: string, offset: number, text: string): boolean {
  const next = text.charAt(offset + 1);
  switch (sign) {
    case '\n':
      return true;
    case '!':
      return next !== '[';
    case ']':
      return next !== '(' && next !== '[';
    case '&':
      return !/[#\w]/.test(next);
    case '$':
      return next !== '$' && text.charAt(offset - 1) !== '$';
    case ':':
      return lengthAt(possibleEmoji, text, offset) === 0;
    case '_':
      return wordCharacter.test(text.charAt(offset - 1)) && wordCharacter.test(next);
    default:
      return false;
  }
}

/**
 * Whether signs between two characters begin emphasis, and cannot end it; from the other side, the same for its end.
 */
function isEdge(signs: string, outer: string, inner: string): boolean {
  if (attention.test(outer) || attention.test(inner)) return false;
  // Asterisks within words may begin and end emphasis, and what ends it does so first.
  if (signs.startsWith('*') && wordCharacter.test(inner)) return true;
  const isOutside = outer === '' || outer === ' ' || outer === '\n' || punctuation.test(outer);
  // Between punctuation, signs may begin and end emphasis. Without emphasis to end they begin it, and the other way
  // round.
  return isOutside && (wordCharacter.test(inner) || punctuation.test(inner));
}

const unescaped = (url: string): string => url.replaceAll('\\_', '_');

function matchAt(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}

const lengthAt = (pattern: RegExp, text: string, offset: number): number =>
  matchAt(pattern, text, offset)?.[0].length ?? 0;
