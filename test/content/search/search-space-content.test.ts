import { describe, expect, test } from 'vitest';
import { world } from '../../world.ts';
import { edit, searched, spaceWith, titles } from './arrange.ts';

const { admin, creator, reader, guest, outsider, anonymous, organizationId } = await world();

const { spaceId, pageIds } = await spaceWith(creator, organizationId, [
  { title: 'Passing through', markdown: 'Nothing but a word about quokkas.\n\n## Other\n\nMore.' },
  { title: 'Described', description: 'All of the quokka.' },
  { title: 'Headed', markdown: 'Before.\n\n## Feeding a quokka\n\nGrass.' },
  { title: 'Quokka', markdown: 'Small.' },
  { title: 'Often said', markdown: 'A quokka, one more quokka and a third quokka.' },
  { title: 'Quokka and wombat', markdown: 'Two.' },
]);

test('pages are found by title before heading, description and body', async () => {
  expect(await titles(reader, spaceId, 'quokka')).toEqual([
    'Quokka',
    'Quokka and wombat',
    'Headed',
    'Described',
    'Often said',
    'Passing through',
  ]);
});

test('results contain sections with anchors and marked matches', async () => {
  const [page] = await searched(reader, spaceId, 'feeding');
  expect(page).toMatchObject({
    id: pageIds[2],
    title: 'Headed',
    path: 'headed',
    rank: 1,
    resultType: 'section',
    ancestors: [],
    sections: [{ title: 'Feeding a quokka', path: 'headed#feeding-a-quokka', body: 'Grass.' }],
  });
  const { space } = await reader.graphql(
    `{ space(id: "${spaceId}") { search(query: "third") { totalCount nodes { page { pageId } resultType sections { anchor page { pageId } excerpt { text isMatch } } } } } }`,
  );
  expect(space.search).toEqual({
    totalCount: 1,
    nodes: [
      {
        page: { pageId: pageIds[4] },
        resultType: 'SECTION',
        sections: [
          {
            anchor: null,
            page: { pageId: pageIds[4] },
            excerpt: [
              { text: 'A quokka, one more quokka and a ', isMatch: false },
              { text: 'third', isMatch: true },
              { text: ' quokka.', isMatch: false },
            ],
          },
        ],
      },
    ],
  });
});

test('all words must occur, anywhere on the page', async () => {
  expect(await titles(reader, spaceId, 'wombat quokka')).toEqual(['Quokka and wombat']);
  expect(await titles(reader, spaceId, 'headed grass')).toEqual(['Headed']);
  expect(await titles(reader, spaceId, 'quokka spaceship')).toEqual([]);
});

test('only the last word can be a prefix', async () => {
  expect(await titles(reader, spaceId, 'feed')).toEqual(['Headed']);
  expect(await titles(reader, spaceId, 'quo womb')).toEqual([]);
  expect(await titles(reader, spaceId, 'quokka womb')).toEqual(['Quokka and wombat']);
});

test.each(['quoka', 'quokkka', 'qoukka', 'quakka', 'uokka'])('tolerates one typo: %s', async (typed) => {
  expect((await titles(reader, spaceId, typed))[0]).toBe('Quokka');
});

test('does not tolerate two typos', async () => {
  expect(await titles(reader, spaceId, 'qoaka')).toEqual([]);
});

test.each([' ', '', '* & | ! :* ( ) \' " \\', '%', '_'])('a query without words finds nothing: "%s"', async (query) => {
  expect(await searched(reader, spaceId, query)).toEqual([]);
});

test('a query is a string of up to 512 characters', async () => {
  const ask = (query: string) => reader.get(`/v1/spaces/${spaceId}/search${query}`);
  expect((await ask('')).status).toBe(400);
  expect((await ask(`?query=${'a'.repeat(513)}`)).status).toBe(400);
  expect((await ask(`?query=${'é'.repeat(512)}`)).status).toBe(200);
  expect((await ask('?query=%00')).status).toBe(400);
});

