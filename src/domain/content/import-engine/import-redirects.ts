import { CONFIGURATION_FILE } from '../../../lib/repository/configuration.ts';
import { type ReportEntry, warning } from '../../../lib/repository/report.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { rememberPaths } from '../../store/trees/index.ts';
import type { StoredRepository } from './store-files.ts';

/**
 * Makes the redirects of an import former paths of the space. Those of a change request lead nowhere until it is
 * merged, and do not replace redirects that lead to present pages. Returns what the report says about redirects that
 * are left out.
 */
export async function importRedirects(
  ctx: Context,
  { spaceId: id, organizationId }: Pick<RevisionRow, 'spaceId' | 'organizationId'>,
  { redirects }: StoredRepository,
  { parentId, isProposed = false }: { parentId: string | null | undefined; isProposed?: boolean },
): Promise<ReportEntry[]> {
  if (redirects.length === 0) return [];
  // Their paths are those of the source, which are not paths of the space if the pages are below another one.
  if (parentId != null) {
    return [warning(CONFIGURATION_FILE, 'The redirects were not imported, because the pages are below another page.')];
  }
  await rememberPaths(ctx, { id, organizationId }, redirects, { replacePresent: !isProposed });
  return [];
}
