import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { collectContent, collectOf, GRACE_MS } from '../../../src/domain/content/garbage-collection/collect-content.ts';
import { removeExpiredUploads } from '../../../src/domain/content/uploads/remove-expired-uploads.ts';
import { removeDeletedSpaces } from '../../../src/domain/places/spaces/remove-deleted-spaces.ts';
import { lockContentShared } from '../../../src/domain/store/heads/index.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { lawRuns } from '../../how-thorough.ts';
import { world } from '../../world.ts';
import { reachable, stored } from './reachable.ts';

const { app, admin, outsider, organizationId, otherOrganizationId, advance } = await world({ LOG_LEVEL: 'silent' });
const { db } = app.services;

const DAY = 24 * 60 * 60 * 1000;
const signal = new AbortController().signal;
const ctx = jobContext(app.services, 'job-test');
const run = { signal, retries: 0 };
const collect = () => collectOf(ctx, organizationId, signal);

/** Purges deleted spaces and moves the clock past the grace period. */
async function letPass(): Promise<void> {
  advance(8 * DAY);
  await removeDeletedSpaces.run(ctx, {}, run);
  await removeExpiredUploads.run(ctx, {}, run);
}

const newSpace = async (): Promise<string> =>
  (await admin.mutate('createSpace', { organizationId, title: 'Some' }, 'space { id }')).space.id;

const write = (spaceId: string, ...changes: unknown[]) =>
  admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');

const page = (markdown: string) => ({
  insertPage: { title: 'A page', document: { markdown } },
});
const file = (text: string) => ({
  insertFiles: { files: [{ name: 'file.txt', base64: Buffer.from(text).toString('base64') }] },
});
const reusable = (markdown: string) => ({ insertReusableContent: { title: 'Note', document: { markdown } } });

const words = fc.constantFrom('One.', 'Two.', 'Three.', '# Four\n\nAnd a half.', 'Five.');
const aStep = fc.oneof(
  fc.record({ what: fc.constant('space' as const) }),
  fc.record({ what: fc.constant('page' as const), space: fc.nat(5), words }),
  fc.record({ what: fc.constant('file' as const), space: fc.nat(5), words }),
  fc.record({ what: fc.constant('reusable' as const), space: fc.nat(5), words }),
  fc.record({ what: fc.constant('proposal' as const), space: fc.nat(5), words }),
  fc.record({ what: fc.constant('copy' as const), space: fc.nat(5) }),
  fc.record({ what: fc.constant('upload' as const), words }),
  fc.record({ what: fc.constant('delete' as const), space: fc.nat(5) }),
  fc.record({ what: fc.constant('pass' as const) }),
  fc.record({ what: fc.constant('collect' as const) }),
);

type Step = typeof aStep extends fc.Arbitrary<infer Value> ? Value : never;

async function take(step: Step, spaces: string[]): Promise<void> {
  if (step.what === 'space') spaces.push(await newSpace());
  if (step.what === 'pass') await letPass();
  if (step.what === 'collect') await collect();
  if (step.what === 'upload') await upload(step.words);
  if (!('space' in step)) return;
  const place = step.space % Math.max(1, spaces.length);
  const spaceId = spaces[place];
  if (spaceId === undefined) return;
  if (step.what === 'page') await write(spaceId, page(step.words));
  if (step.what === 'file') await write(spaceId, file(step.words));
  if (step.what === 'reusable') await write(spaceId, reusable(step.words));
  if (step.what === 'copy') spaces.push((await admin.post(`/v1/spaces/${spaceId}/duplicate`)).body.id);
  if (step.what === 'proposal') {
    const { changeRequest } = await admin.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
    const input = { changeRequestId: changeRequest.id, changes: [page(step.words)] };
    await admin.mutate('updateChangeRequestContent', input, 'pageIds');
  }
  if (step.what === 'delete') {
    await admin.delete(`/v1/spaces/${spaceId}`);
    spaces.splice(place, 1);
  }
}

