import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type Actor, ssoOf, userIdOf } from '../../../platform/access/actor.ts';
import type { Role } from '../../../platform/access/roles.ts';
import { outsideOfRequests } from '../../../platform/context/outside-of-requests.ts';
import type { Services } from '../../../platform/context/services.ts';
import { cancelledAfter } from '../../../platform/database/abortable.ts';
import { countsWith, isEnabled, requiresSso } from './rule/acting-member.ts';
import { hasCondition } from './rule/sql-rule.ts';

/** What decisions read of an organization, for all callers. */
export interface OrganizationMap {
  version: string;
  /** By the id of the collection. Its parent is a collection or the organization. */
  collections: Map<string, { level: Role | null; parentId: string | null }>;
  sites: Map<string, SiteEntry>;
  /** Sites by the id of the space. */
  sitesOf: Map<string, string[]>;
  /** The same without links that have a condition, or are in a section with one. */
  unconditionalSitesOf: Map<string, string[]>;
  /** Ids of sites with spaces or sections that have a condition. */
  conditionalSites: Set<string>;
  /** Number of links of spaces to sites. */
  links: number;
}

export interface SiteEntry {
  level: Role | null;
  isPublished: boolean;
  /** Whether anyone can read the site if it is published. */
  isOpen: boolean;
  /** Whether lists include its spaces for everyone. Those of unlisted sites can be read by callers who name them. */
  isListed: boolean;
}

/**
 * What decisions read of a caller in an organization: a user who signed in with an identity provider, or without one.
 */
export interface MemberMap {
  version: string;
  /** False for users who are not members, and for disabled members. The rest is then empty. */
  isMember: boolean;
  /** Only sign-ins with the SSO of the organization let the user act in it. */
  requiresSso: boolean;
  role: Role | null;
  ownsTeam: boolean;
  /** The highest grant to the user or their teams, by the id of the target. */
  grants: Map<string, Role>;
}

/** Takes the place of a map that has more entries than the cache accepts. */
interface TooLarge {
  version: string;
  isTooLarge: true;
}

/** Both maps, of one version. `member` is undefined for callers who are not users. */
export interface Maps {
  organization: OrganizationMap;
  member: MemberMap | undefined;
}

/**
 * Why maps decide nothing. `access changed`: between two statements, so that another attempt can succeed. `no maps`:
 * this process cannot have them now, so that another attempt would fail too.
 */
export type Undecided = 'access changed' | 'no maps';

/** Maximum entries of one map, and of all maps of a process: about 100 bytes each. */
export interface MapBounds {
  entries: number;
  entriesOfAll: number;
}

const BOUNDS: MapBounds = { entries: 20_000, entriesOfAll: 400_000 };

/** Requests join a read that is under way, so it must end even where the server of the database is gone. */
const READ_WITHIN_MS = 10_000;

type Cached = OrganizationMap | MemberMap | TooLarge;

/** Reads a map, unless it has more than `most` entries. Undefined without the organization. */
type ReadMap<Entry> = (services: Services, most: number) => Promise<Entry | TooLarge | undefined>;

/** Access maps of a process. They are shared by all requests, so their statements are not part of any request. */
class MapCache {
  readonly #services: Services;
  readonly #most: number;
  readonly #cached: LRUCache<string, Cached>;
  readonly #reading = new Map<string, Promise<Cached | undefined>>();

  constructor(services: Services, { entries, entriesOfAll }: MapBounds) {
    this.#services = services;
    this.#most = entries;
    this.#cached = new LRUCache({ maxSize: entriesOfAll, sizeCalculation: sizeOf });
  }

  /** The map if it is cached, in whatever version. */
  cached<Entry extends Cached>(key: string): Entry | TooLarge | undefined {
    return this.#cached.get(key) as Entry | TooLarge | undefined; // each key has one type
  }

