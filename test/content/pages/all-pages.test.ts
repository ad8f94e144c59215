import { expect, test } from 'vitest';
import { statementsOf } from '../../client.ts';
import { world } from '../../world.ts';
import { proposeBy } from '../editing/arrange.ts';
import { spaceOfKinds, TITLES, TREE } from './tree-of-kinds.ts';

const { admin, editor, reader, guest, outsider, anonymous, organizationId } = await world();

const { spaceId, revisionId, ids } = await spaceOfKinds({ admin, editor }, organizationId);
const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
const changeRequestId: string = changeRequest.id;

const FIELDS = 'nodes { id title depth }';

/** The field of the space, of its revision, and of the change request. */
async function listOf(ownerId: string, args: string, fields = FIELDS, by = reader) {
  const on = ['Space', 'Revision', 'ChangeRequest'].map((type) => `... on ${type} { allPages(${args}) { ${fields} } }`);
  return (await by.graphql(`{ node(id: "${ownerId}") { ${on.join(' ')} } }`)).node?.allPages;
}

const titlesOf = async (args: string) =>
  (await listOf(spaceId, args)).nodes.map(({ title }: { title: string }) => title);

test('a space, a change request and a revision list the pages of all levels, with the IDs of their nodes', async () => {
  for (const [ownerId, joint] of [
    [spaceId, 'in'],
    [changeRequestId, 'in'],
    [revisionId, 'at'],
  ]) {
    const { nodes, totalCount } = await listOf(ownerId ?? '', 'first: 100', `${FIELDS} totalCount`);
    expect(nodes).toEqual(TREE.map(([title, depth]) => ({ id: `${ids[title]}-${joint}-${ownerId}`, title, depth })));
    expect(totalCount).toBe(TREE.length);
  }
});

test('a page says where it is, in the list and read alone', async () => {
  const place = 'title depth parentPageId hasChildren';
  const parents: Record<string, string> = {
    First: 'Guide',
    Deep: 'First',
    Out: 'Guide',
    Second: 'Guide',
    Inside: 'Group',
    Below: 'Secret',
    Lower: 'Below',
  };
  const expected = TREE.map(([title, depth]) => ({
    title,
    depth,
    parentPageId: parents[title] === undefined ? null : ids[parents[title]],
    hasChildren: Object.values(parents).includes(title),
  }));
  expect((await listOf(spaceId, 'first: 100', `nodes { ${place} }`)).nodes).toEqual(expected);
  const aliases = TITLES.map((title) => `${title}: page(pageId: "${ids[title]}") { ${place} }`).join(' ');
  const { space } = await reader.graphql(`{ space(id: "${spaceId}") { ${aliases} } }`);
  expect(Object.values(space)).toEqual(expected);
});

test('kinds, hidden pages and the pages below a page can be chosen', async () => {
  expect(await titlesOf('kinds: [GROUP, LINK]')).toEqual(['Out', 'Group', 'Lower']);
  expect(await titlesOf('kinds: [COMPUTED]')).toEqual(['Source']);
  expect(await titlesOf('isHidden: false')).toEqual(TITLES.filter((title) => !/Secret|Below|Lower/.test(title)));
  expect(await titlesOf('isHidden: true')).toEqual(['Secret', 'Below', 'Lower']);
  expect(await titlesOf('kinds: null, isHidden: null, below: null')).toEqual(TITLES);
  expect(await titlesOf(`below: "${ids.Guide}"`)).toEqual(['First', 'Deep', 'Out', 'Second']);
  expect(await titlesOf(`below: "${ids.End}"`)).toEqual([]);
  expect(await titlesOf(`below: "${ids.Guide}", kinds: [DOCUMENT], last: 1`)).toEqual(['Second']);
  const hidden = await listOf(spaceId, 'isHidden: true, kinds: [DOCUMENT]', 'totalCount nodes { title hasChildren }');
  // The link below it is left out of the list, and still its child.
  expect(hidden).toEqual({
    totalCount: 2,
    nodes: [
      { title: 'Secret', hasChildren: true },
      { title: 'Below', hasChildren: true },
    ],
  });
});

