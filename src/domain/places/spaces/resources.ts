import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { andThen } from '../../../platform/loader.ts';
import type { Wants } from '../../../platform/resource/field.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { appUrl, locationUrl } from '../../../platform/urls.ts';
import {
  type Access,
  accessOn,
  contentLevel,
  isVisible,
  mapsOfRows,
  NO_ACCESS,
  roleInRest,
  roleShown,
} from '../../people/access/index.ts';
import {
  loadOrganization,
  mergeRulesOfSpace,
  organization,
  type SpaceMergeRules,
  spaceMergeRulesShape,
} from '../../people/organizations/index.ts';
import { gitSync, loadGitSync } from '../../store/git-sync/index.ts';
import { collection, readVisibleParents, visibleParent, visibleParentId } from '../collections/index.ts';
import { changeRequestCounts, openCommentsOfSpace, readCountsOf } from './counts.ts';
import { contentVisibility, editMode } from './enums.ts';
import { readFactsOf } from './facts.ts';
import { translationLanguage } from './language.ts';
import { publishedUrls } from './published-urls.ts';
import { readVisibilitiesOf, takeVisibilities, visibilityOf } from './visibility.ts';

const spaceUrls = resource<Row<'space'>>({ name: 'SpaceUrls', description: 'API and web URLs of a space.' }, (f) => ({
  location: f.url('URL of the space in the REST API.', ({ id }, ctx) => locationUrl(ctx, `/v1/spaces/${id}`)),
  app: f.url('URL of a web page that explains how to read the space.', ({ id }, ctx) => appUrl(ctx, `/spaces/${id}`)),
  published: f.url.optional(
    'URL of the space on a published site. If several sites show it, the one with the widest audience. Null if it is not published.',
    ({ id }, ctx) => andThen(publishedUrls().now(ctx, id), (urls) => urls?.published),
  ),
  public: f.url.optional(
    'URL of the space on a published site that is public. Null if it is not public.',
    ({ id }, ctx) => andThen(publishedUrls().now(ctx, id), (urls) => (urls?.isPublic ? urls.published : null)),
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

const COUNTS = ['changeRequestsCount', 'openChangeRequestsCount', 'draftChangeRequestsCount'];

/** Fields of each kind of facts that `readFactsOf` reads. */
const FACTS = [['parent'], COUNTS, ['gitSync']];

/** Reads what the fields of spaces need: one statement for each kind, whatever the number of spaces. */
export async function preloadSpaces(
  ctx: Context,
  rows: readonly (Row<'space'> & { accessVersion?: string })[],
  wants: Wants = () => true,
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const urls = publishedUrls();
  const reading: unknown[] = [];
  if (wants('published')) {
    const mapsOf = mapsOfRows(ctx);
    for (const { id, organizationId, accessVersion } of rows)
      if (accessVersion !== undefined && mapsOf({ organizationId, accessVersion })?.isOnSite(id) === false)
        urls.prime(ctx, id, undefined);
    reading.push(urls.readAll(ctx, ids));
  }
  if (FACTS.every((kind) => kind.some(wants))) {
    reading.push(readFactsOf(ctx, rows));
  } else {
    reading.push(accessOn.space.readAll(ctx, ids));
    if (wants('parent')) reading.push(readVisibleParents(ctx, ids));
    if (COUNTS.some(wants)) reading.push(readCountsOf(ctx, ids));
    if (wants('gitSync')) reading.push(loadGitSync.readAll(ctx, ids));
  }
  await Promise.all(reading);
  if (!wants('visibility')) return;
  // Visitors learn of no other sites than those that they visit, which does not change who can read the space.
  if (wants('published') && ctx.actor.kind !== 'visitor') await takeVisibilities(ctx, ids, urls);
  await readVisibilitiesOf(ctx, ids);
}

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
      'Who can read the space. Derived from the site that publishes it, otherwise from the collection that contains it.',
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
      graph: f.object(() => mergeRulesOfSpace)('Conditions for merging change requests.', (row) => row.mergeRules),
      rest: f.json<SpaceMergeRules>(spaceMergeRulesShape)('', (row) => row.mergeRules),
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
        id: ({ id }, ctx) => visibleParentId.now(ctx, id),
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
        (row) => roleShown(row.defaultLevel),
      ),
      rest: f
        .enum(contentLevel)
        .nullable(
          'Default access of organization members to the space. Granted roles replace it. Null if they have no access.',
          (row) => roleInRest(row.defaultLevel),
        ),
    }),
    comments: f.count(
      'Number of open comments on the primary content. 0 if you cannot see them.',
      ({ id }, ctx) => openCommentsOfSpace(ctx, id),
      { graph: false },
    ),
    changeRequestsCount: f.count(
      'Number of change requests in any status. 0 if you cannot see them.',
      ({ id }, ctx) => andThen(changeRequestCounts(ctx, id), ({ total }) => total),
      { rest: 'changeRequests' },
    ),
    openChangeRequestsCount: f.count(
      'Number of open change requests. 0 if you cannot see them.',
      ({ id }, ctx) => andThen(changeRequestCounts(ctx, id), ({ open }) => open),
      { rest: 'changeRequestsOpen' },
    ),
    draftChangeRequestsCount: f.count(
      'Number of change requests that are drafts. 0 if you cannot see them.',
      ({ id }, ctx) => andThen(changeRequestCounts(ctx, id), ({ draft }) => draft),
      { rest: 'changeRequestsDraft' },
    ),
    gitSync: f
      .object(() => gitSync)
      .optional(
        'Git branch that the space was last synchronized with, or will be for the first time. Null if there is none, or if you have no role on the space.',
        ({ id }, ctx) =>
          andThen(accessOn.space.now(ctx, id), (access) =>
            atLeast(access?.role, 'read') ? loadGitSync.now(ctx, id) : null,
          ),
      ),
    permissions: f.object(() => spacePermissions)('Your permissions on the space.', ({ id }, ctx) =>
      andThen(accessOn.space.now(ctx, id), (access) => access ?? NO_ACCESS),
    ),
  }),
);
