import { sql } from 'kysely';
import { z } from 'zod';
import { userIdOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import { badInput } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { nameOf, textOf } from '../../../platform/text.ts';
import { grantToCreator, permissions } from '../../people/access/index.ts';
import { placeItem } from '../placement/index.ts';
import { authorizePlace, authorizePlaceOfIds } from './access.ts';

/** Collections stand in one another at most so deep (docs/decisions.md, Collections). */
export const MAX_COLLECTION_DEPTH = 10;

export const createCollection = command({
  name: 'createCollection',
  description: 'Creates an empty collection, the last in its parent. You become its admin.',
  input: z.object({
    organizationId: idOf('org'),
    title: nameOf(50).nullish().describe('Its name, 1 to 50 characters, not only white space. Default `Untitled`.'),
    description: textOf(0, 100).nullish().describe('What it holds, up to 100 characters. Default empty.'),
    parentId: idOf('collection')
      .nullish()
      .describe(
        `The collection to put it in, of the same organization; null is the top level. Collections nest at most ${MAX_COLLECTION_DEPTH} deep.`,
      ),
  }),
  authorize: (ctx, ids) => authorizePlaceOfIds(ctx, ids, permissions.createCollection),
  async run(ctx, { organizationId, title, description, parentId = null }) {
    const place = { organizationId, parentId };
    await authorizePlace(ctx, place, permissions.createCollection, { treeChanges: true });
    if (parentId !== null) await rejectTooDeep(ctx, parentId);
    const collectionId = newId('collection');
    const now = nowOf(ctx);
    await placeItem(ctx, { itemId: collectionId, ...place });
    const collection = await ctx.db
      .insertInto('collection')
      .values({
        id: collectionId,
        organizationId,
        title: title ?? 'Untitled',
        description: description ?? '',
        createdBy: userIdOf(ctx.actor) ?? null,
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await grantToCreator(ctx, { targetId: collectionId, organizationId });
    await recordEvent(ctx, { kind: 'collection_created', organizationId, ids: { collectionId } });
    return { collection };
  },
});

async function rejectTooDeep(ctx: Context, parentId: string): Promise<void> {
  const { rows } = await sql<{ depth: number }>`
    with recursive above(id, depth) as (
      select ${parentId}::text, 1
      union all
      select p.parent_id, above.depth + 1
      from above join placement p on p.item_id = above.id
      where p.parent_id <> p.organization_id and above.depth < ${sql.lit(MAX_COLLECTION_DEPTH)}
    )
    select max(depth) as depth from above`.execute(ctx.db);
  if ((rows[0]?.depth ?? 0) < MAX_COLLECTION_DEPTH) return;
  throw badInput(['parentId'], `Collections nest at most ${MAX_COLLECTION_DEPTH} deep; choose a parent further up.`);
}
