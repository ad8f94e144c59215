import { beforeAll, expect, test } from 'vitest';
import { statementsOf } from '../../client.ts';
import { world } from '../../world.ts';
import { editBy, proposeBy } from '../editing/arrange.ts';

const { admin, editor, reader, guest, outsider, organizationId } = await world();

let spaceId: string;
let copyId: string;
let changeRequestId: string;
/** Plain ids by title. */
const ids: Record<string, string> = {};

const TITLES = ['Start', 'Guide', 'Child', 'Grandchild', 'End'];

beforeAll(async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Docs', empty: true }, 'space { id }');
  spaceId = space.id;
  const page = (title: string, parentId: string | null = null) => ({
    insertPage: { title, ref: title, parentId, document: { markdown: `Text of ${title}.` } },
  });
  const changes = [page('Start'), page('Guide'), page('Child', 'Guide'), page('Grandchild', 'Child'), page('End')];
  const { pageIds } = await editBy(spaceId)(editor, changes);
  for (const [index, title] of TITLES.entries()) ids[title] = pageIds[index];
  copyId = (await admin.mutate('duplicateSpace', { spaceId }, 'space { id }')).space.id;
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  changeRequestId = changeRequest.id;
});

const inOwner = (title: string, ownerId: string) => `${ids[title]}-in-${ownerId}`;

const nodeOf = async (id: string, fields = 'title', by = reader) =>
  (await by.graphql(`{ node(id: "${id}") { __typename id ... on PageNode { pageId ${fields} } } }`)).node;

test('a page of current content is one node for each space and change request that has it', async () => {
  await proposeBy(changeRequestId)(editor, [{ updatePage: { pageId: ids.Guide, title: 'Proposed guide' } }]);
  const titles = { [spaceId]: 'Guide', [copyId]: 'Guide', [changeRequestId]: 'Proposed guide' };
  for (const [ownerId, title] of Object.entries(titles)) {
    const id = inOwner('Guide', ownerId);
    expect(await nodeOf(id, 'title', admin)).toEqual({ __typename: 'DocumentPage', id, pageId: ids.Guide, title });
  }
});

test('fields of spaces and change requests return a page by its ID and by its path, with the ID of its node', async () => {
  const byId = `byId: page(pageId: "${ids.Child}") { id }`;
  const byPath = 'byPath: page(path: "guide/child") { id } home: page(path: "") { id }';
  const { space, changeRequest } = await reader.graphql(
    `{ space(id: "${spaceId}") { ${byId} ${byPath} } changeRequest(id: "${changeRequestId}") { ${byId} ${byPath} } }`,
  );
  for (const [ownerId, owner] of [
    [spaceId, space],
    [changeRequestId, changeRequest],
  ]) {
    const id = inOwner('Child', ownerId);
    expect(owner).toEqual({ byId: { id }, byPath: { id }, home: { id: inOwner('Start', ownerId) } });
  }
});

test('pages around a page of current content are in the current content, and those of its revision in the revision', async () => {
  const fields = `parent { id } ancestors { id } previous { id } next { id }
    ... on DocumentPage { pages { id ... on DocumentPage { pages { id } } } }
    revision { id page(pageId: "${ids.Child}") { id } }`;
  const page = await nodeOf(inOwner('Child', spaceId), fields);
  expect(page).toMatchObject({
    parent: { id: inOwner('Guide', spaceId) },
    ancestors: [{ id: inOwner('Guide', spaceId) }],
    previous: { id: inOwner('Guide', spaceId) },
    next: { id: inOwner('Grandchild', spaceId) },
    pages: [{ id: inOwner('Grandchild', spaceId), pages: [] }],
  });
  expect(page.revision.page.id).toBe(`${ids.Child}-at-${page.revision.id}`);
});

test('an edit keeps the IDs, and its payload has the affected pages with their new content', async () => {
  const changes = [
    { updatePage: { pageId: ids.Child, title: 'Renamed' } },
    { insertPage: { title: 'New', document: { markdown: 'New text.' } } },
    { movePage: { pageId: ids.End, parentId: ids.Guide } },
    { updatePage: { pageId: ids.Child, description: 'Twice in one edit' } },
  ];
  const payload = 'pageIds pages { __typename id pageId title path ... on DocumentPage { description } }';
  for (const [ownerId, mutation, target] of [
    [spaceId, 'updateSpaceContent', 'spaceId'],
    [changeRequestId, 'updateChangeRequestContent', 'changeRequestId'],
  ] as const) {
    const { pageIds, pages } = await editor.mutate(mutation, { [target]: ownerId, changes }, payload);
    expect(pages.map(({ id }: { id: string }) => id)).toEqual([
      inOwner('Child', ownerId),
      `${pageIds[1]}-in-${ownerId}`,
      inOwner('End', ownerId),
    ]);
    expect(pages[0]).toMatchObject({ title: 'Renamed', description: 'Twice in one edit' });
    for (const { id, title } of pages) expect((await nodeOf(id)).title).toBe(title);
    const deletion = [{ deletePage: { pageId: pageIds[1] } }];
    const deleted = await editor.mutate(mutation, { [target]: ownerId, changes: deletion }, payload);
    expect(deleted).toEqual({ pageIds: [pageIds[1]], pages: [] });
    expect(await nodeOf(`${pageIds[1]}-in-${ownerId}`)).toBeNull();
  }
});

