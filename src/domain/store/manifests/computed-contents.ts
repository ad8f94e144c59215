import { sql } from 'kysely';
import type { StoredSource } from '../../../lib/tree/node.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
import type { RevisionRow } from '../revisions/index.ts';
import { readReusableContents, reusableContentsHashOf } from './reusable-content-row.ts';

/**
 * The sources of the computed reusable contents of a revision. One batched statement for heads; the manifest of other
 * revisions is read.
 */
export async function computedContents(ctx: Context, revision: RevisionRow): Promise<StoredSource[]> {
  if (reusableContentsHashOf(revision) === null) return [];
  const head = await ofHead(ctx, revision.id);
  if (head) return head.sources;
  return (await readReusableContents(ctx, revision)).flatMap(({ computed }) => (computed ? [computed] : []));
}

const ofHead = sharedLoader<{ sources: StoredSource[] }>('computed contents', readOfHeads, { isStored: true });

async function readOfHeads(db: Database, ids: string[]): Promise<Map<string, { sources: StoredSource[] }>> {
  const { rows } = await sql<{ revisionId: string; sources: StoredSource[] }>`
    select s.revision_id, (
      select coalesce(json_agg(h.computed order by h.reusable_content_id), '[]') from head_reusable_content h
      where h.space_id = s.id and h.computed is not null) as sources
    from space s where s.revision_id = any(${ids}::text[])`.execute(db);
  return new Map(rows.map(({ revisionId, sources }) => [revisionId, { sources }]));
}
