import { type RawBuilder, sql } from 'kysely';
import { type Actor, onlySpacesOf } from '../../../../platform/access/actor.ts';
import type { Role } from '../../../../platform/access/roles.ts';

/** Kinds of resources that callers have roles on. */
type RoleTarget = 'space' | 'collection' | 'site';

/** Conditions on the roles of the caller, as lists have them. */
type RoleConditions = Readonly<Record<RoleTarget, (row: string, minimum: Role) => RawBuilder<boolean>>>;

/*
 * What remains of the rule for an application that is limited to spaces: the roles of the user on these spaces, and
 * none on all others, on collections and on sites. The role of the user in the organization counts for the spaces, so
 * it is decided as for the user and masked afterwards: the maps are shared with the user's other callers.
 */

/** The role that was decided on maps, if the caller acts on the resource at all. */
export function limitedRole(actor: Actor, kind: RoleTarget, id: string, role: Role | null): Role | null {
  const only = onlySpacesOf(actor);
  return only === undefined || (kind === 'space' && only.includes(id)) ? role : null;
}

/** The same for the role that a statement computes for a row. */
export function limitedRoleSql(
  actor: Actor,
  kind: RoleTarget,
  row: string,
  role: RawBuilder<Role | null>,
): RawBuilder<Role | null> {
  const only = onlySpacesOf(actor);
  if (only === undefined) return role;
  if (kind !== 'space') return sql<Role | null>`null::role`;
  return sql<Role | null>`(case when ${isOneOf(only, row)} then ${role} end)`;
}

/** The same for conditions on the roles of the caller in one organization. */
export function limitedConditions(actor: Actor, conditions: RoleConditions): RoleConditions {
  const only = onlySpacesOf(actor);
  if (only === undefined) return conditions;
  const none = () => sql<boolean>`false`;
  return {
    space: (row, minimum) => sql<boolean>`(${isOneOf(only, row)} and ${conditions.space(row, minimum)})`,
    collection: none,
    site: none,
  };
}

const isOneOf = (only: readonly string[], row: string) =>
  sql<boolean>`${sql.ref(`${row}.id`)} = any(${[...only]}::text[])`;
