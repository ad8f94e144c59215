import { parseMarkdown } from '../document/markdown/parse.ts';
import { writeHtmlLine } from '../document/markdown/write/write-html-line.ts';
import { textOfLine } from '../document/plain-text.ts';
import { stableUrl } from '../document/stable-url.ts';
import { hintTitleHtml } from './hint.ts';

/** A title in Markdown as the content of an HTML element, with its links, code and emphasis. */
export function titleAsHtml(markdown: string): string {
  const nodes = lineOf(markdown);
  return nodes === undefined
    ? hintTitleHtml(markdown)
    : writeHtmlLine(nodes, { urlOf: stableUrl, footnote: () => 1, topHeading: 1 });
}

/** A title in Markdown as plain text. */
export function titleAsText(markdown: string): string {
  const nodes = lineOf(markdown);
  return nodes === undefined ? markdown : textOfLine(nodes).trim();
}

/** The line that a title means; undefined if it is not a single line of text. */
function lineOf(markdown: string) {
  const [first, ...others] = parseMarkdown(markdown).document.nodes;
  return first?.type === 'paragraph' && others.length === 0 ? first.nodes : undefined;
}
