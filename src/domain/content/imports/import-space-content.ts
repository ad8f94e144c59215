import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { conflict } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { moveHead } from '../../store/heads/index.ts';
import { headPaths } from '../../store/trees/index.ts';
import { revisionFor } from '../revisions/index.ts';
import { importInput } from './import-input.ts';
import { nameContent } from './name-content.ts';
import { prepareImport } from './prepare-import.ts';
import { reportOf } from './report-of.ts';
import type { StoredRepository } from './store-files.ts';
import { writeRepository } from './write-repository.ts';

export const importSpaceContent = command({
  name: 'importSpaceContent',
  takesLong: true,
  description:
    'Imports a website, a document, an archive or an export into the primary content of a space, after the existing pages. ' +
    'The page tree, links and images are preserved. What cannot be imported unchanged is reported. ' +
    'Limited to 2,000 pages and 30 seconds. For larger imports, use `startImportRun`.',
  input: z.object({ spaceId: idOf('space'), ...importInput }),
  versioned: 'spaceId',
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, permissions.importSpaceContent.space),
  async prepare(ctx, { spaceId, url, source }) {
    const space = await spaceFor(ctx, spaceId, permissions.importSpaceContent.space);
    rejectLocked(space.editMode);
    const repository = await prepareImport(ctx, space.organizationId, { url, source });
    return nameContent(ctx, repository, space.revisionId);
  },
  run: (ctx, { spaceId }, repository) => importIntoSpace(ctx, spaceId, repository),
});

/** Writes imported content into a space, at the top level or below a page, and moves the head. */
export async function importIntoSpace(
  ctx: Context,
  spaceId: string,
  repository: StoredRepository,
  parentId?: string | null,
) {
  const space = await spaceFor(ctx, spaceId, permissions.importSpaceContent.space, { lock: 'for no key update' });
  rejectLocked(space.editMode);
  const { revision: head } = await revisionFor(ctx, spaceId, space.revisionId);
  const { revision, source } = await writeRepository(ctx, head, repository, {
    lookup: headPaths(ctx.db, spaceId),
    parentId,
  });
  await moveHead(ctx, space, head, revision, source);
  const ids = { revisionId: revision.id };
  await recordEvent(ctx, { kind: 'space_content_updated', organizationId: space.organizationId, spaceId, ids });
  return { spaceId, revisionId: revision.id, ...reportOf(repository) };
}

function rejectLocked(mode: 'live' | 'locked'): void {
  if (mode === 'locked') throw conflict('The space is locked. Import into a change request instead.');
}
