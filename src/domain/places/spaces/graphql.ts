import type { Row } from '../../../platform/database/tables.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { lookup } from '../../../platform/graphql/lookup.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { versionField } from '../../../platform/graphql/version-field.ts';
import { contentLevel, roleShown } from '../../people/access/index.ts';
import { MergeRuleType, OrganizationType } from '../../people/organizations/graphql.ts';
import {
  loadOrganization,
  rulesOf,
  type SpaceMergeRules,
  spaceMergeRulesType,
} from '../../people/organizations/index.ts';
import { CollectionType } from '../collections/graphql.ts';
import { visibleParent } from '../collections/index.ts';
import { loadSpace } from './access.ts';
import { changeRequestCounts } from './counts.ts';
import { createSpace } from './create-space.ts';
import { deleteSpace } from './delete-space.ts';
import { duplicateSpace } from './duplicate-space.ts';
import { contentVisibility, editMode } from './enums.ts';
import { getSpace } from './get-space.ts';
import { translationLanguage } from './language.ts';
import { listSpaces, listSpacesInCollection, spacesOfCollection, spacesOfOrganization } from './list-spaces.ts';
import { type SpacePermissions, spacePermissions, spaceUrls } from './present.ts';
import { restoreSpace } from './restore-space.ts';
import { subscribeToSpace } from './subscribe-to-space.ts';
import { updateSpace } from './update-space.ts';
import { visibilityOf } from './visibility.ts';

const MergeRulesType = builder.objectRef<SpaceMergeRules>('SpaceMergeRules').implement({
  description: 'Conditions that change requests of a space meet before they merge.',
  fields: (t) => ({
    type: t.field({
      type: enumType(spaceMergeRulesType),
      description: 'Where the conditions come from.',
      resolve: ({ type }) => type,
    }),
    rules: t.field({
      type: [MergeRuleType],
      description: "The space's own conditions; all must be met. Empty when it inherits those of its organization.",
      resolve: rulesOf,
    }),
  }),
});

const may = (description: string) => ({ description });

const PermissionsType = builder.objectRef<SpacePermissions>('SpacePermissions').implement({
  description: 'What you may do with a space.',
  fields: (t) => ({
    view: t.exposeBoolean('view', may('Read it, by a role or because a published site shows it to you.')),
    access: t.exposeBoolean('access', may('Read it by a role of your own: its change requests and discussions too.')),
    comment: t.exposeBoolean('comment', may('Take part in discussions.')),
    edit: t.exposeBoolean('edit', may('Make change requests, and edit the primary content while it is live.')),
    merge: t.exposeBoolean('merge', may('Merge change requests.')),
    review: t.exposeBoolean('review', may('Review change requests.')),
    triggerGitSync: t.exposeBoolean('triggerGitSync', may('Import from and export to a git repository.')),
    admin: t.exposeBoolean('admin', may('Change its settings and access, move, delete and restore it.')),
    installIntegration: t.exposeBoolean('installIntegration', may('Install integrations on it.')),
    viewInviteLinks: t.exposeBoolean('viewInviteLinks', may('See the links that invite people to it.')),
  }),
});

const UrlsType = builder.objectRef<ReturnType<typeof spaceUrls>>('SpaceUrls').implement({
  description: 'Addresses of a space.',
  fields: (t) => ({
    location: t.expose('location', { type: 'URL', description: 'The space in REST.' }),
    app: t.expose('app', { type: 'URL', description: 'A page for people that says how to read the space.' }),
    published: t.expose('published', {
      type: 'URL',
      nullable: true,
      description: 'Where a published site shows it; null when none does.',
    }),
    public: t.expose('public', {
      type: 'URL',
      nullable: true,
      description: 'Where anybody may read it; null unless that site is public.',
    }),
    icon: t.expose('icon', { type: 'URL', nullable: true, description: 'An image to show instead of the emoji.' }),
  }),
});

