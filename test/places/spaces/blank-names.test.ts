import { expect, test } from 'vitest';
import { aSpace } from '../../content/editing/arrange.ts';
import { world } from '../../world.ts';

const { admin, organizationId } = await world();
const { spaceId, pageId } = await aSpace(admin, organizationId);

const target = { kind: 'url', url: 'https://example.com' };
const file = { base64: 'YQ==' };
const change = (kind: string, members: object) => ({
  mutation: 'updateSpaceContent',
  input: { spaceId, changes: [{ [kind]: members }] },
});

/** What takes a name: in the graph, and through REST where an operation of its own is there. */
const writes = (name: string) => [
  { mutation: 'createSpace', input: { organizationId, title: name }, rest: `POST /v1/orgs/${organizationId}/spaces` },
  { mutation: 'updateSpace', input: { spaceId, title: name }, rest: `PATCH /v1/spaces/${spaceId}` },
  {
    mutation: 'createCollection',
    input: { organizationId, title: name },
    rest: `POST /v1/orgs/${organizationId}/collections`,
  },
  { mutation: 'createOrganization', input: { title: name }, rest: 'POST /v1/orgs' },
  {
    mutation: 'updateOrganization',
    input: { organizationId, title: name },
    rest: `PATCH /v1/orgs/${organizationId}`,
  },
  change('insertPage', { title: name }),
  change('insertPage', { kind: 'GROUP', title: name }),
  change('insertPage', { kind: 'LINK', title: name, target }),
  change('insertPage', { title: 'Page', linkTitle: name }),
  change('updatePage', { pageId, title: name }),
  change('insertReusableContent', { title: name, document: { markdown: 'Text' } }),
  change('insertFiles', { files: [{ ...file, name }] }),
];

test.each(['', ' ', '\u00a0\u3000'])('the name %j is refused, in the graph and over REST', async (blank) => {
  for (const { mutation, input, ...ways } of writes(blank)) {
    await expect(admin.mutate(mutation, input, 'clientMutationId'), mutation).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    });
    if (!('rest' in ways)) continue;
    const [method = '', path = ''] = String(ways.rest).split(' ');
    expect(await admin.send(method, path, { title: blank }), String(ways.rest)).toMatchObject({ status: 400 });
  }
});

test('the same input with a name is accepted', async () => {
  for (const { mutation, input } of writes('Guide')) await admin.mutate(mutation, input, 'clientMutationId');
});

test('blank titles of content are refused over REST', async () => {
  const changes = [{ operation: 'insert_page', title: ' ' }];
  const { status, body } = await admin.post(`/v1/spaces/${spaceId}/content`, { changes });
  expect(status).toBe(400);
  expect(body.error.message).toContain('must not be blank');
});

test('resources without a name get a default', async () => {
  for (const title of [null, undefined]) {
    const { status, body } = await admin.post(`/v1/orgs/${organizationId}/spaces`, { title });
    expect(status).toBe(201);
    expect(body).toMatchObject({ title: 'Untitled' });
  }
});

test('names are kept as they were given, white space included', async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: ' Guide ' }, 'space { title }');
  expect(space.title).toBe(' Guide ');
});
