import type { JsonObject } from '../../../lib/canonical.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { ContentReference } from './graphql-reference.ts';

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
