import type { Context } from '../../../platform/context/context.ts';
import { permissions } from '../../people/access/index.ts';
import type { ChangeRequestName } from '../change-requests/index.ts';
import { brokenLinks, type ContentPreview, previewChanges } from '../dry-runs/index.ts';
import { editChangeRequest } from '../editing/index.ts';
import { linkVersion } from '../links/index.ts';
import { importRedirects } from './import-redirects.ts';
import type { ImportReport } from './import-report.ts';
import { reportOf } from './report-of.ts';
import type { StoredRepository } from './store-files.ts';
import { writeRepository } from './write-repository.ts';

/**
 * Writes imported content into a change request, at the top level or below a page, and moves its head. Of a dry run,
 * which the command rolls back, it returns the revision before and a preview.
 */
export async function importIntoChangeRequest(
  ctx: Context,
  name: ChangeRequestName,
  repository: StoredRepository,
  { parentId, dryRun }: { parentId?: string | null | undefined; dryRun?: boolean | null | undefined } = {},
): Promise<ImportReport & { changeRequestId: string; spaceId: string; revisionId: string; preview?: ContentPreview }> {
  const needed = permissions.importChangeRequestContent.space;
  const { result, ...edited } = await editChangeRequest(ctx, name, needed, async ({ id: changeRequestId }, base) => {
    const broken = dryRun ? await brokenLinks(ctx, await linkVersion(ctx, base, changeRequestId)) : [];
    const { revision, report: written } = await writeRepository(ctx, base, repository, { changeRequestId, parentId });
    const report = [...(await importRedirects(ctx, base, repository, { parentId, isProposed: true })), ...written];
    if (!dryRun) return { revision, report };
    const version = await linkVersion(ctx, revision, changeRequestId);
    return { revision, report, preview: await previewChanges(ctx, { before: base, after: revision, broken, version }) };
  });
  const { report, preview } = result;
  if (!preview) return { ...edited, ...reportOf(repository, report) };
  return { ...edited, revisionId: edited.previousRevisionId, ...reportOf(repository, report), preview };
}
