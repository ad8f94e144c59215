import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { command } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { baseFor } from '../../store/heads/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import {
  changeRequestFor,
  changeRequestName,
  editableChangeRequest,
  holdForEdit,
  moveChangeRequestHead,
} from '../change-requests/index.ts';
import { revisionFor } from '../revisions/index.ts';
import { changeRequestPaths, isStillHead } from './change-request-paths.ts';
import { contentChanges } from './content-changes.ts';
import { prepareChanges } from './prepare-changes.ts';
import { type Finding, writeContent } from './write-content.ts';

const needed = permissions.updateChangeRequestContent.space;

export const updateChangeRequestContent = command({
  name: 'updateChangeRequestContent',
  description:
    'Edits the content of a change request: pages, files, reusable contents and variables, all changes or none, as one ' +
    'revision. ' +
    'A merged or archived one answers CONFLICT.',
  input: z.object({ ...changeRequestName, ...contentChanges }),
  versioned: 'changeRequestId',
  authorize: (ctx, { changeRequestId = '', spaceId }) =>
    changeRequestFor(ctx, changeRequestId, needed, { spaceId: spaceId || null }),
  async prepare(ctx, { changes, baseRevisionId, ...name }) {
    const { organizationId, spaceId, revisionId } = await editableChangeRequest(ctx, name, needed);
    return prepareChanges(ctx, organizationId, changes, async () =>
      baseFor(ctx, (await revisionFor(ctx, spaceId, revisionId)).revision, baseRevisionId),
    );
  },
  async run(ctx, { changes: _changes, baseRevisionId, ...name }, changes) {
    const changeRequest = await holdForEdit(ctx, name, needed);
    const { id: changeRequestId, spaceId, revisionId: headId } = changeRequest;
    const { revision: head } = await revisionFor(ctx, spaceId, headId);
    const base = await baseFor(ctx, head, baseRevisionId);
    const finding = await findingIn(ctx, base);
    const { revision, applied } = await writeContent(ctx, { base, head }, changes, {
      finding,
      changeRequestId,
      initialRevisionId: changeRequest.revisionMergedAncestorId ?? changeRequest.revisionInitialId,
    });
    if (revision.id !== head.id) await moveChangeRequestHead(ctx, changeRequest, revision.id);
    return { changeRequestId, spaceId, revisionId: revision.id, applied };
  },
});

/** Finds pages by way of the space's head, which a merge or a direct edit may move meanwhile. */
async function findingIn(ctx: Context, base: RevisionRow): Promise<Finding> {
  const paths = await changeRequestPaths(ctx, base);
  return { lookup: paths.lookup, isCurrent: () => isStillHead(ctx, base.spaceId, paths) };
}
