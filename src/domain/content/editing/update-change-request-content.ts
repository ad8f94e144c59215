import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { baseFor } from '../../store/heads/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { authorizeChangeRequest, changeRequestName, editableChangeRequest } from '../change-requests/index.ts';
import { brokenLinks, previewOf } from '../dry-runs/index.ts';
import { versionOf } from '../links/index.ts';
import { revisionFor } from '../revisions/index.ts';
import { changeRequestPaths, isStillHead } from './change-request-paths.ts';
import { contentChanges } from './content-changes.ts';
import { editChangeRequest } from './edit-change-request.ts';
import { prepareChanges } from './prepare-changes.ts';
import type { ContentUpdate } from './resources.ts';
import { type Finding, writeContent } from './write-content.ts';

type Edited = ContentUpdate & { changeRequestId: string };

const needed = permissions.updateChangeRequestContent.space;

export const updateChangeRequestContent = command({
  name: 'updateChangeRequestContent',
  scope: 'propose',
  description:
    'Edits pages, files, reusable contents and variables in a change request. Either all changes are applied, as one revision, or ' +
    'none. CONFLICT if the change request is merged or archived.',
  input: z.object({ ...changeRequestName, ...contentChanges }),
  versioned: 'changeRequestId',
  canDryRun: true,
  authorize: authorizeChangeRequest(needed),
  async prepare(ctx, { changes, baseRevisionId, dryRun: _dryRun, ...name }) {
    const { organizationId, spaceId, revisionId } = await editableChangeRequest(ctx, name, needed);
    return prepareChanges(ctx, organizationId, changes, async () =>
      baseFor(ctx, (await revisionFor(ctx, spaceId, revisionId)).revision, baseRevisionId),
    );
  },
  async run(ctx, { changes: _changes, baseRevisionId, dryRun, ...name }, changes): Promise<Edited> {
    const { result, ...edited } = await editChangeRequest(ctx, name, needed, async (changeRequest, head) => {
      const base = await baseFor(ctx, head, baseRevisionId);
      const broken = dryRun ? await brokenLinks(ctx, await versionOf(ctx, head, changeRequest.id)) : [];
      const edit = await writeContent(ctx, { base, head }, changes, {
        finding: await findingIn(ctx, base),
        changeRequestId: changeRequest.id,
        initialRevisionId: changeRequest.revisionMergedAncestorId ?? changeRequest.revisionInitialId,
      });
      if (!dryRun) return { ...edit, preview: undefined };
      const version = await versionOf(ctx, edit.revision, changeRequest.id);
      return { ...edit, preview: await previewOf(ctx, { before: head, after: edit.revision, broken, version }) };
    });
    const { applied, preview } = result;
    if (!preview) return { ...edited, applied };
    return { ...edited, revisionId: edited.previousRevisionId, applied: [], preview };
  },
});

/** Finds pages by the projection of the head of the space, which a merge or a direct edit can move meanwhile. */
async function findingIn(ctx: Context, base: RevisionRow): Promise<Finding> {
  const paths = await changeRequestPaths(ctx, base);
  return { lookup: paths.lookup, isCurrent: () => isStillHead(ctx, base.spaceId, paths) };
}
