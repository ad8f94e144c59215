import { sql } from 'kysely';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import type { GitRunRow } from '../access.ts';
import { type BranchDirectory, isSameBranch } from '../repository-url.ts';
import { connectionById, type GitConnectionRow } from './access.ts';
import { recordConnectionFault, updateConnectionState } from './connection-state.ts';
import type { GitConnectionState } from './enums.ts';
import type { FaultCode } from './states.ts';

/** Branch that a commit was pushed to after a protected branch refused it. */
export interface Proposal {
  ref: string;
  pullRequestUrl: string | null;
}

export interface EndedRun {
  revisionId: string;
  changeRequestId: string | null;
  /** The branch before a commit in which the space won. */
  replacedCommitOid?: string | null | undefined;
  proposal?: Proposal | undefined;
  /** Whether the branch no longer contains the commit that was synchronized before. */
  isRewritten?: boolean | undefined;
}

/** Notes on its connection that a run was completed, in the transaction that ends it. */
export async function recordRunCompleted(inside: Context, run: GitRunRow, ended: EndedRun): Promise<void> {
  const row = await connectionOfRun(inside, run);
  if (!row) return;
  const isSame = run.direction === 'export' || (await hasBranchContent(inside, run.spaceId, ended.revisionId));
  const isOpen = ended.proposal !== undefined || (row.proposalRef !== null && !isSame);
  await inside.db
    .updateTable('git_connection')
    .set({
      // Otherwise the space has more than the branch, which the next run exports.
      ...(isSame && { syncedRevisionId: ended.revisionId }),
      ...(ended.proposal && { proposalRef: ended.proposal.ref, pullRequestUrl: ended.proposal.pullRequestUrl }),
      ...(!isOpen && { proposalRef: null, pullRequestUrl: null }),
      ...(ended.replacedCommitOid != null && { keptCommitOid: ended.replacedCommitOid }),
      updatedAt: nowOf(inside),
    })
    .where('id', '=', row.id)
    .execute();
  const { organizationId, spaceId, id } = row;
  if (ended.isRewritten) {
    await recordEvent(inside, {
      kind: 'git_connection_rewritten',
      organizationId,
      spaceId,
      ids: { gitConnectionId: id },
    });
  }
  const detail = ended.isRewritten ? 'The history of the branch was rewritten. It was merged as it is.' : null;
  await updateConnectionState(inside, row, { state: stateOf(isOpen, ended), detail, hasFailed: false });
}

/** Notes on its connection that a run failed, in the transaction that ends it. */
export async function recordRunFailed(
  inside: Context,
  run: ConnectedRun,
  code: FaultCode,
  reason: string,
): Promise<void> {
  const row = await connectionOfRun(inside, run);
  if (row) await recordConnectionFault(inside, row, code, reason);
}

type ConnectedRun = Pick<GitRunRow, 'connectionId' | 'standalone'> & BranchDirectory;

/**
 * Runs outside of the synchronization, and runs of a branch or directory that is no longer connected, do not affect the
 * connection.
 */
async function connectionOfRun(ctx: Context, run: ConnectedRun): Promise<GitConnectionRow | undefined> {
  if (run.connectionId === null || run.standalone) return undefined;
  const row = await connectionById(ctx, run.connectionId);
  return row && isSameBranch(row, run) ? row : undefined;
}

function stateOf(isOpen: boolean, { changeRequestId }: EndedRun): GitConnectionState {
  if (isOpen) return 'protected';
  return changeRequestId === null ? 'active' : 'conflicts';
}

/** Whether the branch has the content of a revision. */
async function hasBranchContent({ db }: Context, spaceId: string, revisionId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from git_sync g join revision b on b.id = g.branch_revision_id join revision h on h.id = ${revisionId}
    where g.space_id = ${spaceId}
      and (h.root_hash, h.files_hash, h.reusable_contents_hash, h.variables_hash, h.tags_hash)
        is not distinct from (b.root_hash, b.files_hash, b.reusable_contents_hash, b.variables_hash, b.tags_hash)`.execute(
    db,
  );
  return rows.length > 0;
}
