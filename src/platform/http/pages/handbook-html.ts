import type { Element, Root as HtmlRoot } from 'hast';
import { toHtml } from 'hast-util-to-html';
import type { Nodes, Root, RootContent } from 'mdast';
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
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const root: Root = { ...tree, children: tree.children.flatMap(withoutTags) };
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

const TAGS = /^(?:\s*\{%[^%\n]*%\}\s*)+$/;

/** A paragraph of tags alone becomes the titles in them. */
function withoutTags(node: RootContent): RootContent[] {
  if (node.type !== 'paragraph') return [node];
  const text = textOf(node);
  if (!TAGS.test(text)) return [node];
  return [...text.matchAll(/title="([^"]*)"/g)].map(([, value = '']) => ({
    type: 'paragraph',
    data: { hProperties: { className: ['label'] } },
    children: [{ type: 'text', value }],
  }));
}
