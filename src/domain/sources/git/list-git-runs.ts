import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { inSpacesWith, permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { GIT_RUN_COLUMNS, type GitRunRow } from './access.ts';

const needed = permissions.listGitRuns.space;

export const gitRunsOfSpace = listing<object, GitRunRow>({
  name: 'space.gitRuns',
  select: sql.join(GIT_RUN_COLUMNS.map((column) => sql.ref(`gr.${column}`))),
  around: inSpacesWith(needed),
  from: (spaceId) => sql`from git_run gr where gr.space_id = ${spaceId}`,
  order: () => [
    { by: sql`gr.created_at`, key: 'createdAt', direction: 'desc', type: 'timestamptz' },
    { by: sql`gr.id`, key: 'id', direction: 'desc', type: 'text' },
  ],
});

export const listGitRuns = query({
  name: 'listGitRuns',
  description:
    'Lists the imports from and exports to Git branches of a space, newest first. Empty without `create` on the space.',
  input: z.object({ spaceId: idOf('space') }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, needed),
  async run(ctx, { spaceId }) {
    await spaceFor(ctx, spaceId, needed);
    return gitRunsOfSpace(ctx, spaceId, {});
  },
});
