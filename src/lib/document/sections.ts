import { type Heading, headingAnchors, isHeading, shownId } from './anchors.ts';
import type { Block, Fragment, JSONDocument } from './document.ts';
import { textOf, textOfLine } from './plain-text.ts';

/** The content below a heading, up to the next heading of any level. */
export interface Section {
  /** Null for content before the first heading. */
  anchor: string | null;
  title: string | null;
  /** Plain text with line breaks between blocks. May be empty. */
  body: string;
}

/**
 * The document as plain text, split at its headings in reading order, including headings within other blocks. The part
 * before the first heading is left out if it has no text.
 */
export function sectionsOf(document: JSONDocument): Section[] {
  const anchors = headingAnchors(document);
  const parts: { heading: Heading | null; lines: string[] }[] = [{ heading: null, lines: [] }];
  const add = (line: string | undefined): void => {
    if (line?.trim()) parts.at(-1)?.lines.push(line);
  };
  const read = (node: Block | Fragment): void => {
    if (node.object === 'block' && isHeading(node)) parts.push({ heading: node, lines: [] });
    else if (!holdsHeading(node)) add(textOf(node));
    else {
      if (node.object === 'block' && node.type === 'tabs-item') add(node.data.title);
      for (const child of blocksIn(node)) read(child);
    }
  };
  document.nodes.forEach(read);
  return parts
    .map(({ heading, lines }) => ({
      // The id that the page shows, which an earlier rule may have given.
      anchor: heading && (shownId(heading) ?? anchors.get(heading) ?? null),
      title: heading && textOfLine(heading.nodes).trim(),
      body: lines.join('\n'),
    }))
    .filter(({ anchor, body }) => anchor !== null || body !== '');
}

function holdsHeading(node: Block | Fragment): boolean {
  return blocksIn(node).some((child) => (child.object === 'block' && isHeading(child)) || holdsHeading(child));
}

function blocksIn(node: Block | Fragment): (Block | Fragment)[] {
  const nodes: (Block | Fragment)[] = [];
  if ('nodes' in node) {
    for (const child of node.nodes) if (child.object === 'block') nodes.push(child);
  }
  return 'fragments' in node ? [...nodes, ...node.fragments] : nodes;
}
