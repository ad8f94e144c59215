import { beforeAll, expect, test } from 'vitest';
import { statementsOf } from '../../client.ts';
import { world } from '../../world.ts';
import { aSpace, editBy } from './arrange.ts';

const { admin, editor, reader, organizationId } = await world();
const { spaceId, pageId } = await aSpace(admin, organizationId);
const edit = editBy(spaceId);
const content = `/v1/spaces/${spaceId}/content`;

interface Shown {
  id: string;
  path: string;
  pages?: Shown[];
}

/** A page in a tree, by its id. */
function inTree(pages: Shown[], id: string): Shown | undefined {
  for (const page of pages) {
    const found = page.id === id ? page : inTree(page.pages ?? [], id);
    if (found) return found;
  }
  return undefined;
}

let deep: string[];
let before: string;

beforeAll(async () => {
  const levels = [1, 2, 3, 4].map((level) => ({
    insertPage: { title: `Level ${level}`, ref: `l${level}`, parentId: level === 1 ? pageId : `l${level - 1}` },
  }));
  const beside = [1, 2, 3].map((level) => ({ insertPage: { title: `Beside ${level}`, parentId: `l${level}` } }));
  const link = { insertPage: { kind: 'LINK', title: 'Out', target: { kind: 'url', url: '/out' }, parentId: 'l2' } };
  const { pageIds, revision } = await edit(editor, [...levels, ...beside, link]);
  deep = pageIds;
  before = revision.id;
  await edit(editor, [{ insertPage: { title: 'Later' } }]);
});

test('a page is read with all its descendants, in the head and in earlier revisions', async () => {
  const { pages } = (await reader.get(`${content}/pages`)).body;
  for (const id of [pageId, ...deep]) {
    const { document: _, ...atHead } = (await reader.get(`${content}/page/${id}`)).body;
    expect(atHead).toEqual(inTree(pages, id));
    const { document: __, ...earlier } = (await reader.get(`/v1/spaces/${spaceId}/revisions/${before}/page/${id}`))
      .body;
    expect(earlier).toEqual(atHead);
  }
});

test('the pages below several pages are read together', async () => {
  const ask = (ids: string[]) =>
    reader.graphqlRaw(
      `query { space(id: "${spaceId}") { revision { ${ids.map((id, index) => `p${index}: page(pageId: "${id}") { ... on DocumentPage { pages { ... on PageNode { path } ... on DocumentPage { pages { ... on PageNode { path } } } } } }`).join(' ')} } } }`,
    );
  const one = await ask(deep.slice(0, 1));
  const three = await ask(deep.slice(0, 3));
  expect(three.body.errors).toBeUndefined();
  expect(three.body.data.space.revision.p0.pages).toMatchObject([
    { path: 'docs/level-1/level-2', pages: [{ path: 'docs/level-1/level-2/level-3' }, {}, { path: null }] },
    { path: 'docs/level-1/beside-1' },
  ]);
  expect(statementsOf(three)).toBeLessThanOrEqual(statementsOf(one));
});

test('the home page is the first document of the tree, below a group too', async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Home', empty: true }, 'space { id }');
  const change = editBy(space.id);
  const home = async (revision = '') =>
    (await reader.get(`/v1/spaces/${space.id}/${revision === '' ? 'content' : `revisions/${revision}`}/path/%2F`)).body
      .id;
  const homes = async (revision: string) => [await home(), await home(revision)];
  const empty = await change(editor, [{ insertPage: { kind: 'GROUP', title: 'Empty' } }]);
  expect(await homes(empty.revision.id)).toEqual([undefined, undefined]);
  const steps = [
    { insertPage: { title: 'Last' } },
    { insertPage: { kind: 'LINK', title: 'Link', target: { kind: 'url', url: '/' }, position: { at: 0 } } },
    { insertPage: { kind: 'GROUP', title: 'Group', ref: 'group', position: { at: 1 } } },
    { insertPage: { title: 'Second in it', parentId: 'group' } },
    { insertPage: { title: 'First in it', parentId: 'group', position: { at: 0 } } },
  ];
  const { pageIds, revision } = await change(editor, steps);
  expect(await homes(revision.id)).toEqual([pageIds[4], pageIds[4]]);
  const next = await change(editor, [{ insertPage: { title: 'First of all', position: { at: 0 } } }]);
  expect(await homes(next.revision.id)).toEqual([next.pageIds[0], next.pageIds[0]]);
  expect(await home(revision.id)).toBe(pageIds[4]);
});

test.each(['📔', '1f4d4', '☀', '2600', '👩‍💻', '1F469-200D-1F4BB', '🇪🇺', ''])('takes the emoji "%s"', async (emoji) => {
  await edit(editor, [{ updatePage: { pageId, emoji } }]);
  expect((await reader.get(`${content}/page/${pageId}`)).body.emoji).toBe(emoji === '' ? undefined : emoji);
});

test.each(['book', 'A', '1f4d4 1f4d4', '📔📔', '41', 'ffffff'])('refuses "%s" as an emoji', async (emoji) => {
  const refused = edit(editor, [{ updatePage: { pageId, emoji } }]);
  await expect(refused).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});
