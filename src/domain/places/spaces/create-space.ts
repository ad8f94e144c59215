import { z } from 'zod';
import { userIdOf } from '../../../platform/access/actor.ts';
import { nowOf } from '../../../platform/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { grantToCreator, permissions } from '../../people/access/index.ts';
import { createContent } from '../../store/heads/index.ts';
import { authorizePlace, authorizePlaceOfIds } from '../collections/index.ts';
import { placeItem } from '../placement/index.ts';
import { editMode } from './enums.ts';
import { translationLanguage } from './language.ts';
import { DEFAULT_EMOJI, spaceEmoji, spaceTitle } from './settings.ts';

export const createSpace = command({
  name: 'createSpace',
  description: 'Creates a space, the last in its parent. You become its admin.',
  input: z.object({
    organizationId: idOf('org'),
    title: spaceTitle.nullish().describe('Its name, 1 to 50 characters, not only white space. Default `Untitled`.'),
    emoji: spaceEmoji.nullish(),
    language: translationLanguage.nullish().describe('The language it is written in.'),
    editMode: editMode.nullish().describe('Whether the primary content may be edited directly. Default `LIVE`.'),
    parentId: idOf('collection')
      .nullish()
      .describe('The collection to put it in, of the same organization; null is the top level.'),
    empty: z
      .boolean()
      .nullish()
      .describe('True: it has no page. Default false: it has one empty page, titled as the space.'),
  }),
  authorize: (ctx, ids) => authorizePlaceOfIds(ctx, ids, permissions.createSpace),
  async run(ctx, { organizationId, parentId = null, ...given }) {
    const place = { organizationId, parentId };
    await authorizePlace(ctx, place, permissions.createSpace);
    const [spaceId, now] = [newId('space'), nowOf(ctx)];
    const title = given.title ?? 'Untitled';
    await placeItem(ctx, { itemId: spaceId, ...place });
    const space = await ctx.db
      .insertInto('space')
      .values({
        id: spaceId,
        organizationId,
        title,
        emoji: given.emoji ?? DEFAULT_EMOJI,
        language: given.language ?? null,
        editMode: given.editMode ?? 'live',
        mergeRules: { type: 'inherit' },
        revisionId: await createContent(ctx, { organizationId, spaceId, title, empty: given.empty ?? false }),
        createdBy: userIdOf(ctx.actor) ?? null,
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await grantToCreator(ctx, { targetId: spaceId, organizationId });
    await recordEvent(ctx, { kind: 'space_created', organizationId, spaceId });
    return { spaceId, space };
  },
});