test('results are paginated without gaps', async () => {
  const seen: string[] = [];
  for (let page: string | undefined = ''; page !== undefined; ) {
    const { body } = await reader.get(`/v1/spaces/${spaceId}/search?query=quokka&limit=2${page && `&page=${page}`}`);
    expect(body.count).toBeUndefined();
    seen.push(...body.items.map(({ title }: { title: string }) => title));
    page = body.next?.page;
  }
  expect(seen).toEqual(await titles(reader, spaceId, 'quokka'));
  const last = `{ space(id: "${spaceId}") { search(query: "quokka", last: 2) { nodes { title } pageInfo { hasPreviousPage } } } }`;
  expect((await reader.graphql(last)).space.search).toEqual({
    nodes: [{ title: 'Often said' }, { title: 'Passing through' }],
    pageInfo: { hasPreviousPage: true },
  });
});

test('a cursor of another query is refused', async () => {
  const { body } = await reader.get(`/v1/spaces/${spaceId}/search?query=quokka&limit=2`);
  const answer = await reader.get(`/v1/spaces/${spaceId}/search?query=wombat&page=${body.next.page}`);
  expect(answer.status).toBe(400);
});

test.each([
  ['an outsider', outsider, 404],
  ['a guest without a grant', guest, 404],
  ['a caller without a token', anonymous, 401],
] as const)('%s finds nothing in a space that they may not see', async (_who, client, status) => {
  expect((await client.get(`/v1/spaces/${spaceId}/search?query=quokka`)).status).toBe(status);
  expect((await client.get(`/v1/spaces/${spaceId}/search`)).status).toBe(status);
});

describe('the index follows', () => {
  test('an edit, a new title, and a deletion', async () => {
    const made = await spaceWith(creator, organizationId, [{ title: 'Page', markdown: 'Old platypus.' }]);
    const pageId = made.pageIds[0];
    await edit(creator, made.spaceId, [{ updatePage: { pageId, document: { markdown: 'New echidna.' } } }]);
    expect(await titles(reader, made.spaceId, 'platypus')).toEqual([]);
    expect(await titles(reader, made.spaceId, 'echidna')).toEqual(['Page']);
    await edit(creator, made.spaceId, [{ updatePage: { pageId, title: 'Bandicoot' } }]);
    expect(await titles(reader, made.spaceId, 'bandicoot')).toEqual(['Bandicoot']);
    expect(await titles(reader, made.spaceId, 'page')).toEqual([]);
    await edit(creator, made.spaceId, [{ deletePage: { pageId } }]);
    expect(await titles(reader, made.spaceId, 'echidna')).toEqual([]);
  });

  test('an edit undone', async () => {
    const made = await spaceWith(creator, organizationId, [{ title: 'Page', markdown: 'Old numbat.' }]);
    const write = (markdown: string) =>
      edit(creator, made.spaceId, [{ updatePage: { pageId: made.pageIds[0], document: { markdown } } }]);
    await write('New bilby.');
    await write('Old numbat.');
    expect(await titles(reader, made.spaceId, 'numbat')).toEqual(['Page']);
    expect(await titles(reader, made.spaceId, 'bilby')).toEqual([]);
  });

  test('a duplicate, and each of the two from then on', async () => {
    const made = await spaceWith(creator, organizationId, [{ title: 'Page', markdown: 'A dugong.' }]);
    const { space } = await creator.mutate('duplicateSpace', { spaceId: made.spaceId }, 'space { id }');
    expect(await titles(reader, space.id, 'dugong')).toEqual(['Page']);
    await edit(creator, space.id, [{ updatePage: { pageId: made.pageIds[0], document: { markdown: 'A manatee.' } } }]);
    expect(await titles(reader, space.id, 'dugong')).toEqual([]);
    expect(await titles(reader, made.spaceId, 'dugong')).toEqual(['Page']);
  });

  test('a deletion of the space, and its restoration', async () => {
    const made = await spaceWith(admin, organizationId, [{ title: 'Page', markdown: 'A thylacine.' }]);
    const everywhere = async () =>
      (await admin.get(`/v1/orgs/${organizationId}/search?query=thylacine`)).body.items.length;
    expect(await everywhere()).toBe(1);
    await admin.mutate('deleteSpace', { spaceId: made.spaceId }, 'deletedId');
    expect((await admin.get(`/v1/spaces/${made.spaceId}/search?query=thylacine`)).status).toBe(404);
    expect(await everywhere()).toBe(0);
    await admin.mutate('restoreSpace', { spaceId: made.spaceId }, 'space { id }');
    expect(await titles(admin, made.spaceId, 'thylacine')).toEqual(['Page']);
    expect(await everywhere()).toBe(1);
  });
});
