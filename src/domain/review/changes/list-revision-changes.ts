import { z } from 'zod';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { forbidden } from '../../../platform/errors.ts';
import { idOf, query } from '../../../platform/operation.ts';
import type { Listed } from '../../../platform/paging/page.ts';
import { loadRevision, revisionFor } from '../../content/revisions/index.ts';
import { accessOn, permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { type ChangeRow, changesBetween } from './change-list.ts';

/** A list of changes with what REST asks of it: it has no pages, but says how many more there are. */
export interface ChangeList extends Listed<ChangeRow> {
  limit: number;
  /** The revision that the changes lead to. */
  revision: RevisionRow;
}

export const changeLimit = z
  .int()
  .min(0)
  .max(100)
  .default(10)
  .describe('How many changes are shown at most, 0 to 100; the rest is counted.');

const needed = permissions.listRevisionChanges.space;

export const listRevisionChanges = query({
  name: 'listRevisionChanges',
  description:
    'What a revision changed against the one that it was made from, the first of its parents: pages, files, reusable ' +
    'contents and variables. All of it on a revision without a parent.',
  input: z.object({
    spaceId: idOf('space'),
    revisionId: idOf('rev'),
    limit: changeLimit,
    metadata: z.boolean().default(true).describe('Whether git metadata is included.'),
    computed: z.boolean().default(true).describe('Whether computed pages are computed.'),
  }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, needed),
  async run(ctx, { spaceId, revisionId, limit }): Promise<ChangeList> {
    await spaceFor(ctx, spaceId, needed);
    const { revision } = await revisionFor(ctx, spaceId, revisionId);
    return { ...(await changesOfRevision(ctx, revision)), limit, revision };
  },
});

/** The changes of a revision that the caller may see; what came before is history, which not everybody may see. */
export async function changesOfRevision(ctx: Context, revision: RevisionRow): Promise<Listed<ChangeRow>> {
  const access = await accessOn.space(ctx, revision.spaceId);
  if (!atLeast(access?.role ?? null, needed)) throw forbidden('Only readers of the space see what changed in it.');
  const [parentId] = revision.parents;
  const parent = parentId === undefined ? null : await loadRevision(ctx, parentId);
  return changesBetween(ctx, parent ?? null, revision);
}
