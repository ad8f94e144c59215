import { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { MovedMeanwhile } from '../../platform/database/constraints.ts';
import { conflict } from '../../platform/errors.ts';
import { command } from '../../platform/operation.ts';
import { needs } from '../access/index.ts';
import { changeRequestFor, changeRequestName, holdForEdit, moveChangeRequestHead } from '../change-requests/index.ts';
import { type RevisionRow, revisionFor } from '../revisions/index.ts';
import { changeRequestPaths, isStillHead } from './change-request-paths.ts';
import { type ContentChange, contentChanges } from './content-changes.ts';
import { writePages } from './write-pages.ts';

const needed = needs.updateChangeRequestContent.space;

export const updateChangeRequestContent = command({
  name: 'updateChangeRequestContent',
  description:
    'Edits the content of a change request: inserts, changes, moves and deletes pages, all or none, as one revision. ' +
    'A merged or archived one answers CONFLICT.',
  input: z.object({ ...changeRequestName, ...contentChanges }),
  versioned: 'changeRequestId',
  authorize: (ctx, { changeRequestId = '', spaceId }) =>
    changeRequestFor(ctx, changeRequestId, needed, { spaceId: spaceId || null }),
  async run(ctx, { changes, baseRevisionId, ...name }) {
    const changeRequest = await holdForEdit(ctx, name, needed);
    const { id: changeRequestId, space_id: spaceId, revision_id: headId } = changeRequest;
    if (baseRevisionId != null && baseRevisionId !== headId) {
      throw conflict(`The change request moved on to ${headId}; read it and send the changes again.`);
    }
    const { revision: base } = await revisionFor(ctx, spaceId, headId);
    const { revision, applied } = await write(ctx, base, changes, changeRequestId);
    if (revision.id !== base.id) await moveChangeRequestHead(ctx, changeRequest, revision.id);
    return { changeRequestId, spaceId, revisionId: revision.id, applied };
  },
});

/** Finds pages by way of the head; should that move meanwhile, the command starts again. */
async function write(ctx: Context, base: RevisionRow, changes: readonly ContentChange[], changeRequestId: string) {
  const paths = await changeRequestPaths(ctx, base);
  const written = await writePages(ctx, base, changes, { lookup: paths.lookup, changeRequestId });
  if (!(await isStillHead(ctx, base.space_id, paths))) throw new MovedMeanwhile();
  return written;
}
