import { beforeAll, expect, test } from 'vitest';
import { statementsOf } from '../../client.ts';
import { world } from '../../world.ts';
import { aSpace } from './arrange.ts';

const { admin, editor, commenter, reader, outsider, anonymous, organizationId } = await world();

let spaceId: string;
let pageId: string;

const tree =
  '{ ... on PageNode { pageId title path slug } ... on DocumentPage { pages { ... on PageNode { title path } } } }';

const edit = (changes: unknown[], more: Record<string, unknown> = {}, by = editor) =>
  by.mutate('updateSpaceContent', { spaceId, changes, ...more }, `space { id } revision { id pages ${tree} } pageIds`);

beforeAll(async () => {
  const { space } = await admin.mutate(
    'createSpace',
    { organizationId, title: 'Docs' },
    'space { id revision { pages { ... on PageNode { pageId } } } }',
  );
  spaceId = space.id;
  pageId = space.revision.pages[0].pageId;
});

test('inserts nested pages by refs, with Markdown', async () => {
  const { revision, pageIds } = await edit([
    { insertPage: { title: 'Guide', ref: 'guide', document: { markdown: '# Hello\n\nSome **text**.' } } },
    { insertPage: { title: 'First steps', parentId: 'guide' } },
  ]);
  expect(pageIds).toHaveLength(2);
  expect(revision.pages.map(({ path }: { path: string }) => path)).toEqual(['docs', 'guide']);
  expect(revision.pages[1].pages).toEqual([{ title: 'First steps', path: 'guide/first-steps' }]);

  const { body } = await reader.get(`/v1/spaces/${spaceId}/content/path/guide?format=markdown`);
  expect(body).toMatchObject({
    type: 'document',
    kind: 'sheet',
    title: 'Guide',
    markdown: '# Guide\n\n# Hello\n\nSome **text**.',
  });
  expect(body.pages.map(({ path }: { path: string }) => path)).toEqual(['guide/first-steps']);
  const document = await reader.get(`/v1/spaces/${spaceId}/content/page/${pageIds[0]}`);
  expect(document.body.document.nodes[0]).toMatchObject({ type: 'heading-1' });
});

