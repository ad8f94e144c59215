/** Names that the printed Markdown and its reader share. */

/** The anchors that renderers of GitHub's footnotes give to them. */
export const FOOTNOTE_ANCHOR = '#user-content-fn-';

/** The title that makes a link a mention. */
export const MENTION = 'mention';

/** The language of fences that hold a block as JSON, for what Markdown has no form. */
export const BLOCK_FENCE = 'stemma-block';

/** The language of fences that hold a formula, as on GitHub. */
export const MATH_FENCE = 'math';

/** Tables with more columns keep the rest in the last one: every row costs what its columns do. */
export const MOST_COLUMNS = 200;
