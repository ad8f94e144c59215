import { z } from 'zod';
import { MAX_CELLS } from './size.ts';

const flag = z.boolean().optional();
const alignment = z.enum(['top', 'middle', 'bottom']).optional();
const partId = z
  .string()
  .min(1)
  // Objects of tables are read by these names.
  .refine((id) => !(id in Object.prototype), 'This property name is not allowed.');

const base = { id: partId, title: z.string(), header: partId.optional() };
export const tableColumn = z.discriminatedUnion('type', [
  z.object({
    ...base,
    type: z.literal('text'),
    textAlignment: z.enum(['center', 'right', 'left']),
    verticalAlignment: alignment,
  }),
  z.object({ ...base, type: z.enum(['number', 'checkbox', 'files', 'content-ref', 'image']) }),
  z.object({ ...base, type: z.literal('users'), multiple: z.boolean() }),
  z.object({ ...base, type: z.literal('rating'), max: z.number() }),
  z.object({
    ...base,
    type: z.literal('select'),
    multiple: z.boolean(),
    options: z.array(z.object({ value: z.string(), label: z.string(), color: z.string() })),
  }),
]);

const gridView = z.object({
  type: z.literal('grid'),
  columns: z.array(partId),
  columnWidths: z.record(partId, z.number()).optional(),
  hideHeader: z.boolean(),
  stickyHeader: flag,
  stickyFirstColumn: flag,
  useNewSizing: flag,
});
const cardsView = z.object({
  type: z.literal('cards'),
  cardSize: z.enum(['medium', 'large']),
  columns: z.array(partId),
  targetDefinition: partId.optional(),
  coverDefinition: partId.optional(),
  coverDefinitionDark: partId.optional(),
  hideColumnTitle: flag,
  wrap: flag,
});

const span = z.int().min(1).max(50);
const merge = z.object({ anchor: z.object({ record: partId, column: partId }), rowSpan: span, colSpan: span });

/** Values of cells (`DocumentTableRecord`). */
export function cellValue(ref: z.ZodType, media: z.ZodType): z.ZodType {
  const objectFit = z.enum(['contain', 'fill', 'cover']).optional();
  const picture = z.object({ ref: media, objectFit, alt: z.string().optional() });
  return z.union([z.number(), z.string(), z.null(), z.boolean(), z.array(z.string()), ref, picture]);
}

/**
 * `data` of a table (`DocumentBlockTable`). Columns are defined under their own id, and views list each column once.
 */
export function tableData(value: z.ZodType): z.ZodType {
  const record = z.object({ orderIndex: z.string(), values: z.record(partId, value) });
  const shape = z.object({
    view: z.discriminatedUnion('type', [gridView, cardsView]),
    records: z.record(partId, record),
    definition: z.record(partId, tableColumn),
    cellMerges: z.array(merge).optional(),
    fullWidth: flag,
    search: flag,
    order: z.array(partId).optional(),
  });
  return shape.superRefine(({ view, definition, records }, ctx) => {
    const listed = new Set<string>();
    view.columns.forEach((id, i) => {
      const message = `Expected a defined column that is listed only once: "${id}".`;
      if (!definition[id] || listed.has(id)) ctx.addIssue({ code: 'custom', path: ['view', 'columns', i], message });
      listed.add(id);
    });
    const cells = Object.keys(records).length * Object.keys(definition).length;
    if (cells > MAX_CELLS) {
      const message = `A table can have at most ${MAX_CELLS.toLocaleString('en')} cells. This one has ${cells}: remove columns or records.`;
      ctx.addIssue({ code: 'custom', path: ['records'], message });
    }
    for (const [id, { id: own }] of Object.entries(definition)) {
      const message = `Expected "${id}", the key of this definition.`;
      if (own !== id) ctx.addIssue({ code: 'custom', path: ['definition', id, 'id'], message });
    }
  });
}
