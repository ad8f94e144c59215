import { type Actor, canReach, ssoOf, visitsOf } from '../../../../platform/access/actor.ts';
import { ROLES, type Role } from '../../../../platform/access/roles.ts';
import type { Maps, MemberMap, OrganizationMap } from '../access-maps.ts';
import { MAX_DEPTH } from './sql-rule.ts';

/** What a decision needs of the resource itself. */
export interface AccessTarget {
  id: string;
  organizationId: string;
  /** Its own default level. Null inherits. */
  level: Role | null;
  /** A collection, or the organization. Null if it is not placed. */
  parentId: string | null;
}

/**
 * The rule of `roleSql` on maps instead of tables, for callers whose sign-in suffices. Both have the same results: a
 * test compares them.
 */
export const roleInMemory = {
  space: (maps: Maps, subject: AccessTarget) =>
    walk(maps, (member) => ownRole(member, subject) ?? roleAroundSpace(maps.organization, member, subject)),
  collection: (maps: Maps, subject: AccessTarget) =>
    walk(maps, (member) => ownRole(member, subject) ?? roleAbove(maps.organization, member, subject.parentId)),
  site: (maps: Maps, subject: AccessTarget) => walk(maps, (member) => ownRole(member, subject)),
};

/** The rule of `signInSuffices` on maps. */
export function suffices({ member }: Maps, actor: Actor, organizationId: string): boolean {
  return canReach(actor, organizationId) && (ssoOf(actor) !== undefined || member?.requiresSso !== true);
}

/** The rule of `isShownSql` on maps. */
export function isShownInMemory(maps: Maps, actor: Actor, { id }: AccessTarget): boolean {
  return isShownIf(maps, actor, id, isOpen);
}

/** The rule of `isListedSql` on maps. */
export function isListedInMemory(maps: Maps, actor: Actor, { id }: AccessTarget): boolean {
  return isShownIf(maps, actor, id, isListedForAll);
}

function isShownIf(
  { organization }: Maps,
  actor: Actor,
  id: string,
  isForAll: (organization: OrganizationMap, siteId: string) => boolean,
): boolean {
  const isVisited = visitsOf(actor).some(
    ({ siteId, spaceIds, isPreview }) =>
      spaceIds.has(id) &&
      (isPreview || isPublished(organization, siteId)) &&
      organization.sitesOf.get(id)?.includes(siteId),
  );
  if (isVisited || actor.kind === 'visitor') return isVisited;
  return organization.unconditionalSitesOf.get(id)?.some((siteId) => isForAll(organization, siteId)) ?? false;
}

/**
 * Whether a site that shows the caller the space has conditions in its structure, the rule of `isOnConditionalSiteSql`
 * on maps. The sites are those of the caller's visits or, without a visit to the space, those that are open to
 * everyone.
 */
export function isOnConditionalSiteInMemory({ organization }: Maps, actor: Actor, { id }: AccessTarget): boolean {
  const visits = visitsOf(actor).filter(({ spaceIds }) => spaceIds.has(id));
  const siteIds = visits.length > 0 ? visits.map(({ siteId }) => siteId) : organization.unconditionalSitesOf.get(id);
  const sites = organization.sitesOf.get(id);
  return (siteIds ?? []).some((siteId) => sites?.includes(siteId) && organization.conditionalSites.has(siteId));
}

/** Whether a site is published for the caller or previewed, the rule of `isSiteShownSql` on maps. */
export function isSiteShownInMemory(organization: OrganizationMap, actor: Actor, id: string): boolean {
  const visits = visitsOf(actor).filter(({ siteId }) => siteId === id);
  if (visits.some(({ isPreview }) => isPreview) && organization.sites.has(id)) return true;
  if (!isPublished(organization, id)) return false;
  if (visits.length > 0) return true;
  return actor.kind !== 'visitor' && isOpen(organization, id);
}

const isPublished = ({ sites }: OrganizationMap, siteId: string) => sites.get(siteId)?.isPublished === true;

/** Whether anyone can read the site. */
const isOpen = (organization: OrganizationMap, siteId: string) =>
  isPublished(organization, siteId) && organization.sites.get(siteId)?.isOpen === true;

/** Whether lists show anyone the spaces of the site. */
const isListedForAll = (organization: OrganizationMap, siteId: string) =>
  isPublished(organization, siteId) && organization.sites.get(siteId)?.isListed === true;

function walk({ member }: Maps, role: (member: MemberMap) => Role | null): Role | null {
  if (!member?.isMember) return null;
  if (member.role === 'admin') return 'admin';
  return role(member) ?? member.role;
}

/** Default levels do not apply to guests, who only have granted access. */
const forMembers = (member: MemberMap, level: Role | null | undefined) =>
  member.role === null ? null : (level ?? null);

const ownRole = (member: MemberMap, { id, level }: AccessTarget) => member.grants.get(id) ?? forMembers(member, level);

const roleAroundSpace = (organization: OrganizationMap, member: MemberMap, { id, parentId }: AccessTarget) =>
  roleOfSites(organization, member, id) ?? roleAbove(organization, member, parentId);

/** All sites of the space form one level: the highest grant, else the highest default level. */
export function roleOfSites(organization: OrganizationMap, member: MemberMap, spaceId: string): Role | null {
  const sites = organization.sitesOf.get(spaceId);
  if (!sites) return null;
  return (
    highest(sites.map((id) => member.grants.get(id))) ??
    forMembers(member, highest(sites.map((id) => organization.sites.get(id)?.level)))
  );
}

/** The role that the collections around an item define, the nearest first. */
export function roleAbove(organization: OrganizationMap, member: MemberMap, parentId: string | null): Role | null {
  let above = parentId;
  for (let depth = 1; above !== null && depth <= MAX_DEPTH; depth++) {
    const collection = organization.collections.get(above);
    const role = member.grants.get(above) ?? forMembers(member, collection?.level);
    if (role !== null) return role;
    above = collection?.parentId ?? null;
  }
  return null;
}

function highest(roles: (Role | null | undefined)[]): Role | null {
  let index = -1;
  for (const role of roles) if (role) index = Math.max(index, ROLES.indexOf(role));
  return ROLES[index] ?? null;
}
