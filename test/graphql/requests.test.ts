import { getIntrospectionQuery } from 'graphql';
import { expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { siteWith, spaceTitled } from '../publishing/arrange.ts';
import { visitorOf } from '../publishing/visiting.ts';
import { world } from '../world.ts';

const { app, url, admin, anonymous, organizationId } = await world();

const ask = (body: unknown, headers?: Record<string, string>) => admin.send('POST', '/graphql', body, headers);
const errorsOf = async (query: string, variables?: unknown) => (await ask({ query, variables })).body.errors;

/** One error with a code, a message, and the id of the request. */
async function expectError(query: string, code: string, message: RegExp, variables?: unknown): Promise<void> {
  const { body, headers } = await ask({ query, variables });
  expect(body.errors).toHaveLength(1);
  expect(body.errors[0]).toMatchObject({
    message: expect.stringMatching(message),
    extensions: { code, requestId: headers.get('x-request-id') },
  });
}

test('a document that does not parse says where', async () => {
  await expectError('{ viewer { id }', 'GRAPHQL_PARSE_FAILED', /Syntax Error: Expected Name, found <EOF>/);
  expect((await errorsOf('{'))[0].locations).toEqual([{ line: 1, column: 2 }]);
  await expectError('{ viewer @ }', 'GRAPHQL_PARSE_FAILED', /Syntax Error/);
});

test('a document that does not fit the schema says what is wrong with it', async () => {
  await expectError('{ viewers { id } }', 'GRAPHQL_VALIDATION_FAILED', /Cannot query field "viewers"/);
  await expectError('{ node { id } }', 'GRAPHQL_VALIDATION_FAILED', /argument "id" of type "ID!" is required/);
  await expectError('subscription { viewer }', 'GRAPHQL_VALIDATION_FAILED', /subscription/i);
  expect((await errorsOf(`{ ${'a b c d e '.repeat(10)} }`)).length).toBeLessThanOrEqual(21);
});

test.each([
  [{}, /Variable "\$id" of required type "ID!" was not provided/],
  [{ id: null }, /Variable "\$id" of non-null type "ID!" must not be null/],
  [{ id: {} }, /Variable "\$id" got an invalid value: ID cannot represent value/],
  [{ id: ['a'] }, /Variable "\$id" got an invalid value/],
])('variables that do not fit are bad input: %j', async (variables, message) => {
  await expectError('query ($id: ID!) { node(id: $id) { id } }', 'BAD_USER_INPUT', message, variables);
});

test('variables are not called like what all objects have', async () => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    const message = new RegExp(`A variable cannot be called "\\$${name}"`);
    await expectError(`query ($${name}: ID!) { node(id: $${name}) { id } }`, 'GRAPHQL_VALIDATION_FAILED', message);
  }
});

test('a missing variable of a required argument is BAD_USER_INPUT', async () => {
  const query = 'query ($id: ID = "x") { node(id: $id) { id } }';
  await expectError(query, 'BAD_USER_INPUT', /Argument "id" of non-null type "ID!" must not be null/, { id: null });
});

test.each([
  [{}, /Exactly one key must be specified for OneOf type/],
  [{ siteId: null }, /"input\.defaultContent\.siteId".*must be non-null/],
  [{ siteId: 'site_x', other: 'y' }, /"input\.defaultContent\.other".*Field "other" is not defined/],
])('exactly one member of a oneOf input is given: %j', async (defaultContent, message) => {
  const query =
    'mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization { id } } }';
  await expectError(query, 'BAD_USER_INPUT', message, { input: { organizationId, defaultContent } });
});

test.each([
  ['no query', {}],
  ['an empty query', { query: '' }],
  ['a query that is no text', { query: ['{ __typename }'] }],
  ['variables that are text', { query: '{ __typename }', variables: '{}' }],
  ['variables that are a list', { query: '{ __typename }', variables: [] }],
  ['a name that is no text', { query: '{ __typename }', operationName: 1 }],
  ['extensions that are no object', { query: '{ __typename }', extensions: 'x' }],
])('%s is no request: 400', async (_what, body) => {
  const { status, body: answer } = await ask(body);
  expect(status).toBe(400);
  expect(answer).not.toHaveProperty('data');
  expect(answer.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
});

test('an operation is chosen by its name', async () => {
  const query = 'query A { __typename } query B { viewer { id } }';
  expect((await ask({ query, operationName: 'A' })).body.data).toEqual({ __typename: 'Query' });
  expect((await ask({ query, operationName: 'B' })).body.data).toEqual({ viewer: { id: admin.userId } });
  const codes = [];
  for (const body of [{ query, operationName: 'C' }, { query }, { query: 'fragment F on Query { __typename }' }]) {
    codes.push((await ask(body)).body.errors[0].extensions.code);
  }
  expect(codes).toEqual(['BAD_USER_INPUT', 'BAD_USER_INPUT', 'GRAPHQL_VALIDATION_FAILED']);
});

test('GET only runs queries', async () => {
  const get = (query: string, more = '') => admin.get(`/graphql?query=${encodeURIComponent(query)}${more}`);
  expect((await get('{ viewer { id } }')).body).toEqual({ data: { viewer: { id: admin.userId } } });
  const variables = `&variables=${encodeURIComponent(JSON.stringify({ id: organizationId }))}`;
  expect((await get('query ($id: ID!) { node(id: $id) { id } }', variables)).body.data.node.id).toBe(organizationId);
  expect((await get('{ __typename }', '&variables={')).status).toBe(400);

  const refused = await get('mutation { createOrganization(input: { title: "By GET" }) { organization { id } } }');
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST']);
  expect(refused.body.errors[0]).toMatchObject({ message: 'A mutation cannot be sent with GET. Use POST.' });
  const { count, items } = (await admin.get('/v1/orgs')).body;
  expect([count, items.map(({ title }: { title: string }) => title)]).toEqual([1, ['Acme']]);
});

test('batches are refused', async () => {
  expect((await ask([{ query: '{ __typename }' }])).status).toBe(400);
});

test('a form is refused, so that no other site can send a mutation', async () => {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await admin.send('POST', '/graphql', 'query=mutation{x}', type)).status).toBe(415);
});

