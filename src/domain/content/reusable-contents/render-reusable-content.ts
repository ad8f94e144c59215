import type { Context } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import type { ReusableContentRow } from '../../store/manifests/index.ts';
import { type BodyOf, type ReadingOptions, renderBody } from '../rendering/index.ts';
import { loadRevision } from '../revisions/index.ts';

/**
 * The body of a reusable content with the given reading options. It is not part of a page, so expressions have no page
 * variables.
 */
export const renderReusableContent = async (ctx: Context, row: ReusableContentRow, reading: ReadingOptions) =>
  renderBody(ctx, await bodyOfReusableContent(ctx, row), reading);

/** The body of a reusable content with the revision it belongs to. */
export async function bodyOfReusableContent(ctx: Context, row: ReusableContentRow): Promise<BodyOf> {
  const revision = await loadRevision(ctx, row.revisionId);
  if (!revision) throw notFound('revision', row.revisionId);
  const source = row.isUncomputed ? undefined : row.computed;
  const hashes = { documentHash: row.documentHash ?? null, sourceHash: row.sourceHash ?? null };
  return { revision, ...hashes, ...(source && { computed: source }) };
}
