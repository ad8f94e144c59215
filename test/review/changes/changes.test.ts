import { beforeAll, expect, test } from 'vitest';
import { statementsOf } from '../../client.ts';
import { world } from '../../world.ts';

const { admin, editor, reader, outsider, anonymous, organizationId } = await world();

let spaceId: string;
let changeRequestId: string;
let ids: Record<string, string>;

const edit = (changes: unknown[], changeRequest?: string) =>
  changeRequest === undefined
    ? editor.mutate('updateSpaceContent', { spaceId, changes }, 'revision { id } pageIds')
    : editor.mutate(
        'updateChangeRequestContent',
        { changeRequestId: changeRequest, changes },
        'revision { id } pageIds',
      );

const file = (name: string, text: string) => ({ name, base64: Buffer.from(text).toString('base64') });

beforeAll(async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Docs', empty: true }, 'space { id }');
  spaceId = space.id;
  const { pageIds } = await edit([
    { insertPage: { title: 'Guide', ref: 'guide', document: { markdown: 'One two three.\n\nStays.\n\nGoes.' } } },
    { insertPage: { title: 'Below', parentId: 'guide' } },
    { insertPage: { title: 'Old' } },
    { insertFiles: { files: [file('a.txt', 'a'), file('b.txt', 'b')] } },
    { insertReusableContent: { title: 'Shared', document: { markdown: 'Shared one.' } } },
    { setVariables: { variables: { version: 1, gone: true } } },
  ]);
  const { body } = await reader.get(`/v1/spaces/${spaceId}/content`);
  const [guide = '', below = '', old = ''] = pageIds;
  ids = { guide, below, old, a: body.files[0].id, b: body.files[1].id, shared: body.reusableContents[0].id };
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  changeRequestId = changeRequest.id;
  const { a: fileId, b, shared: reusableContentId } = ids;
  await edit(
    [
      {
        updatePage: {
          pageId: guide,
          title: 'Manual',
          description: 'All of it.',
          document: { markdown: '# New\n\nOne 2 three.\n\nStays.' },
        },
      },
      { movePage: { pageId: below, parentId: null } },
      { deletePage: { pageId: old } },
      { insertPage: { title: 'News' } },
      { updateFile: { fileId, name: 'c.txt' } },
      { deleteFile: { fileId: b } },
      { insertFiles: { files: [file('d.txt', 'd')] } },
      { updateReusableContent: { reusableContentId, document: { markdown: 'Shared 1.' } } },
      { insertReusableContent: { title: 'Another' } },
      { setVariables: { variables: { version: 2, gone: null, fresh: 'x' } } },
    ],
    changeRequestId,
  );
});

const fields = `__typename targetId
  ... on PageEdited {
    page { pageId title path } before { title path } fields { name before after }
    blocks { kind before after words { change text } } markdown
  }
  ... on PageCreated { page { pageId title path } }
  ... on PageMoved { page { pageId } from { path } to { path } fromParent { title } toParent { title } }
  ... on PageDeleted { page { pageId title revision { id } } }
  ... on FileCreated { file { name } }
  ... on FileEdited { file { name } before { name } }
  ... on FileDeleted { file { name } }
  ... on ReusableContentCreated { reusableContent { title } }
  ... on ReusableContentEdited { reusableContent { title } blocks { kind before after } markdown }
  ... on VariablesEdited { variables { name before after } }`;

const changesOf = async (id: string, client = reader, paging = 'first: 50') => {
  const query = `query ($id: ID!) { changeRequest(id: $id) { changes(${paging}) {
    totalCount pageInfo { hasNextPage endCursor } nodes { ${fields} } } } }`;
  return (await client.graphql(query, { id })).changeRequest.changes;
};

