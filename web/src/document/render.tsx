import { type ComponentType, createContext, Fragment, type ReactNode, use } from 'react';
import { type Block, type Inline, idOf, type Leaf, type Mark, type Phrasing } from './nodes.ts';

export interface BlockProps {
  block: Block;
}

export interface InlineProps {
  inline: Inline;
}

/** The component of each kind of node. Whoever shows documents in another way provides others. */
export interface NodeComponents {
  blocks: Readonly<Record<string, ComponentType<BlockProps>>>;
  inlines: Readonly<Record<string, ComponentType<InlineProps>>>;
}

export const NodeComponentsContext = createContext<NodeComponents>({ blocks: {}, inlines: {} });

/** Blocks in order, each with its anchors before it. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  const components = use(NodeComponentsContext).blocks;
  return blocks.map((block, index) => {
    const Component = components[block.type] ?? components.unknown;
    return (
      <Fragment key={block.key ?? index}>
        <Anchors block={block} />
        {Component && <Component block={block} />}
      </Fragment>
    );
  });
}

/** Blocks whose element has their anchor itself. */
const WITH_ID = new Set(['heading-1', 'heading-2', 'heading-3', 'expandable', 'tabs-item']);

export function Anchors({ block }: BlockProps) {
  const ownId = WITH_ID.has(block.type) ? undefined : idOf(block);
  const ids = [...(ownId === undefined ? [] : [ownId]), ...(block.anchors ?? [])];
  return ids.map((id) => <span key={id} id={id} className="anchor" />);
}

/** The content of a line: text with its marks, and inlines. */
export function Line({ nodes }: { nodes: readonly Phrasing[] }) {
  const components = use(NodeComponentsContext).inlines;
  return nodes.map((node, index) => {
    const key = node.key ?? index;
    if (node.object === 'text') return <Fragment key={key}>{node.leaves.map(leafOf)}</Fragment>;
    const Component = components[node.type];
    return Component ? <Component key={key} inline={node} /> : null;
  });
}

const leafOf = ({ text, marks }: Leaf, index: number): ReactNode => {
  const lines = text.split('\n').flatMap((line, at) => (at === 0 ? [line] : [<br key={`${index}-${at}`} />, line]));
  return <Fragment key={index}>{marks.reduce<ReactNode>((content, mark) => marked(content, mark), lines)}</Fragment>;
};

function marked(content: ReactNode, { type, data }: Mark): ReactNode {
  switch (type) {
    case 'bold':
      return <strong>{content}</strong>;
    case 'italic':
      return <em>{content}</em>;
    case 'code':
      return <code>{content}</code>;
    case 'keyboard':
      return <kbd>{content}</kbd>;
    case 'strikethrough':
      return <s>{content}</s>;
    case 'superscript':
      return <sup>{content}</sup>;
    case 'subscript':
      return <sub>{content}</sub>;
    case 'color':
      return <span className={`text-${colorOf(data?.text)} back-${colorOf(data?.background)}`}>{content}</span>;
    default:
      return content;
  }
}

/** The name of a color as a part of a class name. */
export const colorOf = (name: string | undefined): string => (name ?? 'default').replace(/[^a-z]/g, '');

/** A box that is ticked or not. */
export const Box = ({ isChecked }: { isChecked: boolean }) => (
  <span className={isChecked ? 'box checked' : 'box'} role="img" aria-label={isChecked ? 'Done' : 'To do'} />
);