  /** Reads the map. Joins a read that is under way, so that the map can be older than the call. */
  async read<Entry extends Cached>(key: string, read: ReadMap<Entry>): Promise<Entry | TooLarge | undefined> {
    let reading = this.#reading.get(key);
    if (!reading) {
      const readNow = () => cancelledAfter(READ_WITHIN_MS, () => read(this.#services, this.#most));
      reading = outsideOfRequests(readNow).finally(() => this.#reading.delete(key));
      this.#reading.set(key, reading);
    }
    const map = await reading;
    if (map) this.#cached.set(key, map);
    return map as Entry | TooLarge | undefined; // each key has one type
  }
}

function sizeOf(map: Cached): number {
  if ('isTooLarge' in map) return 1;
  return 1 + ('grants' in map ? map.grants.size : map.collections.size + map.sites.size + map.links);
}

const caches = new WeakMap<Services, MapCache>();

function cacheOf(services: Services): MapCache {
  return caches.get(services) ?? openMaps(services, BOUNDS);
}

/** Opens the empty cache of a process. Only tests have other bounds. */
export function openMaps(services: Services, bounds: MapBounds): MapCache {
  const cache = new MapCache(services, bounds);
  caches.set(services, cache);
  return cache;
}

/**
 * A user, as far as decisions distinguish how the user has signed in: what an identity provider gave counts only under
 * it.
 */
export interface MapCaller {
  userId: string;
  providerId: string | undefined;
}

/** The caller of a request, whose map decides. Undefined for callers who are not users. */
export function mapCallerOf(actor: Actor): MapCaller | undefined {
  const userId = userIdOf(actor);
  return userId === undefined ? undefined : { userId, providerId: ssoOf(actor)?.providerId };
}

const isTooLarge = (map: object): map is TooLarge => 'isTooLarge' in map;

/** The maps of an organization and a caller, if both are cached in this version. Needs no statement. */
export function cachedMapsInVersion(
  services: Services,
  organizationId: string,
  caller: MapCaller | undefined,
  version: string,
): Maps | undefined {
  const cache = cacheOf(services);
  const organization = cache.cached<OrganizationMap>(organizationId);
  if (organization?.version !== version || isTooLarge(organization)) return undefined;
  if (caller === undefined) return { organization, member: undefined };
  const member = cache.cached<MemberMap>(keyOf(organizationId, caller));
  return member?.version === version && !isTooLarge(member) ? { organization, member } : undefined;
}

/** The maps of an organization and a caller, if both are cached, in whatever version they have in common. */
export function cachedMapsInAnyVersion(
  services: Services,
  organizationId: string,
  caller: MapCaller | undefined,
): Maps | undefined {
  const memberKey = caller === undefined ? undefined : keyOf(organizationId, caller);
  const version = commonVersion(cacheOf(services), organizationId, memberKey);
  return version === undefined ? undefined : cachedMapsInVersion(services, organizationId, caller, version);
}

/**
 * The maps of an organization and a caller, from the cache where they have the expected version or where none is
 * expected, and otherwise as they are now. They can have another version than the expected one. `no maps` if one is too
 * large; `access changed` if they have different versions, or if the organization no longer exists.
 */
export async function loadMaps(
  services: Services,
  organizationId: string,
  caller: MapCaller | undefined,
  version?: string,
): Promise<Maps | Undecided> {
  const cache = cacheOf(services);
  const memberKey = caller === undefined ? undefined : keyOf(organizationId, caller);
  const expectedVersion = version ?? commonVersion(cache, organizationId, memberKey);
  const find = <Entry extends Cached>(key: string, read: ReadMap<Entry>) => {
    const cached = cache.cached<Entry>(key);
    return cached && cached.version === expectedVersion ? cached : cache.read(key, read);
  };
  const [organization, member] = await Promise.all([
    find(organizationId, (from, most) => readOrganization(from, organizationId, most)),
    caller !== undefined && memberKey !== undefined
      ? find(memberKey, (from, most) => readMember(from, { organizationId, ...caller }, most))
      : undefined,
  ]);
  if (!organization) return 'access changed';
  if (isTooLarge(organization)) return 'no maps';
  if (caller === undefined) return { organization, member: undefined };
  if (!member) return 'access changed';
  if (isTooLarge(member)) return 'no maps';
  return member.version === organization.version ? { organization, member } : 'access changed';
}

/** The version of both maps. Undefined if one is not cached or they differ, so that both must be read. */
function commonVersion(cache: MapCache, organizationId: string, memberKey: string | undefined): string | undefined {
  const version = cache.cached(organizationId)?.version;
  return memberKey === undefined || cache.cached(memberKey)?.version === version ? version : undefined;
}

const keyOf = (organizationId: string, { userId, providerId = '' }: MapCaller) =>
  `${organizationId} ${userId} ${providerId}`;

interface OrganizationColumns {
  version: string;
  collections: [id: string, level: Role | null, parentId: string | null][];
  sites: [id: string, level: Role | null, isPublished: boolean, isOpen: boolean, isListed: boolean][];
  links: [siteId: string, spaceId: string, isConditional: boolean][];
}

async function readOrganization(
  { db }: Services,
  organizationId: string,
  most: number,
): Promise<OrganizationMap | TooLarge | undefined> {
  const limit = sql.lit(most + 1);
  const { rows } = await sql<OrganizationColumns>`
    select v.version,
      (select coalesce(json_agg(json_build_array(c.id, c.default_level, c.parent_id)), '[]') from (
        select k.id, k.default_level, p.parent_id from collection k left join placement p on p.item_id = k.id
        where k.organization_id = v.organization_id limit ${limit}) c) as collections,
      (select coalesce(json_agg(json_build_array(
          w.id, w.default_level, w.is_published, w.visibility in ('public', 'unlisted'), w.visibility = 'public')), '[]') from (
        select si.id, si.default_level, si.is_published, si.visibility from site si
        where si.organization_id = v.organization_id limit ${limit}) w) as sites,
      (select coalesce(json_agg(json_build_array(l.site_id, l.space_id, l.is_conditional)), '[]') from (
        select ss.site_id, ss.space_id, ${sql.raw(hasCondition('ss'))} as is_conditional
        from site si join site_space ss on ss.site_id = si.id
        where si.organization_id = v.organization_id limit ${limit}) l) as links
    from access_version v where v.organization_id = ${organizationId}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { version, collections, sites, links } = row;
  if (collections.length + sites.length + links.length > most) return { version, isTooLarge: true };
  return {
    version,
    collections: new Map(collections.map(([id, level, parentId]) => [id, { level, parentId }])),
    sites: new Map(
      sites.map(([id, level, isPublished, isOpen, isListed]) => [id, { level, isPublished, isOpen, isListed }]),
    ),
    sitesOf: sitesBySpace(links),
    unconditionalSitesOf: sitesBySpace(links.filter(([, , isConditional]) => !isConditional)),
    conditionalSites: new Set(links.flatMap(([siteId, , isConditional]) => (isConditional ? [siteId] : []))),
    links: links.length,
  };
}

function sitesBySpace(links: OrganizationColumns['links']): Map<string, string[]> {
  const sitesOf = new Map<string, string[]>();
  for (const [siteId, spaceId] of links) {
    const sites = sitesOf.get(spaceId);
    if (sites) sites.push(siteId);
    else sitesOf.set(spaceId, [siteId]);
  }
  return sitesOf;
}

interface MemberColumns {
  version: string;
  isMember: boolean;
  requiresSso: boolean;
  role: Role | null;
  ownsTeam: boolean;
  grants: [targetId: string, role: Role][];
}

async function readMember(
  { db }: Services,
  { organizationId, userId, providerId }: MapCaller & { organizationId: string },
  most: number,
): Promise<MemberMap | TooLarge | undefined> {
  const teamCounts = countsWith(providerId, 'tm.saml_provider_id');
  const { rows } = await sql<MemberColumns>`
    select v.version, m.id is not null as "isMember",
      case when ${countsWith(providerId, 'm.role_provider_id')} then m.role end as role,
      m.id is not null and ${sql.raw(requiresSso('m'))} as "requiresSso",
      m.id is not null and exists (
        select from team_member tm
        where tm.organization_id = m.organization_id and tm.user_id = m.user_id and tm.role = 'owner'
          and ${teamCounts}) as "ownsTeam",
      (select coalesce(json_agg(json_build_array(h.target_id, h.role)), '[]') from (
        select g.target_id, max(g.role) as role from "grant" g
        where g.organization_id = m.organization_id and g.grantee_id = any(array(
          select m.user_id
          union all
          select tm.team_id from team_member tm
          where tm.organization_id = m.organization_id and tm.user_id = m.user_id and ${teamCounts}))
        group by g.target_id limit ${sql.lit(most + 1)}) h) as grants
    from access_version v
    left join membership m
      on m.organization_id = v.organization_id and m.user_id = ${userId} and ${sql.raw(isEnabled('m'))}
    where v.organization_id = ${organizationId}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  if (row.grants.length > most) return { version: row.version, isTooLarge: true };
  return { ...row, grants: new Map(row.grants) };
}
