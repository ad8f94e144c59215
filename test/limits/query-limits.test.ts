import { gzipSync } from 'node:zlib';
import { getIntrospectionQuery } from 'graphql';
import { expect, test } from 'vitest';
import { type RestAnswer, statementsOf } from '../client.ts';
import { world } from '../world.ts';

const { admin, anonymous, organizationId } = await world();
const frugal = await world({ MAX_QUERY_COST: '100' });

const times = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');
const nested = (levels: number) =>
  `${'{ node(id: "x") { ... on Space { parent '.repeat(levels)} { id } ${'} } }'.repeat(levels)}`;

/** Levels of fields: each `parent` is one more. */
const deep = (levels: number) =>
  `{ collection(id: "x") ${'{ parent '.repeat(levels - 2)} { id } ${'} '.repeat(levels - 2)} }`;

function expectTooComplex({ status, body, ...answer }: RestAnswer, message: RegExp): void {
  expect(status).toBe(200);
  expect(body.errors).toMatchObject([
    { message: expect.stringMatching(message), extensions: { code: 'QUERY_TOO_COMPLEX' } },
  ]);
  expect(body).not.toHaveProperty('data');
  expect(statementsOf({ status, body, ...answer })).toBe(0);
}

test.each([
  ['a depth of 200', deep(200), /nested too deep|at most 15 levels of fields/],
  ['a depth of 200 through kinds', nested(100), /nested too deep|at most 15 levels of fields/],
  ['a depth of 16', deep(16), /at most 15 levels of fields/],
  ['1000 aliases', `{ ${times(1_000, (index) => `a${index}: __typename`)} }`, /at most 100 aliases/],
  ['101 aliases', `{ viewer { ${times(101, (index) => `a${index}: id`)} } }`, /at most 100 aliases/],
  ['1000 directives', `{ viewer { id ${times(1_000, () => '@include(if: true)')} } }`, /at most 50 directives/],
  [
    '51 directives',
    `{ viewer { ${times(51, (index) => `a${index}: id @skip(if: false)`)} } }`,
    /at most 50 directives/,
  ],
  ['5000 duplicate fields', `{ viewer { ${times(5_000, () => 'id')} } }`, /at most 2000 fields and fragments/],
  [
    '11 duplicate fields',
    `{ viewer { ${times(11, () => 'id')} } }`,
    /at most 10 fields with the same name in one selection set/,
  ],
  ['21 fields at the top', `{ ${times(21, (index) => `a${index}: __typename`)} }`, /at most 20 root fields/],
  [
    '251 fragments',
    `{ viewer { ...F0 } } ${times(251, (index) => `fragment F${index} on User { id }`)}`,
    /at most 250 fragments/,
  ],
  ['200001 characters', `{ __typename } #${'x'.repeat(200_001)}`, /at most 200000 characters/],
  ['20000 tokens', `{ ${times(20_000, () => 'id')} }`, /at most 10000 tokens/],
  [
    'aliases that fragments multiply',
    `{ viewer { ...F0 } } ${times(10, (index) => `fragment F${index} on User { a${index}: id ...F${index + 1} b${index}: id ...F${index + 1} }`)} fragment F10 on User { id }`,
    /at most 100 aliases/,
  ],
  [
    '4500 duplicate fields in a fragment that is not spread',
    `{ __typename } fragment F on User { ${times(4_500, () => 'id')} }`,
    /A fragment can have at most 2000 fields and fragments/,
  ],
  [
    '24 kB of fields in fragments that are not spread',
    `{ __typename } ${times(100, (index) => `fragment F${index} on User { ${times(9, () => 'organizations { nodes { id } }')} }`)}`,
    /at most 10000 pairs of fields or fragments at the same place/,
  ],
  [
    'fragments beside each other that select the same',
    `{ viewer { ${times(100, (index) => `...F${index}`)} } } ${times(100, (index) => `fragment F${index} on User { id email }`)}`,
    /at most 10000 pairs of fields or fragments at the same place/,
  ],
  [
    'inline fragments that select the same',
    `{ viewer { ${times(150, () => '... on User { organizations { nodes { id } } }')} } }`,
    /at most 10000 pairs/,
  ],
  [
    '101 operations',
    times(101, (index) => `query Q${index} { __typename }`),
    /A document can have at most 100 operations/,
  ],
  [
    'operations that each spread a large fragment',
    `${times(100, (index) => `query Q${index} { viewer { ...F } }`)} fragment F on User { ${times(100, (index) => `a${index}: id`)} }`,
    /at most 10000 fields and fragments in all operations together/,
  ],
])('%s is too complex', async (_what, query, message) => {
  expectTooComplex(await admin.graphqlRaw(query), message);
  // Longer bodies are not read without a token.
  if (query.length < 60_000) expectTooComplex(await anonymous.graphqlRaw(query), message);
});

