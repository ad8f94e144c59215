import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { andThen } from '../../../platform/reads/loader.ts';
import type { Wants } from '../../../platform/resource/field.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { appUrl, locationUrl } from '../../../platform/resource/urls.ts';
import {
  type Access,
  accessLoader,
  contentLevel,
  isVisible,
  levelInGraph,
  levelInRest,
  NO_ACCESS,
  parentOf,
  primeListedAccess,
} from '../../people/access/index.ts';
import {
  loadOrganization,
  mergeRulesOfSpace,
  organization,
  type SpaceMergeRules,
  spaceMergeRulesShape,
} from '../../people/organizations/index.ts';
import { gitSync, loadGitSync } from '../../store/git-sync/index.ts';
import { collection, loadVisibleParentIds, visibleParent, visibleParentId } from '../collections/index.ts';
import { countsOfSpace, loadCounts, openCommentsOfSpace } from './counts.ts';
import { contentVisibility, editMode } from './enums.ts';
import { translationLanguage } from './language.ts';
import { publishedUrls } from './published-urls.ts';
import { visibilityOf } from './visibility.ts';

const spaceUrls = resource<Row<'space'>>({ name: 'SpaceUrls', description: 'API and web URLs of a space.' }, (f) => ({
  location: f.url('URL of the space in the REST API.', ({ id }, ctx) => locationUrl(ctx, `/v1/spaces/${id}`)),
  app: f.url('URL of the space in the web application.', ({ id }, ctx) => appUrl(ctx, `/spaces/${id}`)),
  published: f.url.optional(
    'URL of the space on a published site. If several sites show it, the one with the widest audience. If you have no role on the space, only places that you can open count. Null if there is none.',
    ({ id }, ctx) => andThen(publishedUrls().peek(ctx, id), (urls) => urls?.published),
  ),
  public: f.url.optional(
    'URL of the space on a published site that is public. Null if it is not public.',
    ({ id }, ctx) => andThen(publishedUrls().peek(ctx, id), (urls) => (urls?.isPublic ? urls.published : null)),
  ),
  icon: f.url.optional('URL of an image that replaces the emoji. Null if there is none.', ({ icon }) => icon),
}));

const spacePermissions = resource<Access>(
  { name: 'SpacePermissions', description: 'Your permissions on a space.' },
  (f) => ({
    view: f.boolean('You can read the space, through a role or on a published site.', isVisible),
    access: f.boolean(
      'You can read the space through a role, including its change requests and comments.',
      ({ role }) => atLeast(role, 'read'),
    ),
    comment: f.boolean('You can post comments.', ({ role }) => atLeast(role, 'comment')),
    edit: f.boolean(
      'You can create change requests, and edit the primary content unless the space is locked.',
      ({ role }) => atLeast(role, 'edit'),
    ),
    merge: f.boolean('You can merge change requests.', ({ role }) => atLeast(role, 'review')),
    review: f.boolean('You can review change requests.', ({ role }) => atLeast(role, 'review')),
    triggerGitSync: f.boolean('You can import from and export to a Git repository.', ({ role }) =>
      atLeast(role, 'create'),
    ),
    admin: f.boolean('You can change settings and access, and move, delete and restore the space.', ({ role }) =>
      atLeast(role, 'admin'),
    ),
    installIntegration: f.boolean('You can install integrations.', ({ role }) => atLeast(role, 'admin')),
    viewInviteLinks: f.boolean('You can see the invite links of the space.', ({ role }) => atLeast(role, 'admin')),
  }),
);

type LoadMany = (ctx: Context, spaceIds: readonly string[]) => Promise<unknown>;

const loadUrls: LoadMany = (ctx, ids) => publishedUrls().loadMany(ctx, ids);

const loadParents: LoadMany = (ctx, ids) => parentOf.loadMany(ctx, ids);

/** What fields of many spaces read from loaders, besides the access. */
const LOADED_BY: Readonly<Record<string, readonly LoadMany[]>> = {
  visibility: [loadUrls, loadParents],
  published: [loadUrls],
  public: [loadUrls],
  parent: [loadVisibleParentIds],
  comments: [loadCounts],
  changeRequestsCount: [loadCounts],
  openChangeRequestsCount: [loadCounts],
  draftChangeRequestsCount: [loadCounts],
  gitSync: [loadGitSyncs],
};

/** Reads the synchronization of the spaces that have one, which few do. The counts know which. */
async function loadGitSyncs(ctx: Context, ids: readonly string[]): Promise<void> {
  const counts = await loadCounts(ctx, ids);
  await loadGitSync.loadMany(
    ctx,
    ids.filter((_, index) => counts[index]?.isSynchronized),
  );
}

/** Reads what the fields of spaces need: one statement for each kind, whatever the number of spaces. */
export async function preloadSpaces(
  ctx: Context,
  rows: readonly Row<'space'>[],
  wants: Wants = () => true,
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  // Counts depend on the access, which also has the parents.
  primeListedAccess(ctx, 'space', rows);
  await accessLoader.space.loadMany(ctx, ids);
  const requested = Object.entries(LOADED_BY).flatMap(([field, loads]) => (wants(field) ? loads : []));
  await Promise.all([...new Set(requested)].map((load) => load(ctx, ids)));
}