test('lists the changes of a change request in page order, down to words', async () => {
  const { totalCount, nodes } = await changesOf(changeRequestId);
  const { guide, below, old } = ids;
  expect(nodes).toMatchObject([
    {
      __typename: 'PageEdited',
      targetId: guide,
      page: { pageId: guide, title: 'Manual', path: 'guide' },
      before: { title: 'Guide' },
      fields: [
        { name: 'description', before: null, after: 'All of it.' },
        { name: 'document', before: expect.stringMatching(/^doc_/), after: expect.stringMatching(/^doc_/) },
        { name: 'title', before: 'Guide', after: 'Manual' },
      ],
      blocks: [
        { kind: 'ADDED', before: null, after: '## New\n', words: null },
        {
          kind: 'EDITED',
          before: 'One two three.\n',
          after: 'One 2 three.\n',
          words: [
            { change: 'SAME', text: 'One ' },
            { change: 'DELETED', text: 'two' },
            { change: 'ADDED', text: '2' },
            { change: 'SAME', text: ' three.' },
          ],
        },
        { kind: 'DELETED', before: 'Goes.\n', after: null },
      ],
      markdown: expect.stringContaining('One <mark style="color:red;">~~two~~</mark>'),
    },
    {
      __typename: 'PageMoved',
      page: { pageId: below },
      from: { path: 'guide/below' },
      to: { path: 'below' },
      fromParent: { title: 'Guide' },
      toParent: null,
    },
    { __typename: 'PageDeleted', page: { pageId: old, title: 'Old' } },
    { __typename: 'PageCreated', page: { title: 'News', path: 'news' } },
    { __typename: 'FileCreated', file: { name: 'd.txt' } },
    { __typename: 'FileEdited', file: { name: 'c.txt' }, before: { name: 'a.txt' } },
    { __typename: 'FileDeleted', file: { name: 'b.txt' } },
    { __typename: 'ReusableContentCreated', reusableContent: { title: 'Another' } },
    {
      __typename: 'ReusableContentEdited',
      blocks: [{ kind: 'EDITED', before: 'Shared one.\n', after: 'Shared 1.\n' }],
    },
    {
      __typename: 'VariablesEdited',
      targetId: null,
      variables: [
        { name: 'fresh', before: null, after: 'x' },
        { name: 'gone', before: true, after: null },
        { name: 'version', before: 1, after: 2 },
      ],
    },
  ]);
  expect(totalCount).toBe(10);
});

test('pages through changes', async () => {
  const first = await changesOf(changeRequestId, reader, 'first: 4');
  expect(first).toMatchObject({ totalCount: 10, pageInfo: { hasNextPage: true } });
  const rest = await changesOf(changeRequestId, reader, `first: 50, after: "${first.pageInfo.endCursor}"`);
  expect(rest.pageInfo.hasNextPage).toBe(false);
  const whole = await changesOf(changeRequestId);
  expect([...first.nodes, ...rest.nodes]).toEqual(whole.nodes);
  const last = await changesOf(changeRequestId, reader, 'last: 2');
  expect(last.nodes).toEqual(whole.nodes.slice(-2));
});

test('REST returns the first ten changes and the number of further ones', async () => {
  const path = `/v1/spaces/${spaceId}/change-requests/${changeRequestId}/changes`;
  const { status, body } = await reader.get(path);
  expect([status, body.more, body.changes.length]).toEqual([200, 0, 10]);
  const { guide, below, a } = ids;
  expect(body.changes[0]).toMatchObject({
    type: 'page_edited',
    page: { id: guide, type: 'document', title: 'Manual', path: 'guide' },
    attributes: { title: { before: 'Guide', after: 'Manual' }, description: { after: 'All of it.' } },
  });
  expect(body.changes[0].attributes.description).not.toHaveProperty('before');
  expect(body.changes[1]).toMatchObject({ type: 'page_moved', page: { id: below }, parent: { before: { id: guide } } });
  expect(body.changes[5]).toMatchObject({
    type: 'file_edited',
    file: { id: a },
    attributes: { name: { before: 'a.txt', after: 'c.txt' } },
  });
  expect(body.changes[8]).toMatchObject({ type: 'reusable_content_edited', attributes: { document: {} } });
  expect(body.changes[9]).toEqual({
    type: 'variables_edited',
    variables: { fresh: { after: 'x' }, gone: { before: true }, version: { before: 1, after: 2 } },
  });
  const { body: cut } = await reader.get(`${path}?limit=3`);
  expect([cut.changes.length, cut.more]).toEqual([3, 7]);
  expect((await reader.get(`${path}?limit=101`)).status).toBe(400);
});