test('a list begins around a page, and continues in both directions', async () => {
  const page = 'nodes { title } pageInfo { startCursor endCursor hasPreviousPage hasNextPage } totalCount';
  const titles = ({ nodes }: { nodes: { title: string }[] }) => nodes.map(({ title }) => title);
  for (const [place, title] of TITLES.entries())
    for (const size of [1, 2, 3, 4, TITLES.length + 1]) {
      const list = await listOf(spaceId, `first: ${size}, around: "${ids[title]}"`, page);
      const start = Math.max(0, Math.min(place - Math.floor(size / 2), TITLES.length - size));
      expect(titles(list)).toEqual(TITLES.slice(start, start + size));
      expect(titles(list)).toContain(title);
      const { hasPreviousPage, hasNextPage, startCursor, endCursor } = list.pageInfo;
      expect([hasPreviousPage, hasNextPage, list.totalCount]).toEqual([
        start > 0,
        start + size < TITLES.length,
        TITLES.length,
      ]);
      if (size !== 3) continue;
      const around = `around: "${ids[title]}"`;
      for (const more of ['', `, ${around}`]) {
        const above = await listOf(spaceId, `last: 100, before: "${startCursor}"${more}`, page);
        const below = await listOf(spaceId, `first: 100, after: "${endCursor}"${more}`, page);
        expect([...titles(above), ...titles(list), ...titles(below)]).toEqual(TITLES);
      }
    }
});

test('a page around which a list begins can be one that the list leaves out, but not one outside of it', async () => {
  expect(await titlesOf(`first: 2, kinds: [GROUP, LINK], around: "${ids.End}"`)).toEqual(['Group', 'Lower']);
  expect(await titlesOf(`first: 1, below: "${ids.Guide}", around: "${ids.Deep}"`)).toEqual(['Deep']);
  for (const args of [`around: "page_nothing"`, `below: "${ids.Guide}", around: "${ids.End}"`])
    await expect(titlesOf(`first: 2, ${args}`)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      errors: [{ extensions: { issues: [{ path: ['around'], code: 'NOT_FOUND' }] } }],
    });
});

