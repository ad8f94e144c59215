import { trimEndOf } from '../../../../lib/trim-characters.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { allowLongStatements } from '../../../../platform/database/session.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { writeSnapshot } from '../../../content/import-engine/index.ts';
import { rejectHiddenSpecsIn } from '../../../content/visibility/index.ts';
import { contentIn, insertRevision, type RevisionRow } from '../../../store/revisions/index.ts';
import type { GitRunRow } from '../access.ts';
import type { FetchedBranch } from '../transport/transport.ts';
import { type ReadBranch, readBranch } from './read-branch.ts';
import { configurationOf, loadHead, type SyncState } from './sync-state.ts';
import { syncedPaths } from './synced-paths.ts';
import type { GitWatch } from './watch-git-run.ts';

/** Committer of this service. Imports recognize its commits by the address. */
export const COMMITTER = { name: 'Stemma', email: 'git@stemma.invalid' };

/** The commit as revisions show it. */
export function gitOf(run: GitRunRow, { oid, message, committerEmail }: NonNullable<FetchedBranch['commit']>) {
  const url = run.commitUrl === null ? {} : { url: commitUrl(run.commitUrl, oid) };
  return { oid, message, createdByService: committerEmail === COMMITTER.email, ref: run.ref, ...url };
}

export const commitUrl = (prefix: string, oid: string): string => `${trimEndOf(prefix, '/')}/${oid}`;

/**
 * Reads a fetched branch and stores it as a revision that is not the head. A branch without changes is the one it was.
 */
export async function branchRevision(
  ctx: Context,
  run: GitRunRow,
  {
    fetched,
    folder,
    before,
    state,
    watch,
  }: {
    fetched: FetchedBranch;
    folder: string;
    /** Content of the branch at the last synchronization. Pages keep their ids and values that files cannot express. */
    before: RevisionRow | undefined;
    /** The state of the synchronization with the same branch. */
    state: SyncState | undefined;
    watch: GitWatch;
  },
): Promise<{ revision: RevisionRow } & Pick<ReadBranch, 'entries' | 'redirects' | 'configuration'>> {
  const knownPaths = await syncedPaths(ctx, run.spaceId, fetched.files);
  const head = await loadHead(ctx.db, run.spaceId);
  const read = await readBranch(ctx, run, {
    fetched,
    folder,
    knownPaths,
    before,
    head,
    configuration: configurationOf(state),
    watch,
  });
  watch.say(`Read ${read.snapshot.pages.length} pages and ${read.snapshot.files.length} files.`);
  const { organizationId, spaceId } = run;
  const revision = await transact(ctx, async (inside) => {
    await allowLongStatements(inside.db);
    const content = await writeSnapshot(inside, organizationId, read.snapshot);
    if (state && before && JSON.stringify(contentIn(before)) === JSON.stringify(content)) return before;
    await rejectHiddenSpecsIn(
      inside,
      { organizationId, spaceId, revisions: before ? [before] : [] },
      {
        hashes: read.snapshot.bodies.map(({ hash }) => hash),
        fields: read.snapshot.pages.map(({ fields }) => fields),
      },
      ['url'],
    );
    const parent = (state ? before?.id : undefined) ?? head.id;
    const git = fetched.commit && gitOf(run, fetched.commit);
    return insertRevision(inside, { organizationId, spaceId, type: 'edits', parents: [parent], git, ...content });
  });
  return { revision, entries: read.entries, redirects: read.redirects, configuration: read.configuration };
}
