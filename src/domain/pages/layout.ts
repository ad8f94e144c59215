import type { JsonObject } from '../../lib/canonical.ts';

/** What is shown of a page whose layout says nothing (decisions 2.13). */
const DEFAULT_LAYOUT = {
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

/** The layout of a page with every member. */
export const layoutOf = (layout: JsonObject | undefined) => ({ ...DEFAULT_LAYOUT, ...layout });
