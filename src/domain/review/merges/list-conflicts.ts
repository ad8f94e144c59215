import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { query } from '../../../platform/operation/operation.ts';
import { cursorCodec } from '../../../platform/paging/cursor.ts';
import type { Listed, Page, Paging } from '../../../platform/paging/page.ts';
import {
  authorizeChangeRequest,
  type ChangeRequestRow,
  changeRequestFor,
  changeRequestName,
} from '../../content/change-requests/index.ts';
import { permissions } from '../../people/access/index.ts';
import { conflictsOf, type ShownConflict } from './conflicts-of.ts';

const needed = permissions.listConflicts.space;

export const listConflicts = query({
  name: 'listConflicts',
  description:
    'Lists the conflicts of merging a change request now, ordered by ID. Empty once the change request is merged.',
  input: z.object(changeRequestName),
  authorize: authorizeChangeRequest(needed),
  async run(ctx, { changeRequestId, spaceId }) {
    return conflictList(ctx, await changeRequestFor(ctx, changeRequestId, needed, { spaceId }));
  },
});

/** A paged list of conflicts, which are all computed at once. Does not check access. */
export function conflictList(ctx: Context, changeRequest: ChangeRequestRow): Listed<ShownConflict> {
  return {
    page: async (paging) => pageOf(ctx, await conflictsOf(ctx, changeRequest), paging),
    total: async () => (await conflictsOf(ctx, changeRequest)).length,
  };
}

function pageOf(ctx: Context, conflicts: ShownConflict[], { size, direction, cursor }: Paging): Page<ShownConflict> {
  const isForward = direction === 'forward';
  const codec = cursorCodec(ctx.services.secretKeys, 'changeRequest.conflicts:{}', 1);
  const [from] = cursor === undefined ? [] : codec.decode(cursor, [isForward ? 'after' : 'before']);
  const rest =
    from === undefined ? conflicts : conflicts.filter(({ id }) => (isForward ? id > String(from) : id < String(from)));
  const rows = isForward ? rest.slice(0, size) : rest.slice(Math.max(0, rest.length - size));
  const hasMore = rest.length > size && size > 0;
  return {
    rows,
    hasNext: isForward ? hasMore : cursor !== undefined,
    hasPrevious: isForward ? cursor !== undefined : hasMore,
    cursorOf: ({ id }) => codec.encode([id]),
  };
}
