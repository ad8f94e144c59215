import type { Context } from '../../../../platform/context/context.ts';
import { WorkExceeded } from '../../../../platform/heavy-work/work-exceeded.ts';
import { UnreadableSecret } from '../../../../platform/secret-key/errors.ts';
import type { TransportResult } from '../transport/transport.ts';
import { transportOf } from '../transport/transport-of.ts';
import type { GitConnectionRow } from './access.ts';
import { remoteOfConnection } from './remote-of-connection.ts';

const LIMIT_MS = 60_000;

/** Asks the server of a connection for its branches. */
export async function listRefs(
  ctx: Context,
  row: GitConnectionRow,
  { commit = null, forPush = false }: { commit?: string | null; forPush?: boolean },
  signal?: AbortSignal,
): Promise<TransportResult<'listRefs'>> {
  try {
    const remote = await remoteOfConnection(ctx, row);
    using slot = await ctx.services.heavyWork.begin('list-git', { ctx, organizationId: row.organizationId, signal });
    return await transportOf(remote, { slot, limitMs: LIMIT_MS }).listRefs({ commit, forPush });
  } catch (error) {
    if (error instanceof UnreadableSecret) return { fault: { code: 'SECRET_UNREADABLE', message: error.message } };
    if (!(error instanceof WorkExceeded)) throw error;
    return { fault: { code: 'TOO_LARGE', message: `The branches cannot be listed: ${error.message}.` } };
  }
}
