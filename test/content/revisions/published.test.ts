import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { world } from '../../world.ts';

const { admin, editor, reader, guest, anonymous, organizationId, app } = await world();

let spaceId: string;
let first: string;
let head: string;
let draft: string;

beforeAll(async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Shown' }, 'space { id }');
  spaceId = space.id;
  const write = async (markdown: string) => {
    const input = { spaceId, changes: [{ insertPage: { title: 'Page', document: { markdown } } }] };
    return (await admin.mutate('updateSpaceContent', input, 'revision { id }')).revision.id;
  };
  first = await write('The password is hunter2.');
  head = await write('Nothing to see.');
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const changes = [{ insertPage: { title: 'Draft' } }];
  draft = (
    await editor.mutate('updateChangeRequestContent', { changeRequestId: changeRequest.id, changes }, 'revision { id }')
  ).revision.id;
  // The modules that publish sites do not exist yet, so their rows are inserted.
  const site = { id: newId('site'), organizationId, title: 'Help', isPublished: true };
  await app.services.db.insertInto('site').values(site).execute();
  const link = {
    id: newId('sitespace'),
    organizationId,
    siteId: site.id,
    spaceId,
    path: 'help',
    rank: 'a',
  };
  await app.services.db.insertInto('site_space').values(link).execute();
});

test('everyone can read the head of a published space', async () => {
  expect((await anonymous.get(`/v1/spaces/${spaceId}`)).status).toBe(200);
  expect((await anonymous.get(`/v1/spaces/${spaceId}/revisions/${head}`)).status).toBe(200);
  const { body } = await anonymous.get(`/v1/spaces/${spaceId}/content/pages`);
  expect(body.pages).toHaveLength(3);
});

test('but not its history, drafts and authors', async () => {
  for (const client of [anonymous, guest]) {
    for (const revision of [first, draft]) {
      expect((await client.get(`/v1/spaces/${spaceId}/revisions/${revision}`)).status).toBe(404);
    }
  }
  const query = `query($id: ID!, $old: ID!, $page: ID!) {
    space(id: $id) { revision { createdBy { displayName } parents { id } } revisions { totalCount } }
    old: node(id: $old) { id }
  }`;
  const data = await guest.graphql(query.replace(', $page: ID!', ''), { id: spaceId, old: first });
  expect(data).toEqual({
    space: { revision: { createdBy: null, parents: [null] }, revisions: { totalCount: 0 } },
    old: null,
  });
  expect((await reader.get(`/v1/spaces/${spaceId}/revisions/${first}`)).status).toBe(200);
});
