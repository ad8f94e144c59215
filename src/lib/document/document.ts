import type { ContentRef, MediaRef, RefOf } from './content-ref.ts';

/** Version of the node schemas below, the value of `data.schemaVersion`. */
export const SCHEMA_VERSION = 8;

/** Maximum depth of nested nodes, including the top-level block. */
export const MAX_NODE_DEPTH = 64;

export interface JSONDocument {
  object: 'document';
  data: { schemaVersion: number };
  nodes: Block[];
}

export interface Leaf {
  object: 'leaf';
  text: string;
  marks: Mark[];
}

export interface Text {
  object: 'text';
  key?: string;
  leaves: Leaf[];
}

export interface Fragment {
  object: 'fragment';
  key?: string;
  fragment?: string;
  type?: string;
  nodes: Block[];
}

/** The content of a line of text. */
export type Phrasing = Text | Inline;

export type AnyNode = Block | Inline | Text | Fragment;

type PlainMark = 'bold' | 'italic' | 'code' | 'keyboard' | 'strikethrough' | 'superscript' | 'subscript';

export type Mark =
  | { object: 'mark'; type: PlainMark }
  | { object: 'mark'; type: 'color'; data: { text: string; background: string } };

export type MarkType = Mark['type'];

export type Length = number | { unit: string; value: number };
export type TextAlignment = 'start' | 'center' | 'end';
export type VerticalAlignment = 'top' | 'middle' | 'bottom';

/** Data and children of every block type, in `document` of schemas.json and its newest version. */
export interface Blocks {
  paragraph: { data: { align?: TextAlignment }; nodes: Phrasing[] };
  'heading-1': { data: HeadingData; nodes: Phrasing[] };
  'heading-2': { data: HeadingData; nodes: Phrasing[] };
  'heading-3': { data: HeadingData; nodes: Phrasing[] };
  'list-ordered': { data: { start?: number }; nodes: BlockOf<'list-item'>[] };
  'list-unordered': { data: object; nodes: BlockOf<'list-item'>[] };
  'list-tasks': { data: object; nodes: BlockOf<'list-item'>[] };
  'list-item': { data: { checked?: boolean }; nodes: Block[] };
  divider: { data: object };
  blockquote: { data: object; nodes: Block[] };
  hint: { data: { style: HintStyle; icon?: string }; nodes: Block[] };
  if: { data: { expression: string }; nodes: Block[] };
  images: {
    data: { align?: 'center' | 'left' | 'right'; fullWidth?: boolean; withFrame?: boolean };
    nodes: BlockOf<'image'>[];
  };
  image: {
    data: { ref: MediaRef; refDark?: MediaRef; width?: Length; height?: Length; alt?: string };
    fragments: Fragment[];
  };
  file: { data: { ref: RefOf<'file'> } };
  drawing: { data: { ref?: RefOf<'file'> } };
  embed: { data: { url: string; fullWidth?: boolean } };
  code: { data: CodeData; nodes: BlockOf<'code-line'>[] };
  'code-line': { data: { highlighted?: boolean }; nodes: Phrasing[] };
  math: { data: { formula: string } };
  expandable: { data: { defaultExpanded?: boolean }; fragments: Fragment[] };
  tabs: { data: { fullWidth?: boolean }; nodes: BlockOf<'tabs-item'>[] };
  'tabs-item': { data: { title?: string; icon?: string; slug?: string }; nodes: Block[] };
  table: { data: TableData; fragments: Fragment[] };
  swagger: { data: { ref: MediaRef; path: string; method: string; expanded?: boolean; fullWidth?: boolean } };
  'openapi-operation': { data: { ref: RefOf<'openapi'>; path: string; method: string; headless?: boolean } };
  'openapi-schemas': {
    data: { ref: RefOf<'openapi'>; schemas: string[]; grouped?: boolean; title?: string };
  };
  'openapi-webhook': { data: { ref: RefOf<'openapi'>; name: string; method: string; headless?: boolean } };
  'content-ref': { data: { ref: ContentRef } };
  integration: {
    data: {
      integration: string;
      block: string;
      props: Record<string, unknown>;
      action?: Record<string, unknown>;
      url?: string;
      fullWidth?: boolean;
    };
  };
  'reusable-content': { data: { ref: RefOf<'reusable-content'> } };
  stepper: { data: object; nodes: BlockOf<'stepper-step'>[] };
  'stepper-step': { data: { icon?: string }; nodes: Block[] };
  /** A changelog: entries with their dates. */
  updates: { data: { format: 'numeric' | 'full' | 'short' }; nodes: BlockOf<'update'>[] };
  update: { data: { date: string; tags?: RefOf<'tag'>[] }; nodes: Block[] };
  columns: { data: { fullWidth?: boolean }; nodes: BlockOf<'column'>[] };
  column: { data: { width?: Length; verticalAlignment?: VerticalAlignment }; nodes: Block[] };
  /** Markdown of a block tag that this version does not know, from its opening to its closing tag. */
  unknown: { data: { source: string } };
}