test('a new title keeps the slug, and a new slug changes the paths below it', async () => {
  await edit([{ updatePage: { pageId, title: 'Welcome' } }]);
  expect((await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}`)).body).toMatchObject({
    title: 'Welcome',
    path: 'docs',
  });
  await edit([{ insertPage: { title: 'Below', parentId: pageId } }]);
  await edit([{ updatePage: { pageId, slug: 'start' } }]);
  expect((await reader.get(`/v1/spaces/${spaceId}/content/path/start%2Fbelow`)).body).toMatchObject({ title: 'Below' });
  const byOldPath = await reader.get(`/v1/spaces/${spaceId}/content/path/docs%2Fbelow`);
  expect(byOldPath.body).toMatchObject({ title: 'Below', path: 'start/below' });
});

test('keeps the keys of blocks that the Markdown does not change', async () => {
  const { pageIds } = await edit([{ insertPage: { title: 'Keys', document: { markdown: 'One.\n\nTwo.\n\nThree.' } } }]);
  const keysOf = async () => {
    const { body } = await reader.get(`/v1/spaces/${spaceId}/content/page/${pageIds[0]}`);
    return body.document.nodes.map(({ key }: { key: string }) => key);
  };
  const before = await keysOf();
  await edit([
    { updatePage: { pageId: pageIds[0], document: { markdown: 'One.\n\nTwo, edited.\n\nNew.\n\nThree.' } } },
  ]);
  const after = await keysOf();
  expect(after).toHaveLength(4);
  expect([after[0], after[1], after[3]]).toEqual(before);
  expect(new Set(after).size).toBe(4);
});

test('moves and deletes pages', async () => {
  const { pageIds } = await edit([
    { insertPage: { title: 'A' } },
    { insertPage: { title: 'B' } },
    { insertPage: { title: 'C' } },
  ]);
  const [a, b, c] = pageIds;
  await edit([{ movePage: { pageId: c, position: { beforeId: a } } }, { movePage: { pageId: b, parentId: c } }]);
  const { body } = await reader.get(`/v1/spaces/${spaceId}/content/pages`);
  const titles = body.pages.map(({ title }: { title: string }) => title);
  expect(titles.indexOf('C')).toBe(titles.indexOf('A') - 1);
  expect((await reader.get(`/v1/spaces/${spaceId}/content/path/c%2Fb`)).body.id).toBe(b);
  await edit([{ deletePage: { pageId: c } }]);
  expect((await reader.get(`/v1/spaces/${spaceId}/content/page/${b}`)).status).toBe(404);
});

test('applies all of the changes or none', async () => {
  const before = (await reader.get(`/v1/spaces/${spaceId}/content`)).body;
  const refused = edit([{ insertPage: { title: 'Lost' } }, { deletePage: { pageId: 'page_unknown' } }]);
  await expect(refused).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    errors: [{ extensions: { issues: [{ path: ['input', 'changes', 1] }] } }],
  });
  const after = (await reader.get(`/v1/spaces/${spaceId}/content`)).body;
  expect(after).toEqual(before);
});

test('creates a revision with its parent, and the old one stays readable', async () => {
  const before = (await reader.get(`/v1/spaces/${spaceId}/content`)).body;
  const { revision } = await edit([{ insertPage: { title: 'Newest' } }]);
  const { body } = await reader.get(`/v1/spaces/${spaceId}/revisions/${revision.id}`);
  expect(body).toMatchObject({ id: revision.id, type: 'edits', parents: [before.id] });
  const old = (await reader.get(`/v1/spaces/${spaceId}/revisions/${before.id}`)).body;
  expect(old.pages).toEqual(before.pages);
  const node = await reader.graphql(
    'query($id: ID!) { node(id: $id) { __typename id ... on Revision { parents { id } } } }',
    { id: revision.id },
  );
  expect(node.node).toMatchObject({ __typename: 'Revision', parents: [{ id: before.id }] });
});

test('answers the same revision when nothing changes', async () => {
  const before = (await reader.get(`/v1/spaces/${spaceId}/content`)).body;
  const { revision } = await edit([{ updatePage: { pageId, title: 'Welcome' } }]);
  expect(revision.id).toBe(before.id);
});

test('REST takes the changes under its own names', async () => {
  const changes = [
    { operation: 'insert_page', title: 'By REST', ref: 'r', document: { markdown: 'Text.' } },
    { operation: 'insert_page', title: 'Below', into: 'r', at: 0, document: {} },
  ];
  const { status, body } = await editor.post(`/v1/spaces/${spaceId}/content`, { changes });
  expect(body).toMatchObject({ changes: [{ object: 'created_page', ref: 'r' }, { object: 'created_page' }] });
  expect(status).toBe(200);
  expect((await reader.get(`/v1/spaces/${spaceId}/content/path/by-rest%2Fbelow`)).status).toBe(200);
});

test.each([
  ['no change at all', []],
  ['a change of two kinds', [{ movePage: { pageId: 'x' }, deletePage: { pageId: 'x' } }]],
  ['an unknown parent', [{ insertPage: { title: 'A', parentId: 'page_unknown' } }]],
  ['an empty title', [{ insertPage: { title: '' } }]],
  ['a title with control characters', [{ insertPage: { title: 'A\u0007B' } }]],
  ['a title with direction marks', [{ insertPage: { title: 'A\u202eB' } }]],
  ['a title of 10 kB', [{ insertPage: { title: 'x'.repeat(10_000) } }]],
  ['two places at once', [{ insertPage: { title: 'A', position: { beforeId: 'a', at: 1 } } }]],
  [
    'a body of no known block',
    [
      {
        insertPage: {
          title: 'A',
          document: { document: { object: 'document', data: {}, nodes: [{ object: 'block', type: 'marquee' }] } },
        },
      },
    ],
  ],
  ['a layout of other members', [{ insertPage: { title: 'A', layout: { width: 5 } } }]],
  ['a layout with half a character', [{ insertPage: { title: 'A', layout: { coverMask: '\ud800' } } }]],
  [
    'a cover that runs what it holds',
    [{ insertPage: { title: 'A', cover: { ref: { kind: 'url', url: 'javascript:1' } } } }],
  ],
  [
    'a target that runs what it holds',
    [{ insertPage: { kind: 'LINK', title: 'A', target: { kind: 'url', url: 'javascript:alert(1)' } } }],
  ],
  ['a target of no kind', [{ insertPage: { kind: 'LINK', title: 'A', target: { kind: { a: 1 }, url: 5 } } }]],
  ['a variable of another type', [{ insertPage: { title: 'A', variables: { a: { b: 1 } } } }]],
  [
    'a body of more than 200,000 characters',
    [{ insertPage: { title: 'A', document: { markdown: 'x'.repeat(200_001) } } }],
  ],
  [
    'bodies of more than a million characters together',
    Array.from({ length: 6 }, () => ({ insertPage: { title: 'A', document: { markdown: 'x'.repeat(190_000) } } })),
  ],
  ['a link without a target', [{ insertPage: { kind: 'LINK', title: 'A' } }]],
])('refuses %s', async (_name, changes) => {
  await expect(edit(changes)).rejects.toMatchObject({ code: expect.stringMatching(/BAD_USER_INPUT/) });
});

test('requires the role editor on the space', async () => {
  const changes = [{ insertPage: { title: 'Mine' } }];
  await expect(edit(changes, {}, commenter)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(edit(changes, {}, outsider)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(edit(changes, {}, anonymous)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  const rest = { changes: [{ operation: 'insert_page', title: 'Mine', document: {} }] };
  expect((await commenter.post(`/v1/spaces/${spaceId}/content`, rest)).status).toBe(403);
  expect((await outsider.post(`/v1/spaces/${spaceId}/content`, { changes: 'none' })).status).toBe(404);
  expect((await outsider.get(`/v1/spaces/${spaceId}/content`)).status).toBe(404);
  expect((await anonymous.get(`/v1/spaces/${spaceId}/content/pages`)).status).toBe(401);
});

test('is refused while the space is locked', async () => {
  await admin.mutate('updateSpace', { spaceId, editMode: 'LOCKED' }, 'space { editMode }');
  await expect(edit([{ insertPage: { title: 'No' } }])).rejects.toMatchObject({ code: 'CONFLICT' });
  await admin.mutate('updateSpace', { spaceId, editMode: 'LIVE' }, 'space { editMode }');
});

test('loses no page when twenty editors write at once', async () => {
  const titles = Array.from({ length: 20 }, (_, index) => `Parallel ${index}`);
  await Promise.all(titles.map((title) => edit([{ insertPage: { title } }])));
  const { body } = await reader.get(`/v1/spaces/${spaceId}/content/pages`);
  expect(body.pages.map(({ title }: { title: string }) => title)).toEqual(expect.arrayContaining(titles));
});

test('reads a page by path in a number of statements that does not depend on the space', async () => {
  const query =
    'query($id: ID!) { space(id: $id) { revision { page(path: "start") { ... on DocumentPage { title markdown } } } } }';
  const few = statementsOf(await reader.graphqlRaw(query, { id: spaceId }));
  const changes = Array.from({ length: 50 }, (_, index) => ({ insertPage: { title: `More ${index}` } }));
  await edit(changes);
  expect(statementsOf(await reader.graphqlRaw(query, { id: spaceId }))).toBe(few);
});

test('a change without a body keeps the body of the page', async () => {
  const { pageIds } = await edit([{ insertPage: { title: 'Kept', document: { markdown: 'Kept.' } } }]);
  const changes = [{ operation: 'update_page', page: pageIds[0], title: 'Kept on', document: {} }];
  await editor.post(`/v1/spaces/${spaceId}/content`, { changes });
  const { body } = await reader.get(`/v1/spaces/${spaceId}/content/page/${pageIds[0]}?format=markdown`);
  expect(body).toMatchObject({ title: 'Kept on', markdown: '# Kept on\n\nKept.\n' });
});

test.each(['/revisions/rev_%00', '/content/page/%00', '/content/path/%00', '/change-requests?creator=%00&status=all'])(
  'NUL in %s is BAD_USER_INPUT or NOT_FOUND, never a 500',
  async (path) => {
    expect([400, 404]).toContain((await reader.get(`/v1/spaces/${spaceId}${path}`)).status);
  },
);

test.each(['rev_\u0000', 'page_x-at-rev_\u0000'])(
  'NUL in the id of a node is BAD_USER_INPUT or null, never a 500',
  async (id) => {
    const { body } = await reader.graphqlRaw('query($id: ID!) { node(id: $id) { id } }', { id });
    expect(body.errors?.[0].extensions.code ?? 'absent').toMatch(/BAD_USER_INPUT|absent/);
  },
);

test('an empty body written back as it was read changes nothing', async () => {
  const { pageIds } = await edit([{ insertPage: { title: 'Empty' } }]);
  const before = (await reader.get(`/v1/spaces/${spaceId}/content`)).body.id;
  await edit([{ updatePage: { pageId: pageIds[0], document: { markdown: '' } } }]);
  expect((await reader.get(`/v1/spaces/${spaceId}/content`)).body.id).toBe(before);
});

test('a base revision of another space is BAD_USER_INPUT', async () => {
  const unknown = edit([{ insertPage: { title: 'No' } }], { baseRevisionId: 'rev_01h455vb4pex5vsknk084sn02q' });
  await expect(unknown).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

test('REST names its own members in apiErrors', async () => {
  const send = (change: unknown) => editor.post(`/v1/spaces/${spaceId}/content`, { changes: [change] });
  expect((await send({ operation: 'update_page', title: 'x' })).body.error.message).toMatch(
    /^changes\.0\.page: is required/,
  );
  expect((await send({ operation: 'nope' })).body.error.message).toMatch(/insert_page, update_page/);
  // What a member holds has its own names.
  const target = { kind: 'nope' };
  expect((await send({ operation: 'update_page', page: pageId, target })).body.error.issues[0].path).toEqual([
    'changes',
    0,
    'target',
    'kind',
  ]);
});

test('bodies can be requested evaluated, while the stored expressions stay', async () => {
  for (const evaluated of ['true', 'false', 'deterministic-only']) {
    expect((await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}?evaluated=${evaluated}`)).status).toBe(200);
  }
  expect((await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}?evaluated=maybe`)).status).toBe(400);
  expect((await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}?metadata=maybe`)).status).toBe(400);
});

