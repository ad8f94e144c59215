import { builder } from '../../../platform/graphql/builder.ts';

/** Fields for properties that references of some kinds have. */
const MEMBERS = {
  url: { member: 'url', description: 'The URL, for references to URLs.' },
  anchor: { member: 'anchor', description: 'Name of the anchor, for references to anchors.' },
  specSlug: { member: 'spec', description: 'Slug of the OpenAPI specification, for references to specifications.' },
} as const;

/** The same for ids. */
const IDS = {
  pageId: { member: 'page', description: 'The `pageId` of the page, or of the page that has the anchor.' },
  fileId: { member: 'file', description: 'The `fileId`, for references to files.' },
  reusableContentId: {
    member: 'reusableContent',
    description: 'The `reusableContentId`, for references to reusable contents.',
  },
  spaceId: {
    member: 'space',
    description: 'ID of the space, or of the space that contains the target. Null for the space of the content itself.',
  },
  collectionId: { member: 'collection', description: 'ID of the collection, for references to collections.' },
  userId: { member: 'user', description: 'ID of the user, for references to users.' },
} as const;

const textAt = (ref: Record<string, unknown>, member: string) => {
  const value = ref[member];
  return typeof value === 'string' ? value : null;
};

/** A content reference, in its JSON form. */
export const ContentReference = builder.objectRef<Record<string, unknown>>('ContentReference').implement({
  description: 'A reference to a page, file, URL or other target. Fields that do not apply to its kind are null.',
  fields: (t) => ({
    kind: t.string({
      description:
        'Kind of the target: `url`, `page`, `anchor`, `file`, `space`, `collection`, `user`, `reusable-content`, `openapi` or `tag`.',
      resolve: ({ kind }) => String(kind),
    }),
    ...Object.fromEntries(
      Object.entries(MEMBERS).map(([name, { member, description }]) => [
        name,
        t.string({ nullable: true, description, resolve: (ref) => textAt(ref, member) }),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(IDS).map(([name, { member, description }]) => [
        name,
        t.id({ nullable: true, description, resolve: (ref) => textAt(ref, member) }),
      ]),
    ),
    ref: t.field({
      type: 'JSONObject',
      description:
        'The reference in JSON, as documents and REST have it: `{ kind, … }` with the properties of its kind.',
      resolve: (ref) => ref,
    }),
  }),
});
