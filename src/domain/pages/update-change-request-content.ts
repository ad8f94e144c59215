import { z } from 'zod';
import { type Context, nowOf } from '../../platform/context.ts';
import { MovedMeanwhile } from '../../platform/database/constraints.ts';
import { conflict } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/record-event.ts';
import { command, idOf } from '../../platform/operation.ts';
import { needs } from '../access/index.ts';
import { changeRequestFor } from '../change-requests/index.ts';
import { type RevisionRow, revisionFor } from '../revisions/index.ts';
import { spaceFor } from '../spaces/index.ts';
import { changeRequestPaths, isStillHead } from './change-request-paths.ts';
import { type ContentChange, contentChanges } from './content-changes.ts';
import { writePages } from './write-pages.ts';

const needed = needs.updateChangeRequestContent.space;

export const updateChangeRequestContent = command({
  name: 'updateChangeRequestContent',
  description:
    'Edits the content of a change request: inserts, changes, moves and deletes pages, all or none, as one revision. ' +
    'A merged or archived one answers CONFLICT.',
  input: z.object({
    changeRequestId: idOf('cr'),
    spaceId: idOf('space').nullish().describe('The space that it must belong to.'),
    ...contentChanges,
  }),
  versioned: 'changeRequestId',
  authorize: (ctx, { changeRequestId = '', spaceId }) =>
    changeRequestFor(ctx, changeRequestId, needed, { ...(spaceId ? { spaceId } : {}) }),
  async run(ctx, { changeRequestId: given, spaceId: within, changes, baseRevisionId }) {
    const seen = await changeRequestFor(ctx, given, needed, { ...(within ? { spaceId: within } : {}) });
    // The space before the change request (entities.md, "Locks"); what was seen is read again under the lock.
    await spaceFor(ctx, seen.space_id, needed, { lock: 'for key share' });
    const changeRequest = await changeRequestFor(ctx, seen.id, needed, { lock: 'for no key update' });
    refuseClosed(changeRequest.status);
    if (baseRevisionId != null && baseRevisionId !== changeRequest.revision_id) {
      throw conflict(
        `The change request moved on to ${changeRequest.revision_id}; read it and send the changes again.`,
      );
    }
    const { revision: base } = await revisionFor(ctx, changeRequest.space_id, changeRequest.revision_id);
    const { revision, applied } = await write(ctx, base, changes, changeRequest.id);
    if (revision.id !== base.id) {
      await ctx.db
        .updateTable('change_request')
        .set({ revision_id: revision.id, updated_at: nowOf(ctx) })
        .where('id', '=', changeRequest.id)
        .execute();
      await recordEvent(ctx, {
        kind: 'change_request_content_updated',
        organizationId: changeRequest.organization_id,
        spaceId: changeRequest.space_id,
        ids: { changeRequestId: changeRequest.id, revisionId: revision.id },
      });
    }
    return { changeRequestId: changeRequest.id, spaceId: changeRequest.space_id, revisionId: revision.id, applied };
  },
});

/** Refuses edits of what is no longer worked on. */
export function refuseClosed(status: string): void {
  if (status === 'merged' || status === 'archived')
    throw conflict(`This change request is ${status}; open another one.`);
}

/** Finds pages by way of the head; should that move meanwhile, the command starts again. */
async function write(ctx: Context, base: RevisionRow, changes: readonly ContentChange[], changeRequestId: string) {
  const paths = await changeRequestPaths(ctx, base);
  const written = await writePages(ctx, base, changes, { lookup: paths.lookup, changeRequestId });
  if (!(await isStillHead(ctx, base.space_id, paths))) throw new MovedMeanwhile();
  return written;
}
