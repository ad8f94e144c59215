import { sql } from 'kysely';
import { diffTrees } from '../../../lib/tree/diff.ts';
import { openTree } from '../../../lib/tree/edit.ts';
import { projectOwnChanges } from '../../../lib/tree/projection.ts';
import { remember } from '../../../lib/tree/source.ts';
import { userIdOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { insertRevision } from '../revisions/index.ts';
import { copyIndex } from '../search-index/index.ts';
import { nodeSource, projectOntoHead, writeNodes } from '../trees/index.ts';
import { lockContentShared } from './content-lock.ts';

/**
 * Creates the initial content of a space: no pages if `empty`, otherwise one empty page with the title of the space.
 * Returns the id of the revision, which the caller sets as head.
 */
export async function createContent(
  ctx: Context,
  space: { organizationId: string; spaceId: string; title: string; empty: boolean },
): Promise<string> {
  const { organizationId, spaceId, title, empty } = space;
  await lockContentShared(ctx, organizationId);
  const source = remember(nodeSource(ctx.db, organizationId));
  const tree = await openTree(null, source);
  if (!empty) await tree.insertPage({ kind: 'document', pageId: newId('page'), fields: { title }, parentId: null });
  const { rootHash, newNodes } = tree.commit({ now: nowOf(ctx), userId: userIdOf(ctx.actor) ?? null });
  source.add(newNodes);
  await writeNodes(ctx, organizationId, newNodes);
  await projectOntoHead(ctx, space, await projectOwnChanges(await diffTrees(null, rootHash, source), source));
  const manifests = { filesHash: null, reusableContentsHash: null, variablesHash: null, tagsHash: null };
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
 * Copies the content of a space to another space of the same organization: one revision with the same hashes, and a
 * copy of the projections. Pages, files and documents are shared and keep their ids. The caller must hold the row lock
 * of the source space, so that its head and projections agree.
 */
export async function duplicateContent(
  ctx: Context,
  {
    from,
    toSpaceId,
    organizationId,
  }: { from: Pick<Row<'space'>, 'id' | 'revisionId'>; toSpaceId: string; organizationId: string },
): Promise<string> {
  await lockContentShared(ctx, organizationId);
  const revisionId = newId('rev');
  await copyRevision(ctx, from.revisionId, { revisionId, toSpaceId });
  await copyRows(ctx, 'head_page', PAGE_COLUMNS, from.id, toSpaceId);
  await copyRows(ctx, 'head_file', FILE_COLUMNS, from.id, toSpaceId);
  await copyRows(ctx, 'head_reusable_content', REUSABLE_CONTENT_COLUMNS, from.id, toSpaceId);
  await copyRows(ctx, 'head_link_count', LINK_COUNT_COLUMNS, from.id, toSpaceId);
  await copyRows(ctx, 'head_outside_link', OUTSIDE_LINK_COLUMNS, from.id, toSpaceId);
  await copyIndex(ctx.db, from.id, toSpaceId);
  return revisionId;
}

async function copyRevision(
  ctx: Context,
  id: string,
  { revisionId, toSpaceId }: { revisionId: string; toSpaceId: string },
) {
  const same = [
    'organizationId',
    'rootHash',
    'filesHash',
    'reusableContentsHash',
    'variablesHash',
    'tagsHash',
    'git',
  ] as const;
  await ctx.db
    .insertInto('revision')
    .columns([...same, 'id', 'spaceId', 'type', 'parents', 'createdBy', 'createdAt'])
    .expression((builder) =>
      builder
        .selectFrom('revision')
        .where('id', '=', id)
        .select(same)
        .select([
          builder.val(revisionId).as('newId'),
          builder.val(toSpaceId).as('toSpaceId'),
          sql<'edits'>`'edits'`.as('type'),
          sql<string[]>`'{}'::text[]`.as('parents'),
          builder.val(userIdOf(ctx.actor) ?? null).as('createdBy'),
          sql<string>`${nowOf(ctx)}::timestamptz`.as('createdAt'),
        ]),
    )
    .execute();
}

const PAGE_COLUMNS = [
  'pageId',
  'organizationId',
  'parentId',
  'position',
  'kind',
  'title',
  'path',
  'isHidden',
  'documentHash',
  'nodeHash',
] as const satisfies (keyof Row<'head_page'>)[];

const FILE_COLUMNS = [
  'fileId',
  'organizationId',
  'name',
  'blobHash',
  'contentType',
  'size',
  'width',
  'height',
] as const satisfies (keyof Row<'head_file'>)[];

const REUSABLE_CONTENT_COLUMNS = [
  'reusableContentId',
  'organizationId',
  'title',
  'documentHash',
  'sourceHash',
  'computed',
] as const satisfies (keyof Row<'head_reusable_content'>)[];

const LINK_COUNT_COLUMNS = ['organizationId', 'total', 'broken'] as const satisfies (keyof Row<'head_link_count'>)[];

const OUTSIDE_LINK_COLUMNS = [
  'targetKey',
  'organizationId',
  'kind',
  'targetId',
  'targetSpaceId',
  'anchor',
  'total',
] as const satisfies (keyof Row<'head_outside_link'>)[];

/** Copies the rows of a space in a table of the head projection. `columns` are all columns except `spaceId`. */
async function copyRows(
  { db }: Context,
  table: 'head_page' | 'head_file' | 'head_reusable_content' | 'head_link_count' | 'head_outside_link',
  columns: readonly string[],
  fromSpaceId: string,
  toSpaceId: string,
): Promise<void> {
  const rest = sql.join(columns.map((column) => sql.ref(column)));
  await sql`
    insert into ${sql.table(table)} (space_id, ${rest})
    select ${toSpaceId}, ${rest} from ${sql.table(table)} where space_id = ${fromSpaceId}`.execute(db);
}
