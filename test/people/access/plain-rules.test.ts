import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashToken } from '../../../src/platform/access/credentials.ts';
import { ROLES, type Role } from '../../../src/platform/access/roles.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { Client } from '../../client.ts';
import { lawRuns } from '../../how-thorough.ts';
import { world } from '../../world.ts';
import { tokenOfApplication } from '../oauth/application-row.ts';
import { type BuiltScene, buildScene } from './build-scene.ts';
import { PlainRules } from './plain-rules.ts';
import { type Provider, type Scene, scenes, type Target } from './walk.ts';

const { app, url, admin, otherOrganizationId } = await world();
const { db } = app.services;

/** Somebody who sends requests as a member, with or without having signed in with SSO. */
interface Caller {
  member: number;
  isBySso: boolean;
  by: Provider;
  /** The request is of an application that is limited to another organization. */
  isElsewhere?: true;
  /** The request is of an application that is limited to these spaces. */
  only?: readonly string[];
  client: Client;
}

/** A scene with users who can send requests, and an admin of the organization beside them, who needs no SSO. */
async function build(scene: Scene): Promise<BuiltScene & { callers: Caller[]; teams: string[] }> {
  const built = await buildScene(db, scene);
  const { organizationId } = built;
  const users = built.members.map((id) => ({ id, email: `${id}@example.com`, displayName: id }));
  await db.insertInto('user').values(users).execute();
  const provider = { ssoUrl: 'https://idp.example/', entityId: 'https://idp.example/', certificate: '' };
  await db
    .insertInto('saml_provider')
    .values(built.providers.map((id) => ({ ...provider, id, organizationId, label: '' })))
    .execute();
  const callerWith = async (member: number, userId: string, by: Provider): Promise<Caller> => {
    const token = newId('token');
    const credential = { id: token, userId, label: '', secretHash: hashToken(token) };
    await db
      .insertInto('api_token')
      .values({ ...credential, samlProviderId: by === null ? null : (built.providers[by] ?? null) })
      .execute();
    return { member, isBySso: by !== null, by, client: new Client(url, token, userId) };
  };
  const callers = await Promise.all(
    built.members.flatMap((userId, member) =>
      ([null, 0, 1] as const).slice(0, 1 + (member % 3)).map((by) => callerWith(member, userId, by)),
    ),
  );
  const limited = await Promise.all(
    built.members.slice(0, 3).flatMap((userId, member) =>
      [organizationId, otherOrganizationId].map(async (only): Promise<Caller> => {
        const client = new Client(
          url,
          await tokenOfApplication(app.services, { userId, organizationIds: [only] }),
          userId,
        );
        const caller = { member, isBySso: false, by: null, client };
        return only === organizationId ? caller : { ...caller, isElsewhere: true };
      }),
    ),
  );
  const inSpaces = await Promise.all(
    built.members.slice(0, 3).map(async (userId, member): Promise<Caller> => {
      const only = built.space.slice(member % 2, 2);
      const grant = { userId, organizationIds: [organizationId], spaceIds: only };
      const client = new Client(url, await tokenOfApplication(app.services, grant), userId);
      return { member, isBySso: false, by: null, only, client };
    }),
  );
  callers.push(...limited, ...inSpaces);
  const operator = { id: newId('member'), organizationId, userId: admin.userId, role: 'admin' as const };
  await db
    .insertInto('membership')
    .values({ ...operator, isBreakGlass: true })
    .execute();
  const teams = await db
    .selectFrom('team')
    .where('organizationId', '=', organizationId)
    .orderBy('id')
    .select('id')
    .execute();
  return { ...built, callers, teams: teams.map(({ id }) => id) };
}

type Built = Awaited<ReturnType<typeof build>>;

const KINDS = ['space', 'collection', 'site'] as const;

const targetsOf = (built: BuiltScene): (Target & { id: string })[] =>
  KINDS.flatMap((kind) => built[kind].map((id, index) => ({ kind, index, id })));

/** The booleans of `permissions`, and the role that each requires. */
const BOOLEANS = {
  space: { access: 'read', comment: 'comment', edit: 'edit', review: 'review', merge: 'review', admin: 'admin' },
  collection: { view: 'read', create: 'create', admin: 'admin' },
} as const;

const reaches = (role: Role | null, wanted: Role) => role !== null && ROLES.indexOf(role) >= ROLES.indexOf(wanted);

