import { beforeAll, expect, test } from 'vitest';
import { sizeOf } from '../../../src/lib/document/size.ts';
import { statementsOf } from '../../client.ts';
import { fetchPdf } from '../../content/pdf/fetch-pdf.ts';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';
import { makeSpecServer, pets, petsWith, specifying } from './arrange.ts';

const here = await world({ WORKERS: '1', ALLOW_PRIVATE_NETWORK: '1' });
const { editor, organizationId, admin, outsider, reader } = here;
const { put } = specifying(here);

interface ShownPage {
  id: string;
  type: string;
  title: string;
  path: string;
  pages?: ShownPage[];
}

const source = (spec: string, props: Record<string, unknown> = { models: true }) => ({
  type: 'builtin:openapi',
  props,
  dependencies: { spec: { ref: { kind: 'openapi', spec } } },
});

/** A space with a written page and a page that is computed from a specification. */
async function spaceWith(computed: unknown) {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Docs', empty: true }, 'space { id }');
  const changes = [
    { insertPage: { title: 'Start', document: { markdown: 'Words.' } } },
    { insertPage: { kind: 'COMPUTED', title: 'API', computed } },
    { insertPage: { title: 'End', document: { markdown: 'Words.' } } },
  ];
  const { pageIds } = await editor.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'pageIds');
  const content = `/v1/spaces/${space.id}/content`;
  return { spaceId: space.id as string, pageId: pageIds[1] as string, content };
}

const outlineOf = (pages: ShownPage[]): unknown[] =>
  pages.map(({ title, pages: below = [] }) => (below.length > 0 ? [title, outlineOf(below)] : title));

let docs: Awaited<ReturnType<typeof spaceWith>>;
beforeAll(async () => {
  await put('pets', { text: pets() });
  docs = await spaceWith(source('pets'));
});

test('the pages of a specification are in the tree, below the computed page', async () => {
  const { body } = await reader.get(`${docs.content}/pages`);
  expect(outlineOf(body.pages)).toEqual(['Start', ['API', ['pets', 'Models']], 'End']);
  const [, api] = body.pages;
  expect(api).toMatchObject({ id: docs.pageId, type: 'document', path: 'api', computed: { props: { doc: 'info' } } });
  expect(api.pages[0]).toMatchObject({
    id: expect.stringMatching(/^page_[0-9a-z]{26}$/),
    type: 'document',
    path: 'api/pets',
    computedSeed: expect.stringMatching(/^openapiversion_/),
    computed: source('pets', { doc: 'operations', page: 'pets' }),
  });
  const { body: revision } = await reader.get(docs.content);
  expect(outlineOf(revision.pages)).toEqual(outlineOf(body.pages));
  const sources = await reader.get(`${docs.content}/pages?computed=false`);
  expect(sources.body.pages[1]).toMatchObject({ type: 'computed', computed: source('pets') });
});

test('a computed page is found by id and by path, with its body and its place', async () => {
  const { body: page } = await reader.get(`${docs.content}/path/${encodeURIComponent('api/pets')}`);
  expect(page.document.nodes.map(({ type }: { type: string }) => type)).toEqual([
    'paragraph',
    'openapi-operation',
    'openapi-operation',
  ]);
  expect(page.document.nodes[2]).toMatchObject({
    data: { path: '/pets/{petId}', method: 'get', ref: { kind: 'openapi', spec: 'pets' } },
  });
  const { body: markdown } = await reader.get(`${docs.content}/page/${page.id}?format=markdown`);
  expect(markdown.markdown).toContain('Animals.');
  expect(markdown.markdown).toMatch(/openapi-operation spec="pets" path="\/pets" method="get"/);
  const { space } = await reader.graphql(
    `query ($id: ID!, $page: ID!) { space(id: $id) { revision { page(pageId: $page) { id title
      parent { title } ancestors { title } previous { title } next { title } ... on DocumentPage { markdown document pages { title } } } } } }`,
    { id: docs.spaceId, page: page.id },
  );
  expect(space.revision.page).toMatchObject({
    title: 'pets',
    parent: { title: 'API' },
    ancestors: [{ title: 'API' }],
    previous: { title: 'API' },
    next: { title: 'Models' },
    pages: [],
    markdown: expect.stringContaining('Animals.'),
  });
  const { node } = await reader.graphql('query ($id: ID!) { node(id: $id) { ... on DocumentPage { title } } }', {
    id: space.revision.page.id,
  });
  expect(node).toEqual({ title: 'pets' });
  const info = await reader.get(`${docs.content}/page/${docs.pageId}?format=markdown`);
  expect(withoutTitle(info.body.markdown)).toBe('All about **pets**.\n');
  const models = await reader.get(`${docs.content}/path/${encodeURIComponent('api/models')}`);
  expect(models.body.document.nodes).toMatchObject([{ type: 'openapi-schemas', data: { schemas: ['Pet', 'Pets'] } }]);
  expect((await reader.get(`${docs.content}/path/${encodeURIComponent('api/absent')}`)).status).toBe(404);
  expect((await outsider.get(`${docs.content}/page/${page.id}`)).status).toBe(404);
});

