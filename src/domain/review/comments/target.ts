import { z } from 'zod';
import type { AnyNode } from '../../../lib/document/document.ts';
import { walk } from '../../../lib/document/walk.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { badInput, notFound } from '../../../platform/errors/errors.ts';
import { findById } from '../../../platform/ids/find-by-id.ts';
import { prefixOf } from '../../../platform/ids/ids.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { computeDocument, findReadPage } from '../../content/computed-sources/index.ts';
import { loadRevision } from '../../content/revisions/index.ts';
import { loadDocument } from '../../store/bodies/index.ts';
import type { Discussion } from './access.ts';

const cellName = (description: string) => z.string().min(1).max(255).describe(description);

/** Input fields of the target of a comment. */
export const targetInput = {
  pageId: idOf('page').nullish().describe('ID of the page that the comment refers to.'),
  node: z
    .string()
    .min(1)
    .max(255)
    .nullish()
    .describe("Key of the node in the page's document that the comment refers to, such as a block. Requires `pageId`."),
  tableCell: z
    .object({
      record: cellName('ID of the record (row).'),
      definition: cellName('ID of the definition (column).'),
    })
    .meta({ inputName: 'TableCellInput', description: 'A cell of a table, identified by its row and column.' })
    .nullish()
    .describe('Table cell that the comment refers to. Requires `node` to be a table.'),
  reviewId: idOf('review').nullish().describe('ID of the review that the comment refers to.'),
};

export type CommentTargetInput = { [Name in keyof typeof targetInput]?: z.output<(typeof targetInput)[Name]> };

/** Whether a comment refers to something in the content. */
export const hasTarget = (target: CommentTargetInput) => Object.values(target).some((value) => value != null);

/**
 * Throws NOT_FOUND if the page or node does not exist in the current content, and BAD_USER_INPUT for an unknown cell or
 * review. The comment stays when its target is deleted later.
 */
export async function rejectUnknownTarget(
  ctx: Context,
  discussion: Discussion,
  { pageId, node, tableCell, reviewId }: CommentTargetInput,
): Promise<void> {
  if (reviewId != null && !(await isReviewOf(ctx, reviewId, discussion.changeRequestId))) {
    throw badInput(['reviewId'], `The change request has no review "${reviewId}".`, 'NOT_FOUND');
  }
  if (node != null && pageId == null) throw badInput(['node'], 'Requires `pageId`.', 'REQUIRED');
  if (tableCell != null && node == null) throw badInput(['tableCell'], 'Requires `node`.', 'REQUIRED');
  if (pageId == null) return;
  const revision = await loadRevision(ctx, discussion.revisionId);
  const page = revision && (await findReadPage(ctx, revision, { pageId }))?.page;
  if (!page) throw notFound('page', pageId);
  if (node == null) return;
  const targetNode = await nodeIn(ctx, discussion.organizationId, page, node);
  if (!targetNode) throw notFound('node', node);
  if (tableCell != null && !hasCell(targetNode, tableCell)) {
    throw badInput(['tableCell'], `The node "${node}" is not a table with this record and definition.`);
  }
}

/** Looks the review up by id, because the module of reviews depends on this one. */
async function isReviewOf(ctx: Context, reviewId: string, changeRequestId: string | null): Promise<boolean> {
  if (prefixOf(reviewId) !== 'review') return false;
  const review = (await findById(ctx, reviewId)) as Row<'review'> | undefined; // checked by its prefix
  return review?.changeRequestId === changeRequestId;
}

async function nodeIn(
  ctx: Context,
  organizationId: string,
  page: LoadedPage,
  key: string,
): Promise<AnyNode | undefined> {
  const body = await bodyOf(ctx, organizationId, page);
  if (!body) return undefined;
  let match: AnyNode | undefined;
  walk(body, (node) => {
    if (node.key === key) match ??= node;
  });
  return match;
}

async function bodyOf(ctx: Context, organizationId: string, { documentHash, node }: LoadedPage) {
  if (documentHash !== null) return (await loadDocument(ctx, organizationId, documentHash)).body;
  const source = 'computed' in node.fields ? node.fields.computed : undefined;
  return source && computeDocument(ctx, organizationId, source);
}

const hasCell = (node: AnyNode, { record, definition }: { record: string; definition: string }) =>
  node.object === 'block' &&
  node.type === 'table' &&
  Object.hasOwn(node.data.records, record) &&
  Object.hasOwn(node.data.definition, definition);
