import type { MarkupElement } from './read/item.ts';

const containers = new Set(
  ['hint', 'if', 'tabs', 'tab', 'stepper', 'step', 'columns', 'column', 'code'].map((name) => `%${name}`),
);

/** Block tags that have no content unless a closing tag follows. */
const optionallyEmpty = new Set(
  ['embed', 'file', 'include', 'drawing', 'swagger', 'openapi', 'openapi-operation', 'openapi-schemas', '@']
    .concat(['openapi-webhook', 'content-ref', 'math'])
    .map((name) => `%${name}`),
);

export const isOptionallyEmpty = (name: string): boolean => optionallyEmpty.has(name);

/** Whether a name of a block tag, which starts with `%`, has no meaning here. */
export const isUnknownTag = (name: string): boolean =>
  /^%[\w/-]+$/.test(name) && !containers.has(name) && !optionallyEmpty.has(name);

/** The Markdown of an element from its opening to its closing tag, as it was written; undefined if it is not found. */
export function sourceOfTag({ source, line, closing }: MarkupElement, lines: readonly string[]): string | undefined {
  if (!closing) return source;
  const text = lines.slice(Math.max(0, line - 1), closing.line).join('\n');
  const start = text.indexOf(source);
  const end = text.lastIndexOf(closing.source);
  if (line < 1 || start < 0 || end < start) return undefined;
  const indent = text.slice(text.lastIndexOf('\n', start) + 1, start);
  const [first = '', ...others] = text.slice(start, end + closing.source.length).split('\n');
  return [first, ...others.map((each) => withoutIndent(each, indent.length))].join('\n');
}

/** A line without the indentation and quotation marks of the containers around it. */
function withoutIndent(line: string, width: number): string {
  let at = 0;
  while (at < width && (line[at] === ' ' || line[at] === '>' || line[at] === '\t')) at++;
  return line.slice(at);
}

const opening = /^\{%[ \t]*([\w/-]+)/;
const fence = /^[ \t>]{0,24}(`{3,}|~{3,})/;
const rawHtml = /<(?:!|\?|pre|script|style|textarea)/i;

/**
 * Whether Markdown is read again as one block of an unknown tag: one line with the tag, or lines between it and its
 * closing tag that do not hide that.
 */
export function isPlainTag(source: string): boolean {
  const [first = '', ...others] = source.split('\n');
  const name = opening.exec(first)?.[1];
  if (name === undefined || !first.endsWith('%}') || first !== first.trim() || /^end./.test(name)) return false;
  const isUnknown = name === 'include' ? others.length === 0 && !/reusable/.test(first) : isUnknownTag(`%${name}`);
  if (!isUnknown) return false;
  if (first.indexOf('%}') !== first.length - 2) return false;
  const last = others.pop();
  if (last === undefined) return true;
  return isClosing(last, name) && others.at(-1) !== undefined && !hidesEnd(others, name);
}

const isClosing = (line: string, name: string) =>
  line.startsWith('{%') && line.endsWith('%}') && line.slice(2, -2).trim() === `end${name}`;

/** Whether a fence, HTML or another tag of the name is open at the end of the lines. */
function hidesEnd(lines: readonly string[], name: string): boolean {
  let open: string | undefined;
  for (const line of lines) {
    const marker = fence.exec(line)?.[1];
    if (open === undefined && marker !== undefined) open = marker;
    else if (open !== undefined && marker?.startsWith(open) && line.trim() === marker) open = undefined;
    else if (open === undefined && (rawHtml.test(line) || line.includes('$$') || isOwnTag(line, name))) return true;
  }
  return open !== undefined || /^[ \t]*</.test(lines.at(-1) ?? '');
}

/** Whether a line has an opening or closing tag of the name. */
const isOwnTag = (line: string, name: string): boolean =>
  line.split('{%').some((each, i) => i > 0 && [name, `end${name}`].includes(nameAtStart.exec(each)?.[1] ?? ''));

const nameAtStart = /^[ \t]*([\w/-]+)/;
