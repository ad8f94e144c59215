import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { permissions, spaceLists } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';

const needed = permissions.listRevisions.space;

/** Revisions of the primary content of a space. Empty for callers who only have access through a published site. */
export const revisionsOfSpace = listing<object, RevisionRow>({
  name: 'space.revisions',
  from: 'revision as r',
  parent: 'spaceId',
  where: [
    sql`r.change_request_id is null`,
    // A revision that was read from a branch is in the history only once it has become the head, which writes its
    // summary.
    sql`(r.git is null or r.summary is not null or r.parents = '{}')`,
  ],
  order: newestFirst,
  access: spaceLists(needed),
});

export const listRevisions = query({
  name: 'listRevisions',
  description:
    'Lists the history of a space: the revisions of its primary content, newest first. Requires a role on the space.',
  input: z.object({ spaceId: idOf('space') }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, needed),
  async run(ctx, { spaceId }) {
    await spaceFor(ctx, spaceId, needed);
    return revisionsOfSpace(ctx, spaceId, {});
  },
});