export const SpaceType = builder.objectRef<Row<'space'>>('Space').implement({
  description: 'A container of pages and files with a version graph.',
  fields: (t) => ({
    title: t.exposeString('title', { description: 'Its name, up to 50 characters.' }),
    emoji: t.exposeString('emoji', { description: 'An emoji, or its code point in hex.' }),
    visibility: t.field({
      type: enumType(contentVisibility),
      description:
        'Who may read it: what its published site admits, else those who may see its place. Derived, never set.',
      resolve: ({ id }, _args, ctx) => visibilityOf(ctx, id),
    }),
    editMode: t.expose('editMode', {
      type: enumType(editMode),
      description: 'Whether the primary content may be edited directly.',
    }),
    language: t.field({
      type: enumType(translationLanguage),
      nullable: true,
      description: 'The language it is written in; null when nobody said.',
      resolve: ({ language }) => translationLanguage.nullable().parse(language),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When its settings or content last changed.' }),
    deletedAt: t.expose('deletedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was deleted: it can be restored for seven days. Null while it is active.',
    }),
    mergeRules: t.expose('mergeRules', {
      type: MergeRulesType,
      description: 'Conditions for merging change requests.',
    }),
    defaultLevel: t.field({
      type: enumType(contentLevel),
      description: 'What members may do with it, unless something else was granted.',
      resolve: ({ defaultLevel }) => roleShown(defaultLevel),
    }),
    organization: t.field({
      type: OrganizationType,
      nullable: true,
      description: 'The organization that owns it; null when you are no member of it.',
      resolve: ({ organizationId }, _args, ctx) => loadOrganization(ctx, organizationId),
    }),
    parent: t.field({
      type: CollectionType,
      nullable: true,
      description: 'The collection it stands in; null at the top level, and when you may not see that collection.',
      resolve: ({ id }, _args, ctx) => visibleParent(ctx, id),
    }),
    changeRequestsCount: t.int({
      description: 'How many change requests it has, of any status. 0 when you may not see them.',
      resolve: async ({ id }, _args, ctx) => (await changeRequestCounts(ctx, id)).total,
    }),
    openChangeRequestsCount: t.int({
      description: 'How many of its change requests are open. 0 when you may not see them.',
      resolve: async ({ id }, _args, ctx) => (await changeRequestCounts(ctx, id)).open,
    }),
    draftChangeRequestsCount: t.int({
      description: 'How many of its change requests are drafts. 0 when you may not see them.',
      resolve: async ({ id }, _args, ctx) => (await changeRequestCounts(ctx, id)).draft,
    }),
    version: versionField(t),
    urls: t.field({
      type: UrlsType,
      description: 'Addresses of this space.',
      resolve: (space, _args, ctx) => spaceUrls(space, ctx),
    }),
    permissions: t.field({
      type: PermissionsType,
      description: 'What you may do with it.',
      resolve: ({ id }, _args, ctx) => spacePermissions(ctx, id),
    }),
  }),
});

registerNode(SpaceType, 'space', loadSpace);

lookup('space', getSpace, SpaceType, { id: 'spaceId' });

builder.objectFields(OrganizationType, (t) => ({
  spaces: connection(t, {
    type: SpaceType,
    operation: listSpaces,
    without: ['organizationId'],
    from: ({ id }) => ({ organizationId: id }),
    list: ({ id }, _input, ctx) => spacesOfOrganization(ctx, id, {}),
  }),
}));

builder.objectFields(CollectionType, (t) => ({
  spaces: connection(t, {
    type: SpaceType,
    operation: listSpacesInCollection,
    without: ['collectionId'],
    from: ({ id }) => ({ collectionId: id }),
    list: ({ id }, _input, ctx) => spacesOfCollection(ctx, id, {}),
  }),
}));

/** The row as the command left it: who gave up their own access by it still sees what they did. */
const spaceField = (description: string) => ({
  space: { type: SpaceType, description, resolve: ({ space }: { space: Row<'space'> }) => space },
});

mutation(createSpace, spaceField('The new space.'));
mutation(updateSpace, spaceField('The space as it is now.'));
mutation(restoreSpace, spaceField('The space, active again.'));
mutation(duplicateSpace, spaceField('The copy.'));

mutation(deleteSpace, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'Id of the deleted space; null when there was none that you may see.',
    resolve: ({ deletedId }) => deletedId,
  },
  collection: {
    type: CollectionType,
    nullable: true,
    description: 'The collection that the space was in; null at the top level, or when you may not see the collection.',
    resolve: ({ deletedId }, ctx) => (deletedId === null ? null : visibleParent(ctx, deletedId)),
  },
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'The organization that owns the space; null when you are no member of it.',
    resolve: ({ organizationId }, ctx) => (organizationId === null ? null : loadOrganization(ctx, organizationId)),
  },
});

builder.subscriptionField('spaceUpdated', (t) =>
  t.field({
    type: SpaceType,
    nullable: true,
    description:
      'A space whenever its settings or its primary content change, for those who may view it: the stream ends with ' +
      'NOT_FOUND for who may not any more, and when it is deleted. After a break, `Last-Event-ID` or `after` goes on ' +
      'without a gap.',
    args: {
      id: t.arg.id({ required: true, description: 'Id of the space (`space_…`).' }),
      after: t.arg.id({
        description: 'Begins behind this event: the last that you have, by `extensions.eventId`. Default: from now on.',
      }),
    },
    subscribe: (_root, args, ctx) => subscribeToSpace(ctx, args),
    resolve: (_event, { id }, ctx) => loadSpace(ctx, id),
  }),
);
