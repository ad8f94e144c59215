import { z } from 'zod';
import type { AnyNode } from '../../../lib/document/document.ts';
import { walk } from '../../../lib/document/walk.ts';
import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { badInput, notFound } from '../../../platform/errors.ts';
import { findById } from '../../../platform/find-by-id.ts';
import { prefixOf } from '../../../platform/ids.ts';
import { idOf } from '../../../platform/operation.ts';
import { loadRevision } from '../../content/revisions/index.ts';
import { loadDocument } from '../../store/bodies/index.ts';
import { findPage } from '../../store/trees/index.ts';
import type { Discussion } from './access.ts';

const cellName = (description: string) => z.string().min(1).max(255).describe(description);

/** What in the content a comment is about, as the caller names it. */
export const targetInput = {
  pageId: idOf('page').nullish().describe('The page that it is about, if it is about one: its stable id.'),
  node: z
    .string()
    .min(1)
    .max(255)
    .nullish()
    .describe("The key of the node in the page's document that it is about, a block for instance. Goes with a page."),
  tableCell: z
    .object({
      record: cellName('Id of the record: the row.'),
      definition: cellName('Id of the definition: the column.'),
    })
    .meta({ inputName: 'TableCellInput', description: 'Where a row and a column of a table meet.' })
    .nullish()
    .describe('The cell that it is about, where the node is a table.'),
  reviewId: idOf('review').nullish().describe('The review of the change request that it is about, if it is about one.'),
};

export type Target = { [Name in keyof typeof targetInput]?: z.output<(typeof targetInput)[Name]> };

/**
 * Refuses what is not there now: 404 for a page or node of the content, 400 for a cell or a review.
 * Whatever happens to the target later, the comment stays.
 */
export async function rejectUnknownTarget(
  ctx: Context,
  discussion: Discussion,
  { pageId, node, tableCell, reviewId }: Target,
): Promise<void> {
  if (reviewId != null && !(await isReviewOf(ctx, reviewId, discussion.changeRequestId))) {
    throw badInput(['reviewId'], `There is no review "${reviewId}" of this change request.`);
  }
  if (node != null && pageId == null) throw badInput(['node'], 'Give the page that the node is in as well.');
  if (tableCell != null && node == null)
    throw badInput(['tableCell'], 'Give the table that the cell is in as the node.');
  if (pageId == null) return;
  const revision = await loadRevision(ctx, discussion.revisionId);
  const page = revision && (await findPage(ctx, revision, { pageId }));
  if (!page) throw notFound('page', pageId);
  if (node == null) return;
  const found =
    page.documentHash === null ? undefined : await nodeIn(ctx, discussion.organizationId, page.documentHash, node);
  if (!found) throw notFound('node', node);
  if (tableCell != null && !hasCell(found, tableCell)) {
    throw badInput(['tableCell'], `The node "${node}" is no table with such a record and definition.`);
  }
}

/** Reviews are found by id, since the module of reviews builds on this one: a review has a comment. */
async function isReviewOf(ctx: Context, reviewId: string, changeRequestId: string | null): Promise<boolean> {
  if (prefixOf(reviewId) !== 'review') return false;
  const review = (await findById(ctx, reviewId)) as Row<'review'> | undefined; // by its prefix
  return review?.changeRequestId === changeRequestId;
}

async function nodeIn(
  ctx: Context,
  organizationId: string,
  documentHash: string,
  key: string,
): Promise<AnyNode | undefined> {
  const { body } = await loadDocument(ctx, organizationId, documentHash);
  let found: AnyNode | undefined;
  walk(body, (node) => {
    if (node.key === key) found ??= node;
  });
  return found;
}

const hasCell = (node: AnyNode, { record, definition }: { record: string; definition: string }) =>
  node.object === 'block' &&
  node.type === 'table' &&
  Object.hasOwn(node.data.records, record) &&
  Object.hasOwn(node.data.definition, definition);