const upload = (text: string) =>
  admin.send('POST', `/v1/orgs/${organizationId}/uploads`, Buffer.from(text), { 'content-type': 'text/plain' });

/** The complete content of the spaces, through the public API. */
async function readAll(spaces: string[]): Promise<void> {
  for (const spaceId of spaces) {
    const { body: revision } = await admin.get(`/v1/spaces/${spaceId}/content`);
    for (const { id } of revision.pages) {
      expect((await admin.get(`/v1/spaces/${spaceId}/content/page/${id}?format=markdown`)).status).toBe(200);
    }
    for (const { downloadURL } of revision.files) {
      expect((await admin.get(new URL(downloadURL).pathname)).status).toBe(200);
    }
  }
}

test('whatever is written and deleted, reachable content stays and the rest is deleted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 6, maxLength: 16 }), async (steps) => {
      const spaces = [await newSpace()];
      for (const step of steps) {
        await take(step, spaces);
        await reachable(db, organizationId);
      }
      await letPass();
      await collect();
      expect(await stored(db, organizationId)).toEqual(await reachable(db, organizationId));
      await readAll(spaces);
    }),
    { numRuns: lawRuns(6) },
  );
}, 120_000);

test('the job processes all organizations, and leaves no marks', async () => {
  const { space } = await outsider.mutate('createSpace', { organizationId: otherOrganizationId }, 'space { id }');
  await outsider.delete(`/v1/spaces/${space.id}`);
  await letPass();
  await collectContent.run(ctx, {}, run);
  expect(await stored(db, otherOrganizationId)).toEqual({ page_node: [], manifest_node: [], document: [], blob: [] });
  const { rows } = await sql`select from content_mark`.execute(db);
  expect(rows).toEqual([]);
});

test('content that was just written is kept, even if nothing refers to it yet', async () => {
  const spaceId = await newSpace();
  await write(spaceId, page('Left alone.'), file('Left alone as well.'));
  await db.deleteFrom('revision').where('spaceId', '=', spaceId).execute();
  const young = async () => {
    const { document, blob } = await stored(db, organizationId);
    const { document: kept, blob: held } = await reachable(db, organizationId);
    return [document.length - kept.length, blob.length - held.length];
  };
  await collect();
  expect(await young()).toEqual([1, 1]);
  advance(GRACE_MS + 1_000);
  await collect();
  expect(await young()).toEqual([0, 0]);
});

test('content that is written again during garbage collection is kept', async () => {
  const texts = [...Array(12)].map((_, index) => `Comes back ${index}.`);
  for (let round = 0; round < 4; round++) {
    const gone = await newSpace();
    await write(gone, ...texts.map(page), ...texts.slice(0, 3).map(file));
    await admin.delete(`/v1/spaces/${gone}`);
    await letPass();
    const spaces = await Promise.all(texts.slice(0, 3).map(newSpace));
    const writing = texts.map((text, index) => write(spaces[index % 3] ?? '', page(text), file(text)));
    await Promise.all([collect(), collect(), ...writing]);
    await reachable(db, organizationId);
    await readAll(spaces);
  }
}, 60_000);

test('as long as there are writers, it deletes nothing and blocks nobody', async () => {
  const gone = await newSpace();
  await write(gone, page('To be removed.'));
  await admin.delete(`/v1/spaces/${gone}`);
  await letPass();
  const before = await stored(db, organizationId);
  const collected = await db.transaction().execute(async (transaction) => {
    await lockContentShared({ ...ctx, db: transaction }, organizationId);
    const tries = vi.spyOn(ctx.services.em, 'fork');
    const removing = collect();
    // Each try is a transaction, and the third begins when the second has come to nothing.
    await expect.poll(() => tries.mock.calls.length).toBeGreaterThanOrEqual(3);
    tries.mockRestore();
    // Another writer does not wait behind the collector.
    await newSpace();
    const during = await stored(db, organizationId);
    for (const [table, hashes] of Object.entries(before)) {
      expect(during[table as keyof typeof during]).toEqual(expect.arrayContaining(hashes));
    }
    return { removing };
  });
  expect(await collected.removing).toBeGreaterThan(0);
  expect(await stored(db, organizationId)).toEqual(await reachable(db, organizationId));
});

