import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { loadMaps, mapCallerOf } from '../../src/domain/people/access/access-maps.ts';
import { decisionColumns } from '../../src/domain/people/access/decision-entity.ts';
import { accessInOrganization, explainAccess, rowsInSpaces } from '../../src/domain/people/access/index.ts';
import { readAccess } from '../../src/domain/people/access/resource-rows.ts';
import {
  conditionsFromMaps,
  conditionsInSql,
  type ListConditions,
} from '../../src/domain/people/access/rule/list-conditions.ts';
import { roleOfUser, roleSql } from '../../src/domain/people/access/rule/sql-rule.ts';
import { audienceOf } from '../../src/domain/publishing/audiences/audience.ts';
import type { Actor, Visit } from '../../src/platform/access/actor.ts';
import type { Context } from '../../src/platform/context/context.ts';
import { accessThrough } from '../../src/platform/context/database-access.ts';
import type { Services } from '../../src/platform/context/services.ts';
import type { Database } from '../../src/platform/database/tables.ts';
import { newId } from '../../src/platform/ids/ids.ts';
import { contentOf } from '../people/access/content.ts';
import { world } from '../world.ts';

// What decides about access runs as a role of the database that may read marked columns alone: PostgreSQL rejects a
// statement that names another column, in whatever part of it.

const { app, organizationId, reader } = await world();
const content = contentOf(app.services.db, organizationId);
const collectionId = await content.collection();
const spaceId = await content.space({ parentId: collectionId });
const siteId = await content.site({ spaces: [spaceId] });

const user: Actor = { kind: 'user', userId: reader.userId, isOperator: false, by: 'token' };
const visit: Visit = { organizationId, siteId, spaceIds: new Set([spaceId]), hiddenIds: new Set(), claims: {} };
const ACTORS: Actor[] = [
  user,
  { ...user, sso: { organizationId, providerId: newId('saml') } },
  { ...user, organizationIds: [organizationId, newId('org')] },
  { ...user, organizationIds: [organizationId], spaceIds: [spaceId] },
  { kind: 'anonymous', visits: [visit] },
  { kind: 'visitor', visits: [{ ...visit, isPreview: true }] },
];
const IDS = { space: spaceId, collection: collectionId, site: siteId } as const;
const KINDS = ['space', 'collection', 'site'] as const;

/** Decides about everything in every form of the rule. */
async function decide(db: Database): Promise<void> {
  for (const actor of ACTORS) {
    // Each with empty caches.
    const services: Services = { ...app.services, db };
    const ctx: Context = {
      ...accessThrough(app.services.em.fork()),
      db,
      actor,
      services,
      requestId: 'test',
      log: services.log,
      inTransaction: false,
    };
    for (const kind of KINDS) {
      const ids = [IDS[kind]];
      expect(await readAccess(ctx, { kind, ids })).toHaveLength(1);
      expect(await readAccess({ ...ctx, inTransaction: true }, { kind, ids })).toHaveLength(1);
      await explainAccess(ctx, kind, IDS[kind]);
      await sql`select ${roleOfUser[kind](sql`${reader.userId}::text`, 'r')} from ${sql.table(kind)} r`.execute(db);
    }
    await accessInOrganization(ctx, organizationId);
    const inSpace = { select: sql`sp.space_id`, from: sql`site_space sp`, row: 'sp', where: sql`true` };
    expect(await rowsInSpaces(ctx, inSpace)).toHaveLength(1);
    expect(await audienceOf(services, siteId)).toBeDefined();
    const maps = await loadMaps(services, organizationId, mapCallerOf(actor));
    if (typeof maps === 'string') throw new Error('The maps of an organization with three resources were not read.');
    await list(db, conditionsFromMaps(maps, organizationId, actor));
    await list(db, conditionsInSql(ctx));
  }
}

const list = (db: Database, conditions: ListConditions) =>
  sql`
    select ${conditions.space('s', 'edit')}, ${conditions.view('s')}, ${conditions.listed('s')}, ${conditions.shown('s')},
      ${conditions.collection('c', 'edit')}, ${conditions.site('w', 'edit')}
    from space s, collection c, site w`.execute(db);

const UNDO = new Error('undone');

/** Acts as a role that may read these columns, the keys of their tables and versions alone. Leaves nothing behind. */
async function reading(
  columns: ReadonlyMap<string, readonly string[]>,
  act: (db: Database) => Promise<unknown>,
): Promise<void> {
  const role = `decides_${randomBytes(6).toString('hex')}`;
  const grants = [...columns].map(([table, names]) => `grant select (${names.join(', ')}) on "${table}" to ${role}`);
  const done = app.services.db.transaction().execute(async (db) => {
    for (const statement of ['alter table space add column planted role', `create role ${role}`, ...grants])
      await sql.raw(statement).execute(db);
    await sql.raw(`grant select on access_version to ${role}`).execute(db);
    await sql.raw(`set local role ${role}`).execute(db);
    await act(db);
    throw UNDO;
  });
  await expect(done).rejects.toThrow(UNDO);
}

/** The columns of the primary keys, which never change. */
const { rows: keys } = await sql<{ table: string; column: string }>`
  select table_name as "table", column_name as "column" from information_schema.key_column_usage
  where table_schema = 'public' and constraint_name like '%\\_pkey'`.execute(app.services.db);

const readable = new Map(
  [...decisionColumns].map(([table, columns]) => [
    table,
    [...new Set([...columns, ...keys.filter((key) => key.table === table).map(({ column }) => column)])],
  ]),
);

const without = (table: string, column: string) =>
  new Map([...readable].map(([name, columns]) => [name, columns.filter((each) => name !== table || each !== column)]));

const DENIED = /permission denied/;

test('the rule reads marked columns alone, in all of its forms', () => reading(readable, decide));

/** Only triggers read it everywhere, to find the version. */
const MARKED = [...decisionColumns].flatMap(([table, columns]) =>
  columns.filter((column) => column !== 'organization_id').map((column) => [table, column] as const),
);

test.each(MARKED)('the rule reads %s.%s, so that its mark is needed', async (table, column) => {
  await reading(without(table, column), (db) => expect(decide(db)).rejects.toThrow(DENIED));
});

test('a rule that reads another column fails until the column is marked', async () => {
  const walk = sql`select ${roleSql.space(user, 'r')} from space r`.compile(app.services.db);
  const planted = { ...walk, sql: walk.sql.replaceAll('r.default_level', 'r.planted') };
  expect(planted.sql).not.toBe(walk.sql);
  await reading(readable, (db) => expect(db.executeQuery(planted)).rejects.toThrow(DENIED));
  const marked = new Map(readable).set('space', [...(readable.get('space') ?? []), 'planted']);
  await reading(marked, (db) => db.executeQuery(planted));
});
