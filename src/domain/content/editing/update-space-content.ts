import { z } from 'zod';
import { conflict } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { baseFor, moveHead } from '../../store/heads/index.ts';
import { headPaths } from '../../store/trees/index.ts';
import { brokenLinks, previewChanges } from '../dry-runs/index.ts';
import { headVersion } from '../links/index.ts';
import { revisionFor } from '../revisions/index.ts';
import { changeRequestPaths } from './change-request-paths.ts';
import { contentChanges } from './content-changes.ts';
import { prepareEdit } from './prepare-edit.ts';
import type { ContentUpdate } from './resources.ts';
import { writeContent } from './write-content.ts';

export const updateSpaceContent = command({
  name: 'updateSpaceContent',
  scope: 'write',
  description:
    'Edits pages, files, reusable contents and variables in the primary content of a space. Either all changes are applied, as ' +
    'one revision, or none. CONFLICT if the space is locked: create a change request instead.',
  input: z.object({ spaceId: idOf('space'), ...contentChanges }),
  versioned: 'spaceId',
  canDryRun: true,
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, permissions.updateSpaceContent.space),
  async prepare(ctx, { spaceId, changes, baseRevisionId }) {
    const space = rejectLocked(await spaceFor(ctx, spaceId, permissions.updateSpaceContent.space));
    return prepareEdit(ctx, { ...space, spaceId, baseRevisionId }, changes);
  },
  async run(ctx, { spaceId, baseRevisionId, dryRun }, { changes, early }): Promise<ContentUpdate> {
    const space = rejectLocked(
      await spaceFor(ctx, spaceId, permissions.updateSpaceContent.space, { lock: 'for no key update' }),
    );
    const { revision: head } = await revisionFor(ctx, spaceId, space.revisionId);
    const base = await baseFor(ctx, head, baseRevisionId);
    const finding = base === head ? { lookup: headPaths(ctx.db, spaceId) } : await changeRequestPaths(ctx, base);
    const version = headVersion(spaceId, space.organizationId);
    const broken = dryRun ? await brokenLinks(ctx, version) : [];
    const { revision, applied, source } = await writeContent(ctx, { base, head }, changes, { finding, early });
    if (revision.id !== head.id) {
      await moveHead(ctx, space, head, revision, source);
      const ids = { revisionId: revision.id, previousRevisionId: head.id };
      await recordEvent(ctx, { kind: 'space_content_updated', organizationId: space.organizationId, spaceId, ids });
    }
    if (!dryRun) return { spaceId, revisionId: revision.id, previousRevisionId: head.id, applied };
    const preview = await previewChanges(ctx, { before: head, after: revision, broken, version });
    return { spaceId, revisionId: head.id, previousRevisionId: head.id, applied: [], preview };
  },
});

function rejectLocked<Space extends { editMode: 'live' | 'locked' }>(space: Space): Space {
  if (space.editMode === 'live') return space;
  throw conflict('The space is locked. Create a change request to edit its content.');
}
