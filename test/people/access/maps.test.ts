import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { knownMaps, mapsOf } from '../../../src/domain/people/access/access-maps.ts';
import { accessOn } from '../../../src/domain/people/access/index.ts';
import { conditionsBy, conditionsByWalk, withConditions } from '../../../src/domain/people/access/list-access.ts';
import { isSiteShown, mayView, type RoleTarget, roleOn } from '../../../src/domain/people/access/role.ts';
import type { Actor, Visit } from '../../../src/platform/access/actor.ts';
import { ROLES, type Role } from '../../../src/platform/access/roles.ts';
import type { Context } from '../../../src/platform/context.ts';
import { sessionOf } from '../../../src/platform/context.ts';
import { newId } from '../../../src/platform/ids.ts';
import { world } from '../../world.ts';
import { type BuiltScene, buildScene } from './build-scene.ts';
import { contentOf } from './content.ts';
import { scenes } from './walk.ts';

const { app, organizationId, reader, grant } = await world();
const { services } = app;
const { db } = services;
const content = contentOf(db, organizationId);

const contextOf = (actor: Actor): Context => ({
  ...sessionOf(services.em.fork()),
  actor,
  services,
  requestId: 'test',
  log: services.log,
  inTransaction: false,
});

const asUser = (userId: string): Actor => ({ kind: 'user', userId, isOperator: false, by: 'token' });

const visitOf = (organization: string, siteId: string, spaces: string[]): Visit => ({
  organizationId: organization,
  siteId,
  spaceIds: new Set(spaces),
  hiddenIds: new Set(),
  claims: {},
});

