import { resource } from '../../../platform/resource/resource.ts';
import { role } from '../../people/access/index.ts';
import { collection, loadCollection } from '../collections/index.ts';
import { loadSpace, space } from '../spaces/index.ts';
import { isRedundant, isUsableLink, type LinkInviteRow } from './load.ts';

const isToContent = ({ spaceId, collectionId }: LinkInviteRow) => spaceId !== null || collectionId !== null;

/** A link never has the role `none`. */
const roleOf = ({ role: stored }: LinkInviteRow) => (stored === 'none' ? null : stored);

export const linkInvite = resource<LinkInviteRow>(
  {
    name: 'LinkInvite',
    object: 'invite',
    node: 'invite',
    isVersioned: true,
    description:
      'A link that lets anyone with an account join an organization. Anyone who knows its ID can use it, see `joinWithLinkInvite`.',
  },
  (f) => ({
    role: f
      .enum(role)
      .nullable('Role that people who join get in the organization. Null if they become guests.', (row) =>
        isToContent(row) ? null : roleOf(row),
      ),
    level: f
      .enum(role)
      .optional(
        'Role that people who join get on the space or collection. Null for links to the organization.',
        (row) => (isToContent(row) ? roleOf(row) : null),
      ),
    redundant: f.boolean(
      'Whether another usable link with the same target gives the same role or a higher one.',
      async ({ id }, ctx) => (await isRedundant(ctx, id)) ?? false,
    ),
    isUsable: f.boolean(
      'Whether people can join with the link. False if it has expired, if the organization is blocked or has turned off invite links, if the space was deleted, or if its creator is disabled or may no longer create it: then create another one.',
      async ({ id }, ctx) => (await isUsableLink(ctx, id)) ?? false,
    ),
    space: f
      .object(() => space)
      .optional(
        'Space that the link leads to. Null for other links, and if the space was deleted.',
        ({ spaceId }, ctx) => (spaceId === null ? null : loadSpace(ctx, spaceId)),
      ),
    collection: f
      .object(() => collection)
      .optional(
        'Collection that the link leads to. Null for other links, and if the collection was deleted.',
        ({ collectionId }, ctx) => (collectionId === null ? null : loadCollection(ctx, collectionId)),
      ),
    uses: f.count('Number of people who have joined with the link.', ({ uses }) => uses),
    expiresAt: f.time.optional('Time when the link expires. Null if it does not.', ({ expiresAt }) => expiresAt),
    createdAt: f.time('Time when the link was created.', ({ createdAt }) => createdAt),
  }),
);
