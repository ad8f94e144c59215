import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { cachedMapsInVersion, loadMaps, mapCallerOf } from '../../../src/domain/people/access/access-maps.ts';
import {
  accessInOrganization,
  accessLoader,
  isVisible,
  organizationsOf,
} from '../../../src/domain/people/access/index.ts';
import { withConditions } from '../../../src/domain/people/access/list-access.ts';
import { readAccess } from '../../../src/domain/people/access/resource-rows.ts';
import { isWithin } from '../../../src/domain/people/access/rule/acting-member.ts';
import { conditionsFromMaps, conditionsInSql } from '../../../src/domain/people/access/rule/list-conditions.ts';
import {
  isOnConditionalSiteSql,
  isSiteShownSql,
  mayView,
  type RoleTarget,
  roleSql,
} from '../../../src/domain/people/access/rule/sql-rule.ts';
import { type Actor, onlySpacesOf, type Visit } from '../../../src/platform/access/actor.ts';
import { ROLES, type Role } from '../../../src/platform/access/roles.ts';
import type { Context } from '../../../src/platform/context/context.ts';
import { accessThrough } from '../../../src/platform/context/database-access.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { inTransaction } from '../../../src/platform/operation/transact.ts';
import { world } from '../../world.ts';
import { type BuiltScene, buildScene } from './build-scene.ts';
import { contentOf } from './content.ts';
import { startSecond } from './second-process.ts';
import { type Scene, scenes } from './walk.ts';

const { app, databaseUrl, organizationId, otherOrganizationId, reader, grant } = await world();
const { services } = app;
const { db } = services;
const content = contentOf(db, organizationId);
/** Another process of the service, as far as it shares nothing but the database. */
const { services: second } = await startSecond(databaseUrl);

const contextOf = (actor: Actor, of = services): Context => ({
  ...accessThrough(of.em.fork()),
  actor,
  services: of,
  requestId: 'test',
  log: services.log,
  inTransaction: false,
});

const asUser = (userId: string, ssoOf?: string, providerId = newId('saml')): Actor => ({
  kind: 'user',
  userId,
  isOperator: false,
  by: 'token',
  ...(ssoOf !== undefined && { sso: { organizationId: ssoOf, providerId } }),
});

const limitedTo = (userId: string, ...organizationIds: string[]): Actor => ({
  kind: 'user',
  userId,
  isOperator: false,
  by: 'token',
  organizationIds,
});

const limitedToSpaces = (actor: Actor, ...spaceIds: string[]): Actor => ({ ...actor, spaceIds }) as Actor; // users alone

const visitOf = (organization: string, siteId: string, spaces: string[]): Visit => ({
  organizationId: organization,
  siteId,
  spaceIds: new Set(spaces),
  hiddenIds: new Set(),
  claims: {},
});

/** Every kind of caller. */
const actorsOf = ({ organizationId: id, members, providers, site, space }: BuiltScene): Actor[] => [
  ...members.map((userId) => asUser(userId)),
  ...members.slice(0, 3).map((userId) => asUser(userId, id)),
  ...members.map((userId, index) => asUser(userId, id, providers[index % 2])),
  ...members.slice(0, 2).map((userId) => asUser(userId, otherOrganizationId)),
  ...members.flatMap((userId) => [limitedTo(userId, otherOrganizationId), limitedTo(userId, otherOrganizationId, id)]),
  ...members.map((userId, index) => limitedToSpaces(limitedTo(userId, id), ...space.slice(index % 2, 3))),
  ...members.slice(0, 3).map((userId) => limitedToSpaces(asUser(userId, id, providers[0]), ...space.slice(0, 2))),
  ...members.slice(0, 2).map((userId) => limitedToSpaces(limitedTo(userId, otherOrganizationId), ...space)),
  ...members.slice(0, 1).map((userId) => limitedToSpaces(limitedTo(userId, id))),
  asUser(newId('user')),
  asUser(newId('user'), id),
  { kind: 'anonymous' },
  ...site.map((siteId): Actor => ({ kind: 'visitor', visits: [visitOf(id, siteId, space)] })),
  ...site.map((siteId): Actor => {
    const visit: Visit = { ...visitOf(id, siteId, space.slice(0, 3)), isPreview: true };
    return { kind: 'visitor', visits: [visit] };
  }),
  { kind: 'visitor', visits: site.slice(0, 1).map((siteId) => visitOf(id, siteId, space.slice(0, 2))) },
  { kind: 'visitor', visits: [] },
  { kind: 'anonymous', visits: site.slice(-1).map((siteId) => visitOf(id, siteId, space.slice(1))) },
  { kind: 'integration', organizationId: id, installationId: newId('installation'), scopes: [] },
];

