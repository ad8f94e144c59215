import { userIdOf } from '../../../platform/access/actor.ts';
import type { Role } from '../../../platform/access/roles.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { ApiError, forbidden } from '../../../platform/errors/errors.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { cutTo } from '../../../platform/shapes/cut-text.ts';
import { decideBeforeLocks, grantToCreator, type OrganizationPermission } from '../../people/access/index.ts';
import { duplicateContent } from '../../store/heads/index.ts';
import { authorizePlace } from '../collections/index.ts';
import { type ItemParent, placeItem, readParentUncached } from '../placement/index.ts';
import { type SpaceRow, spaceFor } from './access.ts';
import type { TranslationLanguage } from './language.ts';
import { MAX_TITLE } from './settings.ts';

/** Required roles of the caller: on the source, and at the place of the copy. */
export interface CopyPermissions {
  space: Role;
  organization: OrganizationPermission;
  parent: Role;
}

/** The space and the place of its copy, if the caller can create a space there. */
export const placeOfCopy = (
  ctx: Context,
  spaceId: string,
  needed: CopyPermissions,
): Promise<ItemParent & { id: string }> =>
  decideBeforeLocks(ctx, async (deciding) => {
    const { id, organizationId } = await spaceFor(deciding, spaceId, needed.space, { changesAccess: true });
    const place = { organizationId, parentId: (await readParentUncached(deciding, id)) ?? null };
    await authorizePlace(deciding, place, needed).catch(rejectUnseenPlace);
    return { id, ...place };
  });

/** FORBIDDEN if the caller sees the space but not its parent. */
function rejectUnseenPlace(error: unknown): never {
  const isUnseen = error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'BAD_USER_INPUT');
  throw isUnseen
    ? forbidden(
        'The copy would be placed next to the space, where you cannot create content. Ask an admin for the role "create" there.',
      )
    : error;
}

/** How a copy differs from its source. */
export interface CopyOptions {
  /** Added to the title. */
  suffix: string;
  /** By default, that of the source. */
  language?: TranslationLanguage;
}

/**
 * Copies a space, which the caller holds with its row lock, to a place right after it. The copy has the content of its
 * head, and the caller becomes its admin.
 */
export async function copySpace(
  ctx: Context,
  source: SpaceRow,
  place: ItemParent,
  { suffix, language }: CopyOptions,
): Promise<Row<'space'>> {
  const [id, now] = [newId('space'), nowOf(ctx)];
  await placeItem(ctx, { itemId: id, ...place, position: { afterId: source.id } });
  const copy = await ctx.db
    .insertInto('space')
    .values({
      id,
      organizationId: place.organizationId,
      title: cutTo(MAX_TITLE - suffix.length, source.title) + suffix,
      emoji: source.emoji,
      icon: source.icon,
      language: language ?? source.language,
      editMode: source.editMode,
      mergeRules: source.mergeRules,
      // Grants are not copied, but the copy must not be visible to more people than its source.
      defaultLevel: source.defaultLevel ?? (await levelOfSites(ctx, source)),
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

/**
 * The default level that a space inherits from its sites: the highest of them (`roleOfSites`). Null if they inherit
 * too. A copy is on no site, so it would inherit from the collections or the organization instead.
 */
async function levelOfSites({ db }: Context, { id, organizationId }: SpaceRow): Promise<Role | null> {
  const { level } = await db
    .selectFrom('site_space as l')
    .innerJoin('site as si', 'si.id', 'l.siteId')
    .where('l.spaceId', '=', id)
    .where('si.organizationId', '=', organizationId)
    .select((of) => of.fn.max('si.defaultLevel').as('level'))
    .executeTakeFirstOrThrow();
  return level;
}