test('ids, paths and block keys stay when the specification changes, and entity tags do not', async () => {
  await put('moving', { text: pets() });
  const { content } = await spaceWith(source('moving', { models: false, grouping: 'by-operation' }));
  const before = await reader.get(content);
  const pageOf = (pages: ShownPage[]) => pages[1]?.pages?.[0]?.pages?.[1];
  expect(pageOf(before.body.pages)).toMatchObject({ title: 'Get a pet', path: 'api/pets/getpet' });
  const read = async (id = '') => (await reader.get(`${content}/page/${id}`)).body.document.nodes[0];
  const block = await read(pageOf(before.body.pages)?.id);
  const { paths, tags } = petsWith();
  const moved = { '/animals/{petId}': paths['/pets/{petId}'], '/pets': paths['/pets'] };
  await put('moving', { text: pets({ paths: moved, tags: [{ name: 'new' }, ...tags] }) });
  const after = await reader.send('GET', content, undefined, { 'if-none-match': before.headers.get('etag') ?? '' });
  expect(after.status).toBe(200);
  const now = after.body.pages[1].pages[0].pages[0];
  expect(now).toMatchObject({ id: pageOf(before.body.pages)?.id, path: 'api/pets/getpet' });
  expect(await read(now.id)).toEqual({ ...block, data: { ...block.data, path: '/animals/{petId}' } });
  const unchanged = await reader.send('GET', content, undefined, { 'if-none-match': after.headers.get('etag') ?? '' });
  expect(unchanged.status).toBe(304);
});

test('the download link names the new URL of a specification whose content is the same', async () => {
  const server = await makeSpecServer({ '/old.json': pets(), '/new.json': pets() });
  await put('downloaded', { url: `${server.url}/old.json` });
  const { content, pageId } = await spaceWith(source('downloaded', { downloadLink: true }));
  const linkIn = async () => {
    const { body } = await reader.get(`${content}/page/${pageId}?format=markdown`);
    return /\[Download the OpenAPI specification\]\((.*)\)/.exec(body.markdown)?.[1];
  };
  expect(await linkIn()).toBe(`${server.url}/old.json`);
  await put('downloaded', { url: `${server.url}/new.json` });
  expect(await linkIn()).toBe(`${server.url}/new.json`);
});

test('comments and links on a computed page stay when the specification changes', async () => {
  await put('discussed', { text: pets() });
  const { content, spaceId } = await spaceWith(source('discussed', { grouping: 'by-operation' }));
  const { body: page } = await reader.get(`${content}/path/${encodeURIComponent('api/pets/getpet')}`);
  const node = page.document.nodes[0].key;
  const target = { spaceId, pageId: page.id, body: { markdown: 'Which pets?' } };
  const { comment } = await editor.mutate('postComment', { ...target, node }, 'comment { id }');
  await expect(editor.mutate('postComment', { ...target, node: 'absent' }, 'comment { id }')).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  const link = { insertPage: { title: 'Guide', document: { markdown: `[Pets](page:${page.id})` } } };
  const { pageIds } = await editor.mutate('updateSpaceContent', { spaceId, changes: [link] }, 'pageIds');
  await put('discussed', { text: pets({ info: { title: 'Pets', version: '2' } }) });
  const query = 'query ($id: ID!) { node(id: $id) { ... on Comment { target { page { title path } } } } }';
  const { page: commented } = (await reader.graphql(query, { id: comment.id })).node.target;
  expect(commented).toEqual({ title: 'Get a pet', path: 'api/pets/getpet' });
  const guide = `${content}/page/${pageIds[0]}?format=markdown&format.markdown.refs=relative`;
  expect((await reader.get(guide)).body.markdown).toContain('(api/pets/getpet.md)');
});

