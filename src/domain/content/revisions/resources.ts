import type { SpaceTag } from '../../../lib/repository/tags.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Resource } from '../../../platform/resource/field.ts';
import { types } from '../../../platform/resource/field-types.ts';
import type { FieldMaker } from '../../../platform/resource/make-fields.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { appUrl, locationUrl } from '../../../platform/resource/urls.ts';
import { loadUser, user, type VisibleUser } from '../../people/users/index.ts';
import { hasRoleOnSpace } from '../../places/spaces/index.ts';
import { type RevisionRow, type RevisionSummary, revisionType } from '../../store/revisions/index.ts';
import { visibleTagsOf } from '../visibility/index.ts';
import { loadRevision } from './load-revision.ts';

const PAGE_COUNTS = {
  created: 'Number of pages that were added.',
  edited: 'Number of pages whose fields or body changed.',
  moved: 'Number of pages that moved to another place in the tree, not counting the pages below them.',
  deleted: 'Number of pages that were deleted.',
} as const;

type PageCount = keyof typeof PAGE_COUNTS;

const pageCounts = resource<RevisionSummary['pages']>(
  { name: 'RevisionPageCounts', description: 'Numbers of pages that a revision changed.' },
  (f) => ({
    created: f.count(PAGE_COUNTS.created, ({ created }) => created),
    edited: f.count(PAGE_COUNTS.edited, ({ edited }) => edited),
    moved: f.count(PAGE_COUNTS.moved, ({ moved }) => moved),
    deleted: f.count(PAGE_COUNTS.deleted, ({ deleted }) => deleted),
  }),
);

const summary = resource<RevisionSummary>(
  { name: 'RevisionSummary', description: 'Summary of what a revision changed in the primary content.' },
  (f) => {
    const inGraph = (count: PageCount) => f.count(PAGE_COUNTS[count], ({ pages }) => pages[count], { rest: false });
    return {
      pages: f.object(() => pageCounts)('Numbers of changed pages.', ({ pages }) => pages, { graph: false }),
      pagesCreated: inGraph('created'),
      pagesEdited: inGraph('edited'),
      pagesMoved: inGraph('moved'),
      pagesDeleted: inGraph('deleted'),
      filesChanged: f.boolean('Whether files changed.', ({ filesChanged }) => filesChanged),
      reusableContentsChanged: f.boolean(
        'Whether reusable contents changed.',
        ({ reusableContentsChanged }) => reusableContentsChanged,
      ),
      variablesChanged: f.boolean('Whether variables changed.', ({ variablesChanged }) => variablesChanged),
    };
  },
);

const gitCommit = resource<NonNullable<RevisionRow['git']>>(
  { name: 'GitCommit', description: 'The Git commit that a revision is synchronized with.' },
  (f) => ({
    oid: f.string('Hash (object ID) of the commit.', ({ oid }) => oid),
    message: f.string('Commit message.', ({ message }) => message),
    createdByService: f.boolean('Whether this service created the commit.', ({ createdByService }) => createdByService),
    createdByGitBook: f.boolean(
      'Same as `createdByService`, under the name that GitBook clients expect.',
      ({ createdByService }) => createdByService,
      { graph: false },
    ),
    url: f.url.optional('URL of the commit at the Git provider.', ({ url }) => url),
    ref: f.string.optional('Branch of the commit.', ({ ref }) => ref),
  }),
);

const tag = resource<SpaceTag>(
  { name: 'RevisionTag', description: 'A tag that pages of a revision can have.' },
  (f) => ({
    slug: f.string('Slug that references of kind `tag` use.', ({ slug }) => slug),
    label: f.string('Label of the tag, as shown to readers.', ({ label }) => label),
    color: f.string('Color of the tag, as the name of a text color.', ({ color = 'default' }) => color),
    emoji: f.string.optional('Emoji of the tag, as a character or as a hexadecimal code point.', ({ emoji }) => emoji),
    icon: f.string.optional('Name of the icon of the tag.', ({ icon }) => icon),
  }),
);

const urls = resource<RevisionRow>({ name: 'RevisionUrls', description: 'API and web URLs of a revision.' }, (f) => ({
  location: f.url('URL of the revision in the REST API.', (row, ctx) => revisionUrls(row, ctx).location),
  app: f.url('URL of the revision in the web application.', (row, ctx) => revisionUrls(row, ctx).app),
}));

/** Fields that a revision has both in the history of its space and together with its content. */
export const revisionFields = (f: FieldMaker<RevisionRow>) => ({
  type: f.enum(revisionType)('How the revision was created.', ({ type }) => type),
  parents: f.references(
    () => revision,
    'Parent revisions: none for the first revision, two for a merge, otherwise one.',
    {
      prefix: 'rev',
      ids: ({ parents }) => parents,
      load: ({ parents }, ctx) => Promise.all(parents.map(async (id) => (await loadRevision(ctx, id)) ?? null)),
    },
  ),
  tags: f.list(types.object(() => tag))(
    'Tags that pages can have, in order. Imports set them; they cannot be changed in this release.',
    (row, ctx) => visibleTagsOf(ctx, row),
  ),
  createdAt: f.time('Time when the revision was created.', ({ createdAt }) => createdAt),
  git: f
    .object(() => gitCommit)
    .optional(
      'Git commit that the revision is synchronized with. Null if there is none, or if you have no role on the space.',
      async ({ git, spaceId }, ctx) => (git !== null && (await hasRoleOnSpace(ctx, spaceId)) ? git : null),
    ),
});

/** A revision without its content. In REST it is an entry of the history of its space. */
export const revision: Resource<RevisionRow> = resource<RevisionRow>(
  {
    name: 'Revision',
    schemaName: 'RevisionInHistory',
    object: 'revision',
    node: 'rev',
    description: "An immutable state of a space's content.",
  },
  (f) => {
    const { tags, ...fields } = revisionFields(f);
    return {
      ...fields,
      tags: { ...tags, rest: null },
      createdBy: f
        .object(() => user)
        .optional('Author of the revision. Null if you have no role on the space.', authorOf),
      summary: f
        .object(() => summary)
        .optional(
          'Summary of what the revision changed. Null for the first revision of a space, and for revisions of change requests.',
          (row) => row.summary,
        ),
      urls: f.object(() => urls)('URLs of the revision.', (row) => row),
    };
  },
);

/** Author of a revision, batched. Hidden from readers of a published site. */
async function authorOf({ createdBy, spaceId }: RevisionRow, ctx: Context): Promise<VisibleUser | undefined> {
  if (createdBy === null || !(await hasRoleOnSpace(ctx, spaceId))) return undefined;
  return loadUser(ctx, createdBy);
}

export const revisionUrls = ({ id, spaceId }: Pick<RevisionRow, 'id' | 'spaceId'>, ctx: Context) => ({
  location: locationUrl(ctx, `/v1/spaces/${spaceId}/revisions/${id}`),
  app: appUrl(ctx, `/spaces/${spaceId}/revisions/${id}`),
});
