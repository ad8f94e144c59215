import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { type BesideHead, pageIdAtPath } from '../../store/trees/index.ts';

/** What is looked for: of each reading the first path that a page has, and ids. */
interface Wanted {
  readings: readonly (readonly string[])[];
  ids: readonly string[];
}

interface FoundPages {
  /** Ids by path. */
  byPath: Map<string, string>;
  /** Paths by id of the pages that were asked for by id and are there; null for links. */
  ids: Map<string, string | null>;
}

/** Paths that no page has now, for which former pages are looked up: more are taken to be none of ours. */
const MAX_OLD_PATHS = 1_000;

/**
 * Pages of a revision by path and by id, in two statements at most: those of the head of its space, over which its own
 * difference is laid. A path that a page gave up leads to it while no other has it.
 */
export async function findPages(
  ctx: Context,
  spaceId: string,
  { readings, ids }: Wanted,
  beside: BesideHead | undefined,
): Promise<FoundPages> {
  const paths = [...new Set(readings.flat())];
  const rows = paths.length + ids.length === 0 ? [] : await readHead(ctx, spaceId, paths, ids);
  const own = beside?.pages.upserts ?? [];
  const replaced = new Set([...own.map(({ pageId }) => pageId), ...(beside?.pages.deletes ?? [])]);
  const present = [...rows.filter(({ pageId }) => !replaced.has(pageId)), ...own];
  const byPath = new Map(present.flatMap(({ pageId, path }) => (path === null ? [] : [[path, pageId]])));
  const missed = readings.filter((each) => each.length > 0 && !each.some((path) => byPath.has(path)));
  await addFormer(ctx, spaceId, missed.slice(0, MAX_OLD_PATHS), byPath, new Set(beside?.pages.deletes));
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
  gone: ReadonlySet<string>,
): Promise<void> {
  const former = await Promise.all(missed.map(([path = '']) => pageIdAtPath(ctx, spaceId, path)));
  missed.forEach(([path = ''], index) => {
    const pageId = former[index];
    if (pageId !== undefined && !gone.has(pageId)) byPath.set(path, pageId);
  });
}
