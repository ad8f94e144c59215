import { expect, test } from 'vitest';
import { queryTerms } from '../../../src/lib/search/query-terms.ts';
import { world } from '../../world.ts';
import { edit, searched, spaceWith, titles } from './arrange.ts';

const { creator, reader, organizationId } = await world();

const { spaceId } = await spaceWith(creator, organizationId, [{ title: 'Page', markdown: 'Some words on the adder.' }]);

test.each([
  ['operators', '&|!:*()<->'.repeat(51)],
  ['wildcards', '*'.repeat(512)],
  ['wildcards behind letters', 'a* '.repeat(170)],
  ['single letters', 'a b c d e f g h i j k l m n o p q r s t u v w x y z '.repeat(9)],
  ['one huge word', 'x'.repeat(512)],
  ['quotes and backslashes', `'\\" `.repeat(128)],
  ['combining marks', `a${'\u0301'.repeat(511)}`],
  ['one run of 512 characters', '東'.repeat(512)],
  ['many runs', '東 '.repeat(256)],
  ['direction marks and joiners', '\u202e\u200d\u00ad'.repeat(170)],
  ['emoji', '👩‍👩‍👧‍👦'.repeat(40)],
  ['something for LIKE', '%_%_%_'.repeat(80)],
  ['something for a statement', `page'); drop table search_entry; --`],
])('%s are a query like any other', async (_what, query) => {
  const { status, body } = await reader.get(`/v1/spaces/${spaceId}/search?query=${encodeURIComponent(query)}`);
  expect([status, body.items]).toEqual([200, []]);
  // What a query costs the database goes by its terms, and reading them by its length (see the tests of growth).
  const terms = queryTerms(query);
  expect(terms.length).toBeLessThanOrEqual(10);
  for (const { text, isRun } of terms) expect(isRun ? [...text].length : 0).toBeLessThanOrEqual(24);
});

test('a page with very many words is found by the words within the limit', async () => {
  const words = Array.from({ length: 22_000 }, (_, index) => `w${index.toString(36)}x`);
  const markdown = `## Early\n\n${words.join(' ').slice(0, 190_000)}`;
  await edit(creator, spaceId, [{ insertPage: { title: 'Long', document: { markdown } } }]);
  expect(await titles(reader, spaceId, 'w1x')).toEqual(['Long']);
  const [page] = await searched(reader, spaceId, 'early w2sx');
  expect(page.sections[0].body.length).toBeLessThan(300);
});

test('a page of long words in scripts of many bytes is stored', async () => {
  const markdown = Array.from({ length: 2_000 }, (_, index) => `${'ჰ'.repeat(60)}${index}`).join(' ');
  const headings = Array.from({ length: 1_500 }, (_, index) => `## ${'ჰ'.repeat(30)}${index}`).join('\n\n');
  await edit(creator, spaceId, [{ insertPage: { title: 'Georgian', document: { markdown } } }]);
  await edit(creator, spaceId, [{ insertPage: { title: 'Headings', document: { markdown: headings } } }]);
  expect(await titles(reader, spaceId, 'georgian')).toEqual(['Georgian']);
  expect(await titles(reader, spaceId, 'ჰ'.repeat(60))).toEqual(['Georgian']);
  expect(await titles(reader, spaceId, `${'ჰ'.repeat(30)}7`)).toEqual(['Headings']);
});