type Answers = Record<string, unknown>;

const KINDS = ['space', 'collection', 'site'] as const;

/** What the expressions of the walk say about each resource, and about the organization. */
async function byExpressions(actor: Actor, built: BuiltScene): Promise<Answers> {
  const reads = (kind: RoleTarget) => sql`coalesce(${roleSql[kind](actor, 'r')} >= 'read', false)`;
  const views = {
    space: mayView(actor, 'r'),
    collection: reads('collection'),
    site: sql`(${reads('site')} or ${isSiteShownSql(actor, 'r')})`,
  };
  const each = KINDS.map(
    (kind) => sql`
      select r.id, ${roleSql[kind](actor, 'r')} as role, ${views[kind]} as views,
        ${kind === 'space' ? isOnConditionalSiteSql(actor, 'r') : sql`false`} as is_on_conditional
      from ${sql.table(kind)} r where r.id = any(${built[kind]}::text[])`,
  );
  const { rows } = await sql<{ id: string; role: Role | null; views: boolean | null; isOnConditional: boolean }>`
    ${sql.join(each, sql` union all `)}`.execute(db);
  const acting = onlySpacesOf(actor)
    ? await seenOnly(actor, built.organizationId)
    : await accessInOrganization(contextOf(actor), built.organizationId);
  return {
    ...Object.fromEntries(
      rows.map(({ id, role, views: sees, isOnConditional }) => [id, [role, sees ?? false, isOnConditional]]),
    ),
    [built.organizationId]: acting && [acting.role, acting.ownsTeam],
  };
}

/** An application that is limited to spaces sees that the organization is there, and has no role in it. */
async function seenOnly(actor: Actor, id: string) {
  expect(await accessInOrganization(contextOf(actor), id)).toBeUndefined();
  const { rows } =
    await sql`select from membership m where m.organization_id = ${id} and ${isWithin(actor, 'm')}`.execute(db);
  return rows.length === 0 ? undefined : { role: null, ownsTeam: false };
}

/** What a process decides about each of them. In a transaction without locks, it is the walk that decides. */
async function byDecisions(ctx: Context, built: BuiltScene) {
  const found = await Promise.all(KINDS.map((kind) => readAccess(ctx, { kind, ids: built[kind] })));
  const [organization] = await organizationsOf(ctx, [built.organizationId]);
  const rows = found.flat();
  const seen: Answers = {
    ...Object.fromEntries(rows.map((row) => [row.accessId, [row.role, isVisible(row), row.isOnConditionalSite]])),
    [built.organizationId]: organization && [organization.role, organization.ownsTeam],
  };
  return { seen, needSso: rows.flatMap(({ needsSso, accessId }) => (needsSso ? [accessId] : [])).toSorted() };
}

/** The spaces, collections and sites of a list with conditions of the maps, and with those of the walk. */
async function listsOf(ctx: Context, id: string, wanted: Role) {
  const { actor } = ctx;
  const maps = await loadMaps(ctx.services, id, mapCallerOf(actor), await versionOf(id));
  if (typeof maps === 'string') throw new Error('There must be maps.');
  return Promise.all(
    [conditionsFromMaps(maps, id, actor), conditionsInSql(ctx)].map(async (conditions) => {
      const { rows } = await sql<{ id: string }>`
        select s.id from space s where s.organization_id = ${id} and ${conditions.space('s', wanted)}
        union all select 'view ' || s.id from space s where s.organization_id = ${id} and ${conditions.view('s')}
        union all select 'listed ' || s.id from space s where s.organization_id = ${id} and ${conditions.listed('s')}
        union all select 'shown ' || s.id from space s where s.organization_id = ${id} and ${conditions.shown('s')}
        union all
        select c.id from collection c where c.organization_id = ${id} and ${conditions.collection('c', wanted)}
        union all
        select w.id from site w where w.organization_id = ${id} and ${conditions.site('w', wanted)}
        order by 1`.execute(db);
      return rows.map((row) => row.id);
    }),
  );
}

