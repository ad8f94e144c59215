import { sql } from 'kysely';
import { trimOf } from '../../../lib/trim-characters.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';

/** Maximum depth of a tree, and therefore of a path. */
const MAX_DEPTH = 32;

/**
 * The id of the page at a path of a space's head, or of the page that was there before; batched. Each step of the path
 * follows the page that currently has the slug and the page that had it before. Paths that were remembered as a whole
 * (`rememberPaths`) come last. Pages are therefore found even if
 * several of their ancestors were renamed, moved or deleted. The match with the fewest former slugs wins.
 */
export async function pageIdAtPath(ctx: Context, spaceId: string, path: string): Promise<string | undefined> {
  return path.split('/').length > MAX_DEPTH ? undefined : load(ctx, `${spaceId} ${path}`);
}

/** Former paths as a whole come after all that former slugs lead to. */
const AFTER_SLUGS = 2 * MAX_DEPTH;

/** A path, without slashes at its ends, that leads to a page. */
export interface FormerPath {
  path: string;
  pageId: string;
}

/** Maximum size of a remembered path. It is part of the key of an index, which can have 2,704 bytes. */
const MAX_BYTES = 2_000;

/**
 * Makes paths of the head of a space lead to pages, like paths that they had before: up to 2,000 bytes each, longer
 * ones are left out. Pages that have the path, or had it after renames, come first. A path leads nowhere while its page
 * is not in the head. With `replacePresent` false, no path that leads to a page of the head is replaced. In one
 * statement.
 */
export async function rememberPaths(
  ctx: Context,
  { id: spaceId, organizationId }: { id: string; organizationId: string },
  paths: readonly FormerPath[],
  { replacePresent = true }: { replacePresent?: boolean } = {},
): Promise<void> {
  const pageIdByPath = new Map(paths.map(({ path, pageId }) => [trimOf(path, '/'), pageId]));
  const rows = [...pageIdByPath]
    .filter(([path]) => path !== '' && Buffer.byteLength(path) <= MAX_BYTES)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  if (rows.length === 0) return;
  await sql`
    insert into old_slug (space_id, parent_id, slug, organization_id, page_id, changed_at)
    select ${spaceId}, '', f.path, ${organizationId}, f.page_id, ${nowOf(ctx)}::timestamptz
    from unnest(${rows.map(([path]) => path)}::text[], ${rows.map(([, pageId]) => pageId)}::text[]) as f(path, page_id)
    on conflict (space_id, parent_id, slug) do update set page_id = excluded.page_id, changed_at = excluded.changed_at
      where (${replacePresent}::boolean and excluded.slug like '%/%')
        or not exists (select from head_page h where h.space_id = old_slug.space_id and h.page_id = old_slug.page_id)`.execute(
    ctx.db,
  );
}

const load = sharedLoader<string>('old path', async (db, keys) => {
  const spaceIds = keys.map((key) => key.slice(0, key.indexOf(' ')));
  const paths = keys.map((key) => key.slice(key.indexOf(' ') + 1));
  const { rows } = await sql<{ key: string; pageId: string }>`
    with recursive wanted as (
      select w.space_id || ' ' || w.path as key, w.space_id, w.path, cardinality(string_to_array(w.path, '/')) as depth
      from unnest(${spaceIds}::text[], ${paths}::text[]) as w(space_id, path)
    ), step as (
      (select w.key, w.space_id, w.path, w.depth, '' as page_id, 0 as taken, 0 as old from wanted w
      union all
      select w.key, w.space_id, w.path, w.depth, o.page_id, w.depth, ${sql.lit(AFTER_SLUGS)}
      from wanted w join old_slug o on o.space_id = w.space_id and o.parent_id = '' and o.slug = w.path
      where w.depth > 1)
      union
      select s.key, s.space_id, s.path, s.depth, f.page_id, s.taken + 1, s.old + f.old
      from step s
      cross join lateral (
        select split_part(s.path, '/', s.taken + 1) as slug,
          (select a.path from head_page a where a.space_id = s.space_id and a.page_id = s.page_id) || '/' as above
      ) next
      cross join lateral (
        select h.page_id, 0 as old from head_page h
        where h.space_id = s.space_id and md5(h.path) = md5(concat(next.above, next.slug))
          and h.path = concat(next.above, next.slug) and coalesce(h.parent_id, '') = s.page_id
        union all
        select o.page_id, 1 from old_slug o
        where o.space_id = s.space_id and o.parent_id = s.page_id and o.slug = next.slug
      ) f
      where s.taken < s.depth
    )
    select distinct on (s.key) s.key, s.page_id
    from step s join head_page h on h.space_id = s.space_id and h.page_id = s.page_id
    where s.taken = s.depth
    order by s.key, s.old, s.page_id`.execute(db);
  return new Map(rows.map(({ key, pageId }) => [key, pageId]));
});
