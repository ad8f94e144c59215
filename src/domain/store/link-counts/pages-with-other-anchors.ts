import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { OPTIMIZATION_FENCE } from './link-conditions.ts';

/** The bodies of a page before and after a change, by their hashes in hexadecimal. */
interface BodyChange {
  pageId: string;
  before: string | undefined;
  after: string | undefined;
}

/**
 * Returns the pages whose anchors differ in the two bodies, which are stored. Most edits change none, and then the
 * links to the page need not be counted again. Pages without a body, and bodies whose anchors are not derived yet,
 * count as different.
 */
export async function pagesWithOtherAnchors(
  ctx: Context,
  organizationId: string,
  changes: readonly BodyChange[],
): Promise<string[]> {
  if (changes.length === 0) return [];
  const { rows } = await sql<{ pageId: string }>`
    select w.page_id as "pageId"
    from unnest(${changes.map(({ pageId }) => pageId)}::text[], ${changes.map(({ before }) => before ?? null)}::text[],
      ${changes.map(({ after }) => after ?? null)}::text[]) as w(page_id, before, after)
    where not exists (
      select from document b join document a on a.organization_id = b.organization_id
      where b.organization_id = ${organizationId} and b.hash = decode(w.before, 'hex') and a.hash = decode(w.after, 'hex')
        and b.derived_version > 0 and a.derived_version > 0 and a.anchors @> b.anchors and a.anchors <@ b.anchors
        ${OPTIMIZATION_FENCE})`.execute(ctx.db);
  return rows.map(({ pageId }) => pageId);
}
