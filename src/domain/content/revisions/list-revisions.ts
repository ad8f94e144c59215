import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { inSpacesWith, permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';

const needed = permissions.listRevisions.space;

/** Revisions of the primary content of a space. Empty for callers who only have access through a published site. */
export const revisionsOfSpace = listing<object, RevisionRow>({
  isShared: true,
  name: 'space.revisions',
  select: sql`r.*`,
  around: inSpacesWith(needed),
  // A revision that was read from a branch is in the history only once it has become the head, which writes its
  // summary.
  from: (spaceId) => sql`
    from revision r where r.space_id = ${spaceId} and r.change_request_id is null
      and (r.git is null or r.summary is not null or r.parents = '{}')`,
  order: () => [
    { by: sql`r.created_at`, key: 'createdAt', direction: 'desc', type: 'timestamptz' },
    { by: sql`r.id`, key: 'id', direction: 'desc', type: 'text' },
  ],
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
