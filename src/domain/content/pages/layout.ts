import type { z } from 'zod';
import type { JsonObject } from '../../../lib/canonical.ts';
import type { pageLayout } from './page-fields.ts';

/** The layout of a page with every member. */
export type PageLayout = Required<z.output<typeof pageLayout>>;

/** What is shown of a page whose layout says nothing. */
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

/** What a page's own layout, as its input was checked, leaves open has its default. */
export const layoutOf = (layout: JsonObject | undefined): PageLayout => ({ ...DEFAULT_LAYOUT, ...layout });
