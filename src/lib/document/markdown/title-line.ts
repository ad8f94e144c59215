import { block, textNode } from '../build.ts';
import { documentOf } from '../empty.ts';
import { printMarkdown } from './print.ts';

/** The title of a page as the first line of its Markdown: `# <title>`. */
export const titleLine = (title: string): string =>
  printMarkdown(
    documentOf([block('heading-1', { data: {}, nodes: [textNode(title.replace(/\s+/g, ' ').trim())] })]),
  ).trimEnd();

/** Markdown of a page that begins with its title. `withoutTitleLine` returns the body as it was. */
export const withTitleLine = (title: string, body: string): string => `${titleLine(title)}\n\n${body}`;

/**
 * The body of Markdown that begins with one of these titles, without the empty line below it. Other Markdown as it is.
 */
export function withoutTitleLine(markdown: string, titles: readonly string[]): string {
  const [first = ''] = /^# [^\r\n]{0,2000}/.exec(markdown) ?? [];
  if (first === '') return markdown;
  const heading = first.trimEnd();
  const isTitle = titles.some((title) => heading === titleLine(title) || heading.slice(2).trim() === title.trim());
  return isTitle ? markdown.slice(first.length).replace(/^\r?\n(?:[ \t]*\r?\n)?/, '') : markdown;
}
