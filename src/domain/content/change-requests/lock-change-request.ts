import type { Role } from '../../../platform/access/roles.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { conflict } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import type { Loaded } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { type ChangeRequestRow, changeRequestFor } from './access.ts';

/** Names a change request in the input of an operation. */
export interface ChangeRequestName {
  changeRequestId: string;
  spaceId?: string | null | undefined;
}

/** Loads a change request whose content the caller may edit. Throws CONFLICT if it is merged or archived. */
export async function editableChangeRequest(
  ctx: Context,
  name: ChangeRequestName,
  needed: Role,
): Promise<ChangeRequestRow> {
  return open(await changeRequestFor(ctx, name.changeRequestId, needed, { spaceId: name.spaceId }));
}

/** Like `editableChangeRequest`, with the row locks of `lockChangeRequest`. */
export const lockForEdit = async (ctx: Context, name: ChangeRequestName, needed: Role): Promise<ChangeRequestRow> =>
  open(await lockChangeRequest(ctx, name, needed));

/**
 * Locks a change request until the transaction ends. Its space is locked first, since all operations lock in that
 * order; the rows are read again under the locks.
 */
export async function lockChangeRequest(
  ctx: Context,
  name: ChangeRequestName,
  needed: Role,
): Promise<ChangeRequestRow & Loaded> {
  const { changeRequestId, spaceId } = name;
  const seen = await changeRequestFor(ctx, changeRequestId, needed, { spaceId });
  await spaceFor(ctx, seen.spaceId, needed, { lock: 'for key share' });
  return changeRequestFor(ctx, seen.id, needed, { lock: 'for no key update' });
}

/**
 * Sets the current revision of a locked change request. After an update, `mergedAncestorId` is the revision of the
 * primary content that was pulled in.
 */
export async function moveChangeRequestHead(
  ctx: Context,
  changeRequest: ChangeRequestRow,
  revisionId: string,
  mergedAncestorId?: string,
): Promise<void> {
  await ctx.db
    .updateTable('change_request')
    .set({ revisionId, revisionMergedAncestorId: mergedAncestorId, updatedAt: nowOf(ctx) })
    .where('id', '=', changeRequest.id)
    .execute();
  await recordEvent(ctx, {
    kind: 'change_request_content_updated',
    organizationId: changeRequest.organizationId,
    spaceId: changeRequest.spaceId,
    ids: { changeRequestId: changeRequest.id, revisionId, previousRevisionId: changeRequest.revisionId },
  });
}

function open(changeRequest: ChangeRequestRow): ChangeRequestRow {
  const { status } = changeRequest;
  if (status !== 'merged' && status !== 'archived') return changeRequest;
  throw conflict(`The change request is ${status}. Create a new one.`);
}
