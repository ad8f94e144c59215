import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import type { Column, Filterable, Rows } from './filter-condition.ts';
import { ENTERPRISE, type Profile, USER } from './schemas.ts';

/** A member as SCIM shows it. Without attributes from SCIM, it has those of the account. */
export interface UserRow {
  id: string;
  memberId: string;
  userName: string;
  externalId: string | null;
  /** Null if SCIM does not manage the member yet. */
  profile: Profile | null;
  role: Row<'membership'>['role'];
  /** Of the account. */
  displayName: string;
  /** Of the membership or, without one, the verified one of the account: admins see no other. */
  email: string | null;
  isDisabled: boolean;
  /** SCIM has disabled the member. */
  hasDisabled: boolean;
  createdAt: string;
  changedAt: string;
  /** Hash of the teams, for the version. */
  groupsHash: string;
}

/** Whether a member whom SCIM manages has a name. Members whom it does not manage then have their ID as name. */
const isNameTaken = (organizationId: string, name: RawBuilder<unknown>) => sql`exists (
  select from scim_user o where o.organization_id = ${organizationId} and lower(o.user_name) = lower(${name}))`;

const userRows = (organizationId: string) => sql`
  select m.user_id as id, m.id as member_id, m.organization_id, m.role, m.is_disabled, m.joined_at as created_at,
    greatest(m.joined_at, s.updated_at, case when s.user_id is null then u.updated_at end) as changed_at, s.external_id,
    s.profile, coalesce(s.has_disabled, false) as has_disabled,
    u.display_name, coalesce(m.email, u.email) as email,
    coalesce(s.user_name, case when not ${isNameTaken(organizationId, sql`coalesce(m.email, u.email)`)}
      then coalesce(m.email, u.email) end, m.user_id) as user_name
  from membership m
  join "user" u on u.id = m.user_id
  left join scim_user s on s.organization_id = m.organization_id and s.user_id = m.user_id
  where m.organization_id = ${organizationId}`;

const inProfile = (...path: string[]): Column => ({
  type: 'string',
  by: sql`(p.profile #>> ${sql.raw(`'{${path.map((each) => `"${each}"`).join(',')}}'`)})`,
});

const emails: Rows = {
  from: sql`from jsonb_array_elements(coalesce(p.profile -> 'emails', case when p.profile is null and p.email is not null
    then jsonb_build_array(jsonb_build_object('value', p.email, 'type', 'work', 'primary', true)) else '[]'::jsonb end))
    as each(item) where true`,
  columns: {
    value: { type: 'string', by: sql`(each.item ->> 'value')` },
    display: { type: 'string', by: sql`(each.item ->> 'display')` },
    type: { type: 'string', by: sql`(each.item ->> 'type')` },
    primary: { type: 'boolean', by: sql`coalesce((each.item ->> 'primary')::boolean, false)` },
  },
};

const groups: Rows = {
  from: sql`from team_member tm join team t on t.id = tm.team_id
    where tm.organization_id = p.organization_id and tm.user_id = p.id`,
  columns: {
    value: { type: 'string', isExact: true, by: sql`t.id` },
    display: { type: 'string', by: sql`t.title` },
  },
};