/** What a caller is expected to be shown. The lists are undefined for those who do not act in the organization. */
function expectedFor(rules: PlainRules, { member, isBySso, by, isElsewhere, only }: Caller, built: BuiltScene) {
  const acts = !isElsewhere && rules.acts(member, isBySso);
  const targets = targetsOf(built).map((target) => {
    const isReached = acts && (only === undefined || only.includes(target.id));
    return { ...target, role: isReached ? rules.role(member, target, by) : null };
  });
  const seen = targets.filter((target) => rules.sees(target.role, target));
  const nodes = seen.map(({ id, kind, role }) => {
    const shown = role === null || role === 'none' ? null : role.toUpperCase();
    const booleans = kind === 'site' ? {} : BOOLEANS[kind];
    const permissions = Object.fromEntries(
      Object.entries(booleans).map(([name, wanted]) => [name, reaches(role, wanted as Role)]),
    );
    return { id, permissions, accessExplanation: kind === 'site' ? undefined : { role: shown } };
  });
  const listed = { space: targets.filter((target) => rules.lists(target.role, target)), collection: seen };
  const idsOf = (kind: 'space' | 'collection') =>
    acts ? idsIn(listed[kind].filter((target) => target.kind === kind)) : undefined;
  return { nodes: byId(nodes), spaces: idsOf('space'), collections: idsOf('collection') };
}

const idsIn = (items: { id: string }[]) => items.map(({ id }) => id).sort();

const byId = <Item extends { id: string }>(items: Item[]) =>
  items.toSorted((one, other) => (one.id < other.id ? -1 : 1));

const fieldsOf = (kind: keyof typeof BOOLEANS) =>
  `permissions { ${Object.keys(BOOLEANS[kind]).join(' ')} } accessExplanation { role }`;

const QUERY = `query ($ids: [ID!]!, $org: ID!) {
  nodes(ids: $ids) { id ... on Space { ${fieldsOf('space')} } ... on Collection { ${fieldsOf('collection')} } }
  organization(id: $org) {
    spaces(first: 100) { totalCount nodes { id } }
    collections(first: 100) { totalCount nodes { id } }
  }
}`;

/** What the service shows a caller, by nodes and by lists. Both must count what they list. */
async function shownTo(client: Client, built: BuiltScene) {
  const ids = targetsOf(built).map(({ id }) => id);
  const { body } = await client.graphqlRaw(QUERY, { ids, org: built.organizationId });
  const { nodes, organization } = body.data;
  const found = nodes
    .filter((node: unknown) => node !== null)
    .map((node: { id: string; permissions?: object; accessExplanation?: object }) => ({ permissions: {}, ...node }));
  const listed = (list: { totalCount: number; nodes: { id: string }[] } | undefined) => {
    expect(list?.totalCount).toBe(list?.nodes.length);
    return list && idsIn(list.nodes);
  };
  return { nodes: byId(found), spaces: listed(organization?.spaces), collections: listed(organization?.collections) };
}

const pathOf = (built: BuiltScene, { kind, id }: { kind: Target['kind']; id: string }) =>
  kind === 'site' ? `/v1/orgs/${built.organizationId}/sites/${id}` : `/v1/${kind}s/${id}`;

/** Compares all answers for all callers, and the list of members with access of each space, collection and site. */
async function compare(scene: Scene, built: Built): Promise<void> {
  const rules = new PlainRules(scene);
  const compared = built.callers.map(async (caller) => {
    expect([caller, await shownTo(caller.client, built)]).toEqual([caller, expectedFor(rules, caller, built)]);
  });
  await Promise.all(compared);
  for (const { kind, index, id } of targetsOf(built)) {
    const { body } = await admin.get(`${pathOf(built, { kind, id })}/permissions/aggregate?limit=100`);
    const enabled = body.items.filter(({ disabled }: { disabled: boolean }) => !disabled);
    const found = enabled.map((item: { user: { id: string }; permission: string }) => [item.user.id, item.permission]);
    const expected = built.members.flatMap((userId, member) => {
      const role = rules.role(member, { kind, index });
      return role === null || role === 'none' ? [] : [[userId, role]];
    });
    expect(new Map(found)).toEqual(new Map([...expected, [admin.userId, 'admin']] as [string, string][]));
  }
}

/** A change by the public interface: what it does to a scene, and the request that does it to the organization. */
interface Change {
  what: (typeof WHAT)[number];
  which: number;
  where: number;
  role: Exclude<Role, 'none'>;
}

const WHAT = ['grant', 'revoke', 'level', 'move', 'requireSso', 'exempt', 'disable', 'publish', 'condition'] as const;

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    what: fc.constantFrom(...WHAT),
    which: fc.nat(100),
    where: fc.nat(100),
    role: fc.constantFrom('read', 'comment', 'edit', 'review', 'create', 'admin'),
  }),
  { minLength: 2, maxLength: 8 },
);

/** Sends a request that must be accepted. */
async function send(method: string, path: string, body?: object) {
  const answer = await admin.send(method, path, body);
  expect([method, path, answer.body.error]).toEqual([method, path, undefined]);
  return answer.body;
}

const ofOrganization = (built: Built) => `/v1/orgs/${built.organizationId}`;

