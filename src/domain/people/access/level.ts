import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../platform/access/actor.ts';
import type { Level } from '../../../platform/access/roles.ts';

/**
 * The permission engine: the caller's level on a resource as one SQL expression, used alike to load,
 * to filter lists and counts, and to answer the booleans. `row` is the alias of the table in the statement around it.
 *
 * An organization admin is admin of everything; a disabled member has nothing; who is no member has nothing. Otherwise
 * the walk goes outwards: at each level the highest grant to the user or their teams ends it, or else a default level
 * does, for members who are not guests. At the end stands the organization role.
 */
export const levelOn = {
  space: (actor: Actor, row: string) => ofActor(actor, row, SPACE_STEPS),
  collection: (actor: Actor, row: string) => ofActor(actor, row, COLLECTION_STEPS),
  site: (actor: Actor, row: string) => ofActor(actor, row, SITE_STEPS),
};

/** The same for whichever user an expression names, for statements about others than the caller. */
export const levelOfUser = {
  space: (userId: RawBuilder<unknown>, row: string) => walk(userId, row, SPACE_STEPS),
  site: (userId: RawBuilder<unknown>, row: string) => walk(userId, row, SITE_STEPS),
};

export type LevelKind = keyof typeof levelOn;

/** Whether the level reaches at least `wanted`, as a condition. */
export const reaches = (level: RawBuilder<Level | null>, wanted: Level) =>
  sql<boolean>`coalesce(${level}, 'none') >= ${sql.lit(wanted)}`;

/**
 * Whether a space may be read: by level, or because a published site shows it to the caller. Reading is all that
 * visibility ever gives.
 */
export const mayView = (actor: Actor, row: string) => {
  const shown = isShown(actor, row);
  return actor.kind === 'user' ? sql<boolean>`(${reaches(levelOn.space(actor, row), 'read')} or ${shown})` : shown;
};

/** The space is on a published site that admits the caller. */
export const isShown = (actor: Actor, row: string): RawBuilder<boolean> => {
  refuseTaken(row);
  if (actor.kind === 'site-token') {
    const { organizationId, spaceIds } = actor;
    const id = sql.ref(`${row}.id`);
    return sql<boolean>`(${sql.ref(`${row}.organization_id`)} = ${organizationId} and ${id} = any(${spaceIds}::text[]))`;
  }
  const admitted = actor.kind === 'visitor' ? sql`or si.id = ${actor.siteId}` : sql``;
  return sql<boolean>`exists (
    select from site_space ss join site si on si.id = ss.site_id
    where ss.space_id = ${sql.ref(`${row}.id`)} and si.organization_id = ${sql.ref(`${row}.organization_id`)}
      and si.is_published and (si.visibility in ('public', 'unlisted') ${admitted}))`;
};

/**
 * What one level says, in terms of the row and of the caller's membership `m`: the expressions are read outwards until one
 * is not null. They are text without values, since putting them together anew for each statement was a sixth of the work
 * of a small request.
 */
type Step = (row: string) => string;

function ofActor(actor: Actor, row: string, steps: () => Step[]): RawBuilder<Level | null> {
  refuseTaken(row);
  return actor.kind === 'user' ? walk(sql`${actor.userId}`, row, steps) : sql<Level | null>`null::role`;
}

function walk(userId: RawBuilder<unknown>, row: string, steps: () => Step[]): RawBuilder<Level | null> {
  refuseTaken(row);
  const levels = [...steps().map((step) => step(row)), 'm.role'].join(', ');
  return sql<Level | null>`(
    select case when m.role = 'admin' then 'admin'::role else coalesce(${sql.raw(levels)}) end
    from membership m
    where m.organization_id = ${sql.ref(`${row}.organization_id`)} and m.user_id = ${userId} and not m.is_disabled)`;
}

const SPACE_STEPS = () => [ownLevel, sitesLevel, collectionsLevel];
const COLLECTION_STEPS = () => [ownLevel, collectionsLevel];
const SITE_STEPS = () => [ownLevel];

/** Tables inside the expressions have these names; a row around them of the same name would be taken for one of them. */
const TAKEN = ['m', 'g', 'tm', 'ss', 'si', 'p'];

function refuseTaken(row: string): void {
  if (TAKEN.includes(row)) throw new Error(`"${row}" is the name of a table inside the level; call the row otherwise.`);
  if (!/^[a-z]+$/.test(row)) throw new Error(`"${row}" would have to be quoted; call the row otherwise.`);
}

/** The highest grant to the user, or to a team of theirs, on whatever `target` names. */
const highestGrant = (target: string) => `(
  select max(g.role) from "grant" g
  where g.target_id = ${target} and g.organization_id = m.organization_id and (g.grantee_id = m.user_id or g.grantee_id in (
    select tm.team_id from team_member tm where tm.organization_id = m.organization_id and tm.user_id = m.user_id)))`;

/** Default levels are for members; guests see what is granted to them. */
const forMembers = (level: string) => `case when m.role is not null then ${level} end`;

const ownLevel: Step = (row) => `coalesce(${highestGrant(`${row}.id`)}, ${forMembers(`${row}.default_level`)})`;

/** All sites that the space is linked to are one level: the highest grant, else the highest default. */
const sitesLevel: Step = (row) => {
  const links = 'site_space ss join site si on si.id = ss.site_id';
  const ofSpace = `ss.space_id = ${row}.id and si.organization_id = m.organization_id`;
  const granted = `select max(${highestGrant('si.id')}) from ${links} where ${ofSpace}`;
  const byDefault = `(select max(si.default_level) from ${links} where ${ofSpace})`;
  return `coalesce((${granted}), ${forMembers(byDefault)})`;
};

const MAX_DEPTH = 12;

/**
 * The collections above an item, nearest first; the first that says anything ends the walk. Each is looked up by its key:
 * in a join, PostgreSQL reads all collections of the organization for every item.
 */
const collectionsLevel: Step = (row) => {
  const byDefault = `(
    select c.default_level from collection c where c.id = p.parent_id and c.organization_id = m.organization_id)`;
  const level = `coalesce(${highestGrant('p.parent_id')}, ${forMembers(byDefault)})`;
  return `(
    with recursive above(id, depth, level) as (
      select p.parent_id, 1, ${level} from placement p where p.item_id = ${row}.id
      union all
      select p.parent_id, a.depth + 1, ${level}
      from above a join placement p on p.item_id = a.id
      where a.level is null and a.depth < ${MAX_DEPTH}
    )
    select above.level from above where above.level is not null)`;
};
