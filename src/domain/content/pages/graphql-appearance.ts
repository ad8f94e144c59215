import type { JsonObject } from '../../../lib/canonical.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { pageCoverSize, pageWidth } from './enums.ts';
import { ContentReference } from './graphql-reference.ts';
import type { PageLayout } from './layout.ts';

export const PageLayoutType = builder.objectRef<PageLayout>('PageLayout').implement({
  description: 'Which parts of a page are shown. What was never set has its default.',
  fields: (t) => ({
    width: t.expose('width', { type: enumType(pageWidth), description: 'How wide the text is. Default `DEFAULT`.' }),
    cover: t.exposeBoolean('cover', { description: 'Whether the cover is shown. Default true.' }),
    coverSize: t.expose('coverSize', {
      type: enumType(pageCoverSize),
      description: 'How large the cover is. Default `HERO`.',
    }),
    coverMask: t.exposeString('coverMask', { description: 'What is laid over the cover. Default `none`.' }),
    title: t.exposeBoolean('title', { description: 'Whether the title is shown. Default true.' }),
    description: t.exposeBoolean('description', { description: 'Whether the description is shown. Default true.' }),
    tableOfContents: t.exposeBoolean('tableOfContents', {
      description: 'Whether the tree of pages is shown. Default true.',
    }),
    outline: t.exposeBoolean('outline', { description: 'Whether the headings of the page are listed. Default true.' }),
    pagination: t.exposeBoolean('pagination', {
      description: 'Whether the next and the previous page are linked. Default true.',
    }),
    metadata: t.exposeBoolean('metadata', {
      description: 'Whether it says when the page was changed. Default true.',
    }),
    tags: t.exposeBoolean('tags', { description: 'Whether tags are shown. Default true.' }),
    actions: t.exposeBoolean('actions', { description: 'Whether actions are offered. Default true.' }),
    anchors: t.exposeBoolean('anchors', { description: 'Whether headings have links to themselves. Default true.' }),
  }),
});

const referenceAt = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null; // as the input was checked

const numberAt = (value: unknown) => (typeof value === 'number' ? value : null);

export const PageCoverType = builder.objectRef<JsonObject>('PageCover').implement({
  description: 'The cover image of a page.',
  fields: (t) => ({
    ref: t.field({
      type: ContentReference,
      nullable: true,
      description: 'The image: a file or an address. Null where the page has one for dark ground alone.',
      resolve: ({ ref }) => referenceAt(ref),
    }),
    refDark: t.field({
      type: ContentReference,
      nullable: true,
      description: 'The image on dark ground; null where it is the same.',
      resolve: ({ refDark }) => referenceAt(refDark),
    }),
    yPos: t.float({
      description: 'Vertical offset of the part of the image that is shown. Default 0.',
      resolve: ({ yPos }) => numberAt(yPos) ?? 0,
    }),
    height: t.float({
      nullable: true,
      description: 'Its height in pixels, 10 to 700; null for the default, 240.',
      resolve: ({ height }) => numberAt(height),
    }),
  }),
});

export const PageTagType = builder.objectRef<JsonObject>('PageTag').implement({
  description: 'A tag that a page has.',
  fields: (t) => ({
    tag: t.field({
      type: ContentReference,
      description: 'Names the tag: a reference of kind `tag`.',
      resolve: ({ tag }) => referenceAt(tag) ?? { kind: 'tag' },
    }),
    isPrimary: t.boolean({
      description: 'Whether it is shown where there is room for one tag alone.',
      resolve: ({ primary }) => primary === true,
    }),
  }),
});
