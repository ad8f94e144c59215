import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { permissions, spaceLists } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { GIT_RUN_COLUMNS, type GitRunRow } from './access.ts';

const needed = permissions.listGitRuns.space;

export const gitRunsOfSpace = listing<object, GitRunRow>({
  name: 'space.gitRuns',
  from: 'git_run as gr',
  select: sql.join(GIT_RUN_COLUMNS.map((column) => sql.ref(`gr.${column}`))),
  parent: 'spaceId',
  order: newestFirst,
  access: spaceLists(needed),
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
