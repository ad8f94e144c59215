import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { siteWith } from '../../publishing/arrange.ts';
import { world } from '../../world.ts';

const { admin, reader, guest, outsider, anonymous, organizationId, app, grant } = await world();

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let spaceId: string;
let otherId: string;
let collectionId: string;
/** Ids of pages, by their titles. */
const ids: Record<string, string> = {};
let otherPage: string;

const text = (...nodes: unknown[]) => ({ object: 'block', type: 'paragraph', data: {}, nodes });
const leaf = (words: string) => ({ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] });
const link = (ref: unknown) => ({ object: 'inline', type: 'link', data: { ref }, nodes: [leaf('there')] });
const body = (...refs: unknown[]) => ({
  document: {
    object: 'document',
    data: {},
    nodes: refs.map((ref) => text(leaf('See '), link(ref), leaf('.'))),
  },
});

async function edit(space: string, changes: unknown[]): Promise<string[]> {
  return (await admin.mutate('updateSpaceContent', { spaceId: space, changes }, 'pageIds')).pageIds;
}

const write = (pageId: string | undefined, ...refs: unknown[]) =>
  edit(spaceId, [{ updatePage: { pageId, document: body(...refs) } }]);

beforeAll(async () => {
  const collection = await admin.post(`/v1/orgs/${organizationId}/collections`, { title: 'Shelf' });
  collectionId = collection.body.id;
  const make = async (title: string) =>
    (await admin.mutate('createSpace', { organizationId, title, empty: true }, 'space { id }')).space.id as string;
  spaceId = await make('Here');
  otherId = await make('There');
  const headings = { markdown: '# One\n\nWords.\n\n<details>\n\n<summary>More</summary>\n\nHidden.\n\n</details>\n' };
  const titles = ['source', 'target', 'doomed'];
  const inserted = await edit(
    spaceId,
    titles.map((title) => ({ insertPage: { title, document: headings } })),
  );
  for (const [index, title] of titles.entries()) ids[title] = inserted[index] ?? '';
  [otherPage = ''] = await edit(otherId, [{ insertPage: { title: 'Far', document: headings } }]);
});

const LINKS = `links(first: 100, status: $status) {
  totalCount
  stats { total broken { total changeRequest } }
  nodes {
    status relation ref
    targetReference { kind anchor url page { title } space { title } user { id } collection { title } file { name } }
    locationReferences { kind node page { pageId } reusableContent { title } }
  }
}`;

const ofPage = async (pageId: string | undefined, status?: string, client = admin) =>
  (
    await client.graphql(
      `query($id: ID!, $page: ID!, $status: LinkStatus) { space(id: $id) { revision { page(pageId: $page) { ${LINKS} } } } }`,
      { id: spaceId, page: pageId, status },
    )
  ).space.revision.page.links;

const ofSpace = async (status?: string, client = admin) =>
  (
    await client.graphql(`query($id: ID!, $status: LinkStatus) { space(id: $id) { ${LINKS} } }`, {
      id: spaceId,
      status,
    })
  ).space.links;

const statuses = async (pageId: string | undefined) =>
  (await ofPage(pageId)).nodes.map(({ status }: { status: string }) => status);

test('returns the status of the target for every kind of reference', async () => {
  await write(
    ids.source,
    { kind: 'url', url: 'https://example.com/' },
    { kind: 'url', url: `${app.services.config.publicUrl}/app/spaces/${spaceId}` },
    { kind: 'page', page: ids.target },
    { kind: 'page', page: newId('page') },
    { kind: 'page', page: otherPage, space: otherId },
    { kind: 'page', page: ids.target, space: otherId },
    { kind: 'anchor', anchor: 'one', page: ids.target },
    { kind: 'anchor', anchor: 'more', page: ids.target },
    { kind: 'anchor', anchor: 'absent', page: ids.target },
    { kind: 'anchor', anchor: 'one' },
    { kind: 'anchor', anchor: 'one', page: otherPage, space: otherId },
    { kind: 'user', user: reader.userId },
    { kind: 'user', user: outsider.userId },
    { kind: 'collection', collection: collectionId },
    { kind: 'collection', collection: newId('collection') },
    { kind: 'space', space: otherId },
    { kind: 'space', space: newId('space') },
    { kind: 'file', file: newId('file') },
    { kind: 'reusable-content', reusableContent: newId('reusable') },
    { kind: 'openapi', spec: 'petstore' },
  );
  const { nodes, totalCount, stats } = await ofPage(ids.source);
  const shown = nodes.map(({ status, targetReference: to }: { status: string; targetReference: never }) => {
    const { kind, anchor, url, page, space, user, collection } = to ?? ({} as never);
    const named = [
      (kind as string | undefined)?.toLowerCase(),
      (page as { title: string })?.title,
      anchor,
      url,
      (user as { id: string })?.id,
    ];
    return [status, ...named, (collection as { title: string })?.title, (space as { title: string })?.title]
      .filter((part) => part != null)
      .join(' ');
  });
  expect(shown).toEqual([
    'OK url https://example.com/',
    `IN_APP url ${app.services.config.publicUrl}/app/spaces/${spaceId}`,
    'OK page target Here',
    'BROKEN',
    'OK page Far There',
    'BROKEN',
    'OK page target one Here',
    'OK page target more Here',
    'BROKEN page target absent Here',
    'BROKEN page source one Here',
    'OK page Far one There',
    `OK user ${reader.userId}`,
    'BROKEN',
    'OK collection Shelf',
    'BROKEN',
    'OK space There',
    'BROKEN',
    'BROKEN',
    'BROKEN',
    'BROKEN',
  ]);
  expect([totalCount, stats]).toEqual([20, { total: 20, broken: { total: 10, changeRequest: null } }]);
  expect(nodes[0].locationReferences).toMatchObject([{ kind: 'PAGE', page: { pageId: ids.source } }]);
  const keys = new Set(
    nodes.map((node: { locationReferences: { node: string }[] }) => node.locationReferences[0]?.node),
  );
  expect(keys.size).toBe(20);
});

