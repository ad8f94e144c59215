import type { Image, ImageReference, Link, LinkReference } from 'mdast';
import { inline, textNode } from '../../build.ts';
import type { InlineOf, InlineType, Phrasing } from '../../document.ts';
import { textOf, textOfLine } from '../../plain-text.ts';
import { stableUrl } from '../../stable-url.ts';
import { MENTION } from '../forms.ts';
import type { LineState } from './line-state.ts';
import { type ReadContext, spend } from './read-context.ts';

export function readLink(node: Link, state: LineState): Phrasing[] {
  const line = node.position?.start.line ?? 0;
  if (node.title === MENTION) return mentionOf(node.url, state.nodes(node.children), line, state.ctx);
  if (node.title) state.ctx.report(line, `The title of a link is left out: ${node.title}`);
  return [linkNode(node.url, state.nodes(node.children), line, state.ctx)];
}

/** A mention shows the title of its target. One of an address of another site keeps its label, as a link. */
export function mentionOf(url: string, label: Phrasing[], line: number, ctx: ReadContext): Phrasing[] {
  const ref = ctx.refOf(url, 'link');
  const labelText = textOfLine(label);
  if (ref.kind === 'url' && labelText !== '' && labelText !== url && labelText !== stableUrl(ref))
    return [linkNode(url, label, line, ctx)];
  return [inline('mention', { data: { ref } })];
}

/** A link with its text. Inlines that are not allowed in links become text. */
export function linkNode(url: string, nodes: Phrasing[], line: number, ctx: ReadContext): InlineOf<'link'> {
  return inline('link', {
    data: { ref: ctx.refOf(url, 'link') },
    nodes: onlyInlines(nodes, ['inline-image'], line, ctx),
  });
}

/** The line with all other inlines replaced by their text. */
export function onlyInlines(
  nodes: readonly Phrasing[],
  allowed: readonly InlineType[],
  line: number,
  ctx: ReadContext,
): Phrasing[] {
  return nodes.flatMap((node) => {
    if (node.object === 'text' || allowed.includes(node.type)) return [node];
    if (node.type !== 'emoji')
      ctx.report(line, `An inline of type ${node.type} is not allowed here. Only its text is kept.`);
    return node.type === 'link' ? onlyInlines(node.nodes, allowed, line, ctx) : [textNode(textOf(node))];
  });
}

export function readImage(node: Image, ctx: ReadContext): InlineOf<'inline-image'> {
  return imageOf(node.url, node.alt, node.title, ctx);
}

/** A link by reference. The text that repeated definitions add is limited (`ReadContext.budget`). */
export function readLinkReference(node: LinkReference, state: LineState): Phrasing[] {
  const definition = state.ctx.definitions.get(node.identifier);
  const line = node.position?.start.line ?? 0;
  if (definition && spend(state.ctx, definition.url.length)) {
    return [linkNode(definition.url, state.nodes(node.children), line, state.ctx)];
  }
  state.ctx.report(line, 'A reference is not resolved and is kept as text.');
  return [textNode('[', [...state.marks]), ...state.nodes(node.children), textNode(']', [...state.marks])];
}

export function readImageReference(node: ImageReference, state: LineState): Phrasing[] {
  const definition = state.ctx.definitions.get(node.identifier);
  if (definition && spend(state.ctx, definition.url.length)) {
    return [imageOf(definition.url, node.alt, definition.title, state.ctx)];
  }
  state.ctx.report(node.position?.start.line ?? 0, 'A reference is not resolved and is kept as text.');
  return [textNode(`![${node.alt ?? ''}]`, [...state.marks])];
}

function imageOf(
  url: string,
  alt: string | null | undefined,
  caption: string | null | undefined,
  ctx: ReadContext,
): InlineOf<'inline-image'> {
  return inline('inline-image', {
    data: { ref: ctx.mediaOf(url), ...(alt && { alt }), ...(caption && { caption }) },
  });
}
