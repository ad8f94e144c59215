import { brotliDecompressSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { publishedSite, show, spaceWith } from '../publishing/reader-world.ts';
import { world } from '../world.ts';

const MAX_COST = 300;
const PAGES = 100;
const { admin, anonymous, organizationId } = await world({
  MAX_QUERY_COST: String(MAX_COST),
  MAX_ANSWER_MB: '1',
});

let spaceId: string;

beforeAll(async () => {
  spaceId = (await admin.mutate('createSpace', { organizationId, title: 'Large' }, 'space { id }')).space.id;
  for (let part = 0; part < PAGES / 50; part++) {
    const changes = Array.from({ length: 50 }, (_, index) => ({
      insertPage: { title: `Page ${part} ${index}`, description: 'd'.repeat(200) },
    }));
    await admin.mutate('updateSpaceContent', { spaceId, changes }, 'revision { id }');
  }
});

const pagesOf = (aliases: string[], selection = 'id') =>
  `query ($id: ID!) { rateLimit { cost } ${aliases.map((alias) => `${alias}: space(id: $id) { revision { pages { ${selection} } } }`).join(' ')} }`;

test('the cost of a tree includes its number of pages', async () => {
  const one = await admin.graphql(pagesOf(['a']), { id: spaceId });
  expect(one.a.revision.pages.length).toBeGreaterThanOrEqual(PAGES);
  // What is told before it runs reckons with ten pages.
  expect(one.rateLimit.cost).toBe(1 + 1 + 10);

  const { body } = await admin.graphqlRaw(pagesOf(['a', 'b', 'c']), { id: spaceId });
  expect(body.errors).toMatchObject([
    {
      message: `With the items of "pages", the response has more than ${MAX_COST} objects. Select fewer fields of the items or fewer lists.`,
      path: expect.arrayContaining(['revision', 'pages']),
      extensions: { code: 'QUERY_TOO_COMPLEX' },
    },
  ]);
  // What fitted is answered.
  const answered = ['a', 'b', 'c'].filter((alias) => body.data[alias].revision !== null);
  expect(answered).toHaveLength(2);
});

test('each item costs its selected fields', async () => {
  const objects = (selection: string) => admin.graphqlRaw(pagesOf(['a'], selection), { id: spaceId });
  expect((await objects('title revision { id }')).body.errors).toBeUndefined();
  const { body } = await objects('title revision { id createdBy { id } urls { app } }');
  expect(body.errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
});

/** Nine objects at most, and a megabyte for each hundred descriptions of pages. */
const descriptions = (count: number) => Array.from({ length: count }, (_, index) => `d${index}: description`).join(' ');

test('a response over the limit is refused on both transports, with advice', async () => {
  const long = await admin.graphqlRaw(pagesOf(['a'], `... on DocumentPage { ${descriptions(60)} }`), { id: spaceId });
  const message = expect.stringMatching(/^The response is larger than 1 MB\. Request less data at a time\./);
  expect(long.body.errors).toMatchObject([{ message, extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
  expect(long.body).not.toHaveProperty('data');

  const markdown = Array.from({ length: 8_000 }, () => 'word').join('\n\n');
  await admin.mutate(
    'updateSpaceContent',
    { spaceId, changes: [{ insertPage: { title: 'Long', slug: 'long', document: { markdown } } }] },
    'revision { id }',
  );
  const { status, body } = await admin.get(`/v1/spaces/${spaceId}/content/path/long?format=document`);
  expect([status, body.error.message]).toEqual([400, 'The response is larger than 1 MB. Request less data at a time.']);
});

test('a page of a site over the limit is refused, and parts of its text are cut below the limit', async () => {
  const headings = { title: 'Headings', document: { markdown: '# A heading of several words\n\n'.repeat(6_000) } };
  const long = Array.from({ length: 4 }, () => ({ title: 'Long', document: { markdown: 'word '.repeat(38_000) } }));
  const { spaceId: published } = await spaceWith(admin, organizationId, 'Published', [headings, ...long]);
  const site = await publishedSite(admin, organizationId, { title: 'Large', spaces: [published] });
  const page = await show(site.at());
  expect([page.status, page.text.slice(0, 200)]).toEqual([
    400,
    expect.stringContaining('The response is larger than 1 MB.'),
  ]);
  const { status, text } = await show(site.at('llms-full.txt'));
  expect([status, text.length < 500_000]).toEqual([200, true]);
  expect(text).toMatch(/\nNext pages: \S*\/llms-full\.txt\/1\/3\n$/);
});

test('a response up to the limit is complete, compressed or not', async () => {
  const query = pagesOf(['a'], `... on DocumentPage { ${descriptions(20)} }`);
  const { body, headers } = await admin.graphqlRaw(query, { id: spaceId });
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  const full = body.data.a.revision.pages.filter((page: { d19?: string }) => page.d19 === 'd'.repeat(200));
  expect(full).toHaveLength(PAGES);

  const request = { query, variables: { id: spaceId } };
  const response = await fetch(`${admin.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${admin.token}`, 'accept-encoding': 'gzip' },
    body: JSON.stringify(request),
  });
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(await response.json()).toEqual(body);
});

test('a long list of issues is cut, with the total number', async () => {
  const changes = (kind: 'graph' | 'rest') =>
    Array.from({ length: 50 }, () =>
      kind === 'graph' ? { insertPage: { title: '' } } : { operation: 'insert_page', title: '' },
    );
  const rest = await admin.post(`/v1/spaces/${spaceId}/content`, { changes: changes('rest') });
  const graph = await admin.graphqlRaw(
    'mutation ($input: UpdateSpaceContentInput!) { updateSpaceContent(input: $input) { revision { id } } }',
    { input: { spaceId, changes: changes('graph') } },
  );
  for (const { issues } of [rest.body.error, graph.body.errors[0].extensions]) {
    expect(issues).toHaveLength(21);
    expect(issues.at(-1).message).toBe('30 more are not shown.');
    expect(issues.at(-1).path.filter((part: unknown) => part !== 'input')).toEqual([]);
  }
});

test('messages and names in them are cut', async () => {
  const name = 'x'.repeat(50_000);
  const query =
    'mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { organization { id } } }';
  for (const client of [admin, anonymous]) {
    const { body } = await client.graphqlRaw(query, { input: { title: 'x', [name]: 1 } });
    expect(body.errors[0].message.length).toBeLessThanOrEqual(500);
    expect(JSON.stringify(body).length).toBeLessThan(2_000);
  }
  const { body } = await admin.graphqlRaw(`{ ${name} }`);
  expect(body.errors[0].message.length).toBeLessThanOrEqual(500);
});

test('large variables produce few errors, since each contains them', async () => {
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
  const wrong = (text: string) => ({ ids: Array(30).fill({ text }) });
  const issuesOf = async (text: string) =>
    (await admin.graphqlRaw(query, wrong(text))).body.errors[0].extensions.issues;
  expect(await issuesOf('x')).toHaveLength(20);
  expect((await issuesOf('x'.repeat(10_000))).length).toBeLessThanOrEqual(2);
  const { body } = await admin.graphqlRaw(query, wrong('x'));
  expect(body.errors[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
});

test('long responses can be compressed with Brotli', async () => {
  const { Agent, request } = await import('node:http');
  const query = pagesOf(['a'], `... on DocumentPage { ${descriptions(20)} }`);
  const body = JSON.stringify({ query, variables: { id: spaceId } });
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${admin.token}`,
    'accept-encoding': 'br',
  };
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const sent = request(`${admin.url}/graphql`, { method: 'POST', headers, agent: new Agent() }, async (answer) => {
      expect(answer.headers['content-encoding']).toBe('br');
      resolve(Buffer.concat(await answer.toArray()));
    });
    sent.on('error', reject).end(body);
  });
  expect(JSON.parse(brotliDecompressSync(bytes).toString()).data.a.revision.pages.length).toBeGreaterThan(PAGES);
});
