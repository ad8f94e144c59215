import { z } from 'zod';
import type { DocumentFields } from '../../../lib/tree/node.ts';
import type { Context } from '../../../platform/context/context.ts';
import { documentId } from '../../../platform/ids/ids.ts';
import type { FieldMaker } from '../../../platform/resource/make-fields.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { appUrl, locationUrl } from '../../../platform/resource/urls.ts';
import { jsonObjectShape } from '../../../platform/shapes/shapes.ts';
import { gitBlob, gitBlobOf } from '../../store/git-sync/index.ts';
import { toBytes } from '../../store/revisions/index.ts';
import { sourceSeenBy } from '../computed-sources/index.ts';
import { layout, layoutOf } from './layout.ts';
import { hasChildren, pageDepth } from './navigation.ts';
import type { PageView } from './page-view.ts';
import { coverShape, metaLinksShape, referenceShape } from './reference-shapes.ts';

type Kind = PageView['page']['kind'];

/** The value of `kind`, which GitBook's API had before `type`. */
const OLD_KINDS = { document: 'sheet', group: 'group', link: 'link', computed: 'computed' } as const;

const oldKind = z.enum(['sheet', 'group', 'link', 'computed']);
const kindOfPage = z.enum(['document', 'group', 'link', 'computed']);

const pageUrls = resource<PageView>({ name: 'PageUrls', description: 'API and web URLs of a page.' }, (f) => ({
  app: f.url('URL of the page in the web application.', ({ page, revision }, ctx) =>
    pageUrl(ctx, revision.spaceId, page.pageId),
  ),
  location: f.url(
    'URL of the page, in this revision, in the REST API.',
    ({ page, revision }, ctx) =>
      locationUrl(ctx, `/v1/spaces/${revision.spaceId}/revisions/${revision.id}/page/${page.pageId}`),
    { rest: false },
  ),
}));

const pageUrl = (ctx: Context, spaceId: string, pageId: string) => appUrl(ctx, `/spaces/${spaceId}/pages/${pageId}`);

/** Fields of all kinds of pages. */
export const pageNode = resource<PageView>(
  {
    name: 'PageNode',
    description:
      'An entry in the page tree of a space, change request or revision. Its `pageId` is the same in all revisions. Its `id` is `<page ID>-in-<space ID>` or `<page ID>-in-<change request ID>` in current content, and stays the same when the content changes. In a revision, it is `<page ID>-at-<revision ID>`.',
  },
  (f) => ({
    pageId: f.id('page')('ID of the page within its space, the same in all revisions.', ({ page }) => page.pageId, {
      rest: 'id',
    }),
    kind: f.enum(oldKind)(
      'Former name of `type`, with the value `sheet` for documents.',
      ({ page }) => OLD_KINDS[page.kind],
      { graph: false },
    ),
    type: f.enum(kindOfPage)(
      'Type of the page: a page with a body, a heading that groups pages, a link, or a placeholder for computed pages.',
      ({ page }) => page.kind,
      { graph: false },
    ),
    title: f.string('Title of the page, 1 to 255 characters.', ({ page }) => page.title),
    linkTitle: f.string.optional('Shorter title for the page tree.', ({ page }) => page.node.fields.linkTitle),
    slug: f.string.optional('Last part of the path, unique among sibling pages. Links have none.', ({ page }) =>
      'slug' in page.node.fields ? page.node.fields.slug : null,
    ),
    path: f.string.optional(
      'Slugs from the top level down to the page, joined by `/`. Links have none.',
      ({ page }) => page.path,
    ),
    depth: f.int('Number of ancestors of the page: 0 at the top level.', (view, ctx) => pageDepth(ctx, view), {
      rest: false,
    }),
    parentPageId: f
      .id('page')
      .optional('`pageId` of the parent. Null at the top level.', ({ page }) => page.parentId, { rest: false }),
    hasChildren: f.boolean(
      'Whether the page has child pages. Hidden ones and those that a list leaves out count too.',
      (view, ctx) => hasChildren(ctx, view),
      { rest: false },
    ),
    emoji: f.string.optional(
      'Emoji of the page, as a character or as a hexadecimal code point.',
      ({ page }) => page.node.fields.emoji,
    ),
    icon: f.string.optional('Name of the icon of the page.', ({ page }) => page.node.fields.icon),
    condition: f.string.optional(
      'Expression that decides which visitors of a site can see the page.',
      ({ page }) => page.node.fields.condition,
      { graph: false },
    ),
    hidden: flag(f, 'hidden', 'Whether the page is left out of the tree of a published site.'),
    noIndex: flag(f, 'noIndex', "Whether the page is excluded from the site's own search."),
    noRobotsIndex: flag(f, 'noRobotsIndex', 'Whether search engines are asked not to index the page.'),
    git: f
      .object(() => gitBlob)
      .optional(
        'File of the page in the Git branch. Null unless the revision is synchronized with the latest commit, or if you have no role on the space.',
        ({ page, revision }, ctx) => gitBlobOf(ctx, revision, page.pageId),
      ),
    createdAt: f.time('Time when the page was created.', ({ page }) => page.node.createdAt),
    updatedAt: f.time('Time when the fields or the body of the page last changed.', ({ page }) => page.node.updatedAt),
    urls: f.apart({
      graph: f.object(() => pageUrls)('URLs of the page.', (view) => view),
      rest: f
        .object(() => pageUrls)
        .optional('URLs of the page. Only for pages with a body.', (view) =>
          view.page.kind === 'document' ? view : null,
        ),
    }),
  }),
);

