import { atLeast } from '../../platform/access/roles.ts';
import type { Context } from '../../platform/context.ts';
import type { Row } from '../../platform/database/tables.ts';
import { appUrl, locationUrl } from '../../platform/urls.ts';
import { VERSIONED } from '../../platform/version.ts';
import { isVisible, levelInRest, type Standing, standingOn } from '../access/index.ts';
import { visibleParent } from '../collections/index.ts';
import { changeRequestCounts } from './counts.ts';
import { visibilityOf } from './visibility.ts';

/** What a standing lets its holder do with a space (decisions 5). */
export const permissionsOf = (standing: Standing) => {
  const { level } = standing;
  return {
    view: isVisible(standing),
    access: atLeast(level, 'read'),
    comment: atLeast(level, 'comment'),
    edit: atLeast(level, 'edit'),
    merge: atLeast(level, 'review'),
    review: atLeast(level, 'review'),
    triggerGitSync: atLeast(level, 'create'),
    admin: atLeast(level, 'admin'),
    installIntegration: atLeast(level, 'admin'),
    viewInviteLinks: atLeast(level, 'admin'),
  };
};

export type SpacePermissions = ReturnType<typeof permissionsOf>;

export const spacePermissions = async (ctx: Context, id: string) =>
  permissionsOf((await standingOn.space(ctx, id)) ?? { level: null, isShown: false });

/**
 * The addresses of a space; null is none.
 * @TODO `published` and `public`, when sites have addresses.
 */
export const spaceUrls = ({ id, icon }: Pick<Row<'space'>, 'id' | 'icon'>, ctx: Context) => ({
  location: locationUrl(ctx, `/v1/spaces/${id}`),
  app: appUrl(ctx, `/spaces/${id}`),
  published: null,
  public: null,
  icon,
});

/** REST's Space (specification 2.2). Whatever is not in the row comes from loaders, so that lists are batched. */
export async function presentSpace(space: Row<'space'>, ctx: Context) {
  const { id } = space;
  const [visibility, parent, counts, permissions] = await Promise.all([
    visibilityOf(ctx, id),
    visibleParent(ctx, id),
    changeRequestCounts(ctx, id),
    spacePermissions(ctx, id),
  ]);
  const { location, app, icon } = spaceUrls(space, ctx);
  return {
    [VERSIONED]: space,
    object: 'space',
    id,
    title: space.title,
    emoji: space.emoji,
    visibility,
    createdAt: space.created_at,
    updatedAt: space.updated_at,
    ...(space.deleted_at !== null && { deletedAt: space.deleted_at }),
    editMode: space.edit_mode,
    mergeRules: space.merge_rules,
    urls: { location, app, ...(icon !== null && { icon }) },
    organization: space.organization_id,
    ...(parent && { parent: parent.id }),
    ...(space.language !== null && { language: space.language }),
    revision: space.revision_id,
    defaultLevel: levelInRest(space.default_level),
    // Comments are not there yet, so that none can be open.
    comments: 0,
    changeRequests: counts.total,
    changeRequestsOpen: counts.open,
    changeRequestsDraft: counts.draft,
    permissions,
  };
}
