import { type Context, nowOf } from '../../../../platform/context/context.ts';
import type { GitRunRow } from '../access.ts';
import { insertGitRun } from '../create-run.ts';
import type { GitConnectionRow } from './access.ts';
import { credentialsOf } from './credentials.ts';

/** A connection, with or without its secrets. */
type Connection = Omit<GitConnectionRow, 'hasCredentials'>;

interface NewRun {
  direction: 'import' | 'export';
  force?: boolean;
  standalone?: boolean;
  isDryRun?: boolean;
  /** Another ref than the branch, for pull requests. */
  ref?: string;
  pullNumber?: number;
  /** The commit that the pull request had. */
  commitOid?: string;
}

/** Creates a run of a connection, with its credentials and the permissions of its user, in a transaction. */
export async function startRun(ctx: Context, row: Connection, params: NewRun): Promise<GitRunRow> {
  const isApart = params.standalone === true || params.isDryRun === true;
  return insertGitRun(
    ctx,
    {
      organizationId: row.organizationId,
      spaceId: row.spaceId,
      direction: params.direction,
      repositoryUrl: row.repositoryUrl,
      ref: params.ref ?? row.ref,
      projectDirectory: row.projectDirectory,
      treeUrl: row.treeUrl,
      commitUrl: row.commitUrl,
      provider: row.provider,
      force: params.force ?? false,
      standalone: isApart,
      isDryRun: params.isDryRun ?? false,
      pullNumber: params.pullNumber ?? null,
      commitOid: params.commitOid ?? null,
      connectionId: row.id,
      operationAt: nowOf(ctx),
      createdBy: row.userId,
      samlProviderId: row.samlProviderId,
    },
    await credentialsOf(ctx, row),
  );
}