test('a page below which pages are listed must exist', async () => {
  for (const below of ['page_nothing', `${ids.Guide}-in-${spaceId}`])
    await expect(titlesOf(`below: "${below}"`)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message: expect.stringContaining(`There is no page "${below}".`),
    });
  await expect(titlesOf('kinds: []')).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

test('1,000 pages can be requested at once, and other lists say how many they allow', async () => {
  expect(await titlesOf('first: 1000')).toEqual(TITLES);
  const refused = (args: string) => expect(titlesOf(args)).rejects;
  await refused('first: 1001').toMatchObject({ message: 'first: must be 1 to 1000, not 1001.' });
  await refused('last: 0').toMatchObject({ message: 'last: must be 1 to 1000, not 0.' });
  const files = reader.graphql(`{ space(id: "${spaceId}") { revisions(first: 101) { nodes { id } } } }`);
  await expect(files).rejects.toMatchObject({ message: 'first: must be 1 to 100, not 101.' });
});

const PAGE = 'edges { cursor node { title } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

/** Reads a list in pages of a size, in a direction. */
async function walk(ownerId: string, size: number, direction: 'first' | 'last', args = ''): Promise<string[]> {
  const found: string[] = [];
  const cursorName = direction === 'first' ? 'after' : 'before';
  for (let cursor: string | null = null; ; ) {
    const { edges, pageInfo } = await listOf(
      ownerId,
      `${direction}: ${size} ${args} ${cursor === null ? '' : `${cursorName}: "${cursor}"`}`,
      PAGE,
    );
    const titles = edges.map(({ node }: { node: { title: string } }) => node.title);
    expect(edges.length).toBeLessThanOrEqual(size);
    if (direction === 'first') found.push(...titles);
    else found.unshift(...titles);
    expect(direction === 'first' ? pageInfo.hasPreviousPage : pageInfo.hasNextPage).toBe(cursor !== null);
    if (!(direction === 'first' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) return found;
    cursor = direction === 'first' ? pageInfo.endCursor : pageInfo.startCursor;
  }
}

test('pages of every size add up to the list, in both directions and with filters', async () => {
  for (const direction of ['first', 'last'] as const)
    for (const size of [1, 3, 5, TITLES.length]) expect(await walk(spaceId, size, direction)).toEqual(TITLES);
  expect(await walk(revisionId, 2, 'first', 'kinds: [DOCUMENT]')).toEqual(await titlesOf('kinds: [DOCUMENT]'));
  expect(await walk(changeRequestId, 2, 'last', `below: "${ids.Guide}"`)).toHaveLength(4);
});

test('a list continues after the page of its cursor when the tree changes, and begins again when that is gone', async () => {
  const edit = (changes: unknown[]) => proposeBy(changeRequestId)(editor, changes);
  const first = await listOf(changeRequestId, 'first: 4', PAGE);
  const after = first.pageInfo.endCursor;
  const rest = async () =>
    (await listOf(changeRequestId, `first: 3, after: "${after}"`)).nodes.map(({ title }: { title: string }) => title);
  const { pageIds } = await edit([
    { insertPage: { title: 'New', parentId: ids.First } },
    { insertPage: { title: 'Before', position: { beforeId: ids.Start } } },
  ]);
  expect(await rest()).toEqual(['New', 'Out', 'Second']);
  await edit([{ deletePage: { pageId: ids.Deep } }]);
  await expect(rest()).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    message: 'after: The page at this cursor is no longer in the list. Request the list again from its beginning.',
  });
  expect(pageIds).toHaveLength(2);

  // The page exists, but no longer in this part of the tree.
  const [edge] = (await listOf(changeRequestId, `first: 1, below: "${ids.Guide}"`, PAGE)).edges;
  await edit([{ movePage: { pageId: ids.First, parentId: null } }]);
  const moved = listOf(changeRequestId, `first: 1, below: "${ids.Guide}", after: "${edge.cursor}"`);
  await expect(moved).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

test('a cursor is good for the same list with the same arguments alone', async () => {
  const { pageInfo } = await listOf(spaceId, 'first: 2', PAGE);
  const after = `after: "${pageInfo.endCursor}"`;
  const message = expect.stringContaining('Invalid cursor.');
  for (const [ownerId, args] of [
    [revisionId, after],
    [spaceId, `${after} isHidden: false`],
    [spaceId, `after: "${pageInfo.endCursor.slice(0, -4)}AAAA"`],
  ])
    await expect(listOf(ownerId ?? '', args ?? '')).rejects.toMatchObject({ code: 'BAD_USER_INPUT', message });
});

test('pages are listed for those who can read them', async () => {
  for (const by of [outsider, guest]) expect(await listOf(spaceId, 'first: 1', FIELDS, by)).toBeUndefined();
  await expect(listOf(spaceId, 'first: 1', FIELDS, anonymous)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Gone' }, 'space { id }');
  expect((await listOf(space.id, 'first: 1', FIELDS, admin)).nodes).toHaveLength(1);
  await admin.mutate('deleteSpace', { spaceId: space.id }, 'deletedId');
  const empty = { nodes: [], totalCount: 0, edges: [], pageInfo: { endCursor: null, hasNextPage: false } };
  const fields = 'nodes { id } totalCount edges { cursor } pageInfo { endCursor hasNextPage }';
  expect(await listOf(space.id, 'first: 1', fields, admin)).toEqual(empty);
});

test('the number of statements depends neither on the number of pages nor on the fields of their places', async () => {
  const ask = async (args: string, fields: string) =>
    statementsOf(await reader.graphqlRaw(`{ space(id: "${spaceId}") { allPages(${args}) { ${fields} } } }`));
  const place = 'id title path depth parentPageId hasChildren ancestors { id } previousPage { id } nextPage { id }';
  await ask('first: 1', 'nodes { id }');
  expect(await ask('first: 100', `totalCount nodes { ${place} }`)).toBe(await ask('first: 1', 'nodes { id }'));
});

test('the trees of several spaces are read together', async () => {
  const spaces = [spaceId];
  for (const _ of [1, 2])
    spaces.push((await admin.mutate('duplicateSpace', { spaceId }, 'space { id }')).space.id as string);
  const ask = async (spaceIds: string[]) => {
    const answer = await admin.graphqlRaw(
      `{ nodes(ids: ${JSON.stringify(spaceIds)}) { ... on Space { allPages { nodes { id depth } } } } }`,
    );
    expect(answer.body.errors).toBeUndefined();
    return statementsOf(answer);
  };
  await ask(spaces);
  expect(await ask(spaces)).toBe(await ask([spaceId]));
});
