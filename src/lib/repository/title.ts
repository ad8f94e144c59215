import { fromMarkdown } from 'mdast-util-from-markdown';
import { cjkEmphasis } from '../document/markdown/syntax/syntax-cjk.ts';
import { boundMarkdown } from './bounded-markdown.ts';
import { plainText } from './plain-text.ts';

const MAX_PREFIX = 16 * 1024;
const BLANK_OR_COMMENTS = /(?:[ \t]*\n| {0,3}<!--(?!-?>)(?:(?!-->)[\s\S])*-->[ \t]*(?:\n|$))*/y;
const NUMBER_SIGN = /^ {0,3}#(?:[ \t]|$)/;
const UNDERLINE = /^ {0,3}=+[ \t]*$/;
/** The id of a heading, `# Title {#id}`, which is no part of its text. */
const ID = /[^\\\s]?[ \t]\{:?[ \t]{0,5}#[\w.:-]{1,100}(?:[ \t][^{}]{0,300})?\}[ \t]{0,5}#{0,6}$/;
const MAX_ID = 500;

/** A title with the lines of its heading, counting from 0: the first one, and the one after the last. */
export interface TitleLines {
  /** Empty for a heading without text. */
  title: string;
  from: number;
  to: number;
}

/**
 * Takes the title out of a page: its first block, if that is a heading of level 1. Comments above it are not blocks.
 * The body begins with its first line that is not blank, `removed` lines further down. An id after the heading is left
 * out.
 */
export function splitTitle(markdown: string): { title?: string; body: string; removed: number } {
  const heading = titleAt(markdown);
  const lines = markdown.split('\n');
  const first = lines.findIndex((line, index) => index >= (heading?.to ?? 0) && line.trim() !== '');
  const removed = first < 0 ? lines.length : first;
  return { ...(heading?.title && { title: heading.title }), body: lines.slice(removed).join('\n'), removed };
}

/** Finds the heading that is the title of a page, in its first 16 KiB. Lines end with `\n`. */
export function titleAt(markdown: string): TitleLines | undefined {
  const prefix = markdown.length > MAX_PREFIX ? wholeLines(markdown.slice(0, MAX_PREFIX)) : markdown;
  BLANK_OR_COMMENTS.lastIndex = 0;
  const above = BLANK_OR_COMMENTS.exec(prefix)?.[0] ?? '';
  const lines = headingLines(prefix.slice(above.length).split('\n'));
  const { text } = boundMarkdown(lines.join('\n'));
  const [first] = fromMarkdown(text, { extensions: cjkEmphasis(text) }).children;
  if (first?.type !== 'heading' || first.depth !== 1) return undefined;
  const from = above.split('\n').length - 1;
  const hasId = ID.test((lines[0] ?? '').trimEnd().slice(-MAX_ID));
  const content = plainText(first);
  const title = hasId ? content.slice(0, content.lastIndexOf('{')).trimEnd() : content;
  return { title, from, to: from + lines.length };
}

const wholeLines = (text: string) => text.slice(0, text.lastIndexOf('\n') + 1);

/**
 * The lines that are a heading if any is: one with a number sign, or those down to the underline in the first
 * paragraph.
 */
function headingLines(lines: readonly string[]): string[] {
  const [first = ''] = lines;
  if (NUMBER_SIGN.test(first)) return [first];
  const end = lines.findIndex((line) => line.trim() === '');
  const paragraph = end < 0 ? lines : lines.slice(0, end);
  return paragraph.slice(0, paragraph.findIndex((line) => UNDERLINE.test(line)) + 1);
}