/** Fields of pages with a body, except for the body and for references, which the graph has as objects. */
export const documentPage = resource<PageView>({ name: 'DocumentPage', description: 'A page with a body.' }, (f) => ({
  description: f.string.optional('Description of the page.', (view) => documentFields(view).description),
  documentId: f
    .id('doc')
    .optional('ID of the body. Pages without a body have none. Equal bodies have equal IDs.', ({ page }) =>
      page.documentHash === null ? null : documentId(toBytes(page.documentHash)),
    ),
  layout: f.object(() => layout)('Layout of the page: which parts are shown, and how.', (view) =>
    layoutOf(documentFields(view).layout),
  ),
  variables: f.apart({
    graph: f.jsonObject()(
      'Variables that expressions on the page can use, by name.',
      (view) => documentFields(view).variables ?? {},
    ),
    rest: f
      .jsonObject(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])))
      .optional('Variables that expressions on the page can use, by name.', (view) => documentFields(view).variables),
  }),
  tags: f.json(z.array(z.record(z.string(), z.unknown())))(
    'Tags of the page in their order.',
    (view) => documentFields(view).tags ?? [],
    { graph: false },
  ),
  cover: f.json(coverShape).optional(
    'Cover image of the page.',
    (view) => {
      const { cover } = documentFields(view);
      return cover && { yPos: 0, ...cover };
    },
    { graph: false },
  ),
  metaLinks: f
    .json(metaLinksShape.partial())
    .optional(
      'Canonical and alternate URLs of the page for search engines.',
      (view) => documentFields(view).metaLinks,
      { graph: false },
    ),
  computed: computedField(f, 'Source of the computed content.'),
  computedSeed: f.string.optional(
    'Identifies the state of the source that the content was computed from.',
    (view) => documentFields(view).computedSeed,
    { graph: false },
  ),
}));

export const linkPage = resource<PageView>({ name: 'LinkPage', description: 'A link in the page tree.' }, (f) => ({
  target: f.json(referenceShape).optional('Target of the link.', (view) => linkPageTarget(view), { graph: false }),
  href: f.string.optional('URL of the target, if the target is a URL.', (view) => {
    const url = linkPageTarget(view)?.url;
    return typeof url === 'string' ? url : null;
  }),
}));

export const computedPage = resource<PageView>(
  { name: 'ComputedPage', description: 'A placeholder for pages that are computed from another source.' },
  (f) => ({ computed: computedField(f, 'Source that the pages are computed from.') }),
);

/** The fields that a kind of page has besides those of all pages. */
export const FIELDS_OF_KIND = {
  document: documentPage,
  link: linkPage,
  computed: computedPage,
  group: null,
} satisfies Record<Kind, unknown>;

/** The fields of a page with a body. Other pages have none of them. */
export const documentFields = ({ page }: PageView): Partial<DocumentFields> =>
  page.node.kind === 'document' ? page.node.fields : {};

/** The target of a link page. */
export const linkPageTarget = ({ page: { node } }: PageView) =>
  'target' in node.fields ? node.fields.target : undefined;

/** A flag that is false in the graph, and left out in REST, where it was never set. */
function flag(f: FieldMaker<PageView>, name: 'hidden' | 'noIndex' | 'noRobotsIndex', description: string) {
  const read = ({ page }: PageView) => (page.node.fields as Partial<Record<typeof name, boolean>>)[name];
  return f.apart({
    graph: f.boolean(description, (view) => read(view) ?? false),
    rest: f.boolean.optional(description, read),
  });
}

function computedField(f: FieldMaker<PageView>, description: string) {
  const read = ({ page: { node } }: PageView, { actor }: Context) =>
    sourceSeenBy(actor, 'computed' in node.fields ? node.fields.computed : null);
  return f.jsonObject(jsonObjectShape(description)).optional(description, read, { graph: false });
}
