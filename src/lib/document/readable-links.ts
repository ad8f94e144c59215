import { isHeading } from './anchors.ts';
import { inline, paragraph, textNode } from './build.ts';
import type { ContentRef } from './content-ref.ts';
import type { AnyNode, JSONDocument, Phrasing } from './document.ts';
import { mapChildren } from './map-children.ts';
import { textOfLine } from './plain-text.ts';

/** Target of a reference for readers. Without a URL they cannot follow it. */
interface ReadableTarget {
  label: string;
  url?: string;
}

/**
 * A document whose links readers can follow: other links become their text, and mentions the name of their target, so
 * that references do not show ids.
 */
export function withReadableLinks(
  document: JSONDocument,
  targetOf: (ref: ContentRef) => ReadableTarget | undefined,
): JSONDocument {
  const replace = (node: AnyNode): AnyNode[] => {
    if (node.object === 'inline' && node.type === 'mention') return named(node.data.ref);
    if (node.object === 'inline' && node.type === 'link' && !isFollowed(node.data.ref)) return node.nodes;
    if (node.object === 'inline' && node.type === 'button' && node.data.ref && !isFollowed(node.data.ref)) {
      return [textNode(node.data.label)];
    }
    if (node.object === 'block' && node.type === 'content-ref' && !isFollowed(node.data.ref)) {
      return [paragraph([textNode(targetOf(node.data.ref)?.label ?? '')])];
    }
    return [mapChildren(node, replace)];
  };
  const isFollowed = (ref: ContentRef) => targetOf(ref)?.url !== undefined;
  const named = (ref: ContentRef): Phrasing[] => {
    const { label = '', url } = targetOf(ref) ?? {};
    if (ref.kind === 'user') return [textNode(`@${label}`)];
    return url === undefined ? [textNode(label)] : [linkTo(ref, label)];
  };
  return mapChildren(document, replace);
}

const linkTo = (ref: ContentRef, label: string): Phrasing =>
  inline('link', { data: { ref }, nodes: [textNode(label)] });

/** A document without a first heading that repeats the title of its page. */
export function withoutTitleHeading(document: JSONDocument, title: string): JSONDocument {
  const [first, ...others] = document.nodes;
  const repeats =
    first && isHeading(first) && first.type === 'heading-1' && textOfLine(first.nodes).trim() === title.trim();
  return repeats ? { ...document, nodes: others } : document;
}