test('a query up to the limits runs', async () => {
  const within = [
    deep(15),
    `{ viewer { ${times(100, (index) => `a${index}: id`)} } }`,
    `{ viewer { ${times(50, (index) => `a${index}: id @skip(if: false)`)} } }`,
    `{ viewer { ${times(10, () => 'id')} } }`,
    `{ ${times(20, (index) => `a${index}: __typename`)} }`,
    getIntrospectionQuery({ descriptions: true, inputValueDeprecation: true, oneOf: true, typeDepth: 9 }),
  ];
  for (const query of within) expect((await admin.graphqlRaw(query)).body.errors).toBeUndefined();
});

test('a cycle of fragments is reported as such', async () => {
  const { body } = await admin.graphqlRaw(
    '{ viewer { ...A } } fragment A on User { ...B } fragment B on User { ...A }',
  );
  expect(body.errors[0]).toMatchObject({
    message: expect.stringMatching(/Cannot spread fragment "A" within itself/),
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  });
});

test('batches and bodies of other types are refused', async () => {
  const mutation = 'mutation { createOrganization(input: { title: "Smuggled" }) { organization { id } } }';
  expect((await admin.send('POST', '/graphql', [{ query: mutation }, { query: mutation }])).status).toBe(400);
  const form = new URLSearchParams({ query: mutation }).toString();
  for (const type of [
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/graphql',
    'text/plain;application/json',
  ]) {
    for (const body of [form, mutation, JSON.stringify({ query: mutation })]) {
      expect((await admin.send('POST', '/graphql', body, { 'content-type': type })).status).toBe(415);
    }
  }
  const multipart = `--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n${JSON.stringify({ query: mutation })}\r\n--x--\r\n`;
  const answer = await admin.send('POST', '/graphql', multipart, { 'content-type': 'multipart/form-data; boundary=x' });
  expect(answer.status).toBe(415);
  const packed = gzipSync(JSON.stringify({ query: mutation }));
  const zipped = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  expect((await admin.send('POST', '/graphql', packed, zipped)).status).toBe(400);
  const titles = (await admin.get('/v1/orgs')).body.items.map(({ title }: { title: string }) => title);
  expect(titles).not.toContain('Smuggled');
});

const spaces =
  'query ($first: Int = 2) { rateLimit { cost maxCost } viewer { organizations(first: 10) { nodes { spaces(first: $first) { nodes { id } } } } } }';

test('the graph returns the cost, which depends on the variables', async () => {
  const costWith = async (variables: Record<string, unknown>) => (await admin.graphql(spaces, variables)).rateLimit;
  // The viewer, a connection, 10 organizations, each with a connection and its items.
  expect(await costWith({})).toEqual({ cost: 2 + 10 * (1 + 1 + 2), maxCost: 50_000 });
  expect(await costWith({ first: 100 })).toEqual({ cost: 2 + 10 * (1 + 1 + 100), maxCost: 50_000 });
  expect(await costWith({ first: null })).toEqual({ cost: 2 + 10 * (1 + 1 + 50), maxCost: 50_000 });
});

test('a query over MAX_QUERY_COST does not run', async () => {
  expect((await frugal.admin.graphqlRaw(spaces, { first: 2 })).body.errors).toBeUndefined();
  expectTooComplex(
    await frugal.admin.graphqlRaw(spaces, { first: 100 }),
    /^This operation can return 1022 objects\. At most 100 are allowed/,
  );
  const cubed =
    'query ($id: ID!) { organization(id: $id) { spaces(first: 100) { nodes { changeRequests(first: 100) { nodes { contributors(first: 100) { nodes { id } } } } } } } }';
  expectTooComplex(
    await admin.graphqlRaw(cubed, { id: organizationId }),
    /^This operation can return 10\d{5} objects\. At most 50000 are allowed/,
  );
});
