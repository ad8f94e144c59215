import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { statementsOf } from '../../client.ts';
import { world } from '../../world.ts';

const { admin, editor, reader, outsider, organizationId } = await world();

let spaceId: string;
let changeRequestId: string;
const ids: Record<string, string> = {};

const to = (...pages: (string | undefined)[]) => ({
  document: { markdown: pages.map((page) => `[there](page:${page})`).join('\n\n') },
});

async function propose(...changes: unknown[]): Promise<string[]> {
  return (await editor.mutate('updateChangeRequestContent', { changeRequestId, changes }, 'pageIds')).pageIds;
}

beforeAll(async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Base', empty: true }, 'space { id }');
  spaceId = space.id;
  const titles = ['kept', 'doomed', 'source', 'lost'];
  const changes = titles.map((title) => ({ insertPage: { title, ref: title } }));
  const { pageIds } = await admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
  for (const [index, title] of titles.entries()) ids[title] = pageIds[index];
  const written = [
    { updatePage: { pageId: ids.source, ...to(ids.kept, ids.doomed, newId('page')) } },
    { updatePage: { pageId: ids.lost, ...to(newId('page')) } },
  ];
  await admin.mutate('updateSpaceContent', { spaceId, changes: written }, 'pageIds');
  changeRequestId = (await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }')).changeRequest.id;
});

const LINKS = `links(status: $status, brokenContext: $context) {
  totalCount
  stats { total broken { total changeRequest } }
  nodes { status targetReference { page { title } changeRequest { id } } locationReferences { page { title } } }
}`;

const linksOf = async (status?: string, context?: string) =>
  (
    await editor.graphql(
      `query($id: ID!, $status: LinkStatus, $context: BrokenLinkContext) { changeRequest(id: $id) { ${LINKS} } }`,
      { id: changeRequestId, status, context },
    )
  ).changeRequest.links;

const places = ({ nodes }: { nodes: { locationReferences: { page: { title: string } }[] }[] }) =>
  nodes.map(({ locationReferences }) => locationReferences[0]?.page.title);

test('without edits, the links are those of the space', async () => {
  const links = await linksOf();
  expect(links.stats).toEqual({ total: 4, broken: { total: 2, changeRequest: 0 } });
  expect(links.nodes[0].targetReference).toEqual({ page: { title: 'kept' }, changeRequest: { id: changeRequestId } });
});

test('returns the links after the merge and which breaks it causes; those of the space are unchanged', async () => {
  const [, , added] = await propose(
    { deletePage: { pageId: ids.doomed } },
    { updatePage: { pageId: ids.lost, title: 'lost and renamed' } },
    { insertPage: { title: 'added', ...to(ids.kept, newId('page')) } },
    { updatePage: { pageId: ids.kept, ...to(ids.source) } },
  );
  ids.added = added ?? '';
  const links = await linksOf();
  expect(links.stats).toEqual({ total: 7, broken: { total: 4, changeRequest: 2 } });
  expect(places(await linksOf('BROKEN', 'CHANGE_REQUEST'))).toEqual(['source', 'added']);
  expect(places(await linksOf(undefined, 'SPACE'))).toEqual(['source', 'lost and renamed']);
  expect((await linksOf('OK', 'SPACE')).totalCount).toBe(0);
  const base = await admin.get(`/v1/spaces/${spaceId}/links`);
  expect(base.body.stats).toEqual({ total: 4, broken: { total: 2 } });
});

test('is the same over REST, by the number of the change request too', async () => {
  const links = await linksOf();
  for (const name of [changeRequestId, '1']) {
    const { body } = await editor.get(`/v1/spaces/${spaceId}/change-requests/${name}/links`);
    expect(body).toMatchObject({ count: 7, stats: { total: 7, broken: { total: 4, changeRequest: 2 } } });
    expect(body.items.map(({ status }: { status: string }) => status.toUpperCase())).toEqual(
      links.nodes.map(({ status }: { status: string }) => status),
    );
    expect(body.items[0].locationReferences[0].versionContext).toMatchObject({
      type: 'changeRequest',
      changeRequest: { id: changeRequestId },
    });
  }
  const own = await editor.get(`/v1/spaces/${spaceId}/change-requests/1/links?brokenContext=change-request&limit=1`);
  expect([own.body.count, own.body.items.length]).toEqual([2, 1]);
});

