import { expect, test } from 'vitest';
import { expectShape } from '../../shapes.ts';
import { world } from '../../world.ts';

const { admin, organizationId } = await world();

const MARKDOWN =
  '{% updates format="full" %}\n{% update date="2026-04-09" tags="api,ai" %}\n### Faster\n\nMuch.\n{% endupdate %}\n{% endupdates %}\n';

test('a changelog is read and written as Markdown and as JSON, in the form of the newest clients', async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'News', empty: true }, 'space { id }');
  const insert = async (title: string, document: object) => {
    const changes = [{ insertPage: { title, document } }];
    return (await admin.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'pageIds')).pageIds[0] as string;
  };
  const read = async (pageId: string) => {
    const query = `query ($id: ID!, $page: ID!) {
      space(id: $id) { revision { page(pageId: $page) { ... on DocumentPage { markdown document } } } } }`;
    return (await admin.graphql(query, { id: space.id, page: pageId })).space.revision.page;
  };
  const first = await insert('Written', { markdown: MARKDOWN });
  const { markdown, document } = await read(first);
  expect(markdown).toBe(MARKDOWN);
  expect(document.nodes[0]).toMatchObject({
    type: 'updates',
    data: { format: 'full' },
    nodes: [
      {
        type: 'update',
        data: {
          date: '2026-04-09T00:00:00.000Z',
          tags: [
            { kind: 'tag', tag: 'api' },
            { kind: 'tag', tag: 'ai' },
          ],
        },
      },
    ],
  });
  const second = await insert('Posted', { document });
  const { revision } = (await admin.get(`/v1/spaces/${space.id}`)).body;
  const again = await admin.get(`/v1/spaces/${space.id}/revisions/${revision}/page/${second}/document`);
  expect(again.status).toBe(200);
  expectShape('getPageDocumentInRevisionById', again.status, again.body, { beyond: true });
  expect(again.body.nodes[0].nodes[0].data).toEqual(document.nodes[0].nodes[0].data);
});

test.each([
  [{ date: 'soon' }, 'date'],
  [{}, 'date'],
])('an update with the data %j is refused at its place', async (data, property) => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'News', empty: true }, 'space { id }');
  const nodes = [{ object: 'block', type: 'paragraph', nodes: [] }];
  const update = { object: 'block', type: 'update', data, nodes };
  const updates = { object: 'block', type: 'updates', data: { format: 'full' }, nodes: [update] };
  const document = { object: 'document', data: { schemaVersion: 8 }, nodes: [updates] };
  const changes = [{ operation: 'insert_page', title: 'News', document: { document } }];
  const { status, body } = await admin.post(`/v1/spaces/${space.id}/content`, { changes });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(`nodes.0.nodes.0.data.${property}`)]);
});
