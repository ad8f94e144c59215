import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { containsText } from '../../../platform/database/conditions.ts';
import { conditionsInSql } from '../access/index.ts';

/** Number of spaces that an application can be limited to. */
export const MAX_SPACES = 100;
/** Number of spaces that a search on the page of consent shows. */
const MAX_FOUND = 20;
/** Spaces with a matching title whose access is decided, the first by title. */
const MAX_CONSIDERED = 1_000;

/** A space that the user can limit an application to. */
export interface ChoosableSpace {
  id: string;
  title: string;
  organizationId: string;
  /** Title of the organization. */
  organization: string;
}

/** What the page of consent shows of the spaces of the user. */
export interface SpaceChoice {
  /** The spaces that are ticked. */
  ticked: readonly ChoosableSpace[];
  /** Others whose title contains the search. */
  matches: readonly ChoosableSpace[];
  /** Whether these are all. */
  isComplete: boolean;
}

type Form = Readonly<Record<string, string>>;

/** Name of the field of a space in the form of consent. */
export const spaceField = (spaceId: string) => `in_${spaceId}`;

/** Ids of the spaces that a form of consent ticks. */
export const tickedIn = (form: Form): string[] =>
  Object.keys(form).flatMap((name) => (name.startsWith('in_') && form[name] === 'yes' ? [name.slice(3)] : []));

/** The spaces for the page of consent, in the organizations that it lists. */
export async function spaceChoice(ctx: Context, organizationIds: readonly string[], form: Form): Promise<SpaceChoice> {
  const ids = tickedIn(form);
  const search = (form.space_search ?? '').slice(0, 256).toWellFormed().toLowerCase();
  const [ticked, { spaces: matching, isComplete }] = await Promise.all([
    choosableSpaces(ctx, ids),
    readChoosable(
      ctx,
      sql`s.organization_id = any(${[...organizationIds]}::text[]) and s.deleted_at is null
        and s.id <> all(${ids}::text[]) and ${search === '' ? sql`true` : containsText(sql`s.title`, search)}`,
      MAX_FOUND + 1,
    ),
  ]);
  return { ticked, matches: matching.slice(0, MAX_FOUND), isComplete: isComplete && matching.length <= MAX_FOUND };
}

/**
 * Those of the spaces on which the caller has a role, by title: by default at most as many as an application can be
 * limited to.
 */
export const choosableSpaces = async (
  ctx: Context,
  ids: readonly string[],
  limit = MAX_SPACES,
): Promise<ChoosableSpace[]> =>
  ids.length === 0
    ? []
    : (await readChoosable(ctx, sql`s.id = any(${[...ids]}::text[]) and s.deleted_at is null`, limit)).spaces;

/**
 * Spaces that meet the condition and on which the caller has a role, and whether the access of all that meet it was
 * decided.
 */
async function readChoosable(
  ctx: Context,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<{ spaces: ChoosableSpace[]; isComplete: boolean }> {
  const { rows } = await sql<{ considered: number } & (ChoosableSpace | { id: null })>`
    with near as materialized (
      select s.* from space s where ${condition} order by lower(s.title), s.id limit ${sql.lit(MAX_CONSIDERED)}),
    seen as (
      select near.id, near.title, near.organization_id, o.title as organization, lower(near.title) as title_key
      from near join organization o on o.id = near.organization_id
      where ${conditionsInSql(ctx).space('near', 'read')}
      order by title_key, near.id limit ${sql.lit(limit)})
    select c.considered, seen.id, seen.title, seen.organization_id, seen.organization
    from (select count(*)::int as considered from near) c left join seen on true
    order by seen.title_key, seen.id`.execute(ctx.db);
  const spaces = rows.flatMap(({ considered: _, ...space }) => (space.id === null ? [] : [space]));
  return { spaces, isComplete: (rows[0]?.considered ?? 0) < MAX_CONSIDERED };
}
