import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { type HeadDifference, pageIdAtPath } from '../../store/trees/index.ts';

/** What to look for: for each list of alternative paths the first one that exists, and pages by id. */
interface Wanted {
  readings: readonly (readonly string[])[];
  ids: readonly string[];
}

interface FoundPages {
  /** Ids by path. */
  byPath: Map<string, string>;
  /** Paths by id of the requested pages that exist; null for links. */
  ids: Map<string, string | null>;
}

/** Maximum number of paths without a page for which former pages are looked up. Further paths count as unknown. */
const MAX_OLD_PATHS = 1_000;

/**
 * Pages of a revision by path and by id, with two statements at most: pages of the head of its space, with the
 * differences of the revision applied. A former path leads to its page as long as no other page has it.
 */
export async function findAddressedPages(
  ctx: Context,
  spaceId: string,
  { readings, ids }: Wanted,
  difference: HeadDifference | undefined,
): Promise<FoundPages> {
  const paths = [...new Set(readings.flat())];
  const rows = paths.length + ids.length === 0 ? [] : await readHead(ctx, spaceId, paths, ids);
  const upserts = difference?.pages.upserts ?? [];
  const replaced = new Set([...upserts.map(({ pageId }) => pageId), ...(difference?.pages.deletes ?? [])]);
  const present = [...rows.filter(({ pageId }) => !replaced.has(pageId)), ...upserts];
  const byPath = new Map(present.flatMap(({ pageId, path }) => (path === null ? [] : [[path, pageId]])));
  const missed = readings.filter((each) => each.length > 0 && !each.some((path) => byPath.has(path)));
  await addFormer(ctx, spaceId, missed.slice(0, MAX_OLD_PATHS), byPath, new Set(difference?.pages.deletes));
  const wantedIds = new Set(ids);
  return {
    byPath,
    ids: new Map(present.filter(({ pageId }) => wantedIds.has(pageId)).map(({ pageId, path }) => [pageId, path])),
  };
}

async function readHead(ctx: Context, spaceId: string, paths: readonly string[], ids: readonly string[]) {
  const { rows } = await sql<{ pageId: string; path: string | null }>`
    select h.page_id as "pageId", h.path from unnest(${paths}::text[]) as w(path)
    join head_page h on h.space_id = ${spaceId} and md5(h.path) = md5(w.path) and h.path = w.path
    union all
    select h.page_id, h.path from head_page h where h.space_id = ${spaceId} and h.page_id = any(${ids}::text[])`.execute(
    ctx.db,
  );
  return rows;
}

async function addFormer(
  ctx: Context,
  spaceId: string,
  missed: readonly (readonly string[])[],
  byPath: Map<string, string>,
  deletedIds: ReadonlySet<string>,
): Promise<void> {
  const former = await Promise.all(missed.map(([path = '']) => pageIdAtPath(ctx, spaceId, path)));
  missed.forEach(([path = ''], index) => {
    const pageId = former[index];
    if (pageId !== undefined && !deletedIds.has(pageId)) byPath.set(path, pageId);
  });
}
