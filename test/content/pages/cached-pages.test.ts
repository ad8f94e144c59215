import { beforeEach, expect, test } from 'vitest';
import { RelayClient } from '../../relay-client.ts';
import { world } from '../../world.ts';
import { editBy, proposeBy } from '../editing/arrange.ts';

const { admin, editor, reader, organizationId } = await world();

let spaceId: string;
/** Plain ids by title. */
const ids: Record<string, string> = {};

const TITLES = ['Start', 'Guide', 'Child', 'Grandchild', 'Link', 'Trunk', 'Branch', 'Leaf', 'End'];

beforeEach(async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Docs', empty: true }, 'space { id }');
  spaceId = space.id;
  const page = (title: string, parentId: string | null = null, more = {}) => ({
    insertPage: { title, ref: title, parentId, ...more },
  });
  const { pageIds } = await editBy(spaceId)(editor, [
    page('Start'),
    page('Guide'),
    page('Child', 'Guide'),
    page('Grandchild', 'Child'),
    page('Link', 'Child', { kind: 'LINK', target: { kind: 'url', url: 'https://example.com' } }),
    page('Trunk'),
    page('Branch', 'Trunk'),
    page('Leaf', 'Branch'),
    page('End'),
  ]);
  for (const [index, title] of TITLES.entries()) ids[title] = pageIds[index];
});

/** A page as a client selects it everywhere: with its place, and with the pages around it by their IDs. */
const PAGE = `... on PageNode { id title path depth parentPageId hasChildren hidden parent { id } ancestors { id }
  previousPage { id } nextPage { id }
  ... on DocumentPage { pages { ... on PageNode { id } } } }`;

async function readAll(type: 'space' | 'changeRequest', id: string) {
  const cache = new RelayClient(reader);
  await cache.read(`{ ${type}(id: "${id}") { id allPages(first: 1000) { nodes { ${PAGE} } } } }`);
  return { cache, pages: () => cache.recordsOf(`-in-${id}`) };
}

const PAYLOAD = `pages { ${PAGE} } relatedPages { ${PAGE} } deletedPageIds`;

/** The same for Relay, which deletes what a directive of its own names. */
const RELAY_PAYLOAD = `${PAYLOAD} @deleteRecord`;

const EDITS: [string, () => unknown[]][] = [
  ['inserts pages', () => [{ insertPage: { title: 'New', parentId: ids.End } }, { insertPage: { title: 'Top' } }]],
  ['deletes a page with the pages below it', () => [{ deletePage: { pageId: ids.Child } }]],
  ['deletes the only child page', () => [{ deletePage: { pageId: ids.Leaf } }]],
  ['renames a page', () => [{ updatePage: { pageId: ids.Guide, title: 'Manual', slug: 'manual' } }]],
  ['moves a page down', () => [{ movePage: { pageId: ids.Guide, parentId: ids.Leaf } }]],
  ['moves a page up', () => [{ movePage: { pageId: ids.Child, parentId: null } }]],
  [
    'reorders pages',
    () => [{ movePage: { pageId: ids.Link, parentId: ids.Child, position: { beforeId: ids.Grandchild } } }],
  ],
  ['hides a page with pages below it', () => [{ updatePage: { pageId: ids.Trunk, hidden: true } }]],
  [
    'does several things',
    () => [
      { insertPage: { title: 'New', ref: 'new', parentId: ids.Start } },
      { movePage: { pageId: ids.Branch, parentId: 'new' } },
      { updatePage: { pageId: ids.Trunk, slug: 'stem' } },
      { deletePage: { pageId: ids.Guide } },
      { updatePage: { pageId: ids.End, title: 'The end' } },
    ],
  ],
  ['changes nothing', () => [{ updatePage: { pageId: ids.End, title: 'End' } }]],
];

test.each(EDITS)('the store of Relay is right after the payload of an edit that %s', async (_what, changes) => {
  const { cache, pages } = await readAll('space', spaceId);
  expect(Object.keys(pages())).toHaveLength(TITLES.length);
  await cache.mutate(editor, 'updateSpaceContent', { spaceId, changes: changes() }, RELAY_PAYLOAD);
  expect(cache.requests).toEqual(['query', 'mutation']);
  expect(pages()).toEqual((await readAll('space', spaceId)).pages());
});

