import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { readInGraph } from '../../../platform/graphql/coverage.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { UserType } from '../../people/users/graphql.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import type { RevisionRow, RevisionSummary } from '../../store/revisions/index.ts';
import { revisionType } from '../../store/revisions/index.ts';
import { authorOf } from './author.ts';
import { getRevision } from './get-revision.ts';
import { listRevisions, revisionsOfSpace } from './list-revisions.ts';
import { loadRevision } from './load-revision.ts';
import { revisionUrls } from './urls.ts';

export const RevisionType = builder.objectRef<RevisionRow>('Revision');

const SummaryType = builder.objectRef<RevisionSummary>('RevisionSummary').implement({
  description: 'What a revision changed in the primary content, counted.',
  fields: (t) => ({
    pagesCreated: t.int({ description: 'Pages that are new.', resolve: ({ pages }) => pages.created }),
    pagesEdited: t.int({
      description: 'Pages whose fields or body differ.',
      resolve: ({ pages }) => pages.edited,
    }),
    pagesMoved: t.int({
      description: 'Pages at another place in the tree, those below them not counted.',
      resolve: ({ pages }) => pages.moved,
    }),
    pagesDeleted: t.int({ description: 'Pages that are gone.', resolve: ({ pages }) => pages.deleted }),
    filesChanged: t.exposeBoolean('filesChanged', { description: 'Whether the files differ.' }),
    reusableContentsChanged: t.exposeBoolean('reusableContentsChanged', {
      description: 'Whether the reusable contents differ.',
    }),
    variablesChanged: t.exposeBoolean('variablesChanged', { description: 'Whether the variables differ.' }),
  }),
});

const CommitType = builder.objectRef<NonNullable<RevisionRow['git']>>('GitCommit').implement({
  description: 'The commit that a revision was synchronized with.',
  fields: (t) => ({
    oid: t.exposeString('oid', { description: 'Hash of the commit.' }),
    message: t.exposeString('message', { description: 'What its author said of it.' }),
    createdByService: t.exposeBoolean('createdByService', { description: 'Whether this service made it.' }),
    url: t.field({
      type: 'URL',
      nullable: true,
      description: 'Where it can be seen.',
      resolve: ({ url }) => url ?? null,
    }),
    ref: t.string({ nullable: true, description: 'The branch.', resolve: ({ ref }) => ref ?? null }),
  }),
});

/** A tag as JSON has it (schema `RevisionTag`). */
interface Tag {
  slug: string;
  label: string;
  color: string;
  emoji?: string;
  icon?: string;
}

const TagType = builder.objectRef<Tag>('RevisionTag').implement({
  description: 'A tag that pages of a revision may have.',
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'Names it in references of kind `tag`.' }),
    label: t.exposeString('label', { description: 'What readers see.' }),
    color: t.exposeString('color', { description: 'The name of its color, one of those that text may have.' }),
    emoji: t.string({
      nullable: true,
      description: 'An emoji, or its code point in hex.',
      resolve: ({ emoji }) => emoji,
    }),
    icon: t.string({ nullable: true, description: 'Name of an icon.', resolve: ({ icon }) => icon }),
  }),
});

const UrlsType = builder.objectRef<ReturnType<typeof revisionUrls>>('RevisionUrls').implement({
  description: 'Addresses of a revision.',
  fields: (t) => ({
    location: t.expose('location', { type: 'URL', description: 'The revision in REST.' }),
    app: t.expose('app', { type: 'URL', description: 'A page for people that says how to read the revision.' }),
  }),
});

RevisionType.implement({
  description: "A state of a space's content. Immutable.",
  fields: (t) => ({
    type: t.expose('type', { type: enumType(revisionType), description: 'How it came to be.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was written.' }),
    createdBy: t.field({
      type: UserType,
      nullable: true,
      description: 'Who wrote it; null when nobody did, and for readers of a published site.',
      resolve: async (revision, _args, ctx) => (await authorOf(revision, ctx)) ?? null,
    }),
    tags: t.field({
      type: [TagType],
      description: 'The tags that pages may have. There are none yet.',
      resolve: () => [],
    }),
    parents: t.field({
      type: [RevisionType],
      nullable: { list: false, items: true },
      description: 'The revisions it was made from: none for the first, two for a merge.',
      resolve: ({ parents }, _args, ctx) =>
        Promise.all(parents.map(async (id) => (await loadRevision(ctx, id)) ?? null)),
    }),
    summary: t.expose('summary', {
      type: SummaryType,
      nullable: true,
      description: 'What it changed in the primary content; null for the first, and for those of change requests.',
    }),
    git: t.expose('git', { type: CommitType, nullable: true, description: 'The commit it belongs to, if any.' }),
    urls: t.field({
      type: UrlsType,
      description: 'Addresses of this revision.',
      resolve: (revision, _args, ctx) => revisionUrls(revision, ctx),
    }),
  }),
});

registerNode(RevisionType, 'rev', loadRevision);

readInGraph(getRevision);
builder.objectFields(SpaceType, (t) => ({
  revision: t.field({
    type: RevisionType,
    nullable: true,
    description:
      'The state that the primary content is at: its pages, files and variables. Null once the space is deleted.',
    args: {
      metadata: t.arg.boolean({ description: 'Whether git metadata is included. Default true.' }),
      computed: t.arg.boolean({
        description:
          'Whether computed content is included. Default true. What cannot be computed stays as its source, which in this release is everything.',
      }),
    },
    resolve: async ({ revisionId }, { metadata }, ctx) => {
      const revision = await loadRevision(ctx, revisionId);
      if (!revision) return null;
      return metadata === false ? { ...revision, git: null } : revision;
    },
  }),
  revisions: connection(t, {
    type: RevisionType,
    operation: listRevisions,
    description:
      'Its history: the states of the primary content, newest first. Nothing for those without a role on the space.',
    without: ['spaceId'],
    from: ({ id }) => ({ spaceId: id }),
    list: ({ id }, _input, ctx) => revisionsOfSpace(ctx, id, {}),
  }),
}));