test('extensions name, order, nest and hide pages', async () => {
  const operation = (members: Record<string, unknown>) => ({ get: { responses: {}, ...members } });
  const text = pets({
    tags: [
      {
        name: 'child',
        parent: 'top',
        'x-page-title': 'Child page',
        'x-page-icon': 'cat',
        'x-page-description': 'Small.',
      },
      { name: 'top', description: 'Top.\n\n{% hint style="info" %}\nMind.\n{% endhint %}' },
      { name: 'secret', 'x-internal': true },
      { name: 'loop-a', parent: 'loop-b', description: 'A' },
      { name: 'loop-b', 'x-parent': 'loop-a', description: 'B' },
    ],
    paths: {
      '/a': operation({ tags: ['child'], operationId: 'a', 'x-stability': 'beta' }),
      '/b': operation({ tags: ['secret'], operationId: 'b' }),
      '/c': operation({ 'x-gitbook-ignore': true }),
      '/d': operation({ tags: ['late'], deprecated: true }),
      '/e': operation({}),
    },
    webhooks: { petBorn: { post: { tags: ['late'], responses: {} } } },
  });
  await put('extended', { text });
  const { content } = await spaceWith(source('extended', { models: false }));
  const { body } = await reader.get(`${content}/pages`);
  const [, api] = body.pages;
  expect(outlineOf(api.pages)).toEqual([['top', ['Child page']], ['loop-a', ['loop-b']], 'late', 'Other operations']);
  expect(api.pages[0].pages[0]).toMatchObject({ slug: 'child', icon: 'cat', description: 'Small.' });
  const bodyOf = async (id: string) => (await reader.get(`${content}/page/${id}`)).body.document.nodes;
  expect(await bodyOf(api.pages[0].id)).toMatchObject([{ type: 'paragraph' }, { type: 'hint' }]);
  expect(await bodyOf(api.pages[2].id)).toMatchObject([
    { type: 'openapi-operation', data: { path: '/d' } },
    { type: 'openapi-webhook', data: { name: 'petBorn', method: 'post' } },
  ]);
  expect(await bodyOf(api.pages[3].id)).toMatchObject([{ data: { path: '/e' } }]);
});

test('OpenAPI 3.2 keeps its version, with the parents of its tags, and has its methods', async () => {
  const tags = [
    { name: 'animals', summary: 'Animals' },
    { name: 'pets', parent: 'animals' },
  ];
  const responses = { 200: { description: 'Pets.' } };
  const find = { query: { operationId: 'findPets', tags: ['pets'], responses } };
  const purge = { additionalOperations: { PURGE: { operationId: 'purgePets', tags: ['pets'], responses } } };
  const paths = { ...petsWith().paths, '/find': find, '/purge': purge };
  await put('newest', { text: pets({ openapi: '3.2.0', tags, paths }) });
  const { content } = await spaceWith(source('newest', {}));
  const { body } = await reader.get(`${content}/pages`);
  expect(outlineOf(body.pages)[1]).toEqual(['API', [['Animals', ['pets']]]]);
  const { items } = (await reader.get(`/v1/orgs/${organizationId}/openapi/newest/versions`)).body;
  expect(items[0]).toMatchObject({ openapiVersion: '3.2.0', operationsCount: 4 });
  const operations = (await reader.get(`/v1/orgs/${organizationId}/openapi/newest/versions/latest/operations`)).body
    .items;
  expect(operations.map(({ method }: { method: string }) => method)).toEqual(['get', 'get', 'query', 'purge']);
});

test('a source without a specification stays, and its computed content is BAD_USER_INPUT', async () => {
  const { content, spaceId } = await spaceWith(source('absent'));
  const { body } = await reader.get(`${content}/pages`);
  expect(body.pages[1]).toMatchObject({ type: 'computed' });
  const compute = (what: string, wanted: unknown) =>
    reader.post(`/v1/spaces/${spaceId}/content/computed/${what}`, { source: wanted, seed: '' });
  expect((await compute('revision', source('absent'))).status).toBe(400);
  expect((await compute('document', source('pets', { doc: 'operations', page: 'nothing' }))).status).toBe(400);
  const tag = await compute('document', source('pets', { doc: 'operations', page: 'pets' }));
  expect(tag.body.nodes).toHaveLength(3);
  const one = await compute('document', source('pets', { doc: 'operation', page: '/pets', method: 'get' }));
  expect(one.body.nodes).toMatchObject([{ data: { path: '/pets', method: 'get' } }]);
  const pages = await compute('revision', source('pets'));
  expect(outlineOf(pages.body.pages)).toEqual(['pets', 'Models']);
});

test('specifications of other organizations are absent', async () => {
  await outsider.put(`/v1/orgs/${here.otherOrganizationId}/openapi/foreign`, { source: { text: pets() } });
  const { content } = await spaceWith(source('foreign'));
  expect((await reader.get(`${content}/pages`)).body.pages[1]).toMatchObject({ type: 'computed' });
});

