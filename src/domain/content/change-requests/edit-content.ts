import type { Role } from '../../../platform/access/roles.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import { conflict } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import type { Access } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { type ChangeRequestRow, changeRequestFor } from './access.ts';

/** How an operation names a change request. */
export interface ChangeRequestName {
  changeRequestId: string;
  spaceId?: string | null | undefined;
}

/** The change request, if the caller may edit its content now: 409 once it is merged or archived. */
export async function editableChangeRequest(
  ctx: Context,
  name: ChangeRequestName,
  needed: Role,
): Promise<ChangeRequestRow> {
  return open(await changeRequestFor(ctx, name.changeRequestId, needed, { spaceId: name.spaceId }));
}

/** The same, held until the transaction ends, as `holdChangeRequest` does. */
export const holdForEdit = async (ctx: Context, name: ChangeRequestName, needed: Role): Promise<ChangeRequestRow> =>
  open(await holdChangeRequest(ctx, name, needed));

/**
 * A change request held until the transaction ends, its space before it (docs/data-model.md, Locks); what was seen is read
 * again under the lock.
 */
export async function holdChangeRequest(
  ctx: Context,
  name: ChangeRequestName,
  needed: Role,
): Promise<ChangeRequestRow & Access> {
  const seen = await changeRequestFor(ctx, name.changeRequestId, needed, { spaceId: name.spaceId });
  await spaceFor(ctx, seen.spaceId, needed, { lock: 'for key share' });
  return changeRequestFor(ctx, seen.id, needed, { lock: 'for no key update' });
}

/**
 * Moves the head of a change request that is held. `mergedAncestorId` is the revision of the primary content that it has
 * in it from now on, after an update.
 */
export async function moveChangeRequestHead(
  ctx: Context,
  held: ChangeRequestRow,
  revisionId: string,
  mergedAncestorId?: string,
): Promise<void> {
  await ctx.db
    .updateTable('change_request')
    .set({ revisionId, revisionMergedAncestorId: mergedAncestorId, updatedAt: nowOf(ctx) })
    .where('id', '=', held.id)
    .execute();
  await recordEvent(ctx, {
    kind: 'change_request_content_updated',
    organizationId: held.organizationId,
    spaceId: held.spaceId,
    ids: { changeRequestId: held.id, revisionId },
  });
}

function open(changeRequest: ChangeRequestRow): ChangeRequestRow {
  const { status } = changeRequest;
  if (status !== 'merged' && status !== 'archived') return changeRequest;
  throw conflict(`This change request is ${status}; open another one.`);
}
