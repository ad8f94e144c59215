import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { statementsOf } from '../../client.ts';
import { siteWith } from '../../publishing/arrange.ts';
import { world } from '../../world.ts';

const { admin, editor, guest, reader, outsider, anonymous, organizationId, otherOrganizationId, grant } = await world();

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let spaceId: string;
let secretId: string;
let target: string;
let fileId: string;

const edit = async (space: string, ...changes: unknown[]): Promise<string[]> =>
  (await admin.mutate('updateSpaceContent', { spaceId: space, changes }, 'pageIds')).pageIds;

const newSpace = async (title: string, client = admin, organization = organizationId): Promise<string> =>
  (await client.mutate('createSpace', { organizationId: organization, title, empty: true }, 'space { id }')).space.id;

/** Markdown that names a page of another space, twice. */
const far = (page: string, space: string) => {
  const link = (anchor?: string) => ({
    object: 'inline',
    type: 'link',
    data: { ref: anchor ? { kind: 'anchor', anchor, page, space } : { kind: 'page', page, space } },
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'there', marks: [] }] }],
  });
  const nodes = [link(), link('part')].map((each) => ({ object: 'block', type: 'paragraph', data: {}, nodes: [each] }));
  return { document: { object: 'document', data: {}, nodes } };
};

beforeAll(async () => {
  spaceId = await newSpace('Here');
  secretId = await newSpace('Secret');
  [target = ''] = await edit(spaceId, { insertPage: { title: 'Target' } });
  const file = { ref: 'pixel', name: 'pixel.png', base64: PIXEL };
  await edit(spaceId, { insertFiles: { files: [file] } });
  fileId = (await admin.get(`/v1/spaces/${spaceId}/content/files`)).body.items[0].id;
  const ref = { kind: 'file', file: fileId };
  await edit(
    spaceId,
    { insertPage: { title: 'Links', document: { markdown: `[a](page:${target}) and [b](page:${target})` } } },
    { insertPage: { title: 'Away', kind: 'LINK', target: { kind: 'page', page: target } } },
    { insertPage: { title: 'Covered', cover: { ref, refDark: ref, yPos: 0 } } },
    { insertPage: { title: 'Shows', document: { markdown: `![Pixel](file:${fileId})` } } },
    { insertReusableContent: { title: 'Note', document: { markdown: `[a](page:${target})` } } },
  );
  await edit(secretId, { insertPage: { title: 'Plan', document: far(target, spaceId) } });
  await grant(secretId, editor.userId, 'none');
  await grant(spaceId, guest.userId, 'read');
});

const BACKLINKS =
  'backlinks(first: 50) { totalCount nodes { kind node space { title } page { title } reusableContent { title } } }';

const ofPage = async (client = admin, pageId = target, space = spaceId) => {
  const query = `query($id: ID!, $page: ID!) { space(id: $id) { revision { page(pageId: $page) { ${BACKLINKS} } } } }`;
  const data = await client.graphql(query, { id: space, page: pageId });
  return shown(data.space.revision.page.backlinks);
};

function shown({ nodes, totalCount }: { nodes: Record<string, { title: string } | null>[]; totalCount: number }) {
  expect(totalCount).toBe(nodes.length);
  return nodes.map(({ space, page, reusableContent }) => `${space?.title}: ${(page ?? reusableContent)?.title}`);
}

const ALL = ['Here: Links', 'Here: Away', 'Here: Note', 'Secret: Plan'];

test('returns each page and reusable content that links to a page once, across spaces', async () => {
  expect(await ofPage()).toEqual(ALL);
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content/page/${target}/backlinks`);
  expect(body.count).toBe(4);
  expect(body.items).toMatchObject([
    { kind: 'page', space: { id: spaceId }, page: { title: 'Links' }, internalLocation: { type: 'node' } },
    { kind: 'page', page: { title: 'Away', type: 'link' } },
    { kind: 'reusable-content', reusableContent: { title: 'Note' } },
    {
      kind: 'page',
      organization: { id: organizationId },
      space: { id: secretId, title: 'Secret' },
      versionContext: { type: 'revision', revision: { pages: [] } },
    },
  ]);
});

test('backlinks from hidden spaces are neither returned nor counted', async () => {
  for (const client of [editor, guest]) {
    expect(await ofPage(client)).toEqual(ALL.slice(0, 3));
    const { body } = await client.get(`/v1/spaces/${spaceId}/content/page/${target}/backlinks`);
    expect([body.count, JSON.stringify(body).includes(secretId)]).toEqual([3, false]);
  }
});

test('backlinks from spaces that the caller only sees on a public site are neither returned nor counted', async () => {
  const publicId = await newSpace('Public');
  await edit(publicId, {
    insertPage: { title: 'Hidden', condition: 'visitor.claims.partner', document: far(target, spaceId) },
  });
  await grant(publicId, guest.userId, 'none');
  const site = await siteWith(admin, organizationId, { title: 'Site', visibility: 'public', spaces: [publicId] });
  await admin.post(`${site.path}/publish`, {});
  expect((await guest.get(`/v1/spaces/${publicId}`)).status).toBe(200);
  expect(await ofPage(guest)).toEqual(ALL.slice(0, 3));
  const { body } = await guest.get(`/v1/spaces/${spaceId}/content/page/${target}/backlinks`);
  expect([body.count, JSON.stringify(body).includes(publicId)]).toEqual([3, false]);
  expect(await ofPage(admin)).toContain('Public: Hidden');
  await admin.delete(site.path);
  await admin.delete(`/v1/spaces/${publicId}`);
});

test('returns the uses of a file in bodies and as a cover', async () => {
  const query = `query($id: ID!, $file: ID!) { space(id: $id) { revision { file(id: $file) { ${BACKLINKS} } } } }`;
  const { space } = await admin.graphql(query, { id: spaceId, file: fileId });
  expect(shown(space.revision.file.backlinks)).toEqual(['Here: Covered', 'Here: Shows']);
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content/files/${fileId}/backlinks`);
  expect(body.items.map(({ page }: { page: { title: string } }) => page.title)).toEqual(['Covered', 'Shows']);
});

