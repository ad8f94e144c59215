import { type Context, nowOf } from '../../../platform/context/context.ts';
import { jsonColumn } from '../../../platform/database/json-column.ts';
import type { GitRunRow } from './access.ts';

type Branch = Pick<
  GitRunRow,
  'provider' | 'repositoryUrl' | 'infoUrl' | 'ref' | 'projectDirectory' | 'treeUrl' | 'operationAt' | 'connectionId'
>;

/** Records the branch of a run in the synchronization of the space. */
export const branchOf = ({
  repositoryUrl,
  infoUrl: url,
  ref,
  projectDirectory,
  treeUrl,
  operationAt,
  ...of
}: Branch) => ({
  provider: providerOf({ repositoryUrl, ...of }),
  repositoryUrl,
  url,
  ref,
  projectDirectory,
  treeUrl,
  operationAt,
});

/** The provider that the caller named, or that the host tells. Connections name one of two for every host. */
function providerOf({
  provider,
  connectionId,
  repositoryUrl,
}: Pick<Branch, 'provider' | 'connectionId' | 'repositoryUrl'>) {
  if (provider === 'gitlab' || (provider !== null && connectionId === null)) return provider;
  const host = URL.parse(repositoryUrl)?.hostname ?? '';
  if (/gitlab/i.test(host)) return 'gitlab';
  return /(?:^|\.)github\.|\.ghe\.com$/i.test(host) ? 'github' : null;
}

/**
 * Remembers the branch that a space is to be synchronized with for the first time, so that readers see how that goes.
 */
export async function recordSyncRequest(ctx: Context, run: GitRunRow): Promise<void> {
  const { spaceId, organizationId, standalone } = run;
  if (standalone) return;
  const values = { organizationId, ...branchOf(run), updatedAt: nowOf(ctx) };
  await ctx.db
    .insertInto('git_sync')
    .values({
      spaceId,
      ...values,
      conflictKeys: jsonColumn([]),
    })
    .onConflict((conflict) => conflict.column('spaceId').doUpdateSet(values).where('git_sync.commitOid', 'is', null))
    .execute();
}
