import type { Heading, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { cjkEmphasis } from '../document/markdown/syntax-cjk.ts';
import { boundMarkdown } from './bounded-markdown.ts';
import { plainText } from './plain-text.ts';

const HEADING_LINE = /^ {0,3}(?:#{1,6}(?:[ \t]|$)|=+[ \t]*$|-+[ \t]*$)/m;
const MAX_PREFIX = 16 * 1024;
/** The id of a heading, `# Title {#id}`, which is no part of its text. */
const ID = /[^\\\s]?[ \t]\{:?[ \t]{0,5}#[\w.:-]{1,100}(?:[ \t][^{}]{0,300})?\}[ \t]{0,5}#{0,6}$/;
const MAX_ID = 500;

/**
 * Takes the title out of a page: its first heading, if that is of level 1 and in the first 16 KiB. The body begins with its
 * first line that is not blank, `removed` lines further down. An id after the heading is left out.
 */
export function takeTitle(markdown: string): { title?: string; body: string; removed: number } {
  const lines = markdown.split('\n');
  const heading = firstHeading(markdown);
  const position = heading?.depth === 1 ? heading.position : undefined;
  if (!heading || !position) return trimTop(lines);
  const hasId = ID.test((lines[position.start.line - 1] ?? '').trimEnd().slice(-MAX_ID));
  for (let line = position.start.line; line <= position.end.line; line++) lines[line - 1] = '';
  const text = plainText(heading);
  const title = hasId ? text.slice(0, text.lastIndexOf('{')).trimEnd() : text;
  return title === '' ? trimTop(lines) : { title, ...trimTop(lines) };
}

/** Parses as little as possible: a page usually begins with its title. */
function firstHeading(markdown: string): Heading | undefined {
  const candidate = HEADING_LINE.exec(markdown);
  if (!candidate || candidate.index > MAX_PREFIX) return undefined;
  const { text } = boundMarkdown(
    markdown.slice(0, candidate.index + candidate[0].length).concat(restOfLine(markdown, candidate)),
  );
  const early = headingIn(fromMarkdown(text, { extensions: cjkEmphasis(text) }));
  if (early) return early;
  const prefix = markdown.slice(0, MAX_PREFIX);
  const { text: whole } = boundMarkdown(prefix.slice(0, prefix.lastIndexOf('\n') + 1) || prefix);
  return headingIn(fromMarkdown(whole, { extensions: cjkEmphasis(whole) }));
}

function restOfLine(text: string, { index, 0: { length } }: RegExpExecArray): string {
  const end = text.indexOf('\n', index + length);
  return text.slice(index + length, end < 0 ? undefined : end);
}

const headingIn = ({ children }: Root) => children.find((node) => node.type === 'heading');

function trimTop(lines: string[]): { body: string; removed: number } {
  const first = lines.findIndex((line) => line.trim() !== '');
  const removed = first < 0 ? lines.length : first;
  return { body: lines.slice(removed).join('\n'), removed };
}