test('is paginated', async () => {
  const read: string[] = [];
  for (let page: string | undefined = ''; page !== undefined; ) {
    const path = `/v1/spaces/${spaceId}/content/page/${target}/backlinks?limit=1${page && `&page=${page}`}`;
    const { body } = await admin.get(path);
    read.push(
      ...body.items.map((item: Record<string, { title: string }>) => (item.page ?? item.reusableContent)?.title),
    );
    page = body.next?.page;
  }
  expect(read).toEqual(['Links', 'Away', 'Note', 'Plan']);
});

test('a duplicate has its own backlinks, and other organizations have none', async () => {
  const copy = (await admin.post(`/v1/spaces/${spaceId}/duplicate`)).body;
  expect(await ofPage(admin, target, copy.id)).toEqual(
    ALL.slice(0, 3).map((title) => title.replace('Here', 'Here (copy)')),
  );
  expect(await ofPage()).toEqual(ALL);
  const foreign = await newSpace('Foreign', outsider, otherOrganizationId);
  const changes = [{ insertPage: { title: 'Foreign', document: far(target, spaceId) } }];
  await outsider.mutate('updateSpaceContent', { spaceId: foreign, changes }, 'pageIds');
  expect(await ofPage()).toEqual(ALL);
  const { body } = await outsider.get(`/v1/spaces/${foreign}/links`);
  expect(body.stats).toEqual({ total: 2, broken: { total: 2 } });
});

test('follows edits and the removal of spaces', async () => {
  const [added = ''] = await edit(spaceId, {
    insertPage: { title: 'Added', document: { markdown: `[a](page:${target})` } },
  });
  expect(await ofPage()).toContain('Here: Added');
  await edit(spaceId, { updatePage: { pageId: added, document: { markdown: 'Nothing.' } } });
  expect(await ofPage()).toEqual(ALL);
  await admin.delete(`/v1/spaces/${secretId}`);
  expect(await ofPage()).toEqual(ALL.slice(0, 3));
  await admin.post(`/v1/spaces/${secretId}/restore`);
  expect(await ofPage()).toEqual(ALL);
});

test('costs as many statements for twenty pages as for one', async () => {
  const { body: tree } = await admin.get(`/v1/spaces/${spaceId}/content/pages`);
  const pages = [...Array(20)].map((_, index) => tree.pages[index % tree.pages.length].id as string);
  const cost = async (ids: string[]) => {
    const fields = ids.map(
      (id, index) =>
        `p${index}: page(pageId: "${id}") { ${BACKLINKS} links { totalCount stats { total } nodes { status targetReference { page { title } space { title } } } } }`,
    );
    const query = `query($id: ID!) { space(id: $id) { revision { ${fields.join(' ')} } } }`;
    const answer = await admin.graphqlRaw(query, { id: spaceId });
    expect(answer.body.errors).toBeUndefined();
    return statementsOf(answer);
  };
  expect(await cost(pages)).toBeLessThanOrEqual((await cost(pages.slice(0, 1))) + 4);
});

test('requires a role on the space, and an existing target', async () => {
  const page = (id: string) => `/v1/spaces/${spaceId}/content/page/${id}/backlinks`;
  const file = (id: string) => `/v1/spaces/${spaceId}/content/files/${id}/backlinks`;
  for (const path of [page(target), file(fileId)]) {
    expect((await outsider.get(path)).status).toBe(404);
    expect((await anonymous.get(path)).status).toBe(401);
    expect((await reader.get(path)).status).toBe(200);
  }
  expect((await admin.get(page(newId('page')))).status).toBe(404);
  expect((await admin.get(file(newId('file')))).status).toBe(404);
});
