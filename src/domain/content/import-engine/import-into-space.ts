import type { Context } from '../../../platform/context/context.ts';
import { conflict } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { moveHead } from '../../store/heads/index.ts';
import { headPaths } from '../../store/trees/index.ts';
import { brokenLinks, type ContentPreview, previewChanges } from '../dry-runs/index.ts';
import { headVersion } from '../links/index.ts';
import { revisionFor } from '../revisions/index.ts';
import { importRedirects } from './import-redirects.ts';
import type { ImportReport } from './import-report.ts';
import { reportOf } from './report-of.ts';
import type { StoredRepository } from './store-files.ts';
import { writeRepository } from './write-repository.ts';

/**
 * Writes imported content into a space, at the top level or below a page, and moves the head. Of a dry run, which the
 * command rolls back, it returns the revision before and a preview.
 */
export async function importIntoSpace(
  ctx: Context,
  spaceId: string,
  repository: StoredRepository,
  { parentId, dryRun }: { parentId?: string | null | undefined; dryRun?: boolean | null | undefined } = {},
): Promise<ImportReport & { spaceId: string; revisionId: string; preview?: ContentPreview }> {
  const space = await spaceFor(ctx, spaceId, permissions.importSpaceContent.space, { lock: 'for no key update' });
  rejectLocked(space);
  const { revision: head } = await revisionFor(ctx, spaceId, space.revisionId);
  const version = headVersion(spaceId, space.organizationId);
  const broken = dryRun ? await brokenLinks(ctx, version) : [];
  const { revision, source, report } = await writeRepository(ctx, head, repository, {
    lookup: headPaths(ctx.db, spaceId),
    parentId,
  });
  await moveHead(ctx, space, head, revision, source);
  const written = [...(await importRedirects(ctx, head, repository, { parentId })), ...report];
  const ids = { revisionId: revision.id, previousRevisionId: head.id };
  await recordEvent(ctx, { kind: 'space_content_updated', organizationId: space.organizationId, spaceId, ids });
  if (!dryRun) return { spaceId, revisionId: revision.id, ...reportOf(repository, written) };
  const preview = await previewChanges(ctx, { before: head, after: revision, broken, version });
  return { spaceId, revisionId: head.id, ...reportOf(repository, written), preview };
}

/** Throws CONFLICT for a space whose content can only be edited in change requests. */
export function rejectLocked({ editMode }: { editMode: 'live' | 'locked' }): void {
  if (editMode === 'locked') throw conflict('The space is locked. Import into a change request instead.');
}