test('one page and what links to it, in the change request', async () => {
  const base = `/v1/spaces/${spaceId}/change-requests/1/content`;
  const { body: links } = await editor.get(`${base}/page/${ids.added}/links`);
  expect(links).toMatchObject({ count: 2, stats: { total: 2, broken: { total: 1, changeRequest: 1 } } });
  const { body: backlinks } = await editor.get(`${base}/page/${ids.kept}/backlinks`);
  const titles = backlinks.items.map(({ page }: { page: { title: string } }) => page.title);
  expect(titles).toEqual(['source', 'added']);
  const { body: others } = await editor.get(`${base}/page/${ids.source}/backlinks`);
  expect(others.items.map(({ page }: { page: { title: string } }) => page.title)).toEqual(['kept']);
  expect((await editor.get(`${base}/page/${ids.doomed}/backlinks`)).status).toBe(404);
  const head = await admin.get(`/v1/spaces/${spaceId}/content/page/${ids.kept}/backlinks`);
  expect(head.body.count).toBe(1);
  const { changeRequest } = await editor.graphql(
    'query($id: ID!, $page: ID!) { changeRequest(id: $id) { revision { page(pageId: $page) { links { stats { broken { total changeRequest } } } backlinks { totalCount } } } } }',
    { id: changeRequestId, page: ids.added },
  );
  expect(changeRequest.revision.page).toEqual({
    links: { stats: { broken: { total: 1, changeRequest: 1 } } },
    backlinks: { totalCount: 0 },
  });
});

test('reflects later changes of the space', async () => {
  const changes = [{ insertPage: { title: 'main', ...to(ids.kept) } }];
  await admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
  // The change request is its own state until it pulls the space's.
  expect((await linksOf()).stats).toEqual({ total: 7, broken: { total: 4, changeRequest: 2 } });
});

test('files and reusable contents of the change request are included', async () => {
  const base64 = Buffer.from('words').toString('base64');
  await propose({ insertFiles: { files: [{ name: 'a.txt', base64 }] } });
  const path = `/v1/spaces/${spaceId}/change-requests/1/content`;
  const fileId = (await editor.get(`${path}/files`)).body.items[0].id;
  await propose({ insertReusableContent: { title: 'Note', document: { markdown: `[a](file:${fileId})` } } });
  const { body } = await editor.get(`${path}/files/${fileId}/backlinks`);
  expect(body.items).toMatchObject([{ kind: 'reusable-content', reusableContent: { title: 'Note' } }]);
  expect((await linksOf()).stats).toMatchObject({ total: 8, broken: { total: 4 } });
  expect((await editor.get(`/v1/spaces/${spaceId}/content/files/${fileId}/backlinks`)).status).toBe(404);
});

test('an earlier revision has its own links', async () => {
  const { space } = await admin.graphql(
    `query($id: ID!, $page: ID!) { space(id: $id) { revisions { nodes { page(pageId: $page) { title links { nodes { status } } backlinks { totalCount } } } } } }`,
    { id: spaceId, page: ids.doomed },
  );
  const [head, ...older] = space.revisions.nodes;
  expect(head.page).toEqual({ title: 'doomed', links: { nodes: [] }, backlinks: { totalCount: 1 } });
  expect(older.map(({ page }: { page: unknown }) => page)).toEqual([
    { title: 'doomed', links: { nodes: [] }, backlinks: { totalCount: 1 } },
    { title: 'doomed', links: { nodes: [] }, backlinks: { totalCount: 0 } },
    null,
  ]);
});

test('many change requests cost as many statements as one', async () => {
  const make = async () => {
    const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
    const changes = [{ updatePage: { pageId: ids.source, ...to(newId('page')) } }];
    await editor.mutate('updateChangeRequestContent', { changeRequestId: changeRequest.id, changes }, 'pageIds');
  };
  for (let made = 0; made < 12; made++) await make();
  const cost = async (first: number) => {
    const query = `query($id: ID!) { space(id: $id) { changeRequests(first: ${first}, status: ALL) { nodes {
      links(first: 5) { totalCount stats { total broken { changeRequest } } nodes { status targetReference { page { title } } } } } } } }`;
    const answer = await editor.graphqlRaw(query, { id: spaceId });
    expect(answer.body.errors).toBeUndefined();
    for (const { links } of answer.body.data.space.changeRequests.nodes.slice(0, 12).filter(Boolean)) {
      if (links.stats.total === 4) expect(links.stats.broken.changeRequest).toBe(1);
    }
    return statementsOf(answer);
  };
  expect(await cost(12)).toBeLessThanOrEqual((await cost(1)) + 4);
});

test('requires a role on the space', async () => {
  const path = `/v1/spaces/${spaceId}/change-requests/1/links`;
  expect((await outsider.get(path)).status).toBe(404);
  expect((await reader.get(path)).status).toBe(200);
  expect((await admin.get(`/v1/spaces/${spaceId}/change-requests/99/links`)).status).toBe(404);
});