const APPLY: Record<Change['what'], (scene: Scene, built: Built, change: Change) => Promise<void>> = {
  async level(scene, built, { which, role }) {
    const target = targetIn(built, which);
    await send('PATCH', pathOf(built, target), { defaultLevel: role });
    const thing = thingsOf(scene, target.kind)[target.index];
    if (thing) thing.role = role;
  },
  async move(scene, built, { which, where }) {
    const target = targetIn(built, which, ['space', 'collection']);
    const things = target.kind === 'space' ? scene.spaces : scene.collections;
    const parent = where % (scene.collections.length + 1);
    const { status } = await admin.post(`${pathOf(built, target)}/move`, { parent: built.collection[parent] ?? null });
    // Cycles and moves to the same place are refused.
    if (status !== 200) expect([400, 409]).toContain(status);
    const thing = things[target.index];
    if (thing && status === 200) thing.parent = parent < scene.collections.length ? parent : null;
  },
  grant: (scene, built, change) => setGrant(scene, built, change, change.role),
  revoke: (scene, built, change) => setGrant(scene, built, change, null),
  async requireSso(scene, built) {
    scene.sso = !scene.sso;
    await send('PATCH', ofOrganization(built), { sso: scene.sso });
  },
  async exempt(scene, built, { which }) {
    const [member, path] = memberIn(scene, built, which);
    member.isBreakGlass = !member.isBreakGlass;
    await send('PUT', `${path}/break-glass`, { breakGlass: member.isBreakGlass });
  },
  async disable(scene, built, { which }) {
    const [member, path] = memberIn(scene, built, which);
    member.isDisabled = !member.isDisabled;
    await send('PATCH', path, { disabled: member.isDisabled });
  },
  async publish(scene, built, { which }) {
    const { index, ...target } = targetIn(built, which, ['site']);
    const site = scene.sites[index];
    // A site without spaces has nothing to publish.
    if (!site || site.links.length === 0) return;
    site.isPublished = !site.isPublished;
    await send('POST', `${pathOf(built, target)}/${site.isPublished ? 'publish' : 'unpublish'}`);
  },
  async condition(scene, built, { which, where }) {
    const { index, id } = targetIn(built, which, ['site']);
    const links = scene.sites[index]?.links ?? [];
    const at = where % Math.max(links.length, 1);
    const link = links[at];
    const siteSpaceId = built.links[index]?.[at];
    if (!link || !siteSpaceId || link.how.startsWith('in a section')) return;
    link.how = link.how === 'at the root' ? 'with a condition' : 'at the root';
    const condition = link.how === 'at the root' ? null : 'visitor.claims.isBeta == true';
    await send('PATCH', `${ofOrganization(built)}/sites/${id}/site-spaces/${siteSpaceId}`, { condition });
  },
};

function targetIn(built: Built, which: number, kinds: readonly Target['kind'][] = KINDS): Target & { id: string } {
  const targets = targetsOf(built).filter(({ kind }) => kinds.includes(kind));
  return targets[which % targets.length] as Target & { id: string }; // there are some
}

const thingsOf = (scene: Scene, kind: Target['kind']): { role: Role | null }[] =>
  ({ space: scene.spaces, collection: scene.collections, site: scene.sites })[kind];

function memberIn(scene: Scene, built: Built, which: number) {
  const index = which % scene.members.length;
  const member = scene.members[index] as Scene['members'][number]; // the index is below the length
  return [member, `${ofOrganization(built)}/members/${built.members[index]}`] as const;
}

async function setGrant(scene: Scene, built: Built, { which, where }: Change, role: Role | null): Promise<void> {
  const { kind, index: at, id } = targetIn(built, which);
  const isTeam = where % 2 === 1;
  const index = where % (isTeam ? built.teams.length : built.members.length);
  const grantee = { kind: isTeam ? ('team' as const) : ('member' as const), index };
  const grants = { [isTeam ? 'teams' : 'users']: [(isTeam ? built.teams : built.members)[index]] };
  await send('POST', `${pathOf(built, { kind, id })}/permissions`, { ...grants, role });
  const others = scene.grants.filter(
    (each) =>
      !(
        each.target.kind === kind &&
        each.target.index === at &&
        each.grantee.kind === grantee.kind &&
        each.grantee.index === index
      ),
  );
  scene.grants = role === null ? others : [...others, { target: { kind, index: at }, grantee, role }];
}

test('agrees with the plain rules on generated organizations, also after changes', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(scenes, changes, async (generated, list) => {
      const scene = structuredClone(generated);
      const built = await build(scene);
      await compare(scene, built);
      for (const change of list) await APPLY[change.what](scene, built, change);
      await compare(scene, built);
    }),
    { numRuns: lawRuns(3) },
  );
});
