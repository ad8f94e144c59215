import { type RawBuilder, sql } from 'kysely';
import { type Actor, onlySpacesOf, reachOf, ssoOf, userIdOf } from '../../../../platform/access/actor.ts';
import type { Role } from '../../../../platform/access/roles.ts';

/**
 * The condition that a membership is the caller's and lets the caller act in its organization: it is not disabled, and
 * the caller has signed in as the organization requires. Every statement that reads the caller's own membership uses
 * it. `row` is the alias of the table.
 *
 * Callers who signed in with SSO act in that organization only, and applications in those that they are limited to.
 * Where SSO is enforced, only callers who signed in with it and admins with `is_break_glass` act. Applications that are
 * limited to spaces act only in these and not in the organization (`isWithin`).
 */
export function isActing(actor: Actor, row: string): RawBuilder<boolean> {
  return onlySpacesOf(actor) === undefined ? isWithin(actor, row) : sql<boolean>`false`;
}

/** The same, and also for applications that are limited to spaces, which see of the organization that it is there. */
export function isWithin(actor: Actor, row: string): RawBuilder<boolean> {
  const userId = userIdOf(actor);
  if (userId === undefined) return sql<boolean>`false`;
  return sql<boolean>`(${sql.ref(`${row}.user_id`)} = ${userId} and ${sql.raw(isEnabled(row))} and ${signInSuffices(actor, row)})`;
}

/** The condition that the membership is not disabled. */
export const isEnabled = (row: string) => `not ${row}.is_disabled`;

/** The condition that a user, whom a column names, is a member of an organization and not disabled. */
export const isEnabledMember = (
  organizationColumn: string,
  userColumn: string,
  /** The role that the member must have at least. */
  minimum: Role = 'none',
): RawBuilder<boolean> => sql<boolean>`exists (
  select from membership em where em.organization_id = ${sql.ref(organizationColumn)}
    and em.user_id = ${sql.ref(userColumn)} and ${sql.raw(isEnabled('em'))} and coalesce(em.role, 'none') >= ${sql.lit(minimum)})`;

/** The condition that the caller reaches the organization of a membership, and has signed in as it requires. */
export function signInSuffices(actor: Actor, row: string): RawBuilder<boolean> {
  const isReached = reachesOrganization(actor, `${row}.organization_id`);
  if (isReached === undefined) return sql<boolean>`not ${sql.raw(requiresSso(row))}`;
  return ssoOf(actor) ? isReached : sql<boolean>`(${isReached} and not ${sql.raw(requiresSso(row))})`;
}

/**
 * The condition that the caller reaches the organization that a column names. Undefined if nothing limits the caller.
 */
export function reachesOrganization(actor: Actor, column: string): RawBuilder<boolean> | undefined {
  const reach = reachOf(actor);
  if (reach === undefined) return undefined;
  const [only] = reach;
  return reach.length === 1
    ? sql<boolean>`${sql.ref(column)} = ${only}`
    : sql<boolean>`${sql.ref(column)} = any(${[...reach]}::text[])`;
}

/**
 * The role of a membership that counts for the caller, or null. One that an identity provider gave counts for callers
 * who signed in with that provider. None counts for applications that are limited to spaces. `row` is the alias of the
 * table.
 */
export const roleFor = (actor: Actor, row: string): RawBuilder<Role | null> =>
  onlySpacesOf(actor) === undefined ? countedRole(actor, row) : sql<Role | null>`null::role`;

/** The same, and also for applications that are limited to spaces: what their roles on the spaces come from. */
export const countedRole = (actor: Actor, row: string): RawBuilder<Role | null> =>
  sql<Role | null>`(case when ${countsWith(ssoOf(actor)?.providerId, `${row}.role_provider_id`)} then ${sql.ref(`${row}.role`)} end)`;

/**
 * The condition that a membership of a team counts for the caller, as `roleFor` does. `row` is the alias of
 * `team_member`.
 */
export const teamCountsFor = (actor: Actor, row: string): RawBuilder<boolean> =>
  countsWith(ssoOf(actor)?.providerId, `${row}.saml_provider_id`);

/** The condition that what a provider gave, named by a column, counts for sign-ins with a provider, or without one. */
export const countsWith = (providerId: string | undefined, column: string): RawBuilder<boolean> =>
  providerId === undefined
    ? sql<boolean>`${sql.ref(column)} is null`
    : sql<boolean>`(${sql.ref(column)} is null or ${sql.ref(column)} = ${providerId})`;

/** The condition that a member needs SSO to act in the organization. Text without parameters. */
export const requiresSso = (row: string) =>
  `(not (${row}.is_break_glass and ${row}.role is not distinct from 'admin' and ${row}.role_provider_id is null) and exists (
    select from organization so where so.id = ${row}.organization_id and so.sso))`;
