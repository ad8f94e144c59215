/** Names that the printer and the reader of Markdown share. */

/**
 * Level in Markdown of `heading-1`: 1, or 2 in the bodies of pages, whose title is a heading of level 1. A further
 * heading of level 1 in them is a `heading-1` as well.
 */
export type TopHeading = 1 | 2;

/** The option for bodies of pages and reusable contents. Comments and descriptions use the default, 1. */
export const IN_PAGES = { topHeading: 2 } as const satisfies { topHeading: TopHeading };

/** Prefix of the anchors that renderers of GitHub footnotes assign. */
export const FOOTNOTE_ANCHOR = '#user-content-fn-';

/** The title that makes a link a mention. */
export const MENTION = 'mention';

/** Language of fences that contain a block as JSON, for blocks without a Markdown form. */
export const BLOCK_FENCE = 'stemma-block';

/** Language of fences that contain a formula, as on GitHub. */
export const MATH_FENCE = 'math';

/**
 * Maximum number of columns. The last column contains the rest, because the cost of each row is proportional to its
 * columns.
 */
export const MAX_TABLE_COLUMNS = 200;