async function versionOf(id: string): Promise<string> {
  const row = await db
    .selectFrom('access_version')
    .where('organizationId', '=', id)
    .select('version')
    .executeTakeFirst();
  return row?.version ?? '';
}

/** A change of one of the columns that decisions read: a choice among things, and a role to set. */
interface Change {
  what: keyof typeof CHANGES;
  which: number;
  role: Role;
}

type Build = BuiltScene & { pick: (ids: string[]) => string; which: number; role: Role };

/** A default level, or nothing. */
const levelOf = ({ role, which }: Build) => (which % 3 === 0 ? null : role);

const CHANGES = {
  role: ({ organizationId: id, members, pick, role }: Build) =>
    sql`update membership set role = ${role === 'none' ? null : role}
      where user_id = ${pick(members)} and organization_id = ${id}`,
  giveRole: ({ organizationId: id, members, providers, pick, which }: Build) =>
    sql`update membership set role_provider_id = ${which % 3 === 0 ? null : pick(providers)}
      where user_id = ${pick(members)} and organization_id = ${id}`,
  addToTeam: ({ organizationId: id, members, providers, pick, which }: Build) =>
    sql`update team_member set saml_provider_id = ${which % 3 === 0 ? null : pick(providers)}
      where user_id = ${pick(members)} and organization_id = ${id}`,
  disable: ({ organizationId: id, members, pick }: Build) =>
    sql`update membership set is_disabled = not is_disabled where user_id = ${pick(members)} and organization_id = ${id}`,
  exempt: ({ organizationId: id, members, pick }: Build) =>
    sql`update membership set is_break_glass = not is_break_glass where user_id = ${pick(members)} and organization_id = ${id}`,
  requireSso: ({ organizationId: id }: Build) => sql`update organization set sso = not sso where id = ${id}`,
  grant: ({ organizationId: id, members, space, collection, site, pick, role }: Build) =>
    sql`insert into "grant" (organization_id, target_id, grantee_id, role)
      values (${id}, ${pick([...space, ...collection, ...site])}, ${pick(members)}, ${role})
      on conflict (target_id, grantee_id) do update set role = excluded.role`,
  revoke: ({ organizationId: id, members, pick }: Build) =>
    sql`delete from "grant" where grantee_id = ${pick(members)} and organization_id = ${id}`,
  levelOfSpace: (built: Build) =>
    sql`update space set default_level = ${levelOf(built)} where id = ${built.pick(built.space)}`,
  levelOfCollection: (built: Build) =>
    sql`update collection set default_level = ${levelOf(built)} where id = ${built.pick(built.collection)}`,
  levelOfSite: (built: Build) =>
    sql`update site set default_level = ${levelOf(built)} where id = ${built.pick(built.site)}`,
  moveToTop: ({ organizationId: id, space, collection, pick }: Build) =>
    sql`update placement set parent_id = ${id}, rank = ${newId('rev')} where item_id = ${pick([...space, ...collection])}`,
  moveSpace: ({ space, collection, pick }: Build) =>
    sql`update placement set parent_id = ${pick(collection)}, rank = ${newId('rev')} where item_id = ${pick(space)}`,
  publish: ({ site, pick }: Build) => sql`update site set is_published = not is_published where id = ${pick(site)}`,
  visibility: ({ site, pick, which }: Build) =>
    sql`update site set visibility = ${which % 2 === 0 ? 'unlisted' : 'public'} where id = ${pick(site)}`,
  condition: ({ site, pick }: Build) =>
    sql`update site_space set condition = case when condition is null then 'visitor.claims.isBeta' end
      where site_id = ${pick(site)}`,
  conditionOfSections: ({ site, pick }: Build) =>
    sql`update site_item set condition = case when condition is null then 'visitor.claims.isBeta' end
      where site_id = ${pick(site)}`,
  unlink: ({ site, pick }: Build) => sql`delete from site_space where site_id = ${pick(site)}`,
  leave: ({ organizationId: id, members, pick }: Build) =>
    sql`delete from team_member where user_id = ${pick(members)} and organization_id = ${id}`,
  own: ({ organizationId: id, members, pick }: Build) =>
    sql`update team_member set role = 'owner' where user_id = ${pick(members)} and organization_id = ${id}`,
};

