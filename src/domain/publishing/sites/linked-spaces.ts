import { sql } from 'kysely';
import { ranksBetween } from '../../../lib/rank.ts';
import { slugify, uniqueSlug } from '../../../lib/slug.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { authorize, isVisible, resourceRows } from '../../people/access/index.ts';

type SpaceRow = Row<'space'>;

/**
 * The spaces to link to a site, in the given order. Each must belong to the organization and be visible to the caller,
 * else BAD_USER_INPUT at `path`, and the caller must have the role `create` on it: a site publishes its spaces, and
 * roles on the site apply to them.
 */
export async function linkableSpaces(
  ctx: Context,
  { organizationId, spaceIds }: { organizationId: string; spaceIds: readonly string[] },
  path: (index: number) => (string | number)[],
): Promise<SpaceRow[]> {
  const accessLock = ctx.inTransaction ? { version: 'for share' as const } : undefined;
  const rows = await resourceRows<SpaceRow>(ctx, { kind: 'space', ids: [...new Set(spaceIds)], accessLock });
  const byId = new Map(rows.map((space) => [space.id, space]));
  return spaceIds.map((id, index) => {
    const space = byId.get(id);
    if (!space || space.organizationId !== organizationId || space.deletedAt !== null || !isVisible(space))
      throw badInput(
        path(index),
        `Space "${id}" does not exist in this organization, or you cannot see it.`,
        'NOT_FOUND',
      );
    return authorize(ctx, space, { what: 'space', id }, 'create');
  });
}

/** A title of at least two characters, as sites and sections need, from the title of a space. */
export const titleFrom = (title: string) => ([...title].length < 2 ? `${title} Docs` : title);

/** Places spaces at the root of a new site. The first one is the default. */
export async function linkSpaces(
  ctx: Context,
  { siteId, organizationId }: { siteId: string; organizationId: string },
  spaces: readonly SpaceRow[],
): Promise<void> {
  const now = nowOf(ctx);
  const paths = new Set<string>();
  const ranks = ranksBetween(null, null, spaces.length);
  const rows = spaces.map((space, index) => {
    const path = uniqueSlug(slugify(space.title), paths);
    paths.add(path);
    return { id: newId('sitespace'), space_id: space.id, path, rank: ranks[index], is_default: index === 0 };
  });
  await sql`
    insert into site_space (id, organization_id, site_id, space_id, path, rank, is_default, created_at, updated_at)
    select l.id, ${organizationId}, ${siteId}, l.space_id, l.path, l.rank, l.is_default, ${now}, ${now}
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as l(id text, space_id text, path text, rank text, is_default boolean)`.execute(ctx.db);
}
