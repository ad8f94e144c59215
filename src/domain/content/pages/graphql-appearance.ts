import type { JsonObject } from '../../../lib/canonical.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { ContentReference } from './graphql-reference.ts';

const referenceAt = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null; // validated when it was written

const numberAt = (value: unknown) => (typeof value === 'number' ? value : null);

export const PageCoverType = builder.objectRef<JsonObject>('PageCover').implement({
  description: 'Cover image of a page.',
  fields: (t) => ({
    ref: t.field({
      type: ContentReference,
      nullable: true,
      description: 'Image of the cover: a file or a URL. Null if the page only has an image for dark mode.',
      resolve: ({ ref }) => referenceAt(ref),
    }),
    refDark: t.field({
      type: ContentReference,
      nullable: true,
      description: 'Image for dark mode. Null if it is the same image.',
      resolve: ({ refDark }) => referenceAt(refDark),
    }),
    yPos: t.float({
      description: 'Vertical offset of the visible part of the image. Default 0.',
      resolve: ({ yPos }) => numberAt(yPos) ?? 0,
    }),
    height: t.float({
      nullable: true,
      description: 'Height in pixels, 10 to 700. Null for the default of 240.',
      resolve: ({ height }) => numberAt(height),
    }),
  }),
});

export const PageTagType = builder.objectRef<JsonObject>('PageTag').implement({
  description: 'A tag that is assigned to a page.',
  fields: (t) => ({
    tag: t.field({
      type: ContentReference,
      description: 'Reference to the tag, of kind `tag`.',
      resolve: ({ tag }) => referenceAt(tag) ?? { kind: 'tag' },
    }),
    isPrimary: t.boolean({
      description: 'Whether to show this tag where there is only room for one.',
      resolve: ({ primary }) => primary === true,
    }),
  }),
});