test('filters by status, with the same stats', async () => {
  const broken = await ofPage(ids.source, 'BROKEN');
  expect([broken.totalCount, broken.nodes.length, broken.stats.total]).toEqual([10, 10, 20]);
  expect((await ofPage(ids.source, 'IN_APP')).totalCount).toBe(1);
  expect((await ofSpace('OK')).nodes).toHaveLength(9);
});

test('is the same over REST, with complete targets and locations', async () => {
  const { body: list } = await admin.get(`/v1/spaces/${spaceId}/links?limit=1000`);
  expect(list).toMatchObject({ count: 20, stats: { total: 20, broken: { total: 10 } } });
  expect(list.items).toHaveLength(20);
  expect(list.items[2]).toMatchObject({
    status: 'ok',
    relation: 'reference',
    targetReference: {
      kind: 'page',
      organization: { id: organizationId },
      space: { id: spaceId },
      page: { id: ids.target, title: 'target' },
      versionContext: { type: 'revision' },
    },
    locationReferences: [{ kind: 'page', page: { id: ids.source }, internalLocation: { type: 'node' } }],
  });
  expect(list.items[6].targetReference.internalLocation).toEqual({ type: 'anchor', anchor: 'one' });
  const one = await admin.get(`/v1/spaces/${spaceId}/content/page/${ids.source}/links?status=in-app`);
  expect(one.body).toMatchObject({ count: 1, stats: { total: 20 }, items: [{ status: 'in-app' }] });
});

test('is paginated in one order, forwards and backwards', async () => {
  const whole = (await ofSpace()).nodes.map(({ ref }: { ref: unknown }) => ref);
  const read: unknown[] = [];
  for (let page: string | undefined = ''; page !== undefined; ) {
    const { body } = await admin.get(`/v1/spaces/${spaceId}/links?limit=3${page && `&page=${page}`}`);
    read.push(...body.items.map(({ targetReference, status }: Record<string, unknown>) => [status, targetReference]));
    page = body.next?.page;
  }
  expect(read).toHaveLength(whole.length);
  const last = await admin.graphql(
    'query($id: ID!) { space(id: $id) { links(last: 2) { nodes { ref } pageInfo { hasPreviousPage } } } }',
    { id: spaceId },
  );
  expect(last.space.links).toEqual({
    nodes: whole.slice(-2).map((ref: unknown) => ({ ref })),
    pageInfo: { hasPreviousPage: true },
  });
});

test('reflects changes of targets immediately', async () => {
  await write(
    ids.source,
    { kind: 'page', page: ids.doomed },
    { kind: 'anchor', anchor: 'one', page: ids.doomed },
    { kind: 'page', page: otherPage, space: otherId },
    { kind: 'space', space: otherId },
  );
  expect(await statuses(ids.source)).toEqual(['OK', 'OK', 'OK', 'OK']);
  await edit(spaceId, [{ movePage: { pageId: ids.doomed, parentId: ids.target } }]);
  expect(await statuses(ids.source)).toEqual(['OK', 'OK', 'OK', 'OK']);
  await edit(spaceId, [{ updatePage: { pageId: ids.doomed, document: { markdown: '# Another\n' } } }]);
  expect(await statuses(ids.source)).toEqual(['OK', 'BROKEN', 'OK', 'OK']);
  await edit(spaceId, [{ deletePage: { pageId: ids.doomed } }]);
  expect(await statuses(ids.source)).toEqual(['BROKEN', 'BROKEN', 'OK', 'OK']);
  await admin.delete(`/v1/spaces/${otherId}`);
  expect(await statuses(ids.source)).toEqual(['BROKEN', 'BROKEN', 'BROKEN', 'BROKEN']);
  await admin.post(`/v1/spaces/${otherId}/restore`);
  expect(await statuses(ids.source)).toEqual(['BROKEN', 'BROKEN', 'OK', 'OK']);
});

