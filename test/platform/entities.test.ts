import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { OpenApiSpec } from '../../src/domain/sources/openapi/entity.ts';
import type { Context } from '../../src/platform/context/context.ts';
import { entityFromRow } from '../../src/platform/database/entity-from-row.ts';
import { lockEntity } from '../../src/platform/database/lock-entity.ts';
import { newId } from '../../src/platform/ids/ids.ts';
import { inTransaction, transact } from '../../src/platform/operation/transact.ts';
import { world } from '../world.ts';

const { app, organizationId, admin } = await world();
const { em, db } = app.services;

const context = (): Context => ({
  actor: { kind: 'user', userId: admin.userId, isOperator: false, by: 'token' },
  em: em.fork(),
  db,
  services: app.services,
  requestId: 'req-test',
  log: app.services.log,
  inTransaction: false,
});

async function newSpec(): Promise<string> {
  const id = newId('openapi');
  await db
    .insertInto('openapi_spec')
    .values({ id, organizationId, slug: id.slice(-12), sourceText: 'openapi: 3.1.0', etag: '"one"' })
    .execute();
  return id;
}

const specOf = (id: string) => db.selectFrom('openapi_spec').where('id', '=', id).selectAll().executeTakeFirstOrThrow();

/** The transaction that wrote a row last. */
const writerOf = async (id: string) => {
  const { rows } = await sql<{ xmin: string }>`select xmin::text from openapi_spec where id = ${id}`.execute(db);
  return rows[0]?.xmin;
};

test('a flush writes what was assigned, and reads back the version that a trigger counts', async () => {
  const id = await newSpec();
  const entity = await inTransaction(context(), async (ctx) => {
    const spec = await lockEntity(ctx, OpenApiSpec, { id });
    if (!spec) throw new Error('The specification was not found.');
    // Undefined values are those that an input omits.
    ctx.em.assign(spec, { visibility: 'public', etag: undefined });
    await ctx.em.flush();
    return spec;
  });
  expect(entity).toMatchObject({ visibility: 'public', etag: '"one"', version: 2 });
  expect(await specOf(id)).toEqual({ ...entity });
});

test('the statements of a flush are counted', async () => {
  const id = await newSpec();
  const meter = { statements: 0, milliseconds: 0 };
  await inTransaction({ ...context(), meter }, async (ctx) => {
    const spec = await lockEntity(ctx, OpenApiSpec, { id });
    if (spec) spec.visibility = 'public';
    await ctx.em.flush();
    await ctx.em.flush();
  });
  expect(meter.statements).toBe(2);
});

test('the values of a flush are parameters', async () => {
  const id = await newSpec();
  const texts = await inTransaction(context(), async (ctx) => {
    const spec = await lockEntity(ctx, OpenApiSpec, { id });
    if (spec) spec.etag = "it's";
    await ctx.em.flush();
    const { rows } = await sql<{ query: string }>`
      select query from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction' and query like '%update "openapi_spec"%'`.execute(
      db,
    );
    // Behind a pooler, statements begin with a comment.
    return rows.map(({ query }) => query.replace(/^\/\*.*?\*\/ /, ''));
  });
  expect(texts).toEqual([
    'update "openapi_spec" set "etag" = $1, "version" = "version" + 1 where "id" = $2 and "version" = $3 returning "version"',
  ]);
});

test('nothing is sent without changes', async () => {
  const id = await newSpec();
  const before = await writerOf(id);
  await inTransaction(context(), async (ctx) => {
    const spec = await lockEntity(ctx, OpenApiSpec, { id });
    if (spec) ctx.em.assign(spec, { visibility: spec.visibility, lastProcessedErrors: null });
    await ctx.em.flush();
  });
  expect(await writerOf(id)).toBe(before);
});

test('columns that were not read stay, or are written when they are assigned', async () => {
  const id = await newSpec();
  const edit = (changes: { etag?: null; sourceText?: null }) =>
    inTransaction(context(), async (ctx) => {
      const spec = await lockEntity(ctx, OpenApiSpec, { organizationId, id }, ['id', 'version', 'etag']);
      if (spec) ctx.em.assign(spec, changes);
      await ctx.em.flush();
    });
  await edit({ etag: null });
  expect(await specOf(id)).toMatchObject({ etag: null, sourceText: 'openapi: 3.1.0', version: 2 });
  await edit({ sourceText: null });
  expect(await specOf(id)).toMatchObject({ sourceText: null, version: 3 });
});

test('a row that is read again replaces the entity of the earlier one', async () => {
  const id = await newSpec();
  const versions = await inTransaction(context(), async (ctx) => {
    const first = await lockEntity(ctx, OpenApiSpec, { id });
    await ctx.db.updateTable('openapi_spec').set({ etag: '"two"' }).where('id', '=', id).execute();
    const row = await ctx.db.selectFrom('openapi_spec').where('id', '=', id).selectAll().executeTakeFirstOrThrow();
    const again = entityFromRow(ctx, OpenApiSpec, row);
    ctx.em.assign(again, { visibility: 'public' });
    await ctx.em.flush();
    return [first === again, again.version];
  });
  expect(versions).toEqual([true, 3]);
  expect(await specOf(id)).toMatchObject({ etag: '"two"', visibility: 'public', version: 3 });
});

test('an edit of a row that changed since it was read runs again', async () => {
  const id = await newSpec();
  let runs = 0;
  const edited = await transact(context(), async (ctx) => {
    runs += 1;
    const spec = entityFromRow(ctx, OpenApiSpec, await specOf(id));
    if (runs === 1) await db.updateTable('openapi_spec').set({ etag: '"two"' }).where('id', '=', id).execute();
    spec.visibility = 'public';
    await ctx.em.flush();
    return spec;
  });
  expect([runs, edited]).toEqual([2, expect.objectContaining({ etag: '"two"', visibility: 'public', version: 3 })]);
});

test('the lock keeps other writers away, and lets foreign keys be checked', async () => {
  const id = await newSpec();
  const tried = await inTransaction(context(), async (ctx) => {
    await lockEntity(ctx, OpenApiSpec, { id });
    const locks = (strength: 'for key share' | 'for share') =>
      sql`select from openapi_spec where id = ${id} ${sql.raw(strength)} skip locked`.execute(db);
    return [(await locks('for key share')).rows.length, (await locks('for share')).rows.length];
  });
  expect(tried).toEqual([1, 0]);
});

test('a row that does not exist has no entity', async () => {
  expect(await inTransaction(context(), (ctx) => lockEntity(ctx, OpenApiSpec, { id: 'openapi_none' }))).toBeUndefined();
});
