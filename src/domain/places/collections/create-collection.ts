import { z } from 'zod';
import { userIdOf } from '../../../platform/access/actor.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { grantToCreator, permissions } from '../../people/access/index.ts';
import { placeItem } from '../placement/index.ts';
import { authorizePlace, authorizePlaceOfIds } from './access.ts';
import { MAX_COLLECTION_DEPTH, rejectTooDeep } from './nesting.ts';
import { collectionDescription, collectionTitle } from './settings.ts';

export const createCollection = command({
  name: 'createCollection',
  scope: 'write',
  description: 'Creates an empty collection at the end of its parent. You become its admin.',
  input: z.object({
    organizationId: idOf('org'),
    title: collectionTitle
      .nullish()
      .describe('Name of the collection, 1 to 50 characters, not only whitespace. Default `Untitled`.'),
    description: collectionDescription.nullish(),
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
