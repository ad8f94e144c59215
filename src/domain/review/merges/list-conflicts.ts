import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { query } from '../../../platform/operation/operation.ts';
import type { Listed } from '../../../platform/paging/page.ts';
import { pageById } from '../../../platform/paging/page-by-id.ts';
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
    page: async (paging) => pageById(ctx, 'changeRequest.conflicts', await conflictsOf(ctx, changeRequest), paging),
    total: async () => (await conflictsOf(ctx, changeRequest)).length,
  };
}
