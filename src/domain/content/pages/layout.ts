import { z } from 'zod';
import type { JsonObject } from '../../../lib/canonical.ts';
import type { FieldMaker } from '../../../platform/resource/make-fields.ts';
import { resource } from '../../../platform/resource/resource.ts';
import type { pageWidth } from './enums.ts';
import { layoutProperties, type pageLayout } from './page-fields.ts';

/** The layout of a page with all properties. */
export type PageLayout = Required<z.output<typeof pageLayout>>;

const DEFAULT_LAYOUT: PageLayout = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  coverMask: 'none',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
  tags: true,
  actions: true,
  anchors: true,
};

/** A validated layout with defaults for the properties that it lacks. */
export const layoutOf = (layout: JsonObject | undefined): PageLayout => ({ ...DEFAULT_LAYOUT, ...layout });

export const layout = resource<PageLayout>(
  { name: 'PageLayout', description: 'Layout of a page: which parts are shown, and how.' },
  (f) => Object.fromEntries(Object.entries(layoutProperties).map(([name, schema]) => [name, fieldOf(f, name, schema)])),
);

function fieldOf(f: FieldMaker<PageLayout>, name: string, schema: z.ZodType) {
  const read = (of: PageLayout) => of[name as keyof PageLayout] as never; // its schema decides its type
  const description = schema.description ?? '';
  if (schema instanceof z.ZodBoolean) return f.boolean(description, read);
  if (schema instanceof z.ZodEnum) return f.enum(schema as typeof pageWidth)(description, read); // `namedEnum` makes enums of strings
  return f.string(description, read);
}
