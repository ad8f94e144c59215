import { type ComponentType, Fragment } from 'react';
import { Code } from './code.tsx';
import { Columns, Expandable, If, Stepper, Tabs, Updates } from './containers.tsx';
import { Formula } from './math.tsx';
import { Drawing, FileBlock, ImageBlock, Images } from './media.tsx';
import { type Block, idOf } from './nodes.ts';
import {
  ContentRef,
  Embed,
  Integration,
  Operation,
  OperationSchemas,
  ReusableContent,
  Unknown,
} from './reference-blocks.tsx';
import { Table } from './table.tsx';
import { Blockquote, Divider, Heading, Hint, ListItem, OrderedList, Paragraph, UnorderedList } from './text.tsx';

export interface BlockProps {
  block: Block;
}

const MathBlock = ({ block }: BlockProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: wide formulas are scrolled with the keyboard
  <div className="math" tabIndex={0} role="group" aria-label="Formula">
    <Formula formula={String(block.data.formula)} isBlock />
  </div>
);

/** One component for each kind of block. */
const BLOCKS: Readonly<Record<string, ComponentType<BlockProps>>> = {
  paragraph: Paragraph,
  'heading-1': Heading,
  'heading-2': Heading,
  'heading-3': Heading,
  'list-unordered': UnorderedList,
  'list-ordered': OrderedList,
  'list-tasks': UnorderedList,
  'list-item': ListItem,
  divider: Divider,
  blockquote: Blockquote,
  hint: Hint,
  code: Code,
  math: MathBlock,
  table: Table,
  images: Images,
  image: ImageBlock,
  drawing: Drawing,
  file: FileBlock,
  embed: Embed,
  integration: Integration,
  'content-ref': ContentRef,
  'reusable-content': ReusableContent,
  expandable: Expandable,
  tabs: Tabs,
  stepper: Stepper,
  columns: Columns,
  updates: Updates,
  if: If,
  swagger: Operation,
  'openapi-operation': Operation,
  'openapi-webhook': Operation,
  'openapi-schemas': OperationSchemas,
  unknown: Unknown,
};

/** Blocks whose element has their anchor itself. */
const WITH_ID = new Set(['heading-1', 'heading-2', 'heading-3', 'expandable', 'tabs-item']);

/** Blocks in order, each with its anchors before it. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block, index) => {
    const Component = BLOCKS[block.type] ?? Unknown;
    return (
      <Fragment key={block.key ?? index}>
        <Anchors block={block} />
        <Component block={block} />
      </Fragment>
    );
  });
}

export function Anchors({ block }: BlockProps) {
  const own = WITH_ID.has(block.type) ? undefined : idOf(block);
  const ids = [...(own === undefined ? [] : [own]), ...(block.anchors ?? [])];
  return ids.map((id) => <span key={id} id={id} className="anchor" />);
}
