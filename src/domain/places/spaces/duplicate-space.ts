import { z } from 'zod';
import { userIdOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import { ApiError, conflict, forbidden } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids.ts';
import { command } from '../../../platform/operation.ts';
import { cutTo } from '../../../platform/text.ts';
import { grantToCreator, permissions } from '../../people/access/index.ts';
import { duplicateContent } from '../../store/heads/index.ts';
import { authorizePlace } from '../collections/index.ts';
import { type Place, parentNow, placeItem } from '../placement/index.ts';
import { type SpaceRow, spaceFor } from './access.ts';
import { spaceId } from './settings.ts';

const needed = permissions.duplicateSpace;

export const duplicateSpace = command({
  name: 'duplicateSpace',
  description:
    'Copies the content and appearance of a space, without comments, change requests and permissions. The copy is placed after the space, with ` (copy)` added to the title. You become its admin.',
  input: z.object({ spaceId }),
  authorize: (ctx, ids) => placeOfCopy(ctx, ids.spaceId ?? ''),
  async run(ctx, input) {
    const { id, ...place } = await placeOfCopy(ctx, input.spaceId);
    const source = await spaceFor(ctx, id, needed.space, { lock: 'for no key update' });
    if (((await parentNow(ctx, id)) ?? null) !== place.parentId) {
      throw conflict('The space was moved at the same time. Try again.');
    }
    const space = await copyTo(ctx, source, place);
    const ids = { copiedSpaceId: id };
    const { organizationId } = place;
    await recordEvent(ctx, { kind: 'space_created', organizationId, spaceId: space.id, ids });
    return { spaceId: space.id, space };
  },
});

/** The space and the place of its copy, if the caller can create a space there. */
async function placeOfCopy(ctx: Context, spaceId: string): Promise<Place & { id: string }> {
  const { id, organizationId } = await spaceFor(ctx, spaceId, needed.space, { changesAccess: true });
  const place = { organizationId, parentId: (await parentNow(ctx, id)) ?? null };
  await authorizePlace(ctx, place, needed).catch(rejectUnseenPlace);
  return { id, ...place };
}

/** FORBIDDEN if the caller sees the space but not its parent. */
function rejectUnseenPlace(error: unknown): never {
  const isUnseen = error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'BAD_USER_INPUT');
  throw isUnseen ? forbidden('The copy would be created beside the space, where you cannot create content.') : error;
}

async function copyTo(ctx: Context, source: SpaceRow, place: Place) {
  const [id, now] = [newId('space'), nowOf(ctx)];
  await placeItem(ctx, { itemId: id, ...place, position: { afterId: source.id } });
  const copy = await ctx.db
    .insertInto('space')
    .values({
      id,
      organizationId: place.organizationId,
      title: titleOfCopy(source.title),
      emoji: source.emoji,
      icon: source.icon,
      language: source.language,
      editMode: source.editMode,
      mergeRules: source.mergeRules,
      // Grants are not copied, but the copy must not be visible to more people than its source.
      defaultLevel: source.defaultLevel,
      revisionId: await duplicateContent(ctx, { from: source, toSpaceId: id, organizationId: place.organizationId }),
      createdBy: userIdOf(ctx.actor) ?? null,
      createdAt: now,
      updatedAt: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await grantToCreator(ctx, { targetId: id, organizationId: place.organizationId });
  return copy;
}

const SUFFIX = ' (copy)';

/** A title of at most 50 characters that ends in the suffix. */
const titleOfCopy = (title: string) => cutTo(50 - SUFFIX.length, title) + SUFFIX;
