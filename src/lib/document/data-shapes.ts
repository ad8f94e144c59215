import { z } from 'zod';
import { dayOrTime } from '../validation/time.ts';
import type { ContentRef } from './content-ref.ts';
import type { BlockType, InlineType } from './document.ts';
import { cellValue, tableData } from './table-shape.ts';

const id = z.string().min(1);
const flag = z.boolean().optional();
const space = id.optional();

const refShapes = {
  file: z.object({ kind: z.literal('file'), file: id, space }),
  url: z.object({ kind: z.literal('url'), url: z.string() }),
  page: z.object({ kind: z.literal('page'), page: id, space }),
  anchor: z.object({ kind: z.literal('anchor'), anchor: z.string(), page: id.optional(), space }),
  user: z.object({ kind: z.literal('user'), user: id }),
  collection: z.object({ kind: z.literal('collection'), collection: id }),
  space: z.object({ kind: z.literal('space'), space: id }),
  reusableContent: z.object({ kind: z.literal('reusable-content'), reusableContent: id, space }),
  openapi: z.object({ kind: z.literal('openapi'), spec: id }),
  tag: z.object({ kind: z.literal('tag'), tag: id, space }),
};

export const contentRefShape = z.discriminatedUnion('kind', [
  refShapes.file,
  refShapes.url,
  refShapes.page,
  refShapes.anchor,
  refShapes.user,
  refShapes.collection,
  refShapes.space,
  refShapes.reusableContent,
  refShapes.openapi,
  refShapes.tag,
]);
/** Whether a value, such as stored JSON, is a content reference. */
export const isContentRef = (value: unknown): value is ContentRef => contentRefShape.safeParse(value).success;

const media = z.discriminatedUnion('kind', [refShapes.file, refShapes.url]);

/** Values of table cells. */
export const cellShape = cellValue(contentRefShape, media);

const colors = ['default', 'green', 'blue', 'red', 'orange', 'yellow', 'purple', 'pink', 'violet', 'cyan'];
const roles = ['$primary', '$info', '$success', '$warning', '$danger', '$tint'];
const color = z.enum([...colors, ...roles]);
/** Data of the only mark type that has any. */
export const colorShape = z.object({ text: color, background: color });

const unit = z.string().regex(/^[a-z%]{0,10}$/i);
const length = z.union([z.number(), z.object({ unit, value: z.number() })]);
const align = z.enum(['start', 'center', 'end']).optional();
const icon = z.string().max(50).optional();
const nothing = z.object({});
const fullWidth = flag;

const heading = z.object({
  id: z
    .string()
    .regex(/^[-a-z0-9.+_]+$/)
    .optional(),
  align,
});
/** Further anchors of a block. */
export const anchorsShape = z.array(z.string().min(1).max(200)).max(100);

const plain = z.record(z.string(), z.json());
const action = z.object({ action: z.string() }).catchall(z.json());

/** Required and optional `data` of each block type. Other properties are left out of the result. */
export const blockData: Record<BlockType, z.ZodType> = {
  paragraph: z.object({ align }),
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  'list-ordered': z.object({ start: z.number().optional() }),
  'list-unordered': nothing,
  'list-tasks': nothing,
  'list-item': z.object({ checked: flag }),
  divider: nothing,
  blockquote: nothing,
  hint: z.object({ style: z.enum(['info', 'warning', 'danger', 'success']), icon }),
  if: z.object({ expression: z.string() }),
  images: z.object({ align: z.enum(['center', 'left', 'right']).optional(), fullWidth, withFrame: flag }),
  image: z.object({
    ref: media,
    refDark: media.optional(),
    width: length.optional(),
    height: length.optional(),
    alt: z.string().optional(),
  }),
  file: z.object({ ref: refShapes.file }),
  drawing: z.object({ ref: refShapes.file.optional() }),
  embed: z.object({ url: z.string(), fullWidth }),
  code: z.object({
    syntax: z.string().optional(),
    title: z.string().optional(),
    overflow: z.enum(['scroll', 'wrap']).optional(),
    lineNumbers: flag,
    fullWidth,
    expandable: flag,
    collapsedLineCount: z.int().min(1).optional(),
  }),
  'code-line': z.object({ highlighted: flag }),
  math: z.object({ formula: z.string() }),
  expandable: z.object({ defaultExpanded: flag }),
  tabs: z.object({ fullWidth }),
  'tabs-item': z.object({ title: z.string().optional(), icon, slug: z.string().optional() }),
  table: tableData(cellShape),
  swagger: z.object({ ref: media, path: z.string(), method: z.string(), expanded: flag, fullWidth }),
  'openapi-operation': z.object({ ref: refShapes.openapi, path: z.string(), method: z.string(), headless: flag }),
  'openapi-schemas': z.object({
    ref: refShapes.openapi,
    schemas: z.array(z.string()),
    grouped: flag,
    title: z.string().optional(),
  }),
  'openapi-webhook': z.object({ ref: refShapes.openapi, name: z.string(), method: z.string(), headless: flag }),
  'content-ref': z.object({ ref: contentRefShape }),
  integration: z.object({
    integration: z.string(),
    block: z.string(),
    props: plain,
    action: action.optional(),
    url: z.string().optional(),
    fullWidth,
  }),
  'reusable-content': z.object({ ref: refShapes.reusableContent }),
  stepper: nothing,
  'stepper-step': z.object({ icon: z.string().optional() }),
  updates: z.object({ format: z.enum(['numeric', 'full', 'short']).default('full') }),
  update: z.object({
    date: dayOrTime,
    tags: z.array(refShapes.tag).max(100).optional(),
  }),
  columns: z.object({ fullWidth }),
  unknown: z.object({ source: z.string() }),
  column: z.object({ width: length.optional(), verticalAlignment: z.enum(['top', 'middle', 'bottom']).optional() }),
};

const button = z.object({
  label: z.string(),
  kind: z.enum(['primary', 'secondary']),
  size: z.enum(['small', 'medium', 'large']).optional(),
  icon,
  ref: contentRefShape.optional(),
  action: z
    .discriminatedUnion('action', [
      z.object({ action: z.literal('search'), query: z.string().optional() }),
      z.object({ action: z.literal('ask'), query: z.string().optional() }),
      z.object({ action: z.literal('select'), slug: z.string() }),
    ])
    .optional(),
});

export const inlineData: Record<InlineType, z.ZodType> = {
  link: z.object({ ref: contentRefShape }),
  emoji: z.object({ code: z.string().min(1) }),
  icon: z.object({ icon: z.string(), color: color.optional() }),
  expression: z.object({ expression: z.string() }),
  'inline-math': z.object({ formula: z.string() }),
  'inline-image': z.object({
    ref: media,
    refDark: media.optional(),
    caption: z.string().optional(),
    alt: z.string().optional(),
    size: z.enum(['original', 'line']).optional(),
  }),
  annotation: nothing,
  mention: z.object({ ref: contentRefShape }),
  button: button.refine((data) => data.ref === undefined || data.action === undefined, {
    error: 'A button has at most one of "ref" and "action".',
    path: ['ref'],
  }),
};

/** Whether the value of a cell is a content reference. */
export const isCellRef = (value: unknown): value is ContentRef =>
  typeof value === 'object' && value !== null && 'kind' in value && cellShape.safeParse(value).success;
