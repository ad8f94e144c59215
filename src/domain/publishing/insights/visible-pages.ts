import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { findReadPages } from '../../content/computed-sources/index.ts';
import { loadRevision } from '../../content/revisions/index.ts';
import { loadSpace } from '../../places/spaces/index.ts';

/**
 * Those of the pages that the caller sees in the current content of one of the spaces, by their ids. Only spaces that
 * store one of the pages are read and, for ids that none stores, those with computed pages.
 */
export async function visiblePages(
  ctx: Context,
  spaceIds: readonly string[],
  pageIds: readonly string[],
): Promise<Set<string>> {
  const stored = await storedPages(ctx, spaceIds, pageIds);
  const storedIds = new Set(stored.map(({ pageId }) => pageId));
  const others = pageIds.filter((id) => !storedIds.has(id));
  const computing = others.length === 0 ? [] : await computingSpaces(ctx, spaceIds);
  const storedIn = Map.groupBy(stored, ({ spaceId }) => spaceId);
  const visible = await Promise.all(
    [...new Set([...storedIn.keys(), ...computing])].map((spaceId) => {
      const ids = (storedIn.get(spaceId) ?? []).map(({ pageId }) => pageId);
      return visibleIn(ctx, spaceId, computing.includes(spaceId) ? [...ids, ...others] : ids, storedIds);
    }),
  );
  return new Set(visible.flat());
}

async function visibleIn(
  ctx: Context,
  spaceId: string,
  pageIds: readonly string[],
  storedIds: ReadonlySet<string>,
): Promise<string[]> {
  const space = await loadSpace(ctx, spaceId);
  const revision = space && (await loadRevision(ctx, space.revisionId));
  return revision ? [...(await findReadPages(ctx, revision, pageIds, (id) => !storedIds.has(id))).keys()] : [];
}

/** The places of pages in the current content of spaces, whether or not the caller sees them. */
const storedPages = ({ db }: Context, spaceIds: readonly string[], pageIds: readonly string[]) =>
  db
    .selectFrom('head_page')
    .where('spaceId', '=', anyOf(spaceIds))
    .where('pageId', '=', anyOf(pageIds))
    .select(['spaceId', 'pageId'])
    .execute();

/** The spaces with computed pages. */
async function computingSpaces({ db }: Context, spaceIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('head_page')
    .where('spaceId', '=', anyOf(spaceIds))
    .where('kind', '=', 'computed')
    .select('spaceId')
    .distinct()
    .execute();
  return rows.map(({ spaceId }) => spaceId);
}
