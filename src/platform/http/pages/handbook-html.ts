import type { Element, Root as HtmlRoot } from 'hast';
import { toHtml } from 'hast-util-to-html';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toHast } from 'mdast-util-to-hast';
import { toString as textOf } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';
import { slugify } from '../../../lib/slug.ts';

interface Options {
  linkTo(url: string): string;
  imageAt(path: string): Promise<string>;
}

/**
 * HTML of a Markdown file of ours, which is trusted. Of block extensions (`{% tab title="…" %}`) the titles are kept and the
 * content below them; headings get the anchors that links name.
 */
export async function markdownToHtml(markdown: string, { linkTo, imageAt }: Options): Promise<string> {
  const root = fromMarkdown(withoutTags(markdown), { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  visit(root, (node) => {
    if (node.type === 'link') node.url = linkTo(node.url);
    if (node.type === 'heading') node.data = { hProperties: { id: slugify(textOf(node)) } };
  });
  const html = toHtml(toHast(root, { allowDangerousHtml: true }) as HtmlRoot | Element, { allowDangerousHtml: true });
  const images = [...html.matchAll(/ src="([^":]+)"/g)].map(([, path = '']) => path);
  const found = await Promise.all(images.map(async (path) => [path, await imageAt(path)] as const));
  return found.reduce((text, [path, data]) => text.replaceAll(` src="${path}"`, ` src="${data}"`), html);
}

function visit(node: Nodes, act: (node: Nodes) => void): void {
  act(node);
  if ('children' in node) for (const child of node.children) visit(child, act);
}

const TAG = /^\s*\{%(?<inside>[^%]*)%\}\s*$/;

/** A line with a tag alone, outside of code, becomes the title or address in it, as a paragraph. */
function withoutTags(markdown: string): string {
  let isCode = false;
  const lines = markdown.split('\n').map((line) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const inside = isCode ? undefined : TAG.exec(line)?.groups?.inside;
    if (inside === undefined) return line;
    const [, name, value] = /\b(title|url)="([^"]*)"/.exec(inside) ?? [];
    if (value === undefined) return '';
    return name === 'title' ? `\n**${value}**\n` : `\n<${value}>\n`;
  });
  return lines.join('\n');
}
