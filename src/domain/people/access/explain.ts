import { sql } from 'kysely';
import { onlySpacesOf, userIdOf } from '../../../platform/access/actor.ts';
import { ROLES, type Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { accessLoader } from './load.ts';
import { underlyingRole } from './organization.ts';
import { teamCountsFor } from './rule/acting-member.ts';
import { type LevelRow, levelsOf } from './rule/levels-of.ts';
import type { RoleTarget } from './rule/sql-rule.ts';

/** Where a role comes from. */
export type AccessSource =
  | 'organization-admin'
  | 'grant'
  | 'team-grant'
  | 'default-level'
  | 'organization-role'
  | 'published-site'
  | 'none';

/** One resource or the organization, and what it defines for the caller. */
export interface AccessStep {
  level: RoleTarget | 'organization';
  targetId: string;
  /** Null if it defines nothing, so that the next level is considered. `none` gives no access. */
  role: Role | null;
  source: AccessSource | null;
  teamId: string | null;
  decides: boolean;
}

/** Why the caller has a role on a resource. */
export interface AccessExplanation {
  role: Role | null;
  source: AccessSource;
  /** The levels that were considered, from the resource outwards. */
  path: AccessStep[];
}

/** A level with the grants of the caller. */
interface CallersLevel extends LevelRow {
  ownRole: Role | null;
  teamRole: Role | null;
  teamId: string | null;
}

const readLevels = (kind: RoleTarget) =>
  batchLoader<CallersLevel[]>(`access:levels:${kind}`, async (ctx, ids) => {
    const userId = userIdOf(ctx.actor) ?? '';
    const { rows } = await sql<CallersLevel & { requestedId: string }>`
      select requested.id as requested_id, l.depth, l.kind, l.target_id, l.organization_id, l.default_level,
        direct.role as own_role, team.role as team_role, team.team_id
      from unnest(${ids}::text[]) as requested(id)
      cross join lateral ${levelsOf(kind, sql.ref('requested.id'))} l
      left join "grant" direct
        on direct.target_id = l.target_id and direct.grantee_id = ${userId}
          and direct.organization_id = l.organization_id
      left join lateral (
        select g.role, tm.team_id
        from team_member tm join "grant" g on g.grantee_id = tm.team_id and g.organization_id = tm.organization_id
        where tm.user_id = ${userId} and tm.organization_id = l.organization_id and g.target_id = l.target_id
          and ${teamCountsFor(ctx.actor, 'tm')}
        order by g.role desc, tm.team_id limit 1
      ) team on true
      order by l.depth, l.target_id`.execute(ctx.db);
    return new Map(Map.groupBy(rows, ({ requestedId }) => requestedId));
  });

const levelsFor = { space: readLevels('space'), collection: readLevels('collection'), site: readLevels('site') };

/**
 * Explains the caller's role on a resource, batched. It has the role that decisions have: a test compares them. Without
 * levels for callers who are not members, who may still read what a published site shows, and for applications that are
 * limited to spaces, since levels are collections, sites and teams.
 */
export async function explainAccess(ctx: Context, kind: RoleTarget, id: string): Promise<AccessExplanation> {
  const only = onlySpacesOf(ctx.actor);
  if (only === undefined || (kind === 'space' && only.includes(id))) {
    const explained = await explainRole(ctx, kind, id);
    return only === undefined ? explained : { ...explained, path: [] };
  }
  const access = await accessLoader[kind](ctx, id);
  return { role: null, source: access?.isShown ? 'published-site' : 'none', path: [] };
}

async function explainRole(ctx: Context, kind: RoleTarget, id: string): Promise<AccessExplanation> {
  const [levels = [], access] = await Promise.all([levelsFor[kind](ctx, id), accessLoader[kind](ctx, id)]);
  const organizationId = levels[0]?.organizationId;
  const member = organizationId === undefined ? undefined : await underlyingRole(ctx, organizationId);
  const siteSource = access?.isShown ? 'published-site' : 'none';
  if (organizationId === undefined || !member) return { role: null, source: siteSource, path: [] };
  const ofOrganization = (source: AccessSource): AccessStep => ({
    level: 'organization',
    targetId: organizationId,
    role: member.role,
    source,
    teamId: null,
    decides: true,
  });
  if (member.role === 'admin') return outcome([ofOrganization('organization-admin')], siteSource);
  const isGuest = member.role === null;
  const path: AccessStep[] = [];
  for (const level of Map.groupBy(levels, ({ depth }) => depth).values()) {
    const steps = decideLevel(level, isGuest);
    path.push(...steps);
    if (steps.some(({ decides }) => decides)) return outcome(path, siteSource);
  }
  return outcome([...path, ofOrganization(isGuest ? 'none' : 'organization-role')], siteSource);
}

const rank = (role: Role | null) => (role === null ? -1 : ROLES.indexOf(role));

/** The steps of one level. Several sites are one level: a grant on any of them precedes the default levels of all. */
function decideLevel(level: readonly CallersLevel[], isGuest: boolean): AccessStep[] {
  const granted = level.map(grantStep);
  const steps = isGuest || granted.some(({ role }) => role !== null) ? granted : level.map(defaultStep);
  const [highest] = steps.toSorted((one, other) => rank(other.role) - rank(one.role));
  return steps.map((step) => ({ ...step, decides: step === highest && step.role !== null }));
}

function grantStep({ kind, targetId, ownRole, teamRole, teamId }: CallersLevel): AccessStep {
  const step = { level: kind, targetId, decides: false };
  if (ownRole === null && teamRole === null) return { ...step, role: null, source: null, teamId: null };
  return rank(ownRole) >= rank(teamRole)
    ? { ...step, role: ownRole, source: 'grant', teamId: null }
    : { ...step, role: teamRole, source: 'team-grant', teamId };
}

const defaultStep = ({ kind, targetId, defaultLevel }: CallersLevel): AccessStep => ({
  level: kind,
  targetId,
  role: defaultLevel,
  source: defaultLevel === null ? null : 'default-level',
  teamId: null,
  decides: false,
});

/** A published site shows a space even if the role gives no access. */
function outcome(path: AccessStep[], siteSource: AccessSource): AccessExplanation {
  const { role = null, source } = path.find(({ decides }) => decides) ?? {};
  const isNothing = role === null || role === 'none';
  return { role, source: isNothing && siteSource === 'published-site' ? siteSource : (source ?? 'none'), path };
}
