import { sql } from 'kysely';
import type { ManifestEdit } from '../../../lib/tree/manifest-edit.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { FileEntry } from './file-row.ts';

/**
 * Updates the projection of a space's files after an edit of the manifest, with at most two statements and in
 * proportion to the edit. Call it in the transaction that moves the head.
 */
export async function projectFiles(
  ctx: Context,
  target: { organizationId: string; spaceId: string },
  { put = [], remove = [] }: ManifestEdit<FileEntry>,
): Promise<void> {
  const { organizationId, spaceId } = target;
  if (remove.length > 0) {
    await ctx.db.deleteFrom('head_file').where('spaceId', '=', spaceId).where('fileId', '=', anyOf(remove)).execute();
  }
  if (put.length === 0) return;
  // The last entry of an id wins, because an upsert must not affect a row twice.
  const rows = [...new Map(put.map((entry) => [entry.id, entry])).values()];
  await sql`
    insert into head_file (space_id, file_id, organization_id, name, blob_hash, content_type, size, width, height)
    select ${spaceId}, n.id, ${organizationId}, n.name, decode(n.blob, 'hex'), n."contentType", n.size, n.width, n.height
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as n(id text, name text, blob text, "contentType" text, size bigint, width int, height int)
    on conflict (space_id, file_id) do update set
      name = excluded.name, blob_hash = excluded.blob_hash, content_type = excluded.content_type, size = excluded.size,
      width = excluded.width, height = excluded.height`.execute(ctx.db);
}