/**
 * Returns the merge rules, or those of a new space to callers without a role: rules name members and internal
 * conditions.
 */
const seenMergeRules = ({ id, mergeRules }: Row<'space'>, ctx: Context) =>
  andThen(
    accessLoader.space.peek(ctx, id),
    (access): SpaceMergeRules => (atLeast(access?.role, 'read') ? mergeRules : { type: 'inherit' }),
  );

export const space = resource<Row<'space'>>(
  {
    name: 'Space',
    preload: preloadSpaces,
    object: 'space',
    node: 'space',
    isVersioned: true,
    description:
      'A container of pages and files with a version history. Its current content is the primary content; change requests propose changes to it.',
  },
  (f) => ({
    title: f.string('Title of the space, up to 50 characters.', ({ title }) => title),
    emoji: f.string('Emoji of the space, as a character or as a hexadecimal code point.', ({ emoji }) => emoji),
    visibility: f.enum(contentVisibility)(
      'Who can read the space. Derived from the site that publishes it, otherwise from the collection that contains it. If you have no role on the space, only sites that show it to you count.',
      ({ id }, ctx) => visibilityOf(ctx, id),
    ),
    createdAt: f.time('Time when the space was created.', ({ createdAt }) => createdAt),
    updatedAt: f.time('Time when the settings or the content of the space last changed.', (row) => row.updatedAt),
    deletedAt: f.time.optional(
      'Time when the space was deleted. It can be restored for seven days. Null unless it is deleted.',
      ({ deletedAt }) => deletedAt,
    ),
    editMode: f.enum(editMode)('Whether the primary content can be edited directly.', (row) => row.editMode),
    mergeRules: f.apart({
      graph: f.object(() => mergeRulesOfSpace)(
        'Conditions for merging change requests. Shown as inherited if you have no role on the space.',
        seenMergeRules,
      ),
      rest: f.json<SpaceMergeRules>(spaceMergeRulesShape)('', seenMergeRules),
    }),
    urls: f.object(() => spaceUrls)('URLs of the space.', (row) => row),
    organization: f.reference(
      () => organization,
      'Organization that owns the space. In GraphQL, null if you are not a member of it.',
      {
        prefix: 'org',
        isRequired: true,
        id: ({ organizationId }) => organizationId,
        load: ({ organizationId }, ctx) => loadOrganization(ctx, organizationId),
      },
    ),
    parent: f.reference(
      () => collection,
      'Collection that contains the space. Null at the top level, or if you cannot see that collection.',
      {
        prefix: 'collection',
        id: ({ id }, ctx) => visibleParentId(ctx, id),
        load: ({ id }, ctx) => visibleParent(ctx, id),
      },
    ),
    language: f.enum(translationLanguage).optional('Language of the content. Null if unknown.', (row) => row.language),
    revision: f.id('rev')('ID of the current revision of the primary content.', (row) => row.revisionId, {
      graph: false,
    }),
    defaultLevel: f.apart({
      graph: f.enum(contentLevel)(
        'Default access of organization members to the space. Granted roles replace it.',
        (row) => levelInGraph(row.defaultLevel),
      ),
      rest: f
        .enum(contentLevel)
        .nullable(
          'Default access of organization members to the space. Granted roles replace it. Null if they have no access.',
          (row) => levelInRest(row.defaultLevel),
        ),
    }),
    comments: f.count(
      'Number of open comments on the primary content. 0 if you cannot see them.',
      ({ id }, ctx) => openCommentsOfSpace(ctx, id),
      { graph: false },
    ),
    changeRequestsCount: f.count(
      'Number of change requests in any status. 0 if you cannot see them.',
      ({ id }, ctx) => andThen(countsOfSpace(ctx, id), ({ total }) => total),
      { rest: 'changeRequests' },
    ),
    openChangeRequestsCount: f.count(
      'Number of open change requests. 0 if you cannot see them.',
      ({ id }, ctx) => andThen(countsOfSpace(ctx, id), ({ open }) => open),
      { rest: 'changeRequestsOpen' },
    ),
    draftChangeRequestsCount: f.count(
      'Number of change requests that are drafts. 0 if you cannot see them.',
      ({ id }, ctx) => andThen(countsOfSpace(ctx, id), ({ draft }) => draft),
      { rest: 'changeRequestsDraft' },
    ),
    gitSync: f
      .object(() => gitSync)
      .optional(
        'Git branch that the space was last synchronized with, or will be for the first time. Null if there is none, or if you have no role on the space.',
        ({ id }, ctx) =>
          andThen(countsOfSpace(ctx, id), ({ isSynchronized }) => (isSynchronized ? loadGitSync.peek(ctx, id) : null)),
      ),
    permissions: f.object(() => spacePermissions)('Your permissions on the space.', ({ id }, ctx) =>
      andThen(accessLoader.space.peek(ctx, id), (access) => access ?? NO_ACCESS),
    ),
  }),
);
