import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { tidySearchIndex } from '../../../src/domain/store/search-index/tidy-search-index.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { world } from '../../world.ts';
import { edit, spaceWith, titles } from './arrange.ts';

const { app, creator, reader, organizationId } = await world();
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
