import { ROLES, type Role } from '../../../src/platform/access/roles.ts';
import { isConditional, type Provider, type Scene, type Target } from './walk.ts';

/**
 * The rules of docs/decisions/people.md (Permissions), sentence by sentence: slow, without SQL, caches or shared code.
 * What the service answers is compared with it.
 */
export class PlainRules {
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** The role of a member who signed in with a provider, or without one (null), or with all that providers gave. */
  role(member: number, target: Target, by: Provider | 'all' = 'all'): Role | null {
    const { role: given = null, provider = null, isDisabled = true } = this.#scene.members[member] ?? {};
    // "What a SAML provider gave counts for sign-ins with that provider."
    const role = counts(provider, by) ? given : null;
    // "A disabled member has no access."
    if (isDisabled) return null;
    // "An organization administrator administers everything in the organization."
    if (role === 'admin') return 'admin';
    for (const level of this.#levels(target)) {
      // "On each level the highest grant to the user or to one of their teams ends the walk."
      const granted = level.flatMap((each) => this.#granted(member, each, by));
      if (granted.length > 0) return highest(granted);
      // "Without a grant, a default level other than `inherit` ends it for members who are not guests."
      const defaults = level.map((each) => this.#defaultLevel(each)).filter((each) => each !== null);
      if (role !== null && defaults.length > 0) return highest(defaults);
    }
    // "If nothing ended the walk, the organization role applies; guests have none."
    return role;
  }

  /** Whether a member acts with a sign-in: "Where an organization requires SSO, other callers get `FORBIDDEN`". */
  acts(member: number, isBySso: boolean): boolean {
    const { role: given = null, provider, isDisabled = true, isBreakGlass = false } = this.#scene.members[member] ?? {};
    const role = provider === null ? given : null;
    // "Operators exempt administrators with `setBreakGlass`."
    const isExempt = isBreakGlass && role === 'admin';
    return !isDisabled && (!this.#scene.sso || isBySso || isExempt);
  }

  /**
   * Whether a caller with a role can read a resource: through it or, a space, on a published site, which everybody
   * sees.
   */
  sees(role: Role | null, target: Target): boolean {
    if (role !== null && role !== 'none') return true;
    if (target.kind === 'site') return this.#isOpen(target.index);
    return target.kind === 'space' && this.isPublic(target.index);
  }

  /**
   * Whether lists show a caller with a role a space: "An unlisted site shows its spaces to those who name them, not in
   * lists."
   */
  lists(role: Role | null, target: Target): boolean {
    if (role !== null && role !== 'none') return true;
    return this.#scene.sites.some((site) => this.#shows(site, target.index) && site.visibility === 'public');
  }

  /** "A published site … `public`, `unlisted`: anyone." */
  isPublic(space: number): boolean {
    return this.#scene.sites.some((site, index) => this.#shows(site, space) && this.#isOpen(index));
  }

  /** "Callers who are not visitors … are shown what has no condition." */
  #shows({ isPublished, links }: Scene['sites'][number], space: number): boolean {
    return isPublished && links.some((link) => link.space === space && !isConditional(link));
  }

  #isOpen(site: number): boolean {
    const { isPublished, visibility } = this.#scene.sites[site] ?? {};
    return isPublished === true && (visibility === 'public' || visibility === 'unlisted');
  }

  /** "The space, the sites that publish it, its collections from the nearest outwards." */
  #levels(target: Target): Target[][] {
    const itself = [[target]];
    if (target.kind === 'site') return itself;
    const around = this.#collectionsAround(target).map((collection) => [collection]);
    return target.kind === 'space' ? [...itself, this.#sitesOf(target.index), ...around] : [...itself, ...around];
  }

  #sitesOf(space: number): Target[] {
    const sites = this.#scene.sites.map(({ links }, index) => ({ links, index }));
    const around = sites.filter(({ links }) => links.some((link) => link.space === space));
    return around.map(({ index }) => ({ kind: 'site', index }));
  }

  #collectionsAround({ kind, index }: Target): Target[] {
    const { parent } = (kind === 'space' ? this.#scene.spaces : this.#scene.collections)[index] ?? { parent: null };
    if (parent === null) return [];
    const nearest: Target = { kind: 'collection', index: parent };
    return [nearest, ...this.#collectionsAround(nearest)];
  }

  #granted(member: number, target: Target, by: Provider | 'all'): Role[] {
    const found: Role[] = [];
    for (const grant of this.#scene.grants) {
      if (grant.target.kind !== target.kind || grant.target.index !== target.index) continue;
      const { kind, index } = grant.grantee;
      const isTheirs =
        kind === 'member'
          ? index === member
          : this.#scene.teams[index]?.some((each) => each.member === member && counts(each.provider, by));
      if (isTheirs) found.push(grant.role);
    }
    return found;
  }

  #defaultLevel({ kind, index }: Target): Role | null {
    const { spaces, collections, sites } = this.#scene;
    return { space: spaces, collection: collections, site: sites }[kind][index]?.role ?? null;
  }
}

const counts = (giver: Provider, by: Provider | 'all') => giver === null || by === 'all' || giver === by;

/** "`admin` > `create` > `review` > `edit` > `comment` > `read`." */
function highest(roles: Role[]): Role {
  let found: Role = 'none';
  for (const role of roles) if (ROLES.indexOf(role) > ROLES.indexOf(found)) found = role;
  return found;
}
