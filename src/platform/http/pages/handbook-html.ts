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
 * Converts a trusted Markdown file to HTML. Block extensions (`{% tab title="…" %}`) are reduced to their titles and
 * content. Headings get anchors.
 */
export async function markdownToHtml(markdown: string, { linkTo, imageAt }: Options): Promise<string> {
  const root = fromMarkdown(withoutTags(markdown), { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  visit(root, (node) => {
    if (node.type === 'link') node.url = linkTo(node.url);
    if (node.type === 'heading') node.data = { hProperties: { id: slugify(textOf(node)) } };
  });
  const html = toHtml(toHast(root, { allowDangerousHtml: true }) as HtmlRoot | Element, { allowDangerousHtml: true });
  const images = [...html.matchAll(/ src="([^":]+)"/g)].map(([, path = '']) => path);
  const dataUrls = await Promise.all(images.map(async (path) => [path, await imageAt(path)] as const));
  return dataUrls.reduce((text, [path, data]) => text.replaceAll(` src="${path}"`, ` src="${data}"`), html);
}

const INLINE = new Set(['strong', 'emphasis', 'link', 'delete']);

/** The words of a Markdown file, for searching. */
export function plainTextOf(markdown: string): string {
  const root = fromMarkdown(withoutTags(markdown), { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const words: string[] = [];
  visit(root, (node) => {
    if (node.type === 'text' || node.type === 'inlineCode' || node.type === 'code') words.push(node.value);
    else if (!INLINE.has(node.type)) words.push(' ');
  });
  return words.join('').replace(/\s+/g, ' ');
}

function visit(node: Nodes, act: (node: Nodes) => void): void {
  act(node);
  if ('children' in node) for (const child of node.children) visit(child, act);
}

const TAG = /^\s*\{%(?<inside>[^%]*)%\}\s*$/;

/** A line that consists of a tag, outside of code, becomes a paragraph with the title or URL in it. */
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