interface HeadingData {
  id?: string;
  align?: TextAlignment;
}

export type HintStyle = 'info' | 'warning' | 'danger' | 'success';

export interface CodeData {
  syntax?: string;
  title?: string;
  overflow?: 'scroll' | 'wrap';
  lineNumbers?: boolean;
  fullWidth?: boolean;
  expandable?: boolean;
  collapsedLineCount?: number;
}

export interface TableData {
  view: GridView | CardsView;
  records: Record<string, TableRecord>;
  definition: Record<string, TableColumn>;
  cellMerges?: { anchor: { record: string; column: string }; rowSpan: number; colSpan: number }[];
  fullWidth?: boolean;
  search?: boolean;
  /** All columns in their order, if hidden ones are between others. */
  order?: string[];
}

export interface GridView {
  type: 'grid';
  columns: string[];
  columnWidths?: Record<string, number>;
  hideHeader: boolean;
  stickyHeader?: boolean;
  stickyFirstColumn?: boolean;
  useNewSizing?: boolean;
}

export interface CardsView {
  type: 'cards';
  cardSize: 'medium' | 'large';
  columns: string[];
  targetDefinition?: string;
  coverDefinition?: string;
  coverDefinitionDark?: string;
  hideColumnTitle?: boolean;
  wrap?: boolean;
}

export interface TableRecord {
  orderIndex: string;
  values: Record<string, unknown>;
}

/**
 * A column. `title` is its title as plain text; `header` is the name of the fragment with the title as it was written,
 * if that has marks, links, images or several blocks.
 */
export type TableColumn = { id: string; title: string; header?: string } & (
  | { type: 'text'; textAlignment: 'center' | 'right' | 'left'; verticalAlignment?: VerticalAlignment }
  | { type: 'number' | 'checkbox' | 'files' | 'content-ref' | 'image' }
  | { type: 'users'; multiple: boolean }
  | { type: 'rating'; max: number }
  | { type: 'select'; multiple: boolean; options: { value: string; label: string; color: string }[] }
);

export type BlockType = keyof Blocks;
export type BlockOf<T extends BlockType> = Blocks[T] & {
  object: 'block';
  type: T;
  key?: string;
  isVoid: boolean;
  /** Anchor of the block for links. */
  meta?: { id: string };
  /** Further anchors, which authors gave it. */
  anchors?: string[];
};
export type Block = { [T in BlockType]: BlockOf<T> }[BlockType];

/** Data and children of every inline type. */
export interface Inlines {
  link: { data: { ref: ContentRef }; nodes: Phrasing[] };
  emoji: { data: { code: string } };
  icon: { data: { icon: string; color?: string } };
  expression: { data: { expression: string } };
  'inline-math': { data: { formula: string } };
  'inline-image': {
    data: { ref: MediaRef; refDark?: MediaRef; caption?: string; alt?: string; size?: 'original' | 'line' };
  };
  annotation: { data: object; nodes: Phrasing[]; fragments: Fragment[] };
  mention: { data: { ref: ContentRef } };
  button: { data: ButtonData };
}

export interface ButtonData {
  label: string;
  kind: 'primary' | 'secondary';
  size?: 'small' | 'medium' | 'large';
  icon?: string;
  ref?: ContentRef;
  action?: { action: string; query?: string; slug?: string };
}

export type InlineType = keyof Inlines;
export type InlineOf<T extends InlineType> = Inlines[T] & {
  object: 'inline';
  type: T;
  key?: string;
  isVoid: boolean;
};
export type Inline = { [T in InlineType]: InlineOf<T> }[InlineType];
