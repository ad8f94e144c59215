import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { tidySearchIndex } from '../../../src/domain/store/search-index/tidy-search-index.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { world } from '../../world.ts';
import { edit, spaceWith, titles } from './arrange.ts';

const { app, creator, reader, organizationId } = await world({ LOG_LEVEL: 'silent' });
const { db } = app.services;

const tidy = () =>
  tidySearchIndex.run(jobContext(app.services, 'test'), {}, { signal: new AbortController().signal, retries: 0 });

const entries = async () => (await db.selectFrom('search_entry').select('id').execute()).length;

const made = await spaceWith(creator, organizationId, [
  { title: 'One', markdown: 'A marmot.' },
  { title: 'Two', markdown: 'A vole.' },
]);
const write = (markdown: string) =>
  edit(creator, made.spaceId, [{ updatePage: { pageId: made.pageIds[0], document: { markdown } } }]);

test('removes entries without a page, but not those that a duplicate uses', async () => {
  const { space } = await creator.mutate('duplicateSpace', { spaceId: made.spaceId }, 'space { id }');
  await write('A beaver.');
  await tidy();
  expect(await entries()).toBe(3);
  expect(await titles(reader, space.id, 'marmot')).toEqual(['One']);
  await write('A badger.');
  expect(await entries()).toBe(4);
  await tidy();
  expect(await entries()).toBe(3);
  expect(await titles(reader, made.spaceId, 'badger')).toEqual(['One']);
});

test('indexes missing pages, and pages indexed by older rules again', async () => {
  await db.deleteFrom('search_page').where('pageId', '=', String(made.pageIds[0])).execute();
  await sql`update search_page set version = 0, node_hash = '\\x00'`.execute(db);
  expect(await titles(reader, made.spaceId, 'badger')).toEqual([]);
  await tidy();
  await tidy();
  expect(await titles(reader, made.spaceId, 'badger')).toEqual(['One']);
  expect(await db.selectFrom('search_page').where('version', '=', 0).select('pageId').execute()).toEqual([]);
});

test('an entry that is used again during its removal survives', async () => {
  for (let round = 0; round < 5; round++) {
    await write('An otter.');
    await write('A badger.');
    await Promise.all([tidy(), write('An otter.')]);
    expect(await titles(reader, made.spaceId, 'otter')).toEqual(['One']);
  }
});

/** Lets PostgreSQL refuse to index the first page, for as long as the function runs. */
async function refusingToIndexFirst(act: () => Promise<void>): Promise<void> {
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`.execute(db);
  await sql`
    create trigger refuse before insert on search_page for each row
    when (new.space_id = ${sql.lit(made.spaceId)} and new.page_id = ${sql.lit(made.pageIds[0])}) execute function refuse()`.execute(
    db,
  );
  try {
    await act();
  } finally {
    await sql`drop function refuse cascade`.execute(db);
  }
}

test('a page that cannot be indexed keeps neither others from being indexed nor entries from being removed', async () => {
  const second = await spaceWith(creator, organizationId, [{ title: 'Three', markdown: 'A lynx.' }]);
  await write('An otter.');
  await tidy();
  const before = await entries();
  await write('A stoat.');
  await db
    .deleteFrom('search_page')
    .where('pageId', 'in', [...made.pageIds, ...second.pageIds])
    .execute();
  await refusingToIndexFirst(async () => {
    await expect(tidy()).rejects.toThrow('1 part of the job failed');
    expect(await titles(reader, made.spaceId, 'vole')).toEqual(['Two']);
    expect(await titles(reader, second.spaceId, 'lynx')).toEqual(['Three']);
    expect(await entries()).toBeLessThan(before);
  });
  await tidy();
  expect(await titles(reader, made.spaceId, 'stoat')).toEqual(['One']);
});

test('indexes and removes beyond the rows that one statement looks at', async () => {
  const missing = await spaceWith(creator, organizationId, [{ title: 'Last', markdown: 'A weasel.' }]);
  await tidy();
  const before = await entries();
  // Groups are not indexed. Their space comes before the other one.
  await sql`
    insert into head_page (space_id, page_id, organization_id, position, kind, title, node_hash)
    select ${made.spaceId}, 'page_' || n, ${organizationId}, n, 'group', 'Many', '\\x00' from generate_series(1, 6000) n`.execute(
    db,
  );
  await sql`
    insert into search_entry (organization_id, hash, words, length)
    select ${organizationId}, int4send(n), '', 0 from generate_series(1, 6000) n`.execute(db);
  await db.deleteFrom('search_page').where('spaceId', '=', missing.spaceId).execute();
  await tidy();
  expect(await titles(reader, missing.spaceId, 'weasel')).toEqual(['Last']);
  expect(await entries()).toBe(before);
});