test.each([
  ['a document without its envelope', { object: 'document', data: {}, nodes: [] }],
  ['a form that there is not', { html: '<p>Text</p>' }],
])('refuses %s, which would make an empty page', async (_what, document) => {
  const changes = [{ operation: 'insert_page', title: 'Lost', document }];
  const { status, body } = await editor.post(`/v1/spaces/${spaceId}/content`, { changes });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('must be { "markdown"')]);
});

test('REST errors have the paths of the request body, also for positions', async () => {
  const { spaceId, pageId } = await aSpace(admin, organizationId);
  const change = async (change: Record<string, unknown>) => {
    const { status, body } = await editor.post(`/v1/spaces/${spaceId}/content`, { changes: [change] });
    return [status, ...(body.error?.issues ?? [])];
  };
  const code = expect.any(String);
  const at = (path: unknown[], message = expect.any(String)) => ({ path: ['changes', 0, ...path], message, code });
  expect(await change({ operation: 'update_page', page: 1 })).toEqual([400, at(['page'])]);
  expect(await change({ operation: 'insert_page', into: 1, title: '' })).toEqual([400, at(['title']), at(['into'])]);
  expect(await change({ operation: 'move_page', page: pageId, before: 1 })).toEqual([400, at(['before'])]);
  expect(await change({ operation: 'move_page', page: pageId, position: { beforeId: 1 } })).toEqual([
    400,
    at(['position', 'beforeId']),
  ]);
  expect(await change({ operation: 'move_page', page: pageId, befor: pageId })).toEqual([
    400,
    at(['befor'], expect.stringContaining('Unknown property')),
  ]);
  expect(await change({ operation: 'move_page', page: pageId, before: 'a', at: 0 })).toEqual([400, at([])]);
  expect(await change({ operation: 'updatePage', page: pageId })).toEqual([
    400,
    at(['operation'], expect.stringMatching(/^must be one of .*update_page/)),
  ]);
  expect(await change({ operation: { toString: 0, valueOf: 0 } })).toEqual([
    400,
    at(['operation'], expect.stringMatching(/^must be one of .*update_page/)),
  ]);
  for (const name of ['constructor', 'toString', 'valueOf']) {
    expect(await change({ operation: 'update_page', page: pageId, [name]: { a: 1 } })).toEqual([200]);
    expect(await change({ operation: 'move_page', page: pageId, [name]: { a: 1 } })).toEqual([
      400,
      at([name], expect.stringContaining('Unknown property')),
    ]);
  }

  for (const title of ['B', 'C']) expect(await change({ operation: 'insert_page', title })).toEqual([200]);
  const titles = async () => {
    const { body } = await reader.get(`/v1/spaces/${spaceId}/content/pages`);
    return body.pages.map(({ id, title }: Record<string, string>) => (id === pageId ? 'A' : title));
  };
  const { body } = await reader.get(`/v1/spaces/${spaceId}/content/pages`);
  const [, b, c] = body.pages.map(({ id }: { id: string }) => id);
  expect(await change({ operation: 'move_page', page: c, before: b })).toEqual([200]);
  expect(await titles()).toEqual(['A', 'C', 'B']);
  expect(await change({ operation: 'move_page', page: pageId, after: c })).toEqual([200]);
  expect(await titles()).toEqual(['C', 'A', 'B']);
});
