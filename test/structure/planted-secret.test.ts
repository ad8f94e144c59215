import { type GraphQLObjectType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import type { Route } from '../../src/platform/http/route.ts';
import { routes } from '../../src/routes.ts';
import { schema } from '../../src/schema.ts';
import type { Client } from '../client.ts';
import { isThorough, sampled } from '../how-thorough.ts';
import { conditionalWorld, SECRET } from '../publishing/conditional-world.ts';
import { world } from '../world.ts';
import { callRoute, parametersOf } from './calls.ts';
import type { Ids } from './furnish.ts';
import { openFields, selectField } from './selections.ts';

/*
 * A secret is planted in everything that only excluded pages of a site with conditions have or use, and in what nothing
 * uses. Callers without the claim find it nowhere: in no answer of a route, of a field, or of the site itself.
 */

const here = await world();
const { admin, reader, anonymous, outsider, organizationId } = here;
const made = await conditionalWorld(here);
const { plain, beta, spaces, fileNamed, contentTitled } = made;
const callers = [
  ['a visitor without the claim', plain],
  ['a caller without a token', anonymous],
  // Sees what a caller without a token sees. `npm run test:thorough` asks with both.
  ...(isThorough ? [['a user without a role', outsider] as const] : []),
] as const;

const common = { org: organizationId, site: made.site.id, rev: made.revision, specSlug: made.spec.slug };
const welcome = made.pages.find(({ title }: { title: string }) => title === 'Welcome');
const contentOf = (title: string) => made.contents.find((each: { title: string }) => each.title === title);

/** What exists, once of what is excluded, once of what is not, and of what nothing uses. */
const SETS: Ids[] = [
  {
    ...common,
    space: spaces.docs,
    page: made.plan.id,
    path: made.plan.path,
    doc: made.plan.documentId,
    file: fileNamed('zanzibar.png'),
    reusable: contentTitled('Zanzibar inner'),
    openapi: made.spec.id,
    section: made.section,
    sitespace: made.siteSpace,
  },
  {
    ...common,
    space: spaces.docs,
    page: welcome.id,
    path: welcome.path,
    doc: welcome.documentId,
    file: fileNamed('seen.png'),
    reusable: contentTitled('Inner'),
    publishedUrl: made.at('last'),
  },
  {
    ...common,
    space: spaces.docs,
    page: welcome.id,
    doc: contentOf('Zanzibar inner').document,
    file: fileNamed('zanzibar-unused.png'),
    reusable: contentTitled('Zanzibar alone'),
  },
  { ...common, space: spaces.internal, publishedUrl: made.at('zanzibar-internal/') },
  { ...common, space: spaces.sectioned, publishedUrl: made.at('zanzibar-section/') },
  { ...common, space: spaces.second },
];

/**
 * An answer without what the request has named, which errors repeat, and without the paths of URLs that it has named.
 */
function withoutAsked(text: string, ids: Ids): string {
  const values = Object.values(ids).filter((value) => typeof value === 'string');
  const asked = values.flatMap((value) => [value, ...(URL.canParse(value) ? new URL(value).pathname.split('/') : [])]);
  return asked
    .filter((value) => SECRET.test(value))
    .flatMap((value) => [value, encodeURIComponent(value)])
    .reduce((rest, value) => rest.replaceAll(value, ''), text);
}

async function answersTo(client: Client, route: Route): Promise<string[]> {
  const found = await Promise.all(
    SETS.map(async (ids) => {
      const { body, headers } = await callRoute(client, route, ids);
      return withoutAsked(`${JSON.stringify(body)} ${headers.get('location') ?? ''}`, ids);
    }),
  );
  return found.filter((text) => SECRET.test(text));
}

const reads = routes.filter((route) => route.method === 'GET' && route.operation && parametersOf(route).length > 0);
let shownToOthers = 0;

test.each(reads.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s shows nothing of it',
  async (_address, route) => {
    for (const [who, client] of callers) expect([who, await answersTo(client, route)]).toEqual([who, []]);
    if ((await answersTo(beta, route)).length > 0) shownToOthers++;
  },
);

test('the same routes show it to visitors with the claim', () => expect(shownToOthers).toBeGreaterThan(15));

/** Everything with an id in the graph, and its type. */
async function nodesOf(): Promise<{ id: string; type: GraphQLObjectType }[]> {
  const inHead = [
    ...made.files.map(({ id }: { id: string }) => id),
    ...made.contents.map(({ id }: { id: string }) => id),
    ...made.pages.map(({ id }: { id: string }) => id),
    made.plan.documentId,
    contentOf('Zanzibar inner').document,
  ].map((id) => `${id}-at-${made.revision}`);
  const ids = [...inHead, ...Object.values(spaces), made.site.id, made.section, made.siteSpace, made.revision];
  const { nodes } = await admin.graphql('query($ids: [ID!]!) { nodes(ids: $ids) { id __typename } }', { ids });
  return nodes.flatMap((node: { id: string; __typename: string } | null) => {
    const type = node && schema.getType(node.__typename);
    return node && isObjectType(type) ? [{ id: node.id, type }] : [];
  });
}

const nodes = await nodesOf();
const cases = [...Map.groupBy(nodes, ({ type }) => type)].flatMap(([type, of]) =>
  openFields(type).map((field) => ({
    name: `${type.name}.${field.name}`,
    ids: of.map(({ id }) => id),
    selection: `... on ${type.name} { ${selectField(field, 2).replace(/first: 2/g, 'first: 20')} }`,
  })),
);

async function shownBy(client: Client, { ids, selection }: (typeof cases)[number]): Promise<string> {
  const { status, body } = await client.graphqlRaw(`query($ids: [ID!]!) { nodes(ids: $ids) { ${selection} } }`, {
    ids,
  });
  expect(status).toBe(200);
  return JSON.stringify(body);
}

let shownInGraph = 0;

test.each(sampled(cases, 3))('$name shows nothing of it', async (asked) => {
  for (const [who, client] of callers) {
    const text = await shownBy(client, asked);
    expect([who, SECRET.test(text) ? text : '']).toEqual([who, '']);
  }
  if (SECRET.test(await shownBy(beta, asked))) shownInGraph++;
});

test('the same fields show it to visitors with the claim', () => expect(shownInGraph).toBeGreaterThan(15));

test('searches find nothing of it', async () => {
  const queries = ['zanzibar', 'details', 'inside', 'inner'];
  const find = async (client: Client) => {
    const answers = await Promise.all(
      queries.flatMap((query) => [
        client.get(`/v1/spaces/${spaces.docs}/search?query=${query}`),
        client.post(`${made.site.path}/search`, { query }),
        client.graphqlRaw(
          `{ space(id: "${spaces.docs}") { search(query: "${query}", first: 20) { nodes { title path } } } }`,
        ),
      ]),
    );
    return answers.filter(({ body }) => SECRET.test(JSON.stringify(body))).length;
  };
  for (const [who, client] of callers) expect([who, await find(client)]).toEqual([who, 0]);
  expect(await find(beta)).toBeGreaterThan(3);
});

const PAGES = [
  '',
  'last',
  'links',
  'second/',
  'zanzibar-plan',
  'zanzibar-plan/zanzibar-below',
  'zanzibar-internal/',
  'old',
];

/** Everything that the site itself answers to a visitor with these headers. */
async function siteAsSeen(headers: Record<string, string>): Promise<string[]> {
  const paths = [
    ...PAGES.flatMap((page) => [page, `${page || 'welcome'}.md`, `${page || 'welcome'}/rss.xml`]),
    'llms.txt',
    'llms-full.txt',
    'sitemap.xml',
    'sitemap.md',
    'sitemap-pages.xml',
    'robots.txt',
    '~gitbook/search?q=details',
    '~gitbook/search?q=inside',
    `~gitbook/pdf?page=${made.plan.id}`,
    `~gitbook/ogimage/${made.plan.id}`,
  ];
  const answers = await Promise.all(
    paths.map(async (path) => {
      const response = await fetch(made.at(path), { headers, redirect: 'manual' });
      const text = `${response.headers.get('location') ?? ''} ${await response.text()}`;
      // The address of the request itself is repeated in links to other forms of the page.
      return SECRET.test(text.replaceAll(path.replace(/\.md$|\/rss\.xml$/, '') || '\0', '')) ? [path, text] : [];
    }),
  );
  return answers.flat();
}

async function callTool(headers: Record<string, string>, name: string, given: object): Promise<string> {
  const response = await fetch(made.at('~gitbook/mcp'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
  });
  return response.text();
}

const TOOLS = [
  ['searchDocumentation', { query: 'details' }],
  ['searchDocumentation', { query: 'zanzibar' }],
  ['listPages', {}],
  ['getPage', { url: '/' }],
  ['getPage', { url: '/zanzibar-plan' }],
  ['getPage', { url: '/links' }],
] as const;

test('the site and its tools show nothing of it', async () => {
  const authorization = `Bearer ${await made.tokenOf({ beta: true })}`;
  expect(await siteAsSeen({})).toEqual([]);
  expect((await siteAsSeen({ authorization })).length).toBeGreaterThan(10);
  for (const [name, given] of TOOLS) {
    const text = await callTool({}, name, given);
    expect([name, given, SECRET.test(text) ? text : '']).toEqual([name, given, '']);
  }
  expect(await callTool({ authorization }, 'listPages', {})).toMatch(SECRET);
});

test('a preview shows what visitors with the claims see', async () => {
  const previewed = async (claims: object) => {
    const query = new URLSearchParams({ claims: JSON.stringify(claims) });
    const { body } = await reader.get(`${made.site.path}/publishing/preview?${query}`);
    const { searchParams, pathname } = new URL(body.url);
    const headers = { authorization: `Bearer ${searchParams.get('jwt_token')}` };
    const response = await fetch(`${here.url}${pathname}`, { headers });
    return [response.status, SECRET.test(await response.text())];
  };
  expect(await previewed({})).toEqual([200, false]);
  expect(await previewed({ beta: true })).toEqual([200, true]);
});
