import type { Context } from '../../../../platform/context.ts';
import { WorkExceeded } from '../../../../platform/heavy-work/work-exceeded.ts';
import type { ListRefsOutcome, work } from '../transport/list-refs-work.ts';
import type { GitConnectionRow } from './access.ts';
import { remoteOfConnection } from './remote-of-connection.ts';

const module = new URL('../transport/list-refs-work.ts', import.meta.url);
const LIMIT_MS = 60_000;

/** Asks the server of a connection for its branches. */
export async function listRefs(
  ctx: Context,
  row: GitConnectionRow,
  { commit = null, forPush = false }: { commit?: string | null; forPush?: boolean },
  signal?: AbortSignal,
): Promise<ListRefsOutcome> {
  const input = { remote: await remoteOfConnection(ctx, row), commit, forPush };
  using turn = await ctx.services.heavyWork.begin('sync-git', { ctx, organizationId: row.organizationId, signal });
  try {
    return await turn.inThread<typeof work>(module, input, { limitMs: LIMIT_MS });
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    return { fault: { code: 'TOO_LARGE', message: `The branches cannot be listed: ${error.message}.` } };
  }
}