const NAMES = ['familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix'];
const TEXTS = ['nickName', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone'];
const WORK = ['employeeNumber', 'costCenter', 'organization', 'division', 'department'];

const columnsOf = (names: readonly string[], prefix: string, ...path: string[]) =>
  Object.fromEntries(names.map((name) => [`${prefix}${name}`.toLowerCase(), inProfile(...path, name)]));

/** The name of the account, if SCIM does not manage the member yet. */
const orOfAccount = ({ by }: Column): Column => ({
  type: 'string',
  by: sql`case when p.profile is null then p.display_name else ${by} end`,
});

/**
 * Members with a user name, in any case: that of SCIM, or else the address of the membership, that of the account, or
 * the ID. Each of these has an index, which a condition on all of them would not use.
 */
export function isNamed(organizationId: string, userName: RawBuilder<unknown>): RawBuilder<boolean> {
  const isUnmanaged = sql`not exists (
    select from scim_user s where s.organization_id = ${organizationId} and s.user_id = m.user_id)`;
  const isFree = sql`${isUnmanaged} and not ${isNameTaken(organizationId, userName)}`;
  return sql`(p.id = any(array(
    select s.user_id from scim_user s
    where s.organization_id = ${organizationId} and lower(s.user_name) = lower(${userName})
    union all select m.user_id from membership m
    where m.organization_id = ${organizationId} and lower(m.email) = lower(${userName}) and ${isFree}
    union all select m.user_id from "user" u join membership m on m.organization_id = ${organizationId} and m.user_id = u.id
    where lower(u.email) = lower(${userName}) and m.email is null and ${isFree}
    union all select m.user_id from "user" u join membership m on m.organization_id = ${organizationId} and m.user_id = u.id
    where u.id = lower(${userName}) and ${isUnmanaged}
      and (coalesce(m.email, u.email) is null or ${isNameTaken(organizationId, sql`coalesce(m.email, u.email)`)}))))`;
}

/** The attributes of users of an organization that filters can name. */
export const filterableUsers = (organizationId: string): Filterable => ({
  schema: USER,
  columns: {
    id: { type: 'string', isExact: true, by: sql`p.id` },
    externalid: { type: 'string', isExact: true, by: sql`p.external_id` },
    username: { type: 'string', by: sql`p.user_name`, equals: (name) => isNamed(organizationId, name) },
    active: { type: 'boolean', by: sql`(not p.is_disabled)` },
    displayname: orOfAccount(inProfile('displayName')),
    'name.formatted': orOfAccount(inProfile('name', 'formatted')),
    'meta.resourcetype': { type: 'string', isExact: true, by: sql`'User'::text` },
    'meta.created': { type: 'dateTime', by: sql`p.created_at` },
    'meta.lastmodified': { type: 'dateTime', by: sql`p.changed_at` },
    ...columnsOf(NAMES, 'name.', 'name'),
    ...columnsOf(TEXTS, ''),
    ...columnsOf(WORK, `${ENTERPRISE}:`, ENTERPRISE),
    ...columnsOf(['value', 'displayName'], `${ENTERPRISE}:manager.`, ENTERPRISE, 'manager'),
    // Entra asks for `manager eq`, without the schema and the sub-attribute.
    ...Object.fromEntries(
      ['manager', `${ENTERPRISE}:manager`.toLowerCase()].map((path) => [
        path,
        inProfile(ENTERPRISE, 'manager', 'value'),
      ]),
    ),
  },
  rows: { emails, groups },
});

const COLUMNS = sql`p.id, p.member_id, p.user_name, p.external_id, p.profile, p.has_disabled, p.role,
  p.display_name, p.email, p.is_disabled, p.created_at, p.changed_at`;

interface RowSelection {
  where?: RawBuilder<boolean> | undefined;
  order?: RawBuilder<unknown> | undefined;
  limit?: number;
  offset?: number;
}

/** Members of an organization, in the order of joining unless another is given. */
export async function readUsers(
  { db }: Pick<Context, 'db'>,
  organizationId: string,
  { where = sql`true`, order = sql``, limit = 1, offset = 0 }: RowSelection,
): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select ${COLUMNS}, (
      select md5(coalesce(string_agg(t.id || ' ' || t.title, chr(10) order by t.id), ''))
      from team_member tm join team t on t.id = tm.team_id
      where tm.organization_id = ${organizationId} and tm.user_id = p.id
    ) as groups_hash
    from (
      select p.* from (${userRows(organizationId)}) p where ${where}
      order by ${order} p.created_at, p.id limit ${limit} offset ${offset}) p
    order by ${order} p.created_at, p.id`.execute(db);
  return rows;
}

export async function countUsers(
  { db }: Pick<Context, 'db'>,
  organizationId: string,
  where: RawBuilder<boolean> = sql`true`,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${userRows(organizationId)}) p where ${where}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** A member by the id of the user. */
export async function readUser(
  ctx: Pick<Context, 'db'>,
  organizationId: string,
  id: string,
): Promise<UserRow | undefined> {
  const [row] = await readUsers(ctx, organizationId, { where: sql`p.id = ${id}` });
  return row;
}