test.each([
  ['selections', `{ viewer { ${'... on User { '.repeat(150)} id ${'} '.repeat(150)} } }`],
  // Within the limit of 10,000 tokens: which of two limits more of them meet first depends on the stack of the parser.
  ['thousands of selections', '{a'.repeat(3_000) + '}'.repeat(3_000)],
  ['thousands of lists', `{ node(id: ${'['.repeat(4_900)}${']'.repeat(4_900)}) { id } }`],
  ['objects', `{ node(id: ${'{a:'.repeat(150)}1${'}'.repeat(150)}) { id } }`],
  [
    'fragments',
    `{ ...F0 } fragment F150 on Query { __typename } ${Array.from({ length: 150 }, (_, index) => `fragment F${index} on Query { ...F${index + 1} }`).join(' ')}`,
  ],
])('%s that are nested too deep are refused', async (_what, query) => {
  await expectError(query, 'QUERY_TOO_COMPLEX', /nested too deeply. At most 100 levels/);
});

test('fragments that double at every level are processed in linear time', async () => {
  const doubling = Array.from(
    { length: 90 },
    (_, index) => `fragment F${index} on Query { a: __typename ...F${index + 1} ...F${index + 1} }`,
  );
  const { status } = await ask({ query: `{ ...F0 } ${doubling.join(' ')} fragment F90 on Query { __typename }` });
  expect(status).toBe(200);
});

test('a fragment that spreads itself is a validation error', async () => {
  const [error] = await errorsOf('{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }');
  expect(error).toMatchObject({ message: expect.stringMatching(/Cannot spread fragment "A" within itself/) });
});

test('deep JSON in a variable breaks nothing', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const { body } = await ask(`{"query":"query($ids:[ID!]!){nodes(ids:$ids){id}}","variables":{"ids":${deep}}}`);
  expect(body.errors[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
});

test('introspection requires a token', async () => {
  const whole = getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true });
  expect((await admin.graphql(whole)).__schema.queryType.name).toBe('Query');
  for (const query of [
    whole,
    '{ __type(name: "User") { name fields { name } } }',
    '{ ...F } fragment F on Query { __schema { __typename } }',
  ]) {
    const { errors } = (await anonymous.graphqlRaw(query)).body;
    expect(errors).toMatchObject([
      { message: expect.stringMatching(/requires an access token/), extensions: { code: 'UNAUTHENTICATED' } },
    ]);
  }
  expect(await anonymous.graphql('{ __typename __type(name: "User") { name } }')).toEqual({
    __typename: 'Query',
    __type: { name: 'User' },
  });
});