test('IDs of pages that the caller cannot read, or that do not exist, are null', async () => {
  for (const ownerId of [spaceId, changeRequestId]) {
    expect(await nodeOf(inOwner('Start', ownerId))).not.toBeNull();
    for (const by of [outsider, guest]) expect(await nodeOf(inOwner('Start', ownerId), 'title', by)).toBeNull();
  }
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Other' }, 'space { id }');
  const strange = ['', organizationId, 'space_nothing', `${spaceId}-in-${spaceId}`, space.id];
  for (const ownerId of strange) expect(await nodeOf(inOwner('Start', ownerId), 'title', admin)).toBeNull();
  const current = await admin.graphql(`{ space(id: "${spaceId}") { revision { id } } }`);
  const inRevision = `${ids.Start}-at-${current.space.revision.id}`;
  expect((await nodeOf(inRevision)).id).toBe(inRevision);
  for (const id of [`${inRevision}-at-${current.space.revision.id}`, `${inRevision}-in-${spaceId}`, ids.Start ?? ''])
    expect(await nodeOf(id, 'title', admin)).toBeNull();
});

test('a page is named by exactly one of its ID and its path', async () => {
  for (const args of ['(pageId: null)', `(pageId: "${ids.Start}", path: "start")`]) {
    const query = `{ space(id: "${spaceId}") { page${args} { id } } }`;
    await expect(reader.graphql(query)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  }
});

test('pages of current content are read together', async () => {
  const ask = async (titles: string[]) =>
    statementsOf(
      await reader.graphqlRaw(
        `{ nodes(ids: ${JSON.stringify(titles.map((title) => inOwner(title, spaceId)))}) { id ... on PageNode { title } } }`,
      ),
    );
  expect(await ask(['Start', 'Guide', 'End'])).toBe(await ask(['Start']));
});

test('pages of several spaces are read together', async () => {
  const ask = async (spaceIds: string[]) => {
    const query = `{ nodes(ids: ${JSON.stringify(spaceIds)}) { ... on Space { page(pageId: "${ids.Start}") { id title } } } }`;
    const answer = await admin.graphqlRaw(query);
    expect(answer.body.data.nodes).toHaveLength(spaceIds.length);
    return statementsOf(answer);
  };
  expect(await ask([spaceId, copyId])).toBe(await ask([spaceId]));
});

test('eight levels of a tree of several hundred pages are read in one query', async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Tree', empty: true }, 'space { id }');
  const [SECTIONS, LEVELS, PER_LEVEL] = [8, 8, 6];
  for (let section = 0; section < SECTIONS; section++) {
    const changes = Array.from({ length: LEVELS * PER_LEVEL }, (_, index) => {
      const level = Math.floor(index / PER_LEVEL);
      const ref = index % PER_LEVEL === 0 ? `level-${level}` : undefined;
      const kind = ref !== undefined && level === 0 && section % 2 === 0 ? 'GROUP' : 'DOCUMENT';
      return { insertPage: { title: `Page ${index}`, kind, ref, parentId: level === 0 ? null : `level-${level - 1}` } };
    });
    await editBy(space.id)(editor, changes);
  }
  const levels = Array.from({ length: LEVELS }, (_, level) => {
    const below = level === LEVELS - 1 ? '' : `pages { ...Level${level + 1} }`;
    // Groups are at the top level alone.
    const ofGroup = level === 0 ? `... on GroupPage { revision { id } ${below} }` : '';
    return `fragment Level${level} on PageNode {
      id title path ${ofGroup}
      ... on DocumentPage { revision { id } ${below} }
      ... on LinkPage { href revision { id } }
      ... on ComputedPage { revision { id } }
    }`;
  });
  const query = `{ space(id: "${space.id}") { revision { pages { ...Level0 } } } } ${levels.join(' ')}`;
  type Level = { pages?: Level[] };
  const countOf = (pages: Level[]): number => pages.reduce((sum, page) => sum + 1 + countOf(page.pages ?? []), 0);
  const read = await reader.graphql(query);
  expect(countOf(read.space.revision.pages)).toBe(SECTIONS * LEVELS * PER_LEVEL);
});
