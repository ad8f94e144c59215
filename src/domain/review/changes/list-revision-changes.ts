import { z } from 'zod';
import { isPreviewing } from '../../../platform/access/actor.ts';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { forbidden } from '../../../platform/errors/errors.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import type { Listed } from '../../../platform/paging/page.ts';
import { loadRevision, revisionFor } from '../../content/revisions/index.ts';
import { accessLoader, permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { type ChangeRow, changesBetween } from './change-list.ts';

/** Changes for REST, which returns the first `limit` of them and counts the rest. */
export interface ChangeList extends Listed<ChangeRow> {
  limit: number;
  /** The later revision. */
  revision: RevisionRow;
}

export const changeLimit = z
  .int()
  .min(0)
  .max(100)
  .default(10)
  .describe('Maximum number of changes to return, 0 to 100. `more` is the number of further changes.');

const needed = permissions.listRevisionChanges.space;

/** Previews of a site show the history of its spaces. */
const neededFor = ({ actor }: Context, spaceId: string) => (isPreviewing(actor, spaceId) ? 'view' : needed);

export const listRevisionChanges = query({
  name: 'listRevisionChanges',
  description:
    'Lists the changes of a revision to pages, files, reusable contents and variables, compared with its first parent. ' +
    'For a revision without a parent, all of its content is new.',
  openToPreviews: true,
  input: z.object({
    spaceId: idOf('space'),
    revisionId: idOf('rev'),
    limit: changeLimit,
    metadata: z.boolean().default(true).describe('Whether to include Git metadata.'),
    computed: z.boolean().default(true).describe('Whether to include computed content.'),
  }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, neededFor(ctx, spaceId)),
  async run(ctx, { spaceId, revisionId, limit }): Promise<ChangeList> {
    await spaceFor(ctx, spaceId, neededFor(ctx, spaceId));
    const { revision } = await revisionFor(ctx, spaceId, revisionId);
    return { ...(await changesOfRevision(ctx, revision)), limit, revision };
  },
});

/**
 * The changes of a revision that the caller can see. Throws FORBIDDEN without a role on the space, which its history
 * requires.
 */
export async function changesOfRevision(ctx: Context, revision: RevisionRow): Promise<Listed<ChangeRow>> {
  const access = await accessLoader.space(ctx, revision.spaceId);
  if (!atLeast(access?.role ?? null, needed) && !isPreviewing(ctx.actor, revision.spaceId))
    throw forbidden('Viewing the changes of a revision requires a role on the space.');
  const [parentId] = revision.parents;
  const parent = parentId === undefined ? null : await loadRevision(ctx, parentId);
  return changesBetween(ctx, parent ?? null, revision);
}