const KINDS_OF_CHANGES = Object.keys(CHANGES) as (keyof typeof CHANGES)[]; // its own keys

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    what: fc.constantFrom(...KINDS_OF_CHANGES),
    which: fc.nat(20),
    role: fc.constantFrom<Role>(...ROLES),
  }),
  { maxLength: 6 },
);

const change = (built: BuiltScene, { what, which, role }: Change) =>
  CHANGES[what]({ ...built, which, role, pick: (ids) => ids[which % ids.length] ?? '' }).execute(db);

const counts = { cases: 0, needingSso: 0 };

/** Compares everything in a scene, and again after each of the changes. */
async function compare(scene: Scene, list: Change[]): Promise<void> {
  const built = await buildScene(db, scene);
  const { organizationId: id } = built;
  for (const next of [undefined, ...list]) {
    if (next) await change(built, next);
    const wanted = next?.role === 'none' ? 'read' : (next?.role ?? 'read');
    const compared = actorsOf(built).map(async (actor) => {
      const expected = await byExpressions(actor, built);
      const walked = await inTransaction(contextOf(actor), (inside) => byDecisions(inside, built));
      expect([actor, walked.seen]).toEqual([actor, expected]);
      for (const process of [services, second]) {
        const ctx = contextOf(actor, process);
        expect([actor, await byDecisions(ctx, built)]).toEqual([actor, walked]);
        const [maps, walk] = await listsOf(ctx, id, wanted);
        expect([actor, wanted, maps]).toEqual([actor, wanted, walk]);
        // Otherwise the walk would have been compared with itself.
        expect(cachedMapsInVersion(process, id, mapCallerOf(actor), await versionOf(id))).toBeDefined();
      }
      counts.cases += Object.keys(expected).length;
      counts.needingSso += walked.needSso.length;
    });
    await Promise.all(compared);
  }
}

test('maps, lists and the walk agree on organizations of any shape, also after changes and on two processes', {
  timeout: 240_000,
}, async () => {
  await fc.assert(fc.asyncProperty(scenes, changes, compare), { numRuns: 12 });
  expect(counts.cases).toBeGreaterThan(5_000);
  expect(counts.needingSso).toBeGreaterThan(50);
});

test('they agree after a change of each kind', { timeout: 240_000 }, async () => {
  const [scene] = fc.sample(scenes, { numRuns: 1, seed: 1 });
  if (!scene) throw new Error('One scene was asked for.');
  await compare(
    scene,
    KINDS_OF_CHANGES.map((what, which) => ({ what, which, role: ROLES[which % ROLES.length] ?? 'none' })),
  );
});

test('a decision after a change is never made on older maps', async () => {
  const spaceId = await content.space({ role: 'none' });
  for (const role of ['read', 'admin', 'none', 'edit'] as const) {
    await grant(spaceId, reader.userId, role);
    expect(await accessLoader.space(contextOf(asUser(reader.userId)), spaceId)).toEqual({
      role,
      isShown: false,
      isOnConditionalSite: false,
    });
  }
});

test('a version that changes during every read leaves the decision to the walk', async () => {
  const spaceId = await content.space({ role: 'none' });
  const ctx = contextOf(asUser(reader.userId));
  let reads = 0;
  const listed = await withConditions(ctx, organizationId, async (conditions) => {
    reads++;
    await grant(spaceId, reader.userId, reads % 2 === 0 ? 'read' : 'edit');
    const { rows } = await sql<{ version: string; id: string | null }>`
      select av.version, s.id from access_version av
      left join space s on s.id = ${spaceId} and ${conditions.space('s', 'read')}
      where av.organization_id = ${organizationId}`.execute(db);
    return { version: rows[0]?.version, result: rows.map(({ id }) => id) };
  });
  expect(reads).toBe(3);
  expect(listed).toEqual([spaceId]);
});
