import type { ServiceUrl } from '../../../lib/document/service-url.ts';
import type { Context } from '../../../platform/context/context.ts';
import { loadCollection } from '../../places/collections/index.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { findVisiblePage } from '../../store/trees/index.ts';
import { loadRevision } from '../revisions/index.ts';

/** Maximum number of spaces, and of collections, that are looked up for a text. Further URLs stay URLs. */
const MAX_NAMED = 1_000;

/** Key of a page in the result of `findElsewhere`. */
export const keyOfPage = ({ space, page }: { space: string; page: string }) => `${space}/${page}`;

/**
 * Ids of the spaces and collections of this organization that URLs lead to and the caller can view, and keys of the
 * pages in these spaces that the caller sees. The number of statements does not depend on the number of URLs.
 */
export async function findElsewhere(
  ctx: Context,
  addresses: readonly ServiceUrl[],
  organizationId: string,
): Promise<ReadonlySet<string>> {
  const spaceIds = new Set(addresses.flatMap((address) => ('space' in address ? address.space : [])));
  const collectionIds = new Set(addresses.flatMap((address) => ('collection' in address ? address.collection : [])));
  const [spaces, collections] = await Promise.all([
    Promise.all([...spaceIds].slice(0, MAX_NAMED).map((id) => loadSpace(ctx, id))),
    Promise.all([...collectionIds].slice(0, MAX_NAMED).map((id) => loadCollection(ctx, id))),
  ]);
  const isOfOrganization = (place: { organizationId: string }) => place.organizationId === organizationId;
  const present = spaces.flatMap((space) =>
    space && space.deletedAt === null && isOfOrganization(space) ? [[space.id, space] as const] : [],
  );
  const spacesById = new Map(present);
  const pages = addresses.flatMap((address) => {
    const space = address.kind === 'page' ? spacesById.get(address.space) : undefined;
    return address.kind === 'page' && space ? { ...address, revisionId: space.revisionId } : [];
  });
  const seen = await Promise.all(pages.map((page) => isSeen(ctx, page)));
  return new Set([
    ...spacesById.keys(),
    ...collections.flatMap((collection) => (collection && isOfOrganization(collection) ? collection.id : [])),
    ...pages.flatMap((page, index) => (seen[index] ? keyOfPage(page) : [])),
  ]);
}

/** Whether the caller sees a page of a revision. */
async function isSeen(ctx: Context, { revisionId, page }: { revisionId: string; page: string }): Promise<boolean> {
  const revision = await loadRevision(ctx, revisionId);
  return revision !== undefined && (await findVisiblePage(ctx, revision, { pageId: page })) !== undefined;
}