test('a run that lost its marks deletes nothing', async () => {
  const gone = await newSpace();
  await write(gone, page('Not by this run.'));
  await admin.delete(`/v1/spaces/${gone}`);
  await letPass();
  const before = await stored(db, organizationId);
  await db
    .transaction()
    .execute(async (transaction) => {
      await lockContentShared({ ...ctx, db: transaction }, organizationId);
      const removing = collect();
      removing.catch(() => {});
      await expect
        .poll(async () => (await sql`select from content_mark where kind = 'run'`.execute(db)).rows.length)
        .toBe(1);
      await sql`truncate content_mark`.execute(db);
      return { removing };
    })
    .then(async ({ removing }) => {
      await expect(removing).rejects.toThrow(/marks of this run are gone/);
    });
  expect(await stored(db, organizationId)).toEqual(before);
});

test('an organization that cannot be collected does not keep the others from being collected', async () => {
  // Organizations are collected in the order of their ids.
  expect(organizationId < otherOrganizationId).toBe(true);
  for (const [client, of] of [[admin, organizationId] as const, [outsider, otherOrganizationId] as const]) {
    const { space } = await client.mutate('createSpace', { organizationId: of, title: 'Gone' }, 'space { id }');
    await client.mutate('updateSpaceContent', { spaceId: space.id, changes: [page('Gone.')] }, 'pageIds');
    await client.delete(`/v1/spaces/${space.id}`);
  }
  await letPass();
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`.execute(db);
  await sql`
    create trigger refuse before delete on page_node for each row
    when (old.organization_id = ${sql.lit(organizationId)}) execute function refuse()`.execute(db);
  try {
    await expect(collectContent.run(ctx, {}, run)).rejects.toThrow('1 part of the job failed');
    expect(await stored(db, otherOrganizationId)).toEqual(await reachable(db, otherOrganizationId));
    expect(await stored(db, organizationId)).not.toEqual(await reachable(db, organizationId));
  } finally {
    await sql`drop function refuse cascade`.execute(db);
  }
  await collectContent.run(ctx, {}, run);
  expect(await stored(db, organizationId)).toEqual(await reachable(db, organizationId));
});

test('deletes thousands of rows under few locks, since it catches up with writers under each', async () => {
  await collect();
  await sql`
    insert into blob (organization_id, hash, size, content_type, created_at)
    select ${organizationId}, sha256(int4send(n)), 1, 'text/plain', '2020-01-01' from generate_series(1, 4000) n`.execute(
    db,
  );
  const transactions = vi.spyOn(ctx.services.em, 'fork');
  expect(await collect()).toBe(4_000);
  // One, or more if the machine takes seconds for it.
  expect(transactions.mock.calls.length).toBeLessThan(5);
  transactions.mockRestore();
});

test('looks at each revision once while it marks', async () => {
  const count = 20_000;
  const spaceId = await newSpace();
  await collect();
  await sql`
    insert into revision (id, organization_id, space_id, root_hash, created_at)
    select r.id || '_' || n, r.organization_id, r.space_id, r.root_hash, r.created_at
    from (select * from revision where space_id = ${spaceId} limit 1) r, generate_series(1, ${count}::int) n`.execute(
    db,
  );
  const lookups = await db.transaction().execute(async (transaction) => {
    expect(await collectOf({ ...ctx, db: transaction }, organizationId, signal)).toBe(0);
    const { rows } = await sql<{ lookups: number }>`
      select idx_scan::int as lookups from pg_stat_xact_user_tables where relname = 'content_mark'`.execute(
      transaction,
    );
    return rows[0]?.lookups;
  });
  expect(lookups).toBeGreaterThan(count);
  expect(lookups).toBeLessThan(4 * count);
  await admin.delete(`/v1/spaces/${spaceId}`);
  await letPass();
});