test('suggestions of names require a token that is not of a site', async () => {
  const spaceId = await spaceTitled(admin, organizationId, 'Open');
  const site = await siteWith(admin, organizationId, { spaces: [spaceId] });
  await admin.post(`${site.path}/publish`);
  const visitor = await visitorOf(app, url, site.id);
  const hintFor = async (client: Client, query: string) => (await client.graphqlRaw(query)).body.errors[0].message;
  for (const query of ['{ viewr { id } }', '{ viewer { displayNam } }', '{ node(idd: "x") { id } }']) {
    expect(await hintFor(admin, query)).toMatch(/ Did you mean /);
    for (const client of [anonymous, visitor])
      expect(await hintFor(client, query)).not.toMatch(/Did you mean|viewer\b(?!")|displayName/);
  }
});

test('a browser gets GraphiQL, which loads nothing from other hosts', async () => {
  const { status, headers, body } = await anonymous.send('GET', '/graphql', undefined, { accept: 'text/html,*/*' });
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(body).toContain('query Home');
  expect(body).not.toMatch(/(src|href)="(https?:)?\/\//);
});

test('GraphiQL opens with a query that runs', async () => {
  const { body } = await anonymous.send('GET', '/graphql', undefined, { accept: 'text/html' });
  const [, options = '{}'] = /YogaGraphiQL\.renderYogaGraphiQL\(\s*[^\n]*,\s*(\{.*\}),/.exec(body) ?? [];
  const [{ query }] = JSON.parse(options).defaultTabs;
  expect((await admin.graphql(query)).viewer.displayName).toBe('Admin');
  expect((await anonymous.graphqlRaw(query)).body.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
});

test('several errors of one request are returned together', async () => {
  const { body } = await ask({ query: '{ viewers { id } nothing }' });
  expect(body.errors).toHaveLength(2);
});

test('more than a hundred ids at once are refused', async () => {
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
  const ids = (count: number) => ({ ids: Array.from({ length: count }, () => organizationId) });
  expect((await admin.graphql(query, ids(100))).nodes).toHaveLength(100);
  await expectError(query, 'BAD_USER_INPUT', /^ids: At most 100 IDs are allowed, but 101 were sent/, ids(101));
  const { nodes } = await admin.graphql(query, {
    ids: ['nonsense', organizationId, 'space_00000000000000000000000000', '\u0000'],
  });
  expect(nodes).toEqual([null, { id: organizationId }, null, null]);
});

test('responds in the requested media type', async () => {
  const graph = 'application/graphql-response+json';
  const typed = async (accept: string, query: string) => {
    const { status, headers } = await ask({ query }, { accept });
    return [status, headers.get('content-type')];
  };
  expect(await typed(graph, '{ __typename }')).toEqual([200, `${graph}; charset=utf-8`]);
  expect(await typed(graph, '{ broken }')).toEqual([400, `${graph}; charset=utf-8`]);
  expect(await typed('application/json', '{ broken }')).toEqual([200, 'application/json; charset=utf-8']);
  expect(await typed('*/*', '{ broken }')).toEqual([200, 'application/json; charset=utf-8']);
});

const issuesOf = async (query: string, variables?: unknown) =>
  (await errorsOf(query, variables)).flatMap((error: { extensions: { code: string; issues: unknown[] } }) => {
    expect(error.extensions.code).toBe('BAD_USER_INPUT');
    return error.extensions.issues;
  });

const CREATE = 'mutation ($input: CreateSpaceInput!) { createSpace(input: $input) { space { id } } }';
const CREATE_TITLED = `mutation ($title: String) {
  createSpace(input: { organizationId: "${organizationId}", title: $title }) { space { id } } }`;

test.each([
  ['a scalar', CREATE, { input: { organizationId: {} } }, [['input', 'organizationId']]],
  ['an enum', CREATE, { input: { organizationId, editMode: 'FAST' } }, [['input', 'editMode']]],
  ['a missing member', CREATE, { input: {} }, [['input', 'organizationId']]],
  ['a missing variable', CREATE, {}, [['input']]],
  ['a null', CREATE, { input: null }, [['input']]],
  [
    'several members',
    CREATE,
    { input: { organizationId: 1.5, title: 1 } },
    [
      ['input', 'organizationId'],
      ['input', 'title'],
    ],
  ],
  [
    'a scalar of ours',
    'mutation ($at: DateTime) { createApiToken(input: { label: "x", expiresAt: $at }) { secret } }',
    { at: 'soon' },
    [['at']],
  ],
  ['a member of a list', 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: ['a', null] }, [['ids', 1]]],
  ['a value that a rule refuses', CREATE, { input: { organizationId, title: ' ' } }, [['input', 'title']]],
  ['a value of a variable of its own', CREATE_TITLED, { title: '' }, [['input', 'title']]],
  ['a null at an argument', 'query ($id: ID = "x") { node(id: $id) { id } }', { id: null }, [['id']]],
  [
    'an argument of another name than the member',
    'query ($id: ID!) { collection(id: $id) { id } }',
    { id: 'x'.repeat(300) },
    [['id']],
  ],
])('the issue of %s has the path that the caller wrote', async (_what, query, variables, paths) => {
  const issues = await issuesOf(query, variables);
  expect(issues.map(({ path }: { path: unknown }) => path)).toEqual(paths);
  for (const { message } of issues) expect(message).toMatch(/\w/);
});

test('issues are bounded in number and length, and without a token contain no suggestions', async () => {
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
  expect(await issuesOf(query, { ids: Array.from({ length: 500 }, () => ({})) })).toHaveLength(20);
  const many =
    'query ($a: Int!, $b: Int!) { node(id: "x") { id ... on Space { changeRequest(number: $a) { id } b: changeRequest(number: $b) { id } } } }';
  const [issue] = await issuesOf(many, { a: 'x'.repeat(10_000), b: 1 });
  expect(issue.message.length).toBeLessThanOrEqual(500);
  const given = { query: CREATE, variables: { input: { organizationId, editMode: 'LIVES' } } };
  expect(JSON.stringify((await ask(given)).body)).toContain('Did you mean');
  expect(JSON.stringify((await anonymous.send('POST', '/graphql', given)).body)).not.toContain('Did you mean');
});
