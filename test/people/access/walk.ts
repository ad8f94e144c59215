import fc from 'fast-check';
import { ROLES, type Role } from '../../../src/platform/access/roles.ts';

/**
 * An organization as the walk in docs/decisions/people.md, Permissions, sees it. Things are named by their index;
 * `null` as a parent is the top level, as a level `inherit`, as a role a guest's.
 */
export interface Scene {
  /** Members must sign in with SSO. */
  sso: boolean;
  members: { role: Role | null; provider: Provider; isDisabled: boolean; isBreakGlass: boolean }[];
  /** Members of each team. */
  teams: { member: number; provider: Provider }[][];
  /** A collection's parent comes before it. */
  collections: { parent: number | null; role: Role | null }[];
  spaces: { parent: number | null; role: Role | null }[];
  sites: { role: Role | null; links: Link[]; isPublished: boolean; visibility: Visibility }[];
  grants: { target: Target; grantee: Grantee; role: Role }[];
}

/** The index of the SAML provider that gave a role or added to a team, or that a caller signed in with. Null: none. */
export type Provider = 0 | 1 | null;

/** A space on a site. The same space can be on it several times. */
export interface Link {
  space: number;
  how: (typeof HOW)[number];
}

const HOW = ['at the root', 'in a section', 'with a condition', 'in a section with a condition'] as const;

/** Whether only visitors with certain claims see the link. */
export const isConditional = ({ how }: Link) => how.endsWith('with a condition');

type Visibility = 'public' | 'unlisted' | 'share-link' | 'visitor-auth';

export type Target = { kind: 'space' | 'collection' | 'site'; index: number };
export type Grantee = { kind: 'member' | 'team'; index: number };

const counts = (giver: Provider, by: Provider) => giver === null || giver === by;

/** The walk in plain words, against which the SQL is held. `by`: the provider that the member has signed in with. */
export function levelIn(scene: Scene, member: number, target: Target, by: Provider = null): Role | null {
  const { role: given = null, provider = null, isDisabled = true, isBreakGlass = false } = scene.members[member] ?? {};
  if (isDisabled) return null;
  const role = counts(provider, by) ? given : null;
  if (scene.sso && by === null && !(isBreakGlass && role === 'admin')) return null;
  if (role === 'admin') return 'admin';
  for (const step of stepsFrom(scene, target)) {
    const granted = highest(step.flatMap((each) => grantsOf(scene, { member, by }, each)));
    if (granted !== null) return granted;
    const byDefault = role === null ? null : highest(step.map((each) => defaultOf(scene, each)));
    if (byDefault !== null) return byDefault;
  }
  return role;
}

/** The levels of the walk, from the target outwards; each is a set of things of equal access. */
function stepsFrom(scene: Scene, target: Target): Target[][] {
  if (target.kind === 'site') return [[target]];
  const steps: Target[][] = [[target]];
  if (target.kind === 'space') {
    const sites = scene.sites.flatMap(({ links }, index) =>
      links.some(({ space }) => space === target.index) ? [{ kind: 'site' as const, index }] : [],
    );
    steps.push(sites);
  }
  const things = target.kind === 'space' ? scene.spaces : scene.collections;
  let parent = things[target.index]?.parent ?? null;
  while (parent !== null) {
    steps.push([{ kind: 'collection', index: parent }]);
    parent = scene.collections[parent]?.parent ?? null;
  }
  return steps;
}

const grantsOf = ({ grants, teams }: Scene, { member, by }: { member: number; by: Provider }, target: Target): Role[] =>
  grants
    .filter((grant) => grant.target.kind === target.kind && grant.target.index === target.index)
    .filter(({ grantee: { kind, index } }) =>
      kind === 'member'
        ? index === member
        : teams[index]?.some((each) => each.member === member && counts(each.provider, by)),
    )
    .map(({ role }) => role);

const defaultOf = (scene: Scene, { kind, index }: Target): Role | null =>
  ({ space: scene.spaces, collection: scene.collections, site: scene.sites })[kind][index]?.role ?? null;

function highest(levels: (Role | null)[]): Role | null {
  const found = ROLES.filter((role) => levels.includes(role));
  return found.at(-1) ?? null;
}

const role = fc.constantFrom<Role>(...ROLES);
const inherited = fc.option(role, { freq: 1 });
const indexBelow = (count: number) => fc.nat(count - 1);
const provider = fc.constantFrom<Provider>(null, null, 0, 1);
const subset = (count: number) =>
  fc
    .tuple(fc.subarray([...Array(count).keys()]), exactly(count, provider))
    .map(([members, givers]) => members.map((member) => ({ member, provider: givers[member] ?? null })));
const oneIn = (count: number) => fc.nat(count - 1).map((chance) => chance === 0);

const [MEMBERS, TEAMS, COLLECTIONS, SPACES, SITES] = [6, 3, 5, 5, 3];

const targets = fc.oneof(
  fc.record({ kind: fc.constant('space' as const), index: indexBelow(SPACES) }),
  fc.record({ kind: fc.constant('collection' as const), index: indexBelow(COLLECTIONS) }),
  fc.record({ kind: fc.constant('site' as const), index: indexBelow(SITES) }),
);

const grantees = fc.oneof(
  fc.record({ kind: fc.constant('member' as const), index: indexBelow(MEMBERS) }),
  fc.record({ kind: fc.constant('team' as const), index: indexBelow(TEAMS) }),
);

export const scenes: fc.Arbitrary<Scene> = fc.record({
  sso: oneIn(4),
  members: exactly(
    MEMBERS,
    fc.record({
      role: fc.option(fc.constantFrom<Role>('read', 'comment', 'edit', 'review', 'create', 'admin')),
      provider,
      isDisabled: oneIn(10),
      isBreakGlass: oneIn(2),
    }),
  ),
  teams: exactly(TEAMS, subset(MEMBERS)),
  collections: fc.tuple(
    ...[...Array(COLLECTIONS).keys()].map((place) =>
      fc.record({ parent: place === 0 ? fc.constant(null) : fc.option(indexBelow(place)), role: inherited }),
    ),
  ),
  spaces: exactly(SPACES, fc.record({ parent: fc.option(indexBelow(COLLECTIONS), { freq: 3 }), role: inherited })),
  sites: exactly(
    SITES,
    fc.record({
      role: inherited,
      links: fc.array(fc.record({ space: indexBelow(SPACES), how: fc.constantFrom(...HOW) }), { maxLength: 4 }),
      isPublished: fc.boolean(),
      visibility: fc.constantFrom<Visibility>('public', 'unlisted', 'share-link', 'visitor-auth'),
    }),
  ),
  grants: fc.uniqueArray(fc.record({ target: targets, grantee: grantees, role: role }), {
    maxLength: 30,
    selector: ({ target, grantee }) => `${target.kind} ${target.index} ${grantee.kind} ${grantee.index}`,
  }),
});

function exactly<Item>(length: number, item: fc.Arbitrary<Item>): fc.Arbitrary<Item[]> {
  return fc.array(item, { minLength: length, maxLength: length });
}