test.each(EDITS)(
  'the store of Relay is right after edit and merge of a change request that %s',
  async (_what, changes) => {
    const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
    const changeRequestId = changeRequest.id;
    const [ofSpace, ofChangeRequest] = [
      await readAll('space', spaceId),
      await readAll('changeRequest', changeRequestId),
    ];
    const edit = { changeRequestId, changes: changes() };
    await ofChangeRequest.cache.mutate(editor, 'updateChangeRequestContent', edit, RELAY_PAYLOAD);
    expect(ofChangeRequest.pages()).toEqual((await readAll('changeRequest', changeRequestId)).pages());

    const merge = () =>
      ofSpace.cache.mutate(admin, 'mergeChangeRequest', { changeRequestId }, `result ${RELAY_PAYLOAD}`);
    await merge();
    const merged = (await readAll('space', spaceId)).pages();
    expect(ofSpace.pages()).toEqual(merged);
    // Merging again returns the same.
    await merge();
    expect(ofSpace.pages()).toEqual(merged);
  },
);

test.each(EDITS)(
  'the store of Relay is right for a change request after it pulls an edit that %s',
  async (_what, changes) => {
    const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
    const changeRequestId = changeRequest.id;
    await proposeBy(changeRequestId)(editor, [{ insertPage: { title: 'Proposed', parentId: ids.Start } }]);
    await editBy(spaceId)(editor, changes());
    const { cache, pages } = await readAll('changeRequest', changeRequestId);
    await cache.mutate(editor, 'pullChangeRequest', { changeRequestId }, RELAY_PAYLOAD);
    expect(pages()).toEqual((await readAll('changeRequest', changeRequestId)).pages());
    const nothing = await editor.mutate('pullChangeRequest', { changeRequestId }, PAYLOAD);
    expect(nothing).toEqual({ pages: [], relatedPages: [], deletedPageIds: [] });
  },
);

test.each(EDITS)('the list of a sidebar is right after the payload of an edit that %s', async (_what, changes) => {
  const LIST = 'allPages(first: 1000) { nodes { id } }';
  const { cache } = await readAll('space', spaceId);
  const listIn = (client: RelayClient) => client.recordsOf(':allPages(first:1000)');
  const before = listIn(cache);
  expect(Object.keys(before)).toHaveLength(1);
  await cache.mutate(
    editor,
    'updateSpaceContent',
    { spaceId, changes: changes() },
    `${RELAY_PAYLOAD} space { id ${LIST} }`,
  );
  expect(cache.requests).toEqual(['query', 'mutation']);
  const { cache: fresh } = await readAll('space', spaceId);
  expect(listIn(cache)).toEqual(listIn(fresh));
});

test('the IDs of deleted pages are those that the pages had, of all levels', async () => {
  const changes = [{ deletePage: { pageId: ids.Trunk } }];
  const key = { idempotencyKey: 'delete the trunk' };
  const first = await editor.mutate('updateSpaceContent', { spaceId, changes, ...key }, `pageIds ${PAYLOAD}`);
  expect(first).toMatchObject({ pageIds: [ids.Trunk], pages: [] });
  const deleted = ['Trunk', 'Branch', 'Leaf'].map((title) => `${ids[title]}-in-${spaceId}`);
  expect(first.deletedPageIds.toSorted()).toEqual(deleted.toSorted());
  // Repeated under the key, it is the same.
  expect(await editor.mutate('updateSpaceContent', { spaceId, changes, ...key }, `pageIds ${PAYLOAD}`)).toEqual(first);
});

test('a payload with conflicts changes no page of a cache', async () => {
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const changeRequestId = changeRequest.id;
  await proposeBy(changeRequestId)(editor, [{ updatePage: { pageId: ids.Guide, title: 'Ours' } }]);
  await editBy(spaceId)(editor, [{ updatePage: { pageId: ids.Guide, title: 'Theirs' } }]);
  for (const name of ['mergeChangeRequest', 'pullChangeRequest']) {
    const payload = await admin.mutate(name, { changeRequestId }, `result conflicts { id } ${PAYLOAD}`);
    expect(payload).toMatchObject({ result: 'CONFLICTS', pages: [], relatedPages: [], deletedPageIds: [] });
  }
  const [conflict] = (await admin.graphql(`{ changeRequest(id: "${changeRequestId}") { conflicts { nodes { id } } } }`))
    .changeRequest.conflicts.nodes;
  const { cache, pages } = await readAll('changeRequest', changeRequestId);
  const input = { changeRequestId, resolutions: [{ conflictId: conflict.id, choice: 'THEIRS' }] };
  await cache.mutate(admin, 'resolveChangeRequestConflicts', input, RELAY_PAYLOAD);
  expect(pages()).toEqual((await readAll('changeRequest', changeRequestId)).pages());
});