test('hidden targets are reported like absent ones', async () => {
  await write(ids.source, { kind: 'page', page: otherPage, space: otherId }, { kind: 'space', space: otherId });
  await grant(spaceId, guest.userId, 'read');
  expect((await ofPage(ids.source, undefined, reader)).stats.broken.total).toBe(0);
  const hidden = await ofPage(ids.source, undefined, guest);
  expect(hidden).toMatchObject({
    stats: { total: 2, broken: { total: 2 } },
    nodes: [
      { status: 'BROKEN', targetReference: null },
      { status: 'BROKEN', targetReference: null },
    ],
  });
  expect((await ofSpace('BROKEN', guest)).totalCount).toBe(2);
});

test('of a space that the caller only sees on a public site, no status tells what is in it', async () => {
  const here = { space: otherId };
  const inside = ['one', 'absent'].map((anchor) => ({ kind: 'anchor', anchor, page: otherPage, ...here }));
  await write(ids.source, ...inside, { kind: 'page', page: newId('page'), ...here }, { kind: 'space', ...here });
  await grant(spaceId, guest.userId, 'read');
  await grant(otherId, guest.userId, 'none');
  const site = await siteWith(admin, organizationId, { title: 'Site', visibility: 'public', spaces: [otherId] });
  await admin.post(`${site.path}/publish`, {});
  expect(await statuses(ids.source)).toEqual(['OK', 'BROKEN', 'BROKEN', 'OK']);
  const seen = await ofPage(ids.source, undefined, guest);
  expect(seen.nodes.map(({ status }: { status: string }) => status)).toEqual(['OK', 'OK', 'OK', 'OK']);
  expect(seen.stats.broken.total).toBe(0);
  expect((await ofSpace('BROKEN', guest)).totalCount).toBe(0);
  await admin.delete(site.path);
});

test('includes covers, link pages, files and reusable contents', async () => {
  const { changes } = {
    changes: [
      { insertFiles: { files: [{ ref: 'pixel', name: 'pixel.png', base64: PIXEL }] } },
      { insertReusableContent: { ref: 'note', title: 'Note', document: body({ kind: 'page', page: ids.target }) } },
      {
        insertPage: {
          title: 'covered',
          ref: 'covered',
          cover: { ref: { kind: 'file', file: newId('file') }, yPos: 0 },
        },
      },
      { insertPage: { title: 'away', kind: 'LINK', target: { kind: 'page', page: ids.target } } },
    ],
  };
  await edit(spaceId, changes);
  const { space } = await admin.graphql(
    'query($id: ID!) { space(id: $id) { revision { files { nodes { fileId } } reusableContents { nodes { reusableContentId } } } } }',
    { id: spaceId },
  );
  const [{ fileId }] = space.revision.files.nodes;
  const [{ reusableContentId }] = space.revision.reusableContents.nodes;
  await write(
    ids.source,
    { kind: 'file', file: fileId },
    { kind: 'reusable-content', reusableContent: reusableContentId },
  );
  const { nodes } = await ofSpace();
  expect(nodes).toMatchObject([
    { status: 'OK', targetReference: { kind: 'FILE', file: { name: 'pixel.png' } } },
    { status: 'OK', targetReference: { kind: 'REUSABLE_CONTENT' } },
    { status: 'BROKEN', locationReferences: [{ node: null }] },
    {
      status: 'OK',
      targetReference: { page: { title: 'target' } },
      locationReferences: [{ kind: 'PAGE', node: null }],
    },
    { status: 'OK', locationReferences: [{ kind: 'REUSABLE_CONTENT', reusableContent: { title: 'Note' } }] },
  ]);
  await admin.get(`/v1/spaces/${spaceId}/links`);
});

test('a duplicate has its own links', async () => {
  const copy = (await admin.post(`/v1/spaces/${spaceId}/duplicate`)).body.id;
  const before = (await admin.get(`/v1/spaces/${copy}/links`)).body;
  await edit(spaceId, [{ deletePage: { pageId: ids.target } }]);
  const after = (await admin.get(`/v1/spaces/${copy}/links`)).body;
  expect(after.stats).toEqual(before.stats);
  expect((await ofSpace()).stats.broken.total).toBeGreaterThan(after.stats.broken.total);
  expect(after.items[0].locationReferences[0].space.id).toBe(copy);
});

test('requires a role on the space, and an existing page', async () => {
  for (const path of [`/v1/spaces/${spaceId}/links`, `/v1/spaces/${spaceId}/content/page/${ids.source}/links`]) {
    expect((await outsider.get(path)).status).toBe(404);
    expect((await anonymous.get(path)).status).toBe(401);
    expect((await reader.get(path)).status).toBe(200);
    expect((await admin.get(`${path}?status=lost`)).status).toBe(400);
  }
  expect((await admin.get(`/v1/spaces/${spaceId}/content/page/${newId('page')}/links`)).status).toBe(404);
});
