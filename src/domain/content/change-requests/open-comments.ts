import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';

const load = sharedLoader<number>('change-request:open-comments', async (db, ids) => {
  const rows = await db
    .selectFrom('change_request as cr')
    .innerJoin('comment as c', (on) =>
      on.onRef('c.spaceId', '=', 'cr.spaceId').onRef('c.changeRequestId', '=', 'cr.id'),
    )
    .where('cr.id', '=', anyOf(ids))
    .where('c.resolvedAt', 'is', null)
    .groupBy('cr.id')
    .select(({ fn }) => ['cr.id', fn.countAll<number>().as('open')])
    .execute();
  return new Map(rows.map(({ id, open }) => [id, open]));
});

/** Number of open comments on a change request, batched. Does not check access. */
export const openCommentsOfChangeRequest = async (ctx: Context, id: string) => (await load(ctx, id)) ?? 0;