test('compares a revision with its first parent; everything in the first revision is new', async () => {
  const { space } = await admin.mutate(
    'createSpace',
    { organizationId, title: 'Small' },
    'space { id revision { id } }',
  );
  const { updateSpaceContent } = await editor.graphql(
    `mutation ($input: UpdateSpaceContentInput!) { updateSpaceContent(input: $input) { revision {
      id changes { totalCount nodes { __typename } } parents { changes { nodes { __typename } } } } } }`,
    {
      input: {
        spaceId: space.id,
        changes: [{ insertPage: { title: 'Two' } }, { setVariables: { variables: { a: 1 } } }],
      },
    },
  );
  expect(updateSpaceContent.revision.changes).toEqual({
    totalCount: 2,
    nodes: [{ __typename: 'PageCreated' }, { __typename: 'VariablesEdited' }],
  });
  expect(updateSpaceContent.revision.parents).toEqual([{ changes: { nodes: [{ __typename: 'PageCreated' }] } }]);
  const path = `/v1/spaces/${space.id}/revisions/${updateSpaceContent.revision.id}/changes`;
  expect((await reader.get(path)).body).toMatchObject({ more: 0, changes: [{ type: 'page_created' }, {}] });
});

test('leaves out changes of the space since the change request was created', async () => {
  const before = await changesOf(changeRequestId);
  await edit([{ insertPage: { title: 'On main' } }]);
  expect(await changesOf(changeRequestId)).toEqual(before);
});

test('requires a role on the space', async () => {
  const { body } = await reader.get(`/v1/spaces/${spaceId}/content`);
  for (const path of [`change-requests/${changeRequestId}`, `revisions/${body.id}`]) {
    expect((await outsider.get(`/v1/spaces/${spaceId}/${path}/changes`)).status).toBe(404);
    expect((await anonymous.get(`/v1/spaces/${spaceId}/${path}/changes`)).status).toBe(401);
  }
  expect((await reader.get(`/v1/spaces/${spaceId}/revisions/rev_01h455vb4pex5vsknk084sn02q/changes`)).status).toBe(404);
});

test('reads the changes of many revisions in one batch', async () => {
  for (let each = 0; each < 8; each++) await edit([{ insertPage: { title: `Page ${each}` } }]);
  const query = (first: number) => `query ($id: ID!) { space(id: $id) { revisions(first: ${first}) {
    nodes { changes(first: 5) { nodes { targetId ... on PageCreated { page { title } } } } } } } }`;
  const few = statementsOf(await reader.graphqlRaw(query(3), { id: spaceId }));
  const many = statementsOf(await reader.graphqlRaw(query(8), { id: spaceId }));
  expect(many).toBe(few);
});

test('a large body is marked like a small one', async () => {
  const paragraphs = (word: string) =>
    Array.from({ length: 700 }, (_, index) => `${word} ${index} ${'of many '.repeat(8)}`);
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Large', empty: true }, 'space { id }');
  const write = (markdown: string) => ({ document: { markdown } });
  const input = {
    spaceId: space.id,
    changes: [{ insertPage: { title: 'Long', ...write(paragraphs('Old').join('\n\n')) } }],
  };
  const { pageIds } = await editor.mutate('updateSpaceContent', input, 'pageIds');
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId: space.id }, 'changeRequest { id }');
  const changes = [{ updatePage: { pageId: pageIds[0], ...write(paragraphs('New').join('\n\n')) } }];
  await edit(changes, changeRequest.id);
  const data = await reader.graphql(
    'query ($id: ID!) { changeRequest(id: $id) { changes { nodes { ... on PageEdited { markdown document } } } } }',
    { id: changeRequest.id },
  );
  const [{ markdown, document }] = data.changeRequest.changes.nodes;
  expect(markdown.match(/~~Old~~/g)).toHaveLength(700);
  expect(document.nodes).toHaveLength(700);
});
