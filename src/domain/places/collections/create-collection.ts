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

/** Maximum depth of nested collections. */
export const MAX_COLLECTION_DEPTH = 10;

export const createCollection = command({
  name: 'createCollection',
  description: 'Creates an empty collection at the end of its parent. You become its admin.',
  input: z.object({
    organizationId: idOf('org'),
    title: nameOf(50)
      .nullish()
      .describe('Name of the collection, 1 to 50 characters, not only whitespace. Default `Untitled`.'),
    description: textOf(0, 100)
      .nullish()
      .describe('Description of the collection, up to 100 characters. Empty by default.'),
    parentId: idOf('collection')
      .nullish()
      .describe(
        `ID of the parent collection in the same organization. Null for the top level. Collections can be nested up to ${MAX_COLLECTION_DEPTH} levels deep.`,
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
  throw badInput(
    ['parentId'],
    `Collections can be nested up to ${MAX_COLLECTION_DEPTH} levels deep. Choose a parent at a higher level.`,
  );
}
