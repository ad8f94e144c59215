import { inflateSync } from 'node:zlib';

/** What tests see of a PDF that this service printed. */
export interface ReadPdf {
  /** The number of sheets. */
  sheets: number;
  /** Titles in the outline with those of the titles above them, in reading order. */
  outline: string[][];
  /** Names of targets within the PDF. */
  destinations: Set<string>;
  /** Names of targets that links within the PDF lead to. */
  links: string[];
  /** Text of all sheets, glyphs of icons and emoji included. */
  text: string;
  /** The pieces of the text that are set at once, which are parts of one line. */
  pieces: string[];
}

interface Reference {
  id: number;
}

type Value = string | number | boolean | null | Reference | Value[] | Map<string, Value> | { text: string };

/**
 * Reads the objects of a PDF (PDF 1.4, 7.3) that is not encrypted and has no object streams. The text comes from the
 * content of the sheets, through the `ToUnicode` tables of their fonts.
 */
export function readPdf(bytes: Buffer): ReadPdf {
  const source = bytes.toString('latin1');
  const objects = new Map<number, { value: Value; stream?: Buffer }>();
  for (const match of source.matchAll(/(?<=\n)(\d+) 0 obj\n/g)) {
    const start = match.index + match[0].length;
    const reader = new Reader(source, start);
    const value = reader.read();
    const after = source.slice(reader.at, reader.at + 10);
    const begin = after.indexOf('stream\n');
    const length = value instanceof Map ? value.get('Length') : undefined;
    if (begin < 0 || typeof length !== 'number') objects.set(Number(match[1]), { value });
    else {
      const from = reader.at + begin + 'stream\n'.length;
      objects.set(Number(match[1]), { value, stream: bytes.subarray(from, from + length) });
    }
  }
  const resolve = (value: Value | undefined): Value | undefined =>
    typeof value === 'object' && value !== null && 'id' in value ? objects.get(value.id)?.value : value;
  const entry = (value: Value | undefined, ...names: string[]): Value | undefined =>
    names.reduce((from, name) => {
      const map = resolve(from);
      return map instanceof Map ? map.get(name) : undefined;
    }, value);
  const listed = (value: Value | undefined): Value[] => {
    const list = resolve(value);
    return Array.isArray(list) ? list : [];
  };
  const streamOf = (value: Value | undefined): string => {
    const found = typeof value === 'object' && value !== null && 'id' in value ? objects.get(value.id) : undefined;
    if (!found?.stream) return '';
    const isPacked = entry(found.value, 'Filter') !== undefined;
    return (isPacked ? inflateSync(found.stream) : found.stream).toString('latin1');
  };
  const root = [...objects.values()].find(({ value }) => value instanceof Map && value.get('Type') === '/Catalog');
  const pages = listed(entry(root?.value, 'Pages', 'Kids'));

  const outline: string[][] = [];
  const follow = (item: Value | undefined, above: string[]) => {
    for (let next = item; next; next = entry(next, 'Next')) {
      const title = [...above, textOf(entry(next, 'Title'))];
      outline.push(title);
      follow(entry(next, 'First'), title);
    }
  };
  follow(entry(root?.value, 'Outlines', 'First'), []);

  const names = listed(entry(root?.value, 'Names', 'Dests', 'Names'));
  const links = pages
    .flatMap((page) => listed(entry(page, 'Annots')))
    .flatMap((annotation) => {
      const target = entry(annotation, 'A', 'D') ?? entry(annotation, 'Dest');
      return target === undefined || Array.isArray(target) ? [] : [textOf(target)];
    });
  const set = pages.map((page) => piecesOf(page));
  return {
    sheets: pages.length,
    outline,
    destinations: new Set(names.filter((_, index) => index % 2 === 0).map(textOf)),
    links,
    text: set.map((pieces) => pieces.join('')).join('\n'),
    pieces: set.flat(),
  };

  function piecesOf(page: Value): string[] {
    const fonts = resolve(entry(page, 'Resources', 'Font'));
    const tables = new Map<string, Map<string, string>>();
    if (fonts instanceof Map)
      for (const [name, font] of fonts) tables.set(name, unicodeOf(streamOf(entry(font, 'ToUnicode'))));
    let table: Map<string, string> | undefined;
    const pieces: string[] = [];
    for (const [, font, shown] of streamOf(entry(page, 'Contents')).matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (font !== undefined) table = tables.get(font);
      let text = '';
      for (const [, hex = ''] of (shown ?? '').matchAll(/<([0-9a-f]*)>/g))
        for (const glyph of hex.match(/.{4}/g) ?? []) text += table?.get(glyph) ?? '';
      pieces.push(text);
    }
    return pieces;
  }
}

