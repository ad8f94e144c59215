import { z } from 'zod';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { addressIn, countIn, idIn, mayIn, objectIs, timeIn, versionedShape } from '../../../platform/shapes.ts';
import { appUrl, locationUrl } from '../../../platform/urls.ts';
import { VERSIONED } from '../../../platform/version.ts';
import { type Access, accessOn, contentLevel, isVisible, roleInRest } from '../../people/access/index.ts';
import { spaceMergeRulesShape } from '../../people/organizations/index.ts';
import { visibleParent } from '../collections/index.ts';
import { changeRequestCounts, openCommentsOfSpace } from './counts.ts';
import { contentVisibility, editMode } from './enums.ts';
import { translationLanguage } from './language.ts';
import { visibilityOf } from './visibility.ts';

/** What a access lets its holder do with a space (decisions 5). */
export const permissionsOf = (access: Access) => {
  const { role } = access;
  return {
    view: isVisible(access),
    access: atLeast(role, 'read'),
    comment: atLeast(role, 'comment'),
    edit: atLeast(role, 'edit'),
    merge: atLeast(role, 'review'),
    review: atLeast(role, 'review'),
    triggerGitSync: atLeast(role, 'create'),
    admin: atLeast(role, 'admin'),
    installIntegration: atLeast(role, 'admin'),
    viewInviteLinks: atLeast(role, 'admin'),
  };
};

export type SpacePermissions = ReturnType<typeof permissionsOf>;

export const spacePermissions = async (ctx: Context, id: string) =>
  permissionsOf((await accessOn.space(ctx, id)) ?? { role: null, isShown: false });

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

/** REST's Space. Whatever is not in the row comes from loaders, so that lists are batched. */
export async function presentSpace(space: Row<'space'>, ctx: Context) {
  const { id } = space;
  const [visibility, parent, counts, comments, permissions] = await Promise.all([
    visibilityOf(ctx, id),
    visibleParent(ctx, id),
    changeRequestCounts(ctx, id),
    openCommentsOfSpace(ctx, id),
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
    createdAt: space.createdAt,
    updatedAt: space.updatedAt,
    ...(space.deletedAt !== null && { deletedAt: space.deletedAt }),
    editMode: space.editMode,
    mergeRules: space.mergeRules,
    urls: { location, app, ...(icon !== null && { icon }) },
    organization: space.organizationId,
    ...(parent && { parent: parent.id }),
    ...(space.language !== null && { language: space.language }),
    revision: space.revisionId,
    defaultLevel: roleInRest(space.defaultLevel),
    comments,
    changeRequests: counts.total,
    changeRequestsOpen: counts.open,
    changeRequestsDraft: counts.draft,
    permissions,
  };
}

const permissionsShape = z
  .object({
    view: mayIn('You may see it.'),
    access: mayIn('You may read it by a role of your own.'),
    comment: mayIn('You may take part in discussions.'),
    edit: mayIn('You may edit it.'),
    merge: mayIn('You may merge change requests.'),
    review: mayIn('You may review change requests.'),
    triggerGitSync: mayIn('You may start git synchronization.'),
    admin: mayIn('You may change its settings, and delete it.'),
    installIntegration: mayIn('You may install integrations on it.'),
    viewInviteLinks: mayIn('You may see its invite links.'),
  })
  .describe('What you may do.');

export const spaceShape = versionedShape('Space', 'A tree of pages with its history.', {
  object: objectIs('space'),
  id: idIn('space'),
  title: z.string().describe('Its name.'),
  emoji: z.string().describe('An emoji, or its code point in hex.'),
  visibility: contentVisibility.describe('Who may read it.'),
  createdAt: timeIn('When it was made.'),
  updatedAt: timeIn('When its settings were last changed.'),
  deletedAt: timeIn('When it was deleted; it is removed for good seven days later.').optional(),
  editMode: editMode.describe('Whether the primary content may be edited directly.'),
  mergeRules: spaceMergeRulesShape.describe('Conditions for merging change requests.'),
  urls: z
    .object({
      location: addressIn('Where it is in REST.'),
      app: addressIn('Where people read and edit it.'),
      icon: addressIn('An image to show instead of the emoji.').optional(),
    })
    .describe('Addresses.'),
  organization: idIn('org', 'The organization.'),
  parent: idIn('collection', 'The collection that it stands in, if you may see that.').optional(),
  language: translationLanguage.optional().describe('The language it is written in.'),
  revision: idIn('rev', 'The primary content: its head.'),
  defaultLevel: contentLevel.nullable().describe('What members may do with it; null is nothing.'),
  comments: countIn('Open comments.'),
  changeRequests: countIn('Change requests, whatever their status.'),
  changeRequestsOpen: countIn('Change requests that are open.'),
  changeRequestsDraft: countIn('Change requests that are drafts.'),
  permissions: permissionsShape,
});
