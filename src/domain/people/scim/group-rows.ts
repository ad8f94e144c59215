import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { ScimError } from '../../../platform/errors/scim-error.ts';
import type { Filterable } from './filter-condition.ts';
import { GROUP } from './schemas.ts';

/** A team as SCIM shows it. */
export interface GroupRow {
  id: string;
  title: string;
  externalId: string | null;
  createdAt: string;
  changedAt: string;
  /** Hash of the ids and names of the members, for the version. */
  membersHash: string;
}

export interface MemberOfGroup {
  teamId: string;
  userId: string;
  displayName: string;
}

const groupRows = (organizationId: string) => sql`
  select t.id, t.organization_id, t.title, t.created_at, g.external_id, greatest(t.created_at, g.updated_at) as changed_at
  from team t left join scim_group g on g.team_id = t.id
  where t.organization_id = ${organizationId}`;

const groups: Filterable = {
  schema: GROUP,
  columns: {
    id: { type: 'string', isExact: true, by: sql`p.id` },
    externalid: { type: 'string', isExact: true, by: sql`p.external_id` },
    displayname: { type: 'string', by: sql`p.title` },
    'meta.resourcetype': { type: 'string', isExact: true, by: sql`'Group'::text` },
    'meta.created': { type: 'dateTime', by: sql`p.created_at` },
    'meta.lastmodified': { type: 'dateTime', by: sql`p.changed_at` },
  },
  rows: {
    members: {
      from: sql`from team_member tm where tm.team_id = p.id`,
      columns: {
        value: { type: 'string', isExact: true, by: sql`tm.user_id` },
        type: { type: 'string', by: sql`'User'::text` },
      },
    },
  },
};

/** The attributes of groups that filters can name. */
export const filterableGroups = groups;

interface RowSelection {
  where?: RawBuilder<boolean> | undefined;
  order?: RawBuilder<unknown> | undefined;
  limit?: number;
  offset?: number;
}

/** Teams of an organization, in the order of their creation unless another is given. */
export async function readGroups(
  { db }: Pick<Context, 'db'>,
  organizationId: string,
  { where = sql`true`, order = sql``, limit = 1, offset = 0 }: RowSelection,
): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    select p.id, p.title, p.external_id, p.created_at, p.changed_at, (
      select md5(coalesce(string_agg(tm.user_id || to_json(u.display_name)::text, '' order by tm.user_id), ''))
      from team_member tm join "user" u on u.id = tm.user_id where tm.team_id = p.id
    ) as members_hash
    from (
      select p.* from (${groupRows(organizationId)}) p where ${where}
      order by ${order} p.created_at, p.id limit ${limit} offset ${offset}) p
    order by ${order} p.created_at, p.id`.execute(db);
  return rows;
}

export async function countGroups(
  { db }: Pick<Context, 'db'>,
  organizationId: string,
  where: RawBuilder<boolean> = sql`true`,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${groupRows(organizationId)}) p where ${where}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** A team by its id. */
export async function readGroup(
  ctx: Pick<Context, 'db'>,
  organizationId: string,
  id: string,
): Promise<GroupRow | undefined> {
  const [row] = await readGroups(ctx, organizationId, { where: sql`p.id = ${id}` });
  return row;
}

/** Maximum number of members in a response. */
const MAX_MEMBERS = 50_000;

/** The members of teams, with one statement. `tooMany` if a response cannot have them all. */
export async function membersOfGroups(
  { db }: Pick<Context, 'db'>,
  rows: readonly GroupRow[],
): Promise<Map<string, MemberOfGroup[]>> {
  if (rows.length === 0) return new Map();
  const members = await db
    .selectFrom('team_member as tm')
    .innerJoin('user as u', 'u.id', 'tm.userId')
    .where('tm.teamId', '=', anyOf(rows.map(({ id }) => id)))
    .select(['tm.teamId', 'tm.userId', 'u.displayName'])
    .orderBy('tm.teamId')
    .orderBy('tm.userId')
    .limit(MAX_MEMBERS + 1)
    .execute();
  if (members.length > MAX_MEMBERS)
    throw new ScimError(
      'tooMany',
      `The groups have more than ${MAX_MEMBERS} members. Request fewer groups at a time, or excludedAttributes=members.`,
    );
  return Map.groupBy(members, ({ teamId }) => teamId);
}
