import { remember } from '../../../../lib/tree/source.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { allowLongStatements } from '../../../../platform/database/session.ts';
import { conflict } from '../../../../platform/errors/errors.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { type Merge, storeMerge } from '../../../content/merge-content/index.ts';
import { permissions } from '../../../people/access/index.ts';
import { spaceFor } from '../../../places/spaces/index.ts';
import { moveHead } from '../../../store/heads/index.ts';
import { tooManyIn } from '../../../store/manifests/index.ts';
import { contentIn, insertRevision, type RevisionRow } from '../../../store/revisions/index.ts';
import { nodeSource } from '../../../store/trees/index.ts';
import type { GitRunRow } from '../access.ts';
import { archiveConflicts, conflictKey, openConflicts } from './conflict-change-request.ts';
import { GitFault } from './fetch-branch.ts';
import { mergeBranch, type SyncMerge } from './merge-branch.ts';
import { contentKey, hasSameContent } from './same-content.ts';
import { loadRow, type SyncState } from './sync-state.ts';

const needed = permissions.importSpaceFromGit.space;
const MAX_ATTEMPTS = 5;

/** New content of branch and space. */
export interface MergedBranch {
  /** The head of the space. */
  head: RevisionRow;
  /** Content that the branch should have. */
  branch: RevisionRow;
  /** The base of the next merge, once the branch has it. */
  base: RevisionRow;
  /** The base of the next merge until then. */
  seen: RevisionRow;
  conflictChangeRequestId: string | null;
  conflictKeys: string[];
}

/**
 * Merges the content of a branch into a space and moves its head. `finish` runs in the transaction. The merge is worked
 * out before it, and again if the space changes meanwhile.
 */
export async function mergeIntoSpace(
  ctx: Context,
  run: GitRunRow,
  {
    state,
    ours,
    git,
    finish,
  }: {
    state: SyncState | undefined;
    /** The content of the branch. Undefined to take the content of the space. */
    ours: RevisionRow | undefined;
    git: RevisionRow['git'];
    finish(inside: Context, merged: MergedBranch): Promise<void>;
  },
): Promise<MergedBranch> {
  for (let attempt = 1; ; attempt++) {
    const space = await spaceFor(ctx, run.spaceId, needed);
    const theirs = await loadRow(ctx.db, space.revisionId);
    const outcome = await decide(ctx, run, { base: state?.base, ours, theirs });
    const done = await transact(ctx, async (inside) => {
      await allowLongStatements(inside.db);
      const lockedSpace = await spaceFor(inside, run.spaceId, needed, { lock: 'for no key update' });
      if (lockedSpace.revisionId !== theirs.id) return undefined;
      const merged = await store(inside, run, { outcome, theirs, ours, git, state });
      await finish(inside, merged);
      return merged;
    });
    if (done) return done;
    if (attempt === MAX_ATTEMPTS) throw conflict('The content of the space keeps changing. Try again later.');
  }
}

export const NO_CONFLICTS = { conflictChangeRequestId: null, conflictKeys: [] };

type Outcome = 'space' | 'branch' | SyncMerge;

/** `space` and `branch` take the content of one side as it is. */
async function decide(
  ctx: Context,
  run: GitRunRow,
  { base, ours, theirs }: { base: RevisionRow | undefined; ours: RevisionRow | undefined; theirs: RevisionRow },
): Promise<Outcome> {
  if (!ours || hasSameContent(ours, theirs)) return 'space';
  if (!base || (run.force && run.direction === 'import') || hasSameContent(base, theirs)) return 'branch';
  if (hasSameContent(base, ours)) return 'space';
  return mergeBranch(ctx, { base, ours, theirs });
}

async function store(
  inside: Context,
  run: GitRunRow,
  {
    outcome,
    theirs,
    ours,
    git,
    state,
  }: {
    outcome: Outcome;
    theirs: RevisionRow;
    ours: RevisionRow | undefined;
    git: RevisionRow['git'];
    state: SyncState | undefined;
  },
): Promise<MergedBranch> {
  if (outcome === 'space' || !ours) {
    await archiveConflicts(inside, run, state);
    return { head: theirs, branch: theirs, base: theirs, seen: ours ?? theirs, ...NO_CONFLICTS };
  }
  if (outcome === 'branch') {
    await archiveConflicts(inside, run, state);
    await move(inside, run, theirs, ours);
    return { head: ours, branch: ours, base: ours, seen: ours, ...NO_CONFLICTS };
  }
  const candidates = [theirs, ours, ...(state ? [state.base] : [])];
  const writeRevision = (merge: Merge) =>
    revisionOf(inside, run, { merge, candidates, parents: [theirs.id, ours.id], git });
  if ('merged' in outcome) {
    await archiveConflicts(inside, run, state);
    const head = await writeRevision(outcome.merged);
    await move(inside, run, theirs, head);
    return { head, branch: head, base: head, seen: ours, ...NO_CONFLICTS };
  }
  const present = state?.base ?? theirs;
  const { conflicts, sides } = outcome;
  const writeOrPresent = async (merge: Merge | undefined) => (merge ? await writeRevision(merge) : present);
  const [head, branch] = sides ? [await writeRevision(sides.space), await writeRevision(sides.branch)] : [theirs, ours];
  const base = await writeOrPresent(sides?.base);
  const seen = await writeOrPresent(sides?.seen);
  const conflictKeys = conflicts.map(conflictKey);
  const proposed = { base, branch, git, state, keys: conflictKeys };
  const conflictChangeRequestId = await openConflicts(inside, run, proposed);
  await move(inside, run, theirs, head);
  return { head, branch, base, seen, conflictChangeRequestId, conflictKeys };
}

/** A revision with the content of a merge: one of those that have it already, or a new one. */
async function revisionOf(
  inside: Context,
  { organizationId, spaceId }: GitRunRow,
  {
    merge,
    candidates,
    parents,
    git,
  }: { merge: Merge; candidates: RevisionRow[]; parents: string[]; git: RevisionRow['git'] },
): Promise<RevisionRow> {
  const same = candidates.find((revision) => contentKey(contentIn(revision)) === contentKey(merge.content));
  if (same) return same;
  await storeMerge(inside, organizationId, merge);
  const created = await insertRevision(inside, {
    organizationId,
    spaceId,
    type: 'merge',
    parents,
    git,
    ...merge.content,
  });
  candidates.push(created);
  return created;
}

async function move(inside: Context, run: GitRunRow, from: RevisionRow, to: RevisionRow): Promise<void> {
  if (from.id === to.id) return;
  const { organizationId, spaceId } = run;
  const problem = await tooManyIn(inside, organizationId, { before: contentIn(from), after: contentIn(to) });
  if (problem !== undefined) throw new GitFault({ code: 'TOO_LARGE', message: problem });
  await moveHead(inside, { id: spaceId, organizationId }, from, to, remember(nodeSource(inside.db, organizationId)));
  const ids = { revisionId: to.id, previousRevisionId: from.id };
  await recordEvent(inside, { kind: 'space_content_updated', organizationId, spaceId, ids });
}
