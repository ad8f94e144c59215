import { Code } from './code.tsx';
import { Columns, Expandable, If, Stepper, Tabs, Updates } from './containers.tsx';
import { Formula } from './math.tsx';
import { Drawing, FileBlock, ImageBlock, Images } from './media.tsx';
import {
  ContentRef,
  Embed,
  Integration,
  Operation,
  OperationSchemas,
  ReusableContent,
  Unknown,
} from './reference-blocks.tsx';
import type { BlockProps, NodeComponents } from './render.tsx';
import { Scrollable } from './scrollable.tsx';
import { Table } from './table.tsx';
import { Blockquote, Divider, Heading, Hint, ListItem, OrderedList, Paragraph, UnorderedList } from './text.tsx';

const MathBlock = ({ block }: BlockProps) => (
  <Scrollable label="Formula" className="math">
    <Formula formula={String(block.data.formula)} isBlock />
  </Scrollable>
);

/** One component for each kind of block. */
export const BLOCKS: NodeComponents['blocks'] = {
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
