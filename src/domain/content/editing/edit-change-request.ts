import type { Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import {
  type ChangeRequestName,
  type ChangeRequestRow,
  lockForEdit,
  moveChangeRequestHead,
} from '../change-requests/index.ts';
import { revisionFor } from '../revisions/index.ts';

/**
 * Edits the content of a change request under its row lock: `write` writes a revision on top of the head, which then
 * becomes the head.
 */
export async function editChangeRequest<Written extends { revision: RevisionRow }>(
  ctx: Context,
  name: ChangeRequestName,
  needed: Role,
  write: (changeRequest: ChangeRequestRow, head: RevisionRow) => Promise<Written>,
) {
  const changeRequest = await lockForEdit(ctx, name, needed);
  const { id: changeRequestId, spaceId } = changeRequest;
  const { revision: head } = await revisionFor(ctx, spaceId, changeRequest.revisionId);
  const result = await write(changeRequest, head);
  const { id: revisionId } = result.revision;
  if (revisionId !== head.id) await moveChangeRequestHead(ctx, changeRequest, revisionId);
  return { changeRequestId, spaceId, revisionId, previousRevisionId: head.id, result };
}
