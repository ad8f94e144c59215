import type { BlockType, InlineType } from './document.ts';

/** Blocks that are allowed almost anywhere (`DocumentBlocksEssentials`). */
export const essentials: readonly BlockType[] = [
  'paragraph',
  'heading-1',
  'heading-2',
  'heading-3',
  'list-ordered',
  'list-unordered',
  'list-tasks',
  'divider',
];

/** Blocks that the public schema allows at the top level and in `if` (`DocumentBlocksTopLevels`). */
const publicTopLevels: readonly BlockType[] = [
  ...essentials,
  'blockquote',
  'hint',
  'images',
  'file',
  'drawing',
  'embed',
  'code',
  'math',
  'expandable',
  'tabs',
  'table',
  'swagger',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
  'content-ref',
  'integration',
  'reusable-content',
  'stepper',
  'updates',
  'columns',
  'if',
];

/** Blocks that are allowed at the top level and in `if`. */
export const topLevels: readonly BlockType[] = [...publicTopLevels, 'unknown'];

/** Blocks of the newest GitBook clients that this service rejects. */
export const rejectedBlocks: readonly string[] = ['prompt'];

export interface FragmentRule {
  /** Name of the fragment: its `fragment`, or its `type` if the schema has no `fragment`. */
  name: string;
  allowed: readonly BlockType[];
  /** The allowed blocks in the public schema, if it allows fewer. */
  publicAllowed?: readonly BlockType[];
  min: number;
  max?: number;
  /** Whether the fragment is required. */
  required: boolean;
}

/** Allowed content of a node: nothing, a line of text, a line of code, or blocks of these types. */
type Children = 'none' | 'phrasing' | 'code' | readonly BlockType[];

export interface BlockRule {
  isVoid: boolean;
  children: Children;
  /** The allowed children in the public schema, if it allows fewer. */
  publicChildren?: readonly BlockType[];
  fragments?: readonly FragmentRule[] | 'cells';
}

const panel: readonly BlockType[] = [
  ...essentials,
  'content-ref',
  'code',
  'embed',
  'file',
  'images',
  'drawing',
  'hint',
  'blockquote',
  'math',
  'integration',
];

const expandableBody: readonly BlockType[] = [
  ...essentials,
  'file',
  'images',
  'code',
  'table',
  'hint',
  'blockquote',
  'reusable-content',
  'integration',
];

/**
 * Content of a container: blocks that the public schema allows, and other blocks that GitBook's own pages nest although
 * the schema does not allow it, such as tabs in steps and code in hints. `publicForm` converts the latter for clients
 * of REST. Only images become inlines where the schema has none.
 */
const open = (allowed: readonly BlockType[]): readonly BlockType[] => [
  ...new Set([...allowed, ...topLevels.filter((type) => type !== 'images')]),
];

const line: BlockRule = { isVoid: false, children: 'phrasing' };
const standalone: BlockRule = { isVoid: true, children: 'none' };
const holding = (children: readonly BlockType[]): BlockRule => ({ isVoid: false, children });
const containing = (children: readonly BlockType[]): BlockRule => ({
  isVoid: false,
  children: open(children),
  publicChildren: children,
});

/** Voidness and allowed children by block type: the union of the older and the newest published schema. */
export const blockRules: Record<BlockType, BlockRule> = {
  paragraph: line,
  'heading-1': line,
  'heading-2': line,
  'heading-3': line,
  'list-ordered': holding(['list-item']),
  'list-unordered': holding(['list-item']),
  'list-tasks': holding(['list-item']),
  'list-item': containing([...essentials, 'code', 'hint', 'blockquote', 'math', 'table']),
  divider: standalone,
  blockquote: containing([...essentials, 'blockquote']),
  hint: containing([...essentials, 'embed', 'integration', 'table']),
  if: { isVoid: false, children: topLevels, publicChildren: publicTopLevels },
  images: holding(['image']),
  image: {
    isVoid: true,
    children: 'none',
    fragments: [{ name: 'caption', allowed: ['paragraph'], min: 0, required: false }],
  },
  file: standalone,
  drawing: standalone,
  embed: standalone,
  code: holding(['code-line']),
  'code-line': { isVoid: false, children: 'code' },
  math: standalone,
  expandable: {
    isVoid: true,
    children: 'none',
    fragments: [
      { name: 'expandable-title', allowed: ['paragraph'], min: 1, max: 1, required: true },
      {
        name: 'expandable-body',
        allowed: open(expandableBody),
        publicAllowed: expandableBody,
        min: 1,
        required: true,
      },
    ],
  },
  tabs: holding(['tabs-item']),
  'tabs-item': containing(panel),
  table: { isVoid: true, children: 'none', fragments: 'cells' },
  swagger: standalone,
  'openapi-operation': standalone,
  'openapi-schemas': standalone,
  'openapi-webhook': standalone,
  'content-ref': standalone,
  integration: standalone,
  'reusable-content': standalone,
  stepper: holding(['stepper-step']),
  'stepper-step': containing([...panel, 'expandable']),
  updates: holding(['update']),
  update: containing([...panel, 'tabs', 'expandable']),
  columns: holding(['column']),
  column: containing([...panel, 'table', 'expandable', 'stepper']),
  unknown: standalone,
};

interface InlineRule {
  isVoid: boolean;
  /** Inlines that it may contain besides text; absent for inlines without children. */
  children?: readonly InlineType[];
  fragments?: readonly FragmentRule[];
}

export const inlineRules: Record<InlineType, InlineRule> = {
  link: { isVoid: false, children: ['inline-image'] },
  emoji: { isVoid: true },
  icon: { isVoid: true },
  expression: { isVoid: true },
  'inline-math': { isVoid: true },
  'inline-image': { isVoid: true },
  annotation: {
    isVoid: false,
    children: [],
    fragments: [{ name: 'annotation-body', allowed: [...essentials, 'code'], min: 1, required: true }],
  },
  mention: { isVoid: true },
  button: { isVoid: true },
};

export const inlineTypes = Object.keys(inlineRules) as InlineType[]; // the keys of a record of this union

/** Inlines that a line of code may contain. */
export const codeInlines: readonly InlineType[] = ['annotation', 'expression'];

/** Block types that a parent may contain; undefined if it may not contain blocks. */
export function allowedBlocks(parent: BlockType): readonly BlockType[] | undefined {
  const { children } = blockRules[parent];
  return typeof children === 'string' ? undefined : children;
}