/** Characters by glyphs in hexadecimal, of a table such as `<0000> <0002> [<0048> <0069> <d83dde80>]`. */
function unicodeOf(cmap: string): Map<string, string> {
  const table = new Map<string, string>();
  for (const [, first = '', list = ''] of cmap.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/g)) {
    const characters = [...list.matchAll(/<([0-9a-f ]*)>/g)].map(([, hex = '']) => hex.replaceAll(' ', ''));
    for (const [index, hex] of characters.entries()) {
      const glyph = (Number.parseInt(first, 16) + index).toString(16).padStart(4, '0');
      table.set(glyph, Buffer.from(hex, 'hex').swap16().toString('utf16le'));
    }
  }
  return table;
}

/** A string: UTF-16 with a byte order mark, or Latin-1. */
function textOf(value: Value | undefined): string {
  const text = typeof value === 'object' && value !== null && 'text' in value ? value.text : '';
  if (!text.startsWith('\u00fe\u00ff')) return text;
  return Buffer.from(text.slice(2), 'latin1').swap16().toString('utf16le');
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Reads one value at a position. Names keep their slash. */
class Reader {
  at: number;
  readonly #source: string;

  constructor(source: string, at: number) {
    this.#source = source;
    this.at = at;
  }

  read(): Value {
    const next = this.#match(/\s*(<<|\[|\(|<[0-9a-fA-F\s]*>|\/[^\s<>[\]()/]*|\d+ 0 R|[-+.\d]+|true|false|null)/y);
    if (next === '<<') return this.#map();
    if (next === '[') return this.#list();
    if (next === '(') return { text: this.#string() };
    if (next.startsWith('<')) return { text: Buffer.from(next.slice(1, -1), 'hex').toString('latin1') };
    if (next.startsWith('/')) return next;
    if (next.endsWith('R')) return { id: Number.parseInt(next, 10) };
    if (next === 'null') return null;
    return next === 'true' || next === 'false' ? next === 'true' : Number(next);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#source);
    if (!match) throw new Error(`No value at ${this.at}: ${this.#source.slice(this.at, this.at + 40)}`);
    this.at = pattern.lastIndex;
    return match[1] ?? '';
  }

  #ends(with_: RegExp): boolean {
    with_.lastIndex = this.at;
    if (!with_.test(this.#source)) return false;
    this.at = with_.lastIndex;
    return true;
  }

  #map(): Map<string, Value> {
    const map = new Map<string, Value>();
    while (!this.#ends(/\s*>>/y)) map.set(String(this.read()).slice(1), this.read());
    return map;
  }

  #list(): Value[] {
    const list: Value[] = [];
    while (!this.#ends(/\s*\]/y)) list.push(this.read());
    return list;
  }

  #string(): string {
    let text = '';
    for (let depth = 1; ; this.at += 1) {
      const character = this.#source[this.at] ?? '';
      if (character === '\\') {
        this.at += 1;
        const escaped = this.#source[this.at] ?? '';
        const octal = /[0-7]{1,3}/y;
        octal.lastIndex = this.at;
        const [digits] = octal.exec(this.#source) ?? [];
        if (digits) {
          text += String.fromCharCode(Number.parseInt(digits, 8));
          this.at += digits.length - 1;
        } else text += ESCAPES[escaped] ?? escaped;
        continue;
      }
      if (character === '(') depth += 1;
      if (character === ')') depth -= 1;
      if (depth === 0 || character === '') {
        this.at += 1;
        return text;
      }
      text += character;
    }
  }
}
