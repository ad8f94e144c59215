import { expect, test } from 'vitest';
import { Client, type RestAnswer } from '../client.ts';
import { world } from '../world.ts';

const { admin, anonymous, organizationId, url } = await world();

const JSON_TYPE = 'application/json';
const GRAPHQL_JSON = 'application/graphql-response+json';

/** The parts of an answer that have to be equal. Ids of requests differ. */
function told({ status, headers, body }: RestAnswer) {
  const text = JSON.stringify(body).replaceAll(headers.get('x-request-id') ?? '', 'id');
  const names = ['content-type', 'allow', 'cache-control', 'www-authenticate', 'vary', 'content-encoding'];
  return [status, text, ...names.map((name) => headers.get(name))];
}

const nobody = new Client(url, 'stemma_unknown');
const missing = 'space_00000000000000000000000000';

test.each<[string, unknown, Client]>([
  ['a query', { query: '{ viewer { id } }' }, admin],
  ['a query without a token', { query: '{ viewer { id } }' }, anonymous],
  ['a token that is none', { query: '{ viewer { id } }' }, nobody],
  ['a long answer', { query: '{ __schema { types { name description } } }' }, admin],
  [
    'fields that fail',
    { query: `{ viewer { id } organization(id: "${organizationId}") { spaces(first: 0) { totalCount } } }` },
    admin,
  ],
  [
    'a mutation',
    {
      query: `mutation { updateOrganization(input: { organizationId: "${organizationId}", title: "Acme" }) { organization { title } } }`,
    },
    admin,
  ],
  [
    'a mutation that is refused',
    { query: `mutation { deleteSpace(input: { spaceId: "${missing}" }) { deletedId } }` },
    admin,
  ],
  ['no document', {}, admin],
  ['a document that is no text', { query: 1 }, admin],
  ['a document that does not parse', { query: '{' }, admin],
  ['a document that does not fit', { query: '{ viewr { id } }' }, anonymous],
  ['a document that is too complex', { query: `{ ${'a: __typename '.repeat(101)} }` }, admin],
  ['variables that do not fit', { query: 'query ($id: ID!) { node(id: $id) { id } }', variables: { id: {} } }, admin],
  ['variables that are text', { query: '{ __typename }', variables: '{}' }, admin],
  ['an operation that is not there', { query: '{ __typename }', operationName: 'Other' }, admin],
  ['a subscription', { query: 'subscription { spaceUpdated(id: "x") { id } }' }, admin],
  ['the schema without a token', { query: '{ __schema { types { name } } }' }, anonymous],
  ['a member that nobody knows', { query: '{ __typename }', hello: 1 }, admin],
  ['an unknown hash', { documentId: 'sha256:0' }, admin],
  ['a batch', [{ query: '{ __typename }' }], admin],
  ['a body that is a number', '1', admin],
  ['a body that is no JSON', '{', admin],
])('the response is the same for each header that accepts the media type: %s', async (_what, body, client) => {
  const accepted = (type: string) => [type, `${type};q=0.9`, `${type}, text/plain`, `text/plain, ${type}`];
  for (const accepts of [[...accepted(JSON_TYPE), '*/*', '*/*;q=0.9'], accepted(GRAPHQL_JSON)]) {
    const answers: unknown[] = [];
    for (const accept of accepts) {
      answers.push(told(await client.send('POST', '/graphql', body, { accept, 'accept-encoding': 'br' })));
    }
    expect(answers).toEqual(answers.map(() => answers[0]));
  }
});

test('only subscriptions are streamed if the client also accepts JSON', async () => {
  const accept = `${GRAPHQL_JSON}, ${JSON_TYPE}, text/event-stream, multipart/mixed`;
  const { status, headers, body } = await admin.send('POST', '/graphql', { query: '{ __typename }' }, { accept });
  expect([status, headers.get('content-type'), body]).toEqual([
    200,
    `${GRAPHQL_JSON}; charset=utf-8`,
    { data: { __typename: 'Query' } },
  ]);
});

test('a client that accepts no available media type gets JSON, since the operation has run', async () => {
  for (const accept of ['text/plain', 'multipart/mixed', 'image/png, text/*']) {
    const answer = await admin.send('POST', '/graphql', { query: '{ __typename }' }, { accept });
    expect([accept, answer.status, answer.body]).toEqual([accept, 200, { data: { __typename: 'Query' } }]);
  }
});

test('HEAD is answered as GET is, without a body', async () => {
  const answer = await admin.send('HEAD', '/graphql?query={__typename}');
  expect([answer.status, answer.headers.get('content-type'), answer.body]).toEqual([
    200,
    'application/json; charset=utf-8',
    '',
  ]);
});