test('with dereferenced=true, blocks become what they show, in computed and in written pages', async () => {
  const { body } = await reader.get(
    `${docs.content}/path/${encodeURIComponent('api/pets')}?format=markdown&dereferenced=true`,
  );
  expect(body.markdown).toContain('## Get a pet\n');
  expect(body.markdown).toContain('GET https://pets.example/v1/pets/{petId}');
  expect(body.markdown).toMatch(/\| `petId` +\| `string` +\| yes/);
  expect(body.markdown).toContain('`array of Pet`'.replace('Pet', 'object'));
  expect(body.markdown).not.toContain('openapi-operation');
  const markdown = [
    '{% openapi-operation spec="pets" path="/pets" method="GET" %}',
    '{% openapi-operation spec="pets" path="/gone" method="get" %}',
    '{% openapi-schemas spec="pets" schemas="Pet" %}',
  ].join('\n\n');
  const changes = [{ insertPage: { title: 'Written', document: { markdown } } }];
  const { pageIds } = await editor.mutate('updateSpaceContent', { spaceId: docs.spaceId, changes }, 'pageIds');
  const types = async (query: string) => {
    const page = await reader.get(`${docs.content}/page/${pageIds[0]}${query}`);
    const { nodes } = page.body.document as { nodes: { type: string; key: string }[] };
    expect(new Set(nodes.map(({ key }) => key)).size).toBe(nodes.length);
    return nodes.map(({ type }) => type);
  };
  expect(await types('')).toEqual(['openapi-operation', 'openapi-operation', 'openapi-schemas']);
  const shown = await types('?dereferenced=true');
  expect(shown.filter((type) => type.startsWith('openapi'))).toEqual(['openapi-operation']);
  expect(shown).toContain('table');
});

test('a PDF has the pages of a specification', async () => {
  const { body } = await reader.get(`/v1/spaces/${docs.spaceId}/pdf?page=${docs.pageId}`);
  const { pathname, search } = new URL(body.url);
  const answer = await fetchPdf(`${here.url}${pathname}${search}`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
  expect(text.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(0);
});

test('references to a specification are broken while there is none', async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Links', empty: true }, 'space { id }');
  const markdown = '{% openapi-operation spec="linked" path="/pets" method="get" %}\n\n[Pets](openapi:linked)\n';
  await editor.mutate(
    'updateSpaceContent',
    { spaceId: space.id, changes: [{ insertPage: { title: 'A', document: { markdown } } }] },
    'pageIds',
  );
  const links = async () => {
    const { body } = await reader.get(`/v1/spaces/${space.id}/links`);
    return [body.items.map(({ status }: { status: string }) => status), body.stats.total, body.stats.broken.total];
  };
  expect(await links()).toEqual([['broken', 'broken'], 2, 2]);
  await put('linked', { text: pets() });
  expect(await links()).toEqual([['ok', 'ok'], 2, 0]);
  await admin.delete(`/v1/orgs/${organizationId}/openapi/linked`);
  expect(await links()).toEqual([['broken', 'broken'], 2, 2]);
});

test('a body with the whole reference has the maximum size of bodies, and is composed once', async () => {
  const tags = Array.from({ length: 60 }, (_, at) => ({ name: `tag-${at}`, description: '*a*b'.repeat(1_200) }));
  await put('whole', { text: pets({ tags }) });
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Whole' }, 'space { id }');
  const asked = { source: source('whole', {}), seed: '' };
  const compute = () => reader.post(`/v1/spaces/${space.id}/content/computed/document`, asked);
  const [first, again] = [await compute(), await compute()];
  const { values } = sizeOf(first.body, { values: 1_000_000, characters: 10_000_000, depth: 300 });
  expect(values).toBeGreaterThan(300_000);
  // The limit is 400,000 values, without the keys that nodes get afterwards.
  expect(values).toBeLessThan(600_000);
  expect(again.body).toEqual(first.body);
  expect(statementsOf(again)).toBeLessThan(statementsOf(first));
});

test('pages that take very much memory are not all searched', async () => {
  const tags = Array.from({ length: 50 }, (_, at) => `tag${at}`);
  // Each tag has a page with all operations: 20 MB of texts, and more of terms.
  const paths = Array.from({ length: 1_650 }, (_, at) => [`/a${at}/b${at}/c${at}`, { get: { tags } }]);
  await put('heavy', { text: pets({ paths: Object.fromEntries(paths) }) });
  const { spaceId } = await spaceWith(source('heavy', {}));
  const titles = async (query: string) =>
    (await reader.get(`/v1/spaces/${spaceId}/search?query=${query}`)).body.items.map((page: ShownPage) => page.title);
  expect(await titles('tag0')).toContain('tag0');
  expect(await titles('tag49')).toEqual([]);
});
