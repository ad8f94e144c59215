import { expect, test } from 'vitest';
import { migrateDatabase } from '../../../src/database.ts';
import { administer } from '../../database.ts';
import { world } from '../../world.ts';
import { spaceWith, titles } from './arrange.ts';

const { creator, reader, organizationId, databaseUrl } = await world();

test('a database from before the search index is indexed after the migration', async () => {
  const { spaceId } = await spaceWith(creator, organizationId, [
    { title: 'Ferry', markdown: 'Timetables.\n\n## Crossing\n\nAt noon.' },
    { title: 'Empty' },
  ]);
  await administer(databaseUrl, 'drop table search_entry, search_page, search_source, search_word');
  await administer(databaseUrl, `delete from mikro_orm_migrations where name = '2026-11-21-search'`);
  expect(await migrateDatabase(databaseUrl)).toEqual(['2026-11-21-search']);
  expect(await titles(reader, spaceId, 'timetable')).toEqual(['Ferry']);
  expect(await titles(reader, spaceId, 'empty')).toEqual(['Empty']);
});
