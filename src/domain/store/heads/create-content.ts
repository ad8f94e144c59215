import { sql } from 'kysely';
import { diffTrees } from '../../../lib/tree/diff.ts';
import { openTree } from '../../../lib/tree/edit.ts';
import { projectChanges } from '../../../lib/tree/projection.ts';
import { remember } from '../../../lib/tree/source.ts';
import { userIdOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { newId } from '../../../platform/ids.ts';
import { insertRevision } from '../revisions/index.ts';
import { copyIndex } from '../search-index/index.ts';
import { nodeSource, projectOntoHead, writeNodes } from '../trees/index.ts';
import { holdContent } from './content-lock.ts';

/**
 * The first content of a space: no page at all when `empty`, else one empty page titled as the space.
 * Answers the id of the revision, for the space to point at.
 */
export async function createContent(
  ctx: Context,
  space: { organizationId: string; spaceId: string; title: string; empty: boolean },
): Promise<string> {
  const { organizationId, spaceId, title, empty } = space;
  await holdContent(ctx, organizationId);
  const source = remember(nodeSource(ctx.db, organizationId));
  const tree = await openTree(null, source);
  if (!empty) await tree.insertPage({ kind: 'document', pageId: newId('page'), fields: { title }, parentId: null });
  const { rootHash, newNodes } = tree.commit({ now: nowOf(ctx), userId: userIdOf(ctx.actor) ?? null });
  source.add(newNodes);
  await writeNodes(ctx, organizationId, newNodes);
  await projectOntoHead(ctx, space, await projectChanges(await diffTrees(null, rootHash, source), source));
  const manifests = { filesHash: null, reusableContentsHash: null, variablesHash: null };
  const revision = await insertRevision(ctx, {
    organizationId,
    spaceId,
    type: 'edits',
    parents: [],
    rootHash,
    ...manifests,
  });
  return revision.id;
}

/**
 * The content of a space again, for another space of the same organization: one revision with the same hashes and one
 * copy of the projection; pages, files and documents are shared and keep their ids. Hold the source space locked, so
 * that its head and projection agree.
 */
export async function duplicateContent(
  ctx: Context,
  {
    from,
    toSpaceId,
    organizationId,
  }: { from: Pick<Row<'space'>, 'id' | 'revision_id'>; toSpaceId: string; organizationId: string },
): Promise<string> {
  await holdContent(ctx, organizationId);
  const revisionId = newId('rev');
  await sql`
    insert into revision (id, organization_id, space_id, type, parents, root_hash, files_hash, reusable_contents_hash,
      variables_hash, git, created_by, created_at)
    select ${revisionId}, r.organization_id, ${toSpaceId}, 'edits', '{}', r.root_hash, r.files_hash, r.reusable_contents_hash,
      r.variables_hash, r.git, ${userIdOf(ctx.actor) ?? null}, ${nowOf(ctx)}::timestamptz
    from revision r where r.id = ${from.revision_id}`.execute(ctx.db);
  await sql`
    insert into head_page (space_id, page_id, organization_id, parent_id, position, kind, title, path, is_hidden, document_hash, node_hash)
    select ${toSpaceId}, page_id, organization_id, parent_id, position, kind, title, path, is_hidden, document_hash, node_hash
    from head_page where space_id = ${from.id}`.execute(ctx.db);
  await copyIndex(ctx.db, from.id, toSpaceId);
  await sql`
    insert into head_file (space_id, file_id, organization_id, name, blob_hash, content_type, size, width, height)
    select ${toSpaceId}, file_id, organization_id, name, blob_hash, content_type, size, width, height
    from head_file where space_id = ${from.id}`.execute(ctx.db);
  await sql`
    insert into head_reusable_content (space_id, reusable_content_id, organization_id, title, document_hash)
    select ${toSpaceId}, reusable_content_id, organization_id, title, document_hash
    from head_reusable_content where space_id = ${from.id}`.execute(ctx.db);
  return revisionId;
}
