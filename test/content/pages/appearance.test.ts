import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { aSpace, editBy } from '../editing/arrange.ts';

const { admin, editor, reader, organizationId } = await world();
const { spaceId } = await aSpace(admin, organizationId);
const edit = editBy(spaceId);

const LAYOUT = `layout { width cover coverSize coverMask title description tableOfContents outline pagination metadata tags actions anchors }`;
const COVER = `cover { ref { kind url fileId ref } refDark { kind fileId } yPos height }`;

/** A page as both transports present it. */
async function shown(pageId: string) {
  const query = `{ space(id: "${spaceId}") { revision { tags { slug } page(pageId: "${pageId}") {
    ... on DocumentPage { ${LAYOUT} ${COVER} tags { tag { kind } isPrimary } }
    ... on ComputedPage { computed { type props dependencies } }
    ... on LinkPage { target { kind url pageId spaceId anchor ref } }
  } } } }`;
  const { space } = await reader.graphql(query);
  const { body } = await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}`);
  return { graph: space.revision.page, rest: body };
}

test('a layout can be set and read', async () => {
  const layout = { width: 'WIDE', coverSize: 'FULL', outline: false };
  const { pageIds } = await edit(editor, [{ insertPage: { title: 'Wide', layout } }]);
  const { graph, rest } = await shown(pageIds[0]);
  expect(graph.layout).toEqual({
    width: 'WIDE',
    cover: true,
    coverSize: 'FULL',
    coverMask: 'none',
    title: true,
    description: true,
    tableOfContents: true,
    outline: false,
    pagination: true,
    metadata: true,
    tags: true,
    actions: true,
    anchors: true,
  });
  expect(rest.layout).toEqual({ ...graph.layout, width: 'wide', coverSize: 'full' });
  expect(graph).toMatchObject({ cover: null, tags: [] });
});

test('REST sets the same layout with its own values, and resets it', async () => {
  const changes = [{ operation: 'insert_page', title: 'By REST', layout: { width: 'wide' } }];
  const { status, body } = await editor.post(`/v1/spaces/${spaceId}/content`, { changes });
  expect(status).toBe(200);
  const pageId = body.changes[0].page.id;
  expect((await shown(pageId)).graph.layout.width).toBe('WIDE');
  await edit(editor, [{ updatePage: { pageId, layout: null } }]);
  expect((await shown(pageId)).graph.layout.width).toBe('DEFAULT');
});

test('a cover can be set and read', async () => {
  const file = { name: 'dark.txt', base64: 'YQ==', ref: 'dark' };
  const cover = {
    ref: { kind: 'url', url: 'https://example.com/cover.png' },
    refDark: { kind: 'file', file: 'dark' },
    height: 300,
  };
  const { pageIds, insertedFiles } = await edit(editor, [
    { insertFiles: { files: [file] } },
    { insertPage: { title: 'Covered', cover } },
  ]);
  const { graph, rest } = await shown(pageIds[0]);
  const [{ fileId }] = insertedFiles;
  expect(graph.cover).toEqual({
    ref: { kind: 'url', url: cover.ref.url, fileId: null, ref: cover.ref },
    refDark: { kind: 'file', fileId },
    yPos: 0,
    height: 300,
  });
  expect(rest.cover).toEqual({ ...cover, refDark: { kind: 'file', file: fileId }, yPos: 0 });
});

test('targets and sources can be read', async () => {
  const target = { kind: 'page', page: 'target', space: spaceId };
  const computed = {
    type: 'builtin:openapi',
    props: { models: true },
    dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
  };
  const { pageIds } = await edit(editor, [
    { insertPage: { kind: 'LINK', title: 'Link', target } },
    { insertPage: { kind: 'COMPUTED', title: 'Computed', computed } },
  ]);
  expect((await shown(pageIds[0])).graph.target).toEqual({
    kind: 'page',
    url: null,
    pageId: 'target',
    spaceId,
    anchor: null,
    ref: target,
  });
  const { graph, rest } = await shown(pageIds[1]);
  expect(graph.computed).toEqual(computed);
  expect(rest.computed).toEqual(computed);
});

test.each([
  ['a width of REST', { layout: { width: 'wide' } }, ['input', 'changes', 0, 'insertPage', 'layout', 'width']],
  ['an unknown member', { layout: { height: 1 } }, ['input', 'changes', 0, 'insertPage', 'layout', 'height']],
  ['a cover of too little height', { cover: { height: 1 } }, ['input', 'changes', 0, 'insertPage', 'cover', 'height']],
])('%s is rejected with its path', async (_what, given, path) => {
  await expect(edit(editor, [{ insertPage: { title: 'Refused', ...given } }])).rejects.toMatchObject({
    errors: [{ extensions: { code: 'BAD_USER_INPUT', issues: [{ path }] } }],
  });
});
