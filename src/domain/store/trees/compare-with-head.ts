import { diffTrees } from '../../../lib/tree/diff.ts';
import { diffManifests } from '../../../lib/tree/manifest-diff.ts';
import { type ProjectionChanges, projectChanges } from '../../../lib/tree/projection.ts';
import { remember } from '../../../lib/tree/source.ts';
import type { Context } from '../../../platform/context/context.ts';
import { requestCache } from '../../../platform/reads/request-cache.ts';
import type { FileEntry } from '../manifests/index.ts';
import { manifestSource } from '../manifests/index.ts';
import type { RevisionRow } from '../revisions/index.ts';
import { toHex } from '../revisions/index.ts';
import { nodeSource } from './node-source.ts';

/** The changes to the head projection of a space that would produce a revision. */
export interface HeadDifference {
  headId: string;
  pages: ProjectionChanges;
  files: { put: FileEntry[]; gone: string[] };
}

/**
 * Compares a revision with the head of its space, once per request; undefined if it is the head. The cost is
 * proportional to the difference: one statement per level of the tree that differs.
 */
export const compareWithHead = (ctx: Context, revision: RevisionRow): Promise<HeadDifference | undefined> =>
  requestCache(ctx, `revisions:beside-head:${revision.id}`, () => compare(ctx, revision));

async function compare(ctx: Context, revision: RevisionRow): Promise<HeadDifference | undefined> {
  const head = await ctx.db
    .selectFrom('space')
    .innerJoin('revision', 'revision.id', 'space.revisionId')
    .where('space.id', '=', revision.spaceId)
    .select(['revision.id', 'revision.rootHash', 'revision.filesHash'])
    .executeTakeFirstOrThrow();
  if (head.id === revision.id) return undefined;
  const nodes = remember(nodeSource(ctx.db, revision.organizationId));
  const manifests = manifestSource<FileEntry>(ctx.db, revision.organizationId);
  const hashOf = ({ filesHash }: Pick<RevisionRow, 'filesHash'>) => filesHash && toHex(filesHash);
  const [pages, files] = await Promise.all([
    diffTrees(toHex(head.rootHash), toHex(revision.rootHash), nodes).then((changes) => projectChanges(changes, nodes)),
    diffManifests(hashOf(head), hashOf(revision), manifests),
  ]);
  const changed = files.changed.map(({ after }) => after);
  return {
    headId: head.id,
    pages,
    files: { put: [...files.inserted, ...changed], gone: files.removed.map(({ id }) => id) },
  };
}
