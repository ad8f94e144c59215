import { diffTrees, type TreeDifference } from '../../../lib/tree/diff.ts';
import { projectOwnChanges } from '../../../lib/tree/projection.ts';
import type { NodeSource } from '../../../lib/tree/source.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { conflict } from '../../../platform/errors/errors.ts';
import { countLinksAround, pagesWithOtherAnchors } from '../link-counts/index.ts';
import { compareManifests, type ManifestEdits, projectManifests } from '../manifests/index.ts';
import type { RevisionRow, RevisionSummary } from '../revisions/index.ts';
import { toHex } from '../revisions/index.ts';
import { projectOntoHead } from '../trees/index.ts';

/**
 * Moves the head of a space to another revision, updates its projections and counters in proportion to the difference,
 * and stores a summary of it on the new revision. The caller must hold the row lock of the space; the compare-and-set
 * is a second line of defense.
 */
export async function moveHead(
  ctx: Context,
  space: Pick<Row<'space'>, 'id' | 'organizationId'>,
  from: RevisionRow,
  to: RevisionRow,
  source: NodeSource,
): Promise<void> {
  const moved = await ctx.db
    .updateTable('space')
    .set({ revisionId: to.id, updatedAt: nowOf(ctx) })
    .where('id', '=', space.id)
    .where('revisionId', '=', from.id)
    .executeTakeFirst();
  if (moved.numUpdatedRows !== 1n)
    throw conflict('Another request changed the content at the same time. Send the request again.');
  const difference = await diffTrees(toHex(from.rootHash), toHex(to.rootHash), source);
  const target = { organizationId: space.organizationId, spaceId: space.id };
  const pages = await projectOwnChanges(difference, source);
  const manifests = await compareManifests(ctx, space.organizationId, from, to);
  const anchored = await pagesWithOtherAnchors(ctx, space.organizationId, bodyChanges(difference));
  await countLinksAround(ctx, target, { ...linkChanges(difference, manifests), anchored }, async () => {
    await projectOntoHead(ctx, target, pages);
    await projectManifests(ctx, target, manifests);
  });
  const summary = summaryOf(difference, from, to);
  await ctx.db.updateTable('revision').set({ summary }).where('id', '=', to.id).execute();
}

/**
 * Values that the status of links depends on, besides anchors. A page or content with the same id can have other
 * references, or another body.
 */
function linkChanges({ inserted, deleted, changed }: TreeDifference, { files, reusableContents }: ManifestEdits) {
  const idsOf = ({ put = [], remove = [] }: { put?: readonly { id: string }[]; remove?: readonly string[] }) => [
    ...put.map(({ id }) => id),
    ...remove,
  ];
  const contents = idsOf(reusableContents);
  const comeAndGone = [...inserted, ...deleted].map(({ pageId }) => pageId);
  return {
    holders: { pages: [...comeAndGone, ...changed.map(({ after }) => after.pageId)], contents },
    targets: [...comeAndGone, ...idsOf(files), ...contents],
  };
}

const bodyChanges = ({ changed }: TreeDifference) =>
  changed.flatMap(({ fields, before, after }) =>
    fields.includes('document')
      ? { pageId: after.pageId, before: before.node.documentHash, after: after.node.documentHash }
      : [],
  );

function summaryOf(difference: TreeDifference, from: RevisionRow, to: RevisionRow): RevisionSummary {
  const { inserted, changed, moved, deleted } = difference;
  const differs = (name: 'filesHash' | 'reusableContentsHash' | 'variablesHash') =>
    Buffer.compare(from[name] ?? NONE, to[name] ?? NONE) !== 0;
  return {
    pages: { created: inserted.length, edited: changed.length, moved: moved.length, deleted: deleted.length },
    filesChanged: differs('filesHash'),
    reusableContentsChanged: differs('reusableContentsHash'),
    variablesChanged: differs('variablesHash'),
  };
}

const NONE = Buffer.alloc(0);
