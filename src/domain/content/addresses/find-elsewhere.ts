import { sql } from 'kysely';
import type { ServiceUrl } from '../../../lib/document/service-url.ts';
import type { Context } from '../../../platform/context/context.ts';
import { loadCollection } from '../../places/collections/index.ts';
import { loadSpace } from '../../places/spaces/index.ts';

/** Maximum number of spaces, and of collections, that are looked up for a text. Further URLs stay URLs. */
const MAX_NAMED = 1_000;

/** Key of a page in the result of `findElsewhere`. */
export const keyOfPage = ({ space, page }: { space: string; page: string }) => `${space}/${page}`;

/**
 * Ids of the spaces and collections of this organization that URLs lead to and the caller can view, and keys of the
 * pages in these spaces. Uses three statements.
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
  const seen = new Set(
    [...spaces.filter((space) => space?.deletedAt === null), ...collections]
      .filter((place) => place?.organizationId === organizationId)
      .flatMap((place) => place?.id ?? []),
  );
  const pages = addresses.flatMap((address) => (address.kind === 'page' && seen.has(address.space) ? address : []));
  return new Set([...seen, ...(pages.length === 0 ? [] : await pagesThere(ctx, pages))]);
}

async function pagesThere(ctx: Context, pages: readonly { space: string; page: string }[]): Promise<string[]> {
  const { rows } = await sql<{ space: string; page: string }>`
    select h.space_id as space, h.page_id as page
    from unnest(${pages.map(({ space }) => space)}::text[], ${pages.map(({ page }) => page)}::text[]) as w(space, page)
    join head_page h on h.space_id = w.space and h.page_id = w.page`.execute(ctx.db);
  return rows.map(keyOfPage);
}
