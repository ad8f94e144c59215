import { sql } from 'kysely';
import type { ManifestEdit } from '../../../lib/tree/manifest-edit.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { ReusableContentEntry } from './reusable-content-row.ts';

/** Updates the projection of a space's reusable contents after an edit of the manifest, like `projectFiles`. */
export async function projectReusableContents(
  ctx: Context,
  target: { organizationId: string; spaceId: string },
  { put = [], remove = [] }: ManifestEdit<ReusableContentEntry>,
): Promise<void> {
  const { organizationId, spaceId } = target;
  if (remove.length > 0) {
    await ctx.db
      .deleteFrom('head_reusable_content')
      .where('spaceId', '=', spaceId)
      .where('reusableContentId', '=', anyOf(remove))
      .execute();
  }
  if (put.length === 0) return;
  await sql`
    insert into head_reusable_content (space_id, reusable_content_id, organization_id, title, document_hash, source_hash, computed)
    select ${spaceId}, n.id, ${organizationId}, n.title, decode(n."documentHash", 'hex'),
      decode(n."sourceHash", 'hex'), n.computed
    from json_to_recordset(${JSON.stringify(put)}::json) as n(id text, title text, "documentHash" text, "sourceHash" text,
      computed json)
    on conflict (space_id, reusable_content_id) do update set
      title = excluded.title, document_hash = excluded.document_hash, source_hash = excluded.source_hash,
      computed = excluded.computed`.execute(ctx.db);
}
