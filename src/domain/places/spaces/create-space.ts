import { z } from 'zod';
import { userIdOf } from '../../../platform/access/actor.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { grantToCreator, permissions } from '../../people/access/index.ts';
import { createContent } from '../../store/heads/index.ts';
import { authorizePlace, authorizePlaceOfIds } from '../collections/index.ts';
import { placeItem } from '../placement/index.ts';
import { editMode } from './enums.ts';
import { translationLanguage } from './language.ts';
import { DEFAULT_EMOJI, spaceEmoji, spaceTitle } from './settings.ts';

export const createSpace = command({
  name: 'createSpace',
  scope: 'write',
  description: 'Creates a space at the end of its parent. You become its admin.',
  input: z.object({
    organizationId: idOf('org'),
    title: spaceTitle
      .nullish()
      .describe('Title of the space, 1 to 50 characters, not only whitespace. Default `Untitled`.'),
    emoji: spaceEmoji.nullish(),
    language: translationLanguage.nullish().describe('Language of the content. Unknown by default.'),
    editMode: editMode.nullish().describe('Whether the primary content can be edited directly. By default, it can.'),
    parentId: idOf('collection')
      .nullish()
      .describe('ID of the parent collection in the same organization. Null for the top level.'),
    empty: z
      .boolean()
      .nullish()
      .describe(
        'Whether to create the space without pages. By default, it has one empty page with the title of the space.',
      ),
  }),
  authorize: (ctx, ids) => authorizePlaceOfIds(ctx, ids, permissions.createSpace),
  async run(ctx, { organizationId, parentId = null, ...settings }) {
    const place = { organizationId, parentId };
    await authorizePlace(ctx, place, permissions.createSpace);
    const [spaceId, now] = [newId('space'), nowOf(ctx)];
    const title = settings.title ?? 'Untitled';
    await placeItem(ctx, { itemId: spaceId, ...place });
    const space = await ctx.db
      .insertInto('space')
      .values({
        id: spaceId,
        organizationId,
        title,
        emoji: settings.emoji ?? DEFAULT_EMOJI,
        language: settings.language ?? null,
        editMode: settings.editMode ?? 'live',
        mergeRules: { type: 'inherit' },
        revisionId: await createContent(ctx, { organizationId, spaceId, title, empty: settings.empty ?? false }),
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
