import { builder } from '../../../platform/graphql/builder.ts';

/** Fields that are a member of the reference, where its kind has that. */
const MEMBERS = {
  url: { member: 'url', description: 'The address, of a reference to one.' },
  anchor: { member: 'anchor', description: 'Name of a place in a page, of a reference to one.' },
} as const;

/** The same for ids. */
const IDS = {
  pageId: { member: 'page', description: 'The `pageId` of the page that is named, or that has the anchor.' },
  fileId: { member: 'file', description: 'The `fileId` of the file that is named.' },
  reusableContentId: {
    member: 'reusableContent',
    description: 'The `reusableContentId` of the content that is named.',
  },
  spaceId: {
    member: 'space',
    description: 'Id of the space that is named, or that has what is named; null is the space of the content itself.',
  },
  collectionId: { member: 'collection', description: 'Id of the collection that is named.' },
  userId: { member: 'user', description: 'Id of the user who is named.' },
} as const;

const textAt = (ref: Record<string, unknown>, member: string) => {
  const value = ref[member];
  return typeof value === 'string' ? value : null;
};

/** A content reference as JSON has it, by its members. */
export const ContentReference = builder.objectRef<Record<string, unknown>>('ContentReference').implement({
  description: 'Names something in content: a page, a file, an address and so on. Fields that its kind lacks are null.',
  fields: (t) => ({
    kind: t.string({
      description: 'What is named: `url`, `page`, `anchor`, `file`, `space` and so on.',
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
      description: 'The whole reference as inputs take it: `{ kind, … }` with the members that its kind has.',
      resolve: (ref) => ref,
    }),
  }),
});
