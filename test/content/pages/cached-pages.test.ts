import { beforeEach, expect, test } from 'vitest';
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

interface Stored {
  id: string;
  [field: string]: unknown;
}

/** A normalized cache, as the ones of Relay, Apollo and urql: records by `id`. */
class Cache {
  readonly records = new Map<string, Stored>();

  add(pages: Stored[]): this {
    for (const page of pages) this.records.set(page.id, { ...this.records.get(page.id), ...page });
    return this;
  }

  /** What a client does with the payload of a mutation. */
  apply({
    pages,
    relatedPages,
    deletedPageIds,
  }: {
    pages: Stored[];
    relatedPages: Stored[];
    deletedPageIds: string[];
  }) {
    this.add(pages).add(relatedPages);
    for (const id of deletedPageIds) this.records.delete(id);
  }
}

async function readAll(type: 'space' | 'changeRequest', id: string): Promise<Cache> {
  const data = await reader.graphql(`{ ${type}(id: "${id}") { allPages(first: 1000) { nodes { ${PAGE} } } } }`);
  return new Cache().add(data[type].allPages.nodes);
}

const PAYLOAD = `pages { ${PAGE} } relatedPages { ${PAGE} } deletedPageIds`;

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

test.each(EDITS)('a cache is right after the payload of an edit that %s', async (_what, changes) => {
  const cache = await readAll('space', spaceId);
  const payload = await editor.mutate('updateSpaceContent', { spaceId, changes: changes() }, PAYLOAD);
  cache.apply(payload);
  expect(cache.records).toEqual((await readAll('space', spaceId)).records);
});

test.each(EDITS)('a cache is right after edit and merge of a change request that %s', async (_what, changes) => {
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const changeRequestId = changeRequest.id;
  const [ofSpace, ofChangeRequest] = [await readAll('space', spaceId), await readAll('changeRequest', changeRequestId)];
  const edit = { changeRequestId, changes: changes() };
  ofChangeRequest.apply(await editor.mutate('updateChangeRequestContent', edit, PAYLOAD));
  expect(ofChangeRequest.records).toEqual((await readAll('changeRequest', changeRequestId)).records);

  const merged = await admin.mutate('mergeChangeRequest', { changeRequestId }, `result ${PAYLOAD}`);
  expect(merged.result).toBe('MERGE');
  ofSpace.apply(merged);
  expect(ofSpace.records).toEqual((await readAll('space', spaceId)).records);
  // Merging again returns the same.
  expect(await admin.mutate('mergeChangeRequest', { changeRequestId }, `result ${PAYLOAD}`)).toEqual(merged);
});

test.each(EDITS)('a cache of a change request is right after it pulls an edit that %s', async (_what, changes) => {
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const changeRequestId = changeRequest.id;
  await proposeBy(changeRequestId)(editor, [{ insertPage: { title: 'Proposed', parentId: ids.Start } }]);
  await editBy(spaceId)(editor, changes());
  const cache = await readAll('changeRequest', changeRequestId);
  cache.apply(await editor.mutate('pullChangeRequest', { changeRequestId }, PAYLOAD));
  expect(cache.records).toEqual((await readAll('changeRequest', changeRequestId)).records);
  const nothing = await editor.mutate('pullChangeRequest', { changeRequestId }, PAYLOAD);
  expect(nothing).toEqual({ pages: [], relatedPages: [], deletedPageIds: [] });
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
  const cache = await readAll('changeRequest', changeRequestId);
  const resolutions = [{ conflictId: conflict.id, choice: 'THEIRS' }];
  cache.apply(await admin.mutate('resolveChangeRequestConflicts', { changeRequestId, resolutions }, PAYLOAD));
  expect(cache.records).toEqual((await readAll('changeRequest', changeRequestId)).records);
});
