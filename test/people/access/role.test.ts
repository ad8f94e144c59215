import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { mayList, mayView, type RoleTarget, roleSql } from '../../../src/domain/people/access/index.ts';
import type { Actor } from '../../../src/platform/access/actor.ts';
import type { Role } from '../../../src/platform/access/roles.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { lawRuns } from '../../how-thorough.ts';
import { world } from '../../world.ts';
import { buildScene } from './build-scene.ts';
import { contentOf } from './content.ts';
import { levelIn, type Provider, scenes } from './walk.ts';

const { app, organizationId, otherOrganizationId, grant, ...people } = await world();
const { admin, creator, editor, reader, guest, outsider } = people;
const { db } = app.services;
const content = contentOf(db, organizationId);

const asUser = (userId: string): Actor => ({ kind: 'user', userId, isOperator: false, by: 'token' });

async function levelsOf(kind: RoleTarget, actor: Actor, ids: string[]): Promise<Map<string, Role | null>> {
  const { rows } = await sql<{ id: string; role: Role | null }>`
    select r.id, ${roleSql[kind](actor, 'r')} as role from ${sql.table(kind)} r where r.id = any(${ids}::text[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, role }) => [id, role]));
}

const levelFor = async (kind: RoleTarget, userId: string, id: string) =>
  (await levelsOf(kind, asUser(userId), [id])).get(id);

async function views(actor: Actor, spaceId: string): Promise<boolean | undefined> {
  const { rows } = await sql<{ views: boolean }>`
    select ${mayView(actor, 's')} as views from space s where s.id = ${spaceId}`.execute(db);
  return rows[0]?.views;
}

test('without grants and default levels the role in the organization applies', async () => {
  const [spaceId, collectionId, siteId] = [await content.space(), await content.collection(), await content.site()];
  const members = {
    admin: 'admin',
    creator: 'create',
    reviewer: 'review',
    editor: 'edit',
    commenter: 'comment',
    reader: 'read',
  };
  for (const [name, role] of Object.entries(members)) {
    const { userId } = people[name as keyof typeof people] as { userId: string }; // the names are keys of the world
    expect(await levelFor('space', userId, spaceId)).toBe(role);
    expect(await levelFor('collection', userId, collectionId)).toBe(role);
    expect(await levelFor('site', userId, siteId)).toBe(role);
  }
  expect(await levelFor('space', guest.userId, spaceId)).toBe(null);
  expect(await levelFor('space', outsider.userId, spaceId)).toBe(null);
});

/** What each of the levels says to the reader, and what comes out. Nothing: that level says nothing. */
interface Case {
  space?: Role;
  spaceDefault?: Role;
  site?: Role;
  siteDefault?: Role;
  near?: Role;
  nearDefault?: Role;
  far?: Role;
  farDefault?: Role;
  expected: { reader: Role | null; guest: Role | null };
}

test.each<[string, Case]>([
  ['nothing is said', { expected: { reader: 'read', guest: null } }],
  ['a grant on the space', { space: 'edit', expected: { reader: 'edit', guest: 'edit' } }],
  ['a grant lower than the role', { space: 'none', expected: { reader: 'none', guest: 'none' } }],
  ['a default of the space', { spaceDefault: 'comment', expected: { reader: 'comment', guest: null } }],
  ['a default of no access', { spaceDefault: 'none', expected: { reader: 'none', guest: null } }],
  [
    'a grant over the default of the space',
    { space: 'read', spaceDefault: 'create', expected: { reader: 'read', guest: 'read' } },
  ],
  [
    'the space over its site',
    { spaceDefault: 'comment', site: 'create', expected: { reader: 'comment', guest: 'create' } },
  ],
  ['a grant on the site', { site: 'review', expected: { reader: 'review', guest: 'review' } }],
  [
    'the site over the collection',
    { siteDefault: 'edit', near: 'create', expected: { reader: 'edit', guest: 'create' } },
  ],
  [
    'a grant over the default of the site',
    { site: 'read', siteDefault: 'create', expected: { reader: 'read', guest: 'read' } },
  ],
  ['a grant on the collection', { near: 'edit', expected: { reader: 'edit', guest: 'edit' } }],
  [
    'the nearest collection first',
    { near: 'comment', far: 'create', expected: { reader: 'comment', guest: 'comment' } },
  ],
  [
    'a grant over the default of the collection',
    { near: 'read', nearDefault: 'create', expected: { reader: 'read', guest: 'read' } },
  ],
  [
    'a near default over a far grant',
    { nearDefault: 'comment', far: 'create', expected: { reader: 'comment', guest: 'create' } },
  ],
  [
    'no access by the nearest collection',
    { nearDefault: 'none', farDefault: 'create', expected: { reader: 'none', guest: null } },
  ],
  ['a far collection', { far: 'review', expected: { reader: 'review', guest: 'review' } }],
  ['a far default', { farDefault: 'review', expected: { reader: 'review', guest: null } }],
])('the walk ends at the first level that speaks: %s', async (_name, said) => {
  const far = await content.collection({ role: said.farDefault ?? null });
  const near = await content.collection({ parentId: far, role: said.nearDefault ?? null });
  const space = await content.space({ parentId: near, role: said.spaceDefault ?? null });
  const site = await content.site({ spaces: [space], role: said.siteDefault ?? null });
  for (const { userId } of [reader, guest]) {
    for (const [id, role] of [
      [space, said.space],
      [site, said.site],
      [near, said.near],
      [far, said.far],
    ] as const) {
      if (role) await grant(id, userId, role);
    }
  }
  expect(await levelFor('space', reader.userId, space)).toBe(said.expected.reader);
  expect(await levelFor('space', guest.userId, space)).toBe(said.expected.guest);
  expect(await levelFor('space', admin.userId, space)).toBe('admin');
  expect(await levelFor('space', outsider.userId, space)).toBe(null);
});

test('a grant to a team counts as one to its members, and the highest of all grants at a level wins', async () => {
  const [strong, weak, foreign] = [
    await content.team([reader.userId, guest.userId]),
    await content.team([reader.userId]),
    await content.team([]),
  ];
  const spaceId = await content.space({ role: 'none' });
  await grant(spaceId, strong, 'review');
  await grant(spaceId, weak, 'comment');
  await grant(spaceId, foreign, 'admin');
  await grant(spaceId, reader.userId, 'none');
  expect(await levelFor('space', reader.userId, spaceId)).toBe('review');
  expect(await levelFor('space', guest.userId, spaceId)).toBe('review');
  expect(await levelFor('space', editor.userId, spaceId)).toBe('none');
});

test('all sites of a space are one level: the highest grant there, else the highest default', async () => {
  const spaceId = await content.space({ parentId: await content.collection({ role: 'create' }) });
  const first = await content.site({ spaces: [spaceId], role: 'none' });
  await content.site({ spaces: [spaceId], role: 'comment' });
  const third = await content.site({ spaces: [spaceId] });
  expect(await levelFor('space', reader.userId, spaceId)).toBe('comment');
  await grant(first, reader.userId, 'read');
  expect(await levelFor('space', reader.userId, spaceId)).toBe('read');
  await grant(third, reader.userId, 'edit');
  expect(await levelFor('space', reader.userId, spaceId)).toBe('edit');
  expect(await levelFor('space', editor.userId, spaceId)).toBe('comment');
});

test('disabled and former members have no role, despite grants', async () => {
  const spaceId = await content.space();
  for (const isDisabled of [true, false]) {
    const userId = newId('user');
    await grant(spaceId, userId, 'admin');
    await content.team([userId]).then((team) => grant(spaceId, team, 'admin'));
    const membership = {
      id: newId('member'),
      organizationId,
      userId,
      role: 'admin' as const,
    };
    await db
      .insertInto('membership')
      .values({ ...membership, isDisabled })
      .execute();
    expect(await levelFor('space', userId, spaceId)).toBe(isDisabled ? null : 'admin');
    await db.deleteFrom('membership').where('id', '=', membership.id).execute();
    expect(await levelFor('space', userId, spaceId)).toBe(null);
  }
});

test('nothing of another organization gives access: neither its grants, teams, sites nor collections', async () => {
  const other = contentOf(db, otherOrganizationId);
  const foreignCollection = await other.collection({ role: 'admin' });
  const spaceId = await content.space({ parentId: foreignCollection });
  const foreignSite = await other.site({ role: 'admin', spaces: [spaceId] });
  const foreignTeam = await other.team([reader.userId]);
  const foreign = (target: string, grantee: string) =>
    db
      .insertInto('grant')
      .values({ targetId: target, granteeId: grantee, organizationId: otherOrganizationId, role: 'admin' })
      .execute();
  await foreign(spaceId, reader.userId);
  await foreign(foreignSite, reader.userId);
  await foreign(foreignCollection, foreignTeam);
  await grant(spaceId, foreignTeam, 'admin');
  await grant(spaceId, outsider.userId, 'admin');
  expect(await levelFor('space', reader.userId, spaceId)).toBe('read');
  expect(await levelFor('space', outsider.userId, spaceId)).toBe(null);
});

test('the role on a collection is its own, else that of the nearest ancestor', async () => {
  const outer = await content.collection({ role: 'none' });
  const inner = await content.collection({ parentId: outer });
  expect(await levelFor('collection', creator.userId, inner)).toBe('none');
  await grant(inner, creator.userId, 'edit');
  expect(await levelFor('collection', creator.userId, inner)).toBe('edit');
  expect(await levelFor('collection', creator.userId, outer)).toBe('none');
  expect(await levelFor('collection', admin.userId, outer)).toBe('admin');
});

test('the walk reaches through ten collections', async () => {
  let parentId = await content.collection();
  const outermost = parentId;
  for (let depth = 2; depth <= 10; depth++) parentId = await content.collection({ parentId });
  const spaceId = await content.space({ parentId });
  await grant(outermost, guest.userId, 'comment');
  expect(await levelFor('space', guest.userId, spaceId)).toBe('comment');
});

test('only users have roles; others can read what a published site shows', async () => {
  const [shown, hidden] = [await content.space({ role: 'admin' }), await content.space({ role: 'admin' })];
  const siteId = await content.site({ spaces: [shown], isPublished: true, visibility: 'visitor-auth' });
  const actors: Actor[] = [
    { kind: 'anonymous' },
    {
      kind: 'visitor',
      visits: [{ organizationId, siteId, spaceIds: new Set([shown]), hiddenIds: new Set(), claims: {} }],
    },
    { kind: 'visitor', visits: [] },
    { kind: 'integration', organizationId, installationId: newId('installation'), scopes: [] },
  ];
  for (const actor of actors) {
    expect((await levelsOf('space', actor, [shown])).get(shown)).toBe(null);
    expect(await views(actor, shown)).toBe(actor.kind === 'visitor' && actor.visits.length > 0);
    expect(await views(actor, hidden)).toBe(false);
  }
});

/** Whether lists show the caller a space. */
async function lists(actor: Actor, spaceId: string): Promise<boolean | undefined> {
  const { rows } = await sql<{ lists: boolean }>`
    select ${mayList(actor, 's')} as lists from space s where s.id = ${spaceId}`.execute(db);
  return rows[0]?.lists;
}

test.each([
  ['public', true, true, true],
  ['unlisted', true, true, false],
  ['share-link', true, false, false],
  ['visitor-auth', true, false, false],
  ['public', false, false, false],
  ['unlisted', false, false, false],
] as const)(
  'a %s site that is published: %s is open to anybody: %s, in lists too: %s',
  async (visibility, isPublished, isOpen, isListed) => {
    const spaceId = await content.space({ role: 'none' });
    await content.site({ spaces: [spaceId], isPublished, visibility });
    for (const actor of [
      { kind: 'anonymous' } as const,
      asUser(outsider.userId),
      asUser(guest.userId),
      asUser(reader.userId),
    ]) {
      expect(await views(actor, spaceId)).toBe(isOpen);
      expect(await lists(actor, spaceId)).toBe(isListed);
    }
    expect(await views(asUser(admin.userId), spaceId)).toBe(true);
  },
);

test('a site shows no space of another organization', async () => {
  const spaceId = await content.space();
  await contentOf(db, otherOrganizationId).site({ spaces: [spaceId], isPublished: true, visibility: 'public' });
  expect(await views({ kind: 'anonymous' }, spaceId)).toBe(false);
});

test('refuses an alias that a table inside the expression has', () => {
  for (const row of ['m', 'g', 'tm', 'ss', 'si', 'p']) {
    expect(() => roleSql.space(asUser(reader.userId), row)).toThrow(/alias of a table/);
    expect(() => mayView({ kind: 'anonymous' }, row)).toThrow(/alias of a table/);
  }
});

test('agrees with a plain implementation on generated organizations', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(scenes, async (scene) => {
      const built = await buildScene(db, scene);
      for (const [member, userId] of built.members.entries()) {
        for (const by of [null, 0, 1] satisfies Provider[]) {
          const sso = by !== null && { organizationId: built.organizationId, providerId: built.providers[by] };
          const actor: Actor = { ...asUser(userId), ...(sso && { sso }) } as Actor;
          for (const kind of ['space', 'collection', 'site'] as const) {
            const levels = await levelsOf(kind, actor, built[kind]);
            const expected = built[kind].map((id, index): [string, Role | null] => [
              id,
              levelIn(scene, member, { kind, index }, by),
            ]);
            expect(Object.fromEntries(levels)).toEqual(Object.fromEntries(expected));
          }
        }
      }
    }),
    { numRuns: lawRuns(30) },
  );
});
