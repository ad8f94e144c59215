import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashToken } from '../../../src/platform/access/authenticate.ts';
import { ROLES, type Role } from '../../../src/platform/access/roles.ts';
import { newId } from '../../../src/platform/ids.ts';
import { Client } from '../../client.ts';
import { world } from '../../world.ts';
import { type BuiltScene, buildScene } from './build-scene.ts';
import { PlainRules } from './plain-rules.ts';
import { type Scene, scenes, type Target } from './walk.ts';

const { app, url, admin } = await world();
const { db } = app.services;

/** A scene with users who can send requests, and an admin of the organization beside them. */
async function build(scene: Scene): Promise<BuiltScene & { clients: Client[]; teams: string[] }> {
  const built = await buildScene(db, scene);
  const { organizationId } = built;
  const users = built.members.map((id) => ({ id, email: `${id}@example.com`, displayName: id }));
  await db.insertInto('user').values(users).execute();
  const tokens = users.map(({ id }) => ({
    id: newId('token'),
    userId: id,
    label: '',
    secretHash: hashToken(`t_${id}`),
  }));
  await db.insertInto('api_token').values(tokens).execute();
  const operator = { id: newId('member'), organizationId, userId: admin.userId, role: 'admin' as const };
  await db.insertInto('membership').values(operator).execute();
  const teams = await db
    .selectFrom('team')
    .where('organizationId', '=', organizationId)
    .orderBy('id')
    .select('id')
    .execute();
  return {
    ...built,
    clients: built.members.map((id) => new Client(url, `t_${id}`, id)),
    teams: teams.map(({ id }) => id),
  };
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

/** What a member is expected to be shown. */
function expectedFor(rules: PlainRules, member: number, built: BuiltScene) {
  const seen = targetsOf(built).filter((target) => rules.sees(member, target));
  const idsOf = (kind: string) => seen.filter((target) => target.kind === kind).map(({ id }) => id);
  const nodes = seen.map((target) => {
    const role = rules.role(member, target);
    const shown = role === null || role === 'none' ? null : role.toUpperCase();
    const booleans = target.kind === 'site' ? {} : BOOLEANS[target.kind];
    const permissions = Object.fromEntries(
      Object.entries(booleans).map(([name, wanted]) => [name, reaches(role, wanted as Role)]),
    );
    return { id: target.id, permissions, accessExplanation: target.kind === 'site' ? undefined : { role: shown } };
  });
  const spaces = targetsOf(built).filter((target) => target.kind === 'space' && rules.lists(member, target));
  return { nodes: byId(nodes), spaces: spaces.map(({ id }) => id).sort(), collections: idsOf('collection').sort() };
}

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

/** What the service shows a member, by nodes and by lists. Both must count what they list. */
async function shownTo(client: Client, built: BuiltScene) {
  const ids = targetsOf(built).map(({ id }) => id);
  const { nodes, organization } = await client.graphql(QUERY, { ids, org: built.organizationId });
  const found = nodes
    .filter((node: unknown) => node !== null)
    .map((node: { id: string; permissions?: object; accessExplanation?: object }) => ({ permissions: {}, ...node }));
  const listed = (list: { totalCount: number; nodes: { id: string }[] } | undefined) => {
    expect(list?.totalCount).toBe(list?.nodes.length);
    return list?.nodes.map(({ id }) => id).sort();
  };
  return { nodes: byId(found), spaces: listed(organization?.spaces), collections: listed(organization?.collections) };
}

const pathOf = (built: BuiltScene, { kind, id }: { kind: Target['kind']; id: string }) =>
  kind === 'site' ? `/v1/orgs/${built.organizationId}/sites/${id}` : `/v1/${kind}s/${id}`;

/** Compares all answers for all members, and the list of members with access of each space, collection and site. */
async function compare(scene: Scene, built: Built): Promise<void> {
  const rules = new PlainRules(scene);
  for (const [member, client] of built.clients.entries()) {
    const { nodes, ...lists } = await shownTo(client, built);
    const expected = expectedFor(rules, member, built);
    expect(nodes).toEqual(expected.nodes);
    const isDisabled = scene.members[member]?.isDisabled;
    expect(lists).toEqual(
      isDisabled
        ? { spaces: undefined, collections: undefined }
        : { spaces: expected.spaces, collections: expected.collections },
    );
  }
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
  what: 'grant' | 'revoke' | 'level' | 'move';
  which: number;
  where: number;
  role: Exclude<Role, 'none'>;
}

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    what: fc.constantFrom('grant', 'revoke', 'level', 'move'),
    which: fc.nat(100),
    where: fc.nat(100),
    role: fc.constantFrom('read', 'comment', 'edit', 'review', 'create', 'admin'),
  }),
  { minLength: 2, maxLength: 6 },
);

async function apply(scene: Scene, built: Built, { what, which, where, role }: Change): Promise<void> {
  const isGrant = what === 'grant' || what === 'revoke';
  const targets = targetsOf(built).filter(({ kind }) => isGrant || kind !== 'site');
  const target = targets[which % targets.length] as Target & { id: string }; // there are some
  const path = pathOf(built, target);
  const things = target.kind === 'space' ? scene.spaces : scene.collections;
  const thing = things[target.index] ?? { parent: null, role: null };
  if (what === 'level') {
    expect((await admin.patch(path, { defaultLevel: role })).status).toBe(200);
    thing.role = role;
  } else if (what === 'move') {
    const parent = where % (scene.collections.length + 1);
    const { status } = await admin.post(`${path}/move`, { parent: built.collection[parent] ?? null });
    // Cycles and moves to the same place are refused.
    if (status === 200) thing.parent = parent < scene.collections.length ? parent : null;
    else expect([400, 409]).toContain(status);
  } else {
    const isTeam = where % 2 === 1;
    const index = where % (isTeam ? built.teams.length : built.members.length);
    const grantee = { kind: isTeam ? ('team' as const) : ('member' as const), index };
    const grants = { [isTeam ? 'teams' : 'users']: [(isTeam ? built.teams : built.members)[index]] };
    const granted = what === 'grant' ? role : null;
    expect((await admin.post(`${path}/permissions`, { ...grants, role: granted })).status).toBe(204);
    const { kind, index: at } = target;
    const others = scene.grants.filter(
      (each) =>
        !(
          each.target.kind === kind &&
          each.target.index === at &&
          each.grantee.kind === grantee.kind &&
          each.grantee.index === index
        ),
    );
    scene.grants = granted === null ? others : [...others, { target: { kind, index: at }, grantee, role: granted }];
  }
}

test('agrees with the plain rules on generated organizations, also after changes', { timeout: 180_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(scenes, changes, async (generated, list) => {
      const scene = structuredClone(generated);
      const built = await build(scene);
      await compare(scene, built);
      for (const change of list) await apply(scene, built, change);
      await compare(scene, built);
    }),
    { numRuns: 10 },
  );
});
