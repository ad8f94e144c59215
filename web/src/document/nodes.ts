/*
 * The nodes of a document, as `DocumentPage.document` returns them. A document is a tree of blocks; blocks have lines
 * of text and inlines, or other blocks. Content beside these, such as the caption of an image, is in fragments.
 */

export interface DocumentJson {
  nodes: readonly Block[];
}

export interface Block<Data = Readonly<Record<string, unknown>>> {
  object: 'block';
  type: string;
  key?: string;
  data: Data;
  /** Blocks, or the content of a line. */
  nodes?: readonly (Block | Phrasing)[];
  fragments?: readonly Fragment[];
  /** The anchor of the block. */
  meta?: { id: string };
  /** Further anchors. */
  anchors?: readonly string[];
}

export interface Inline<Data = Readonly<Record<string, unknown>>> {
  object: 'inline';
  type: string;
  key?: string;
  data: Data;
  nodes?: readonly Phrasing[];
  fragments?: readonly Fragment[];
}

export interface Text {
  object: 'text';
  key?: string;
  leaves: readonly Leaf[];
}

export interface Leaf {
  text: string;
  marks: readonly Mark[];
}

export interface Mark {
  type: string;
  data?: { text: string; background: string };
}

export interface Fragment {
  object: 'fragment';
  fragment?: string;
  type?: string;
  nodes: readonly Block[];
}

export type Phrasing = Text | Inline;
export type AnyNode = Block | Phrasing | Fragment;

/** The target of a link, an image or a block. */
export interface Ref {
  kind: string;
  url?: string;
  page?: string;
  anchor?: string;
  file?: string;
  space?: string;
  collection?: string;
  user?: string;
  spec?: string;
  tag?: string;
  reusableContent?: string;
}

export const blocksIn = (block: Block): readonly Block[] => (block.nodes ?? []) as readonly Block[];
export const phrasingIn = (block: Block): readonly Phrasing[] => (block.nodes ?? []) as readonly Phrasing[];

export function fragmentNamed(block: { fragments?: readonly Fragment[] }, name: string): readonly Block[] {
  return block.fragments?.find((fragment) => fragment.fragment === name || fragment.type === name)?.nodes ?? [];
}

export const childrenOf = (node: AnyNode): readonly AnyNode[] => {
  if (node.object === 'text') return [];
  const nodes: readonly AnyNode[] = node.nodes ?? [];
  return 'fragments' in node && node.fragments ? [...nodes, ...node.fragments] : nodes;
};

export const textOf = (node: AnyNode): string =>
  node.object === 'text' ? node.leaves.map(({ text }) => text).join('') : childrenOf(node).map(textOf).join('');

/** The anchor that the element of a block has as its id. */
export const idOf = (block: Block): string | undefined =>
  block.meta?.id ?? (block.type.startsWith('heading-') ? (block.data.id as string | undefined) : undefined);

export interface Heading {
  id: string;
  level: number;
  text: string;
}

/** The headings that a reader can jump to, in reading order. */
export function headingsOf(document: DocumentJson): Heading[] {
  const headings: Heading[] = [];
  const visit = (blocks: readonly AnyNode[]) => {
    for (const block of blocks) {
      if (block.object !== 'block') continue;
      const id = idOf(block);
      if (block.type.startsWith('heading-') && id !== undefined) {
        headings.push({ id, level: Number(block.type.slice(-1)), text: textOf(block).trim() });
      } else {
        visit(block.nodes ?? []);
      }
    }
  };
  visit(document.nodes);
  return headings;
}