/** Every kind of caller. */
const actorsOf = ({ organizationId: id, members, site, space }: BuiltScene): Actor[] => [
  ...members.map(asUser),
  asUser(newId('user')),
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

/** What the walk says about each resource. */
async function byWalk(actor: Actor, kind: RoleTarget, ids: string[]): Promise<Answers> {
  const reads = sql`coalesce(${roleOn[kind](actor, 'r')} >= 'read', false)`;
  const views = {
    space: mayView(actor, 'r'),
    collection: reads,
    site: sql`(${reads} or ${isSiteShown(actor, 'r')})`,
  }[kind];
  const { rows } = await sql<{ id: string; role: Role | null; views: boolean | null }>`
    select r.id, ${roleOn[kind](actor, 'r')} as role, ${views} as views
    from ${sql.table(kind)} r where r.id = any(${ids}::text[])`.execute(db);
  return Object.fromEntries(rows.map(({ id, role, views: sees }) => [id, [role, sees ?? false]]));
}

/** The same by way of maps. */
async function byMaps(actor: Actor, kind: RoleTarget, ids: string[]): Promise<Answers> {
  const ctx = contextOf(actor);
  const found = await Promise.all(ids.map((id) => accessOn[kind](ctx, id)));
  return Object.fromEntries(
    ids.map((id, index) => {
      const { role = null, isShown = false } = found[index] ?? {};
      return [id, [role, isShown || ROLES.indexOf(role ?? 'none') >= 1]];
    }),
  );
}

/** The spaces and collections of a list with conditions of the maps, and with those of the walk. */
async function listsOf(actor: Actor, id: string, wanted: Role) {
  const ctx = contextOf(actor);
  const userId = actor.kind === 'user' ? actor.userId : undefined;
  const maps = await mapsOf(services, id, userId, await versionOf(id));
  if (!maps || 'isTooLarge' in maps) throw new Error('There must be maps.');
  return Promise.all(
    [conditionsBy(maps, id, actor), conditionsByWalk(ctx)].map(async (conditions) => {
      const { rows } = await sql<{ id: string }>`
        select s.id from space s where s.organization_id = ${id} and ${conditions.space('s', wanted)}
        union all select 'view ' || s.id from space s where s.organization_id = ${id} and ${conditions.view('s')}
        union all select 'listed ' || s.id from space s where s.organization_id = ${id} and ${conditions.listed('s')}
        union all select 'shown ' || s.id from space s where s.organization_id = ${id} and ${conditions.shown('s')}
        union all
        select c.id from collection c where c.organization_id = ${id} and ${conditions.collection('c', wanted)}
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

/** Changes to any of the tables that decisions read. */
const changes = fc.array(
  fc.record({
    what: fc.constantFrom(
      'role',
      'disable',
      'grant',
      'revoke',
      'level',
      'move',
      'publish',
      'visibility',
      'condition',
      'unlink',
      'leave',
    ),
    which: fc.nat(20),
    role: fc.constantFrom<Role>(...ROLES),
  }),
  { maxLength: 4 },
);

async function change(
  { organizationId: id, members, space, collection, site }: BuiltScene,
  { what, which, role }: { what: string; which: number; role: Role },
): Promise<void> {
  const pick = (ids: string[]) => ids[which % ids.length] ?? '';
  const inOrganization = sql`organization_id = ${id}`;
  const statements: Record<string, ReturnType<typeof sql>> = {
    role: sql`update membership set role = ${role === 'none' ? null : role}
      where user_id = ${pick(members)} and ${inOrganization}`,
    disable: sql`update membership set is_disabled = not is_disabled where user_id = ${pick(members)} and ${inOrganization}`,
    grant: sql`insert into "grant" (organization_id, target_id, grantee_id, role)
      values (${id}, ${pick([...space, ...collection, ...site])}, ${pick(members)}, ${role})
      on conflict (target_id, grantee_id) do update set role = excluded.role`,
    revoke: sql`delete from "grant" where grantee_id = ${pick(members)} and ${inOrganization}`,
    level: sql`update space set default_level = ${role} where id = ${pick(space)}`,
    move: sql`update placement set parent_id = ${id}, rank = ${newId('rev')} where item_id = ${pick([...space, ...collection])}`,
    publish: sql`update site set is_published = not is_published where id = ${pick(site)}`,
    visibility: sql`update site set visibility = ${which % 2 === 0 ? 'unlisted' : 'public'} where id = ${pick(site)}`,
    condition: sql`update site_space set condition = 'visitor.claims.isBeta' where site_id = ${pick(site)}`,
    unlink: sql`delete from site_space where site_id = ${pick(site)}`,
    leave: sql`delete from team_member where user_id = ${pick(members)} and ${inOrganization}`,
  };
  await statements[what]?.execute(db);
}

test('maps, lists and the walk agree on organizations of any shape, also after changes', {
  timeout: 240_000,
}, async () => {
  let cases = 0;
  await fc.assert(
    fc.asyncProperty(scenes, changes, async (scene, made) => {
      const built = await buildScene(db, scene);
      for (const next of [undefined, ...made]) {
        if (next) await change(built, next);
        for (const actor of actorsOf(built)) {
          for (const kind of ['space', 'collection', 'site'] as const) {
            const ids = built[kind];
            expect([kind, actor, await byMaps(actor, kind, ids)]).toEqual([
              kind,
              actor,
              await byWalk(actor, kind, ids),
            ]);
            cases += ids.length;
          }
          const wanted = next?.role === 'none' ? 'read' : (next?.role ?? 'read');
          const [maps, walk] = await listsOf(actor, built.organizationId, wanted);
          expect([actor, wanted, maps]).toEqual([actor, wanted, walk]);
          // Otherwise the walk would have been compared with itself.
          const userId = actor.kind === 'user' ? actor.userId : undefined;
          expect(
            knownMaps(services, built.organizationId, userId, await versionOf(built.organizationId)),
          ).toBeDefined();
        }
      }
    }),
    { numRuns: 15 },
  );
  expect(cases).toBeGreaterThan(1_000);
});

test('a decision after a change is never made on older maps', async () => {
  const spaceId = await content.space({ role: 'none' });
  for (const role of ['read', 'admin', 'none', 'edit'] as const) {
    await grant(spaceId, reader.userId, role);
    expect(await accessOn.space(contextOf(asUser(reader.userId)), spaceId)).toEqual({ role, isShown: false });
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

test('maps that are too large are not cached, and the walk decides', async () => {
  const userId = newId('user');
  await db
    .insertInto('membership')
    .values({ id: newId('member'), organizationId, userId, role: null })
    .execute();
  const spaceId = await content.space();
  await sql`
    insert into "grant" (organization_id, target_id, grantee_id, role)
    select ${organizationId}, 'space_' || number, ${userId}, 'read' from generate_series(1, 100000) number`.execute(db);
  await grant(spaceId, userId, 'comment');
  const ctx = contextOf(asUser(userId));
  expect(await accessOn.space(ctx, spaceId)).toEqual({ role: 'comment', isShown: false });
  expect(await mapsOf(services, organizationId, userId)).toMatchObject({ isTooLarge: true });
  expect(knownMaps(services, organizationId, userId, await versionOf(organizationId))).toBeUndefined();
  await db.deleteFrom('grant').where('granteeId', '=', userId).execute();
  expect(await accessOn.space(contextOf(asUser(userId)), spaceId)).toEqual({ role: null, isShown: false });
});
