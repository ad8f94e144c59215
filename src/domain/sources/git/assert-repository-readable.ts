import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { rejectOtherBranch } from './create-run.ts';
import { isSsh, readRepositoryUrl } from './repository-url.ts';
import type { RunInput } from './run-input.ts';
import type { RemoteFault } from './transport/remote.ts';
import type { TransportResult } from './transport/transport.ts';
import { transportOf } from './transport/transport-of.ts';

/** The request waits this long for a response of the server. The run finds out the rest. */
const WAIT_MS = 5_000;

/** Faults that the caller has to correct. Trying again does not help. */
const OF_CALLER: ReadonlySet<RemoteFault['code']> = new Set(['UNAUTHORIZED', 'NOT_FOUND']);

interface RequestedRun extends Pick<RunInput, 'url' | 'ref' | 'spaceId' | 'repoProjectDirectory'> {
  direction: 'import' | 'export';
  standalone: boolean;
}

/**
 * Asks the server of a repository over http(s) for its branches. BAD_USER_INPUT if it refuses the credentials, has no
 * such repository, or for an import no such branch. Without a response in time nothing is rejected. CONFLICT if the
 * space is connected to another branch or directory.
 */
export async function assertRepositoryReadable(
  ctx: Context,
  organizationId: string,
  { url: address, direction, standalone, ...run }: RequestedRun,
): Promise<void> {
  const { gitProgram, allowPrivateNetwork } = ctx.services.config;
  const { url, credentials } = readRepositoryUrl(address, { hasGit: gitProgram !== undefined });
  if (isSsh(url)) return;
  if (!standalone) await rejectOtherBranch(ctx, run, url);
  const { ref } = run;
  const authorization = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  const remote = { url, authorization, ref, allowPrivateNetwork, timeoutMs: WAIT_MS };
  const outcome = await responseInTime(ctx, organizationId, remote);
  if (!outcome) return;
  if ('fault' in outcome) {
    if (OF_CALLER.has(outcome.fault.code)) throw badInput(['url'], `cannot be read: ${outcome.fault.message}`);
  } else if (direction === 'import' && outcome.refs.tip === null) {
    const message = outcome.refs.isEmpty ? 'The repository has no commits.' : `The repository has no branch "${ref}".`;
    throw badInput(['ref'], `cannot be read: ${message}`);
  }
}

async function responseInTime(
  ctx: Context,
  organizationId: string,
  remote: Parameters<typeof transportOf>[0],
): Promise<TransportResult<'listRefs'> | undefined> {
  const signal = AbortSignal.timeout(WAIT_MS);
  try {
    using slot = await ctx.services.heavyWork.begin('list-git', { ctx, organizationId, signal });
    return await transportOf(remote, { slot, limitMs: WAIT_MS }).listRefs({ commit: null, forPush: false });
  } catch (error) {
    if (signal.aborted || error instanceof WorkExceeded) return undefined;
    throw error;
  }
}
