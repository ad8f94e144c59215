import type { Insertable } from 'kysely';
import { rejectLimitedToSpaces, requireUserId, ssoOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import { badInput, conflict } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { enqueue } from '../../../platform/jobs/enqueue.ts';
import { rejectAtLimit } from '../../../platform/operation/count-limit.ts';
import { GIT_RUN_COLUMNS, type GitRunRow } from './access.ts';
import { recordSyncRequest } from './record-sync-request.ts';
import { directoryOf, isSameBranch, isSsh, readRepositoryUrl } from './repository-url.ts';
import { runCredentials } from './run-credentials.ts';
import type { RunInput } from './run-input.ts';
import { runGit } from './runs/run-git.ts';

/** Pending and running operations of a space. */
const MAX_ACTIVE = 20;

/** Creates a run and enqueues its job, in the transaction of the command. The caller has checked the space. */
export async function createGitRun(
  ctx: Context,
  organizationId: string,
  input: RunInput,
  options: { direction: 'import' | 'export'; force: boolean; standalone?: boolean; commitMessage?: string },
): Promise<GitRunRow> {
  const hasGit = ctx.services.config.gitProgram !== undefined;
  const { url, credentials } = readRepositoryUrl(input.url, { hasGit });
  if (isSsh(url)) await rejectWithoutKey(ctx, input.spaceId, url);
  if (!options.standalone || isSsh(url)) await rejectOtherBranch(ctx, input, url);
  if (!options.standalone && !options.force) await rejectUnsynchronized(ctx, input.spaceId);
  return insertGitRun(
    ctx,
    {
      organizationId,
      spaceId: input.spaceId,
      direction: options.direction,
      repositoryUrl: url,
      ref: input.ref,
      projectDirectory: projectDirectoryOf(input),
      treeUrl: input.repoTreeURL ?? null,
      commitUrl: input.repoCommitURL ?? null,
      commitMessage: options.commitMessage ?? null,
      provider: input.gitInfo?.provider ?? null,
      infoUrl: shownUrl(input.gitInfo?.url),
      force: options.force,
      standalone: options.standalone ?? false,
      operationAt: input.timestamp ?? nowOf(ctx),
      createdBy: requireUserId(ctx.actor),
      samlProviderId: ssoOf(ctx.actor)?.providerId ?? null,
    },
    credentials,
  );
}

type NewRun = Omit<Insertable<Tables['git_run']>, 'id' | 'credentials' | 'createdAt' | 'updatedAt'>;

/**
 * Writes a run with its credentials (`user:password`) and enqueues its job, in a transaction. Every run begins here.
 * CONFLICT if too many are pending. FORBIDDEN for applications that are limited to spaces, since the job has all
 * permissions of the user.
 */
export async function insertGitRun(ctx: Context, values: NewRun, credentials: string | undefined): Promise<GitRunRow> {
  rejectLimitedToSpaces(ctx.actor);
  const { organizationId, spaceId } = values;
  await rejectAtLimit(
    ctx,
    {
      name: `git runs:${spaceId}`,
      max: MAX_ACTIVE,
      message: `The space has ${MAX_ACTIVE} pending Git operations. Wait for one to end, or cancel one.`,
    },
    ctx.db.selectFrom('git_run').where('spaceId', '=', spaceId).where('status', 'in', ['pending', 'in-progress']),
  );
  const [id, now] = [newId('gitrun'), nowOf(ctx)];
  const encrypted = credentials === undefined ? null : runCredentials.encrypt(ctx.services, { id }, credentials);
  const run = await ctx.db
    .insertInto('git_run')
    .values({ ...values, id, credentials: encrypted, createdAt: now, updatedAt: now })
    .returning(GIT_RUN_COLUMNS)
    .executeTakeFirstOrThrow();
  await recordSyncRequest(ctx, run);
  await enqueue(ctx, runGit, { gitRunId: id }, { group: organizationId });
  await recordEvent(ctx, { kind: 'space_gitsync_requested', organizationId, spaceId, ids: { gitRunId: id } });
  return run;
}

const shownUrl = (text: string | null | undefined): string | null => (text == null ? null : new URL(text).href);

const projectDirectoryOf = ({ repoProjectDirectory }: Pick<RunInput, 'repoProjectDirectory'>): string =>
  directoryOf(repoProjectDirectory ?? '') ?? '';

/**
 * Throws CONFLICT if the space is connected to another branch or directory: it is synchronized with that one only. Over
 * SSH, this also applies to standalone imports, because they use the key of the connection, which an administrator set
 * up.
 */
export async function rejectOtherBranch(
  { db }: Context,
  { spaceId, ref, repoProjectDirectory }: Pick<RunInput, 'spaceId' | 'ref' | 'repoProjectDirectory'>,
  url: string,
): Promise<void> {
  const connected = await db
    .selectFrom('git_connection')
    .where('spaceId', '=', spaceId)
    .select(['repositoryUrl', 'ref', 'projectDirectory'])
    .executeTakeFirst();
  const projectDirectory = projectDirectoryOf({ repoProjectDirectory });
  if (!connected || isSameBranch(connected, { repositoryUrl: url, ref, projectDirectory })) return;
  throw conflict('The space is connected to another Git branch or directory. Change or delete the connection first.');
}

/**
 * Throws CONFLICT while the connection of a space names another branch or directory than was synchronized last. Only
 * runs of the connection find out whether the branch continues the former one; others would replace the content of one
 * side.
 */
async function rejectUnsynchronized({ db }: Context, spaceId: string): Promise<void> {
  const connected = await db
    .selectFrom('git_connection as c')
    .innerJoin('git_sync as s', 's.spaceId', 'c.spaceId')
    .where('c.spaceId', '=', spaceId)
    .where('s.commitOid', 'is not', null)
    .where(({ eb, or, ref }) =>
      or([
        eb('s.repositoryUrl', '!=', ref('c.repositoryUrl')),
        eb('s.ref', '!=', ref('c.ref')),
        eb('s.projectDirectory', '!=', ref('c.projectDirectory')),
      ]),
    )
    .select('c.id')
    .executeTakeFirst();
  if (!connected) return;
  throw conflict(
    'The space was last synchronized with another Git branch or directory than the one that it is connected to now. Wait until the connection has been synchronized, or use `force`.',
  );
}

/** Over SSH, the key of a connection of the space to the repository is used, whether it was started or not. */
async function rejectWithoutKey({ db }: Context, spaceId: string, url: string): Promise<void> {
  const connected = await db
    .selectFrom('git_connection')
    .where('spaceId', '=', spaceId)
    .where('repositoryUrl', '=', url)
    .select('id')
    .executeTakeFirst();
  if (connected) return;
  throw badInput(
    ['url'],
    'is an SSH address, which requires a connection of the space to the repository, because its key is used. Create one with createGitConnection.',
    'INVALID_FORMAT',
  );
}
