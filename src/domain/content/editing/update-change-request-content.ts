import { z } from 'zod';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { baseFor } from '../../store/heads/index.ts';
import {
  authorizeChangeRequest,
  type ChangeRequestRow,
  changeRequestName,
  editableChangeRequest,
} from '../change-requests/index.ts';
import { brokenLinks, previewChanges } from '../dry-runs/index.ts';
import { linkVersion } from '../links/index.ts';
import { contentChanges } from './content-changes.ts';
import { editChangeRequest } from './edit-change-request.ts';
import { findingIn, prepareEdit } from './prepare-edit.ts';
import type { ContentUpdate } from './resources.ts';
import { writeContent } from './write-content.ts';

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
    const changeRequest = await editableChangeRequest(ctx, name, needed);
    const initialRevisionId = initialRevisionOf(changeRequest);
    return prepareEdit(ctx, { ...changeRequest, baseRevisionId, initialRevisionId }, changes);
  },
  async run(ctx, { changes: _changes, baseRevisionId, dryRun, ...name }, { changes, early }): Promise<Edited> {
    const { result, ...edited } = await editChangeRequest(ctx, name, needed, async (changeRequest, head) => {
      const base = await baseFor(ctx, head, baseRevisionId);
      const broken = dryRun ? await brokenLinks(ctx, await linkVersion(ctx, head, changeRequest.id)) : [];
      const edit = await writeContent(ctx, { base, head }, changes, {
        finding: await findingIn(ctx, base),
        changeRequestId: changeRequest.id,
        initialRevisionId: initialRevisionOf(changeRequest),
        early,
      });
      if (!dryRun) return { ...edit, preview: undefined };
      const version = await linkVersion(ctx, edit.revision, changeRequest.id);
      return { ...edit, preview: await previewChanges(ctx, { before: head, after: edit.revision, broken, version }) };
    });
    const { applied, preview } = result;
    if (!preview) return { ...edited, applied };
    return { ...edited, revisionId: edited.previousRevisionId, applied: [], preview };
  },
});

const initialRevisionOf = (changeRequest: ChangeRequestRow): string =>
  changeRequest.revisionMergedAncestorId ?? changeRequest.revisionInitialId;
