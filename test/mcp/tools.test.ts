import { beforeEach, expect, test } from 'vitest';
import { Client } from '../client.ts';
import { asked, grouped, QUESTIONS } from '../insight/conversations/conversations.ts';
import { siteWith } from '../publishing/arrange.ts';
import { spaceWith } from '../publishing/reader-world.ts';
import { settled } from '../settled.ts';
import { world } from '../world.ts';
import { McpAgent } from './agent.ts';

const { app, admin, commenter, editor, outsider, reader, reviewer, organizationId } = await world();

const agent = new McpAgent(admin);
let spaceId = '';
let pageIds: string[] = [];

beforeEach(async () => {
  ({ spaceId, pageIds } = await spaceWith(admin, organizationId, 'Guides', [
    { title: 'Buffers', document: { markdown: 'A buffer has chunks.\n\n## Setup\n\nInstall it.\n' } },
    { title: 'Queues', document: { markdown: 'A queue has [a link](https://example.com).\n' } },
  ]));
});

const newChangeRequest = async (by = agent): Promise<string> =>
  (await by.call('createChangeRequest', { spaceId, subject: 'Better words' })).id;

const textOf = async (changeRequestId: string, pageId = pageIds[0]) =>
  (await agent.call('getPage', { spaceId, changeRequestId, pageId })).text;

test('lists organizations, spaces, sites and members', async () => {
  expect((await agent.call('listOrganizations', {})).items).toMatchObject([{ id: organizationId, title: 'Acme' }]);
  const spaces = (await agent.call('listSpaces', { organizationId })).items;
  expect(spaces.map(({ id }: { id: string }) => id)).toContain(spaceId);
  const site = await siteWith(admin, organizationId, { title: 'Docs', spaces: [spaceId] });
  expect((await agent.call('listSites', { organizationId })).items[0].id).toBe(site.path.split('/').at(-1));
  const members = (await agent.call('listMembers', { organizationId })).items;
  expect(members.map(({ id }: { id: string }) => id)).toContain(reviewer.userId);
});

test('searches a space, a site and an organization', async () => {
  const siteId = (await siteWith(admin, organizationId, { title: 'Found', spaces: [spaceId] })).path.split('/').at(-1);
  const { items } = await agent.call('search', { query: 'chunks', spaceId });
  expect(items).toMatchObject([
    { spaceId, pages: [{ id: pageIds[0], sections: [{ body: expect.stringContaining('chunks') }] }] },
  ]);
  const all = (await agent.call('search', { query: 'chunks', organizationId })).items;
  expect(all.map((item: { spaceId: string }) => item.spaceId)).toContain(spaceId);
  expect((await agent.call('search', { query: 'chunks', organizationId, siteId })).items).toMatchObject([{ spaceId }]);
});

test('reads pages by ID and path, their outline, history and tree', async () => {
  const byPath = await agent.call('getPage', { spaceId, path: 'buffers' });
  expect(byPath).toMatchObject({ id: pageIds[0], title: 'Buffers', from: 1, lineCount: 5 });
  const lines = await agent.call('getPage', { spaceId, pageId: pageIds[0], fromLine: 3, toLine: 3 });
  expect([lines.text, lines.nextLine]).toEqual(['## Setup\n', 4]);
  const section = await agent.call('getPage', { spaceId, pageId: pageIds[0], anchor: 'setup' });
  expect([section.text, section.nextLine]).toEqual(['## Setup\n\nInstall it.\n', undefined]);
  const wrong = await agent.try('getPage', { spaceId, pageId: pageIds[0], anchor: 'absent' });
  expect(wrong.text).toMatch(/^BAD_USER_INPUT: anchor: .*first anchors are setup/);
  const outline = await agent.call('getPageOutline', { spaceId, path: 'buffers', blocks: true });
  expect(outline.headings[0].version).toBe(section.sectionVersion);
  expect(outline.headings).toMatchObject([{ title: 'Setup', anchor: 'setup', from: 3, to: 5 }]);
  expect(outline.blocks).toHaveLength(3);
  expect((await agent.call('getPageOutline', { spaceId, path: 'buffers' })).blocks).toBeUndefined();
  expect((await agent.call('listRevisions', { spaceId })).items[0]).toMatchObject({
    summary: { pages: { created: 2 } },
  });
  expect((await agent.call('listPages', { spaceId })).items.map(({ id }: { id: string }) => id)).toEqual(pageIds);
});

test('edits passages, sections, blocks and fields of pages in a change request, not in the space', async () => {
  const changeRequestId = await newChangeRequest();
  const name = { spaceId, changeRequestId };
  const [page] = pageIds;
  const edits = [{ find: 'chunks', replaceWith: 'parts' }];
  const tried = await agent.call('editPageText', { ...name, changes: [{ page, edits }], dryRun: true });
  expect(tried.preview.pages[0].diff).toContain('+A buffer has parts.');
  expect(await textOf(changeRequestId)).toContain('chunks');
  await agent.call('editPageText', { ...name, changes: [{ page, edits }] });
  await agent.call('editPageSection', { ...name, changes: [{ page, anchor: 'setup', append: 'Start it.' }] });
  const { blocks } = await agent.call('getPageOutline', { ...name, pageId: page, blocks: true });
  const insert = { beforeKey: blocks[0].key, document: { markdown: 'First.' } };
  await agent.call('editPageBlocks', { ...name, changes: [{ page, edits: [{ insert }] }] });
  await agent.call('updatePage', { ...name, changes: [{ page, title: 'Stacks' }] });
  expect(await textOf(changeRequestId)).toBe('First.\n\nA buffer has parts.\n\n## Setup\n\nInstall it.\n\nStart it.\n');
  expect((await agent.call('getPage', { spaceId, pageId: page })).text).toContain('chunks');
  const diff = (await agent.call('getChangeRequestDiff', name)).items;
  expect(diff).toMatchObject([
    { pageId: page, title: 'Stacks', effect: 'updated', diff: expect.stringContaining('+First.') },
  ]);
});

test('inserts and moves pages', async () => {
  const changeRequestId = await newChangeRequest();
  const name = { spaceId, changeRequestId };
  const changes = [
    { title: 'Parent', ref: 'parent', document: { markdown: 'New.' } },
    { title: 'Child', into: 'parent' },
  ];
  const made = await agent.call('insertPage', { ...name, changes });
  const [parent, child] = made.changes.map(({ page }: { page: string }) => page);
  await agent.call('movePage', { ...name, changes: [{ page: pageIds[1], into: parent, at: 0 }] });
  const { items } = await agent.call('listPages', name);
  expect(items.map(({ id, parentId }: Record<string, string>) => [id, parentId])).toEqual([
    [pageIds[0], undefined],
    [parent, undefined],
    [pageIds[1], parent],
    [child, parent],
  ]);
});

test('edits that do not apply are results with the place and the remedy, and change nothing', async () => {
  const changeRequestId = await newChangeRequest();
  const edit = (change: object) =>
    agent.try('editPageText', { spaceId, changeRequestId, changes: [{ page: pageIds[0], ...change }] });
  const edits = [{ find: 'chunk', replaceWith: 'part' }];
  const fault = async (change: object) => {
    const { isError, text } = await edit(change);
    expect(isError).toBe(true);
    return text;
  };
  expect(await fault({ edits: [{ find: 'A buffer has chunk.', replaceWith: '' }] })).toMatch(
    /nearest lines are line 1/,
  );
  expect(await fault({ edits, version: 'stale' })).toMatch(/^CONFLICT: .*Read it again/s);
  expect(await fault({ edits: [{ find: 'x'.repeat(20_001), replaceWith: '' }] })).toMatch(/changes\.0\.edits\.0\.find/);
  expect(await fault({ edits: Array.from({ length: 101 }, () => edits[0]) })).toMatch(/changes\.0\.edits/);
  expect(await fault({ edits, page: 'page_unknown' })).toMatch(/^(NOT_FOUND|BAD_USER_INPUT): /);
  expect(await textOf(changeRequestId)).toContain('chunks');
});

test('files are downloaded through the guarded client only', async () => {
  const changeRequestId = await newChangeRequest();
  const files = [{ name: 'a.png', url: 'http://127.0.0.1:1/a.png' }];
  const { isError, text } = await agent.try('addFilesFromUrls', { spaceId, changeRequestId, changes: [{ files }] });
  expect([isError, text]).toEqual([true, expect.stringMatching(/^BAD_USER_INPUT: changes\.0\.files\.0\.url/)]);
});

test('lists broken links of a space and a change request', async () => {
  const changeRequestId = await newChangeRequest();
  const edits = [{ find: 'Install it.', replaceWith: 'See [gone](absent.md).' }];
  await agent.call('editPageText', { spaceId, changeRequestId, changes: [{ page: pageIds[0], edits }] });
  expect((await agent.call('listBrokenLinks', { spaceId })).items).toEqual([]);
  const { items } = await agent.call('listBrokenLinks', { spaceId, changeRequestId });
  expect(items).toMatchObject([{ locationId: pageIds[0], locationKind: 'page' }]);
});

test('comments, replies, resolves and reopens', async () => {
  const changeRequestId = await newChangeRequest();
  const name = { spaceId, changeRequestId };
  const { id: commentId } = await agent.call('postComment', { ...name, markdown: 'Is it so?', pageId: pageIds[0] });
  await agent.call('replyToComment', { ...name, commentId, markdown: 'Yes.' });
  expect((await agent.call('listComments', name)).items).toMatchObject([
    { id: commentId, replies: 1, status: 'open', target: { page: { id: pageIds[0] } } },
  ]);
  expect((await agent.call('listCommentReplies', { ...name, commentId })).items[0].body.markdown).toBe('Yes.');
  expect((await agent.call('resolveComment', { ...name, commentId })).status).toBe('resolved');
  expect((await agent.call('listComments', name)).items).toEqual([]);
  expect((await agent.call('resolveComment', { ...name, commentId, resolved: false })).status).toBe('open');
  await agent.call('postComment', { spaceId, markdown: 'On the space.' });
  expect((await agent.call('listComments', { spaceId })).items).toHaveLength(1);
});

test('comments on a block', async () => {
  const name = { spaceId, changeRequestId: await newChangeRequest() };
  const [pageId] = pageIds;
  const { blocks } = await agent.call('getPageOutline', { ...name, pageId, blocks: true });
  const target = { page: { id: pageId }, node: { id: blocks[0].key } };
  const on = { pageId, block: blocks[0].key };
  const { id: commentId, ...posted } = await agent.call('postComment', { ...name, ...on, markdown: 'Is it so?' });
  expect(posted).toMatchObject({ target });
  expect((await agent.call('listComments', name)).items).toMatchObject([{ id: commentId, target }]);
  expect(await agent.call('resolveComment', { ...name, commentId })).toMatchObject({ status: 'resolved', target });
});

test('asks for reviews, and lists and gets change requests', async () => {
  const changeRequestId = await newChangeRequest();
  const name = { spaceId, changeRequestId };
  const asked = { users: [reviewer.userId], subject: 'Please review', description: 'Fewer **words**.' };
  expect((await agent.call('requestReview', { ...name, ...asked })).users[0].user.id).toBe(reviewer.userId);
  expect((await agent.call('getChangeRequest', name)).subject).toBe('Please review');
  expect((await agent.call('listChangeRequests', { spaceId })).items[0]).toMatchObject({
    id: changeRequestId,
    status: 'draft',
  });
  expect((await agent.call('updateChangeRequest', { ...name, status: 'open' })).status).toBe('open');
  expect((await agent.call('listChangeRequests', { spaceId, status: 'draft' })).items).toEqual([]);
});

test('conflicts are data with a remedy, and are resolved in one call', async () => {
  const changeRequestId = await newChangeRequest();
  const name = { spaceId, changeRequestId };
  const edit = (replaceWith: string) => [{ page: pageIds[0], edits: [{ find: 'chunks', replaceWith }] }];
  await agent.call('editPageText', { ...name, changes: edit('parts') });
  const changes = [{ operation: 'edit_page_text', ...edit('pieces')[0] }];
  expect((await admin.post(`/v1/spaces/${spaceId}/content`, { changes })).status).toBe(200);
  expect((await agent.call('getChangeRequest', name)).outdated).toBe(true);
  const { data: pulled, remedy } = await agent.try('updateFromMain', name);
  expect([pulled.result, remedy]).toEqual(['conflicts', expect.stringContaining('resolveConflicts')]);
  expect(pulled.conflicts[0].ours).toContain('parts');
  expect(pulled.conflicts[0].theirs).toContain('pieces');
  const { data: state, ...beside } = await agent.try('getMergeability', name);
  expect(state).toMatchObject({ mergeable: false, conflictsCount: 1, hasMoreConflicts: false });
  expect([state.conflicts.length, beside.remedy]).toEqual([1, remedy]);
  const resolutions = [{ conflictId: pulled.conflicts[0].id, markdown: 'A buffer has parts and pieces.' }];
  expect((await agent.call('resolveConflicts', { ...name, resolutions })).result).toBe('update');
  expect(await textOf(changeRequestId)).toContain('parts and pieces');
  expect((await agent.call('getMergeability', name)).mergeable).toBe(true);
  expect((await agent.try('resolveConflicts', { ...name, resolutions })).text).toMatch(
    /^CONFLICT: .*Load the conflicts again/,
  );
});

test('lists clusters of questions, and a change request can name one', async () => {
  const conversations = QUESTIONS.map((body, index) => asked(`q${index}`, body));
  expect((await admin.post(`/v1/orgs/${organizationId}/conversations`, conversations)).status).toBe(204);
  await grouped({ app, organizationId });
  const { items } = await agent.call('listQuestionClusters', { organizationId, limit: 2 });
  expect(items).toMatchObject([{ stats: { issues: 4 } }, { stats: { issues: 4 } }]);
  const named = { spaceId, subject: 'Explain', questionClusterId: items[0].id };
  expect((await agent.call('createChangeRequest', named)).subject).toBe('Explain');
});

test('weaker roles are refused what their role does not allow, and outsiders find nothing', async () => {
  const changeRequestId = await newChangeRequest();
  const name = { spaceId, changeRequestId };
  const changes = [{ page: pageIds[0], edits: [{ find: 'chunks', replaceWith: 'parts' }] }];
  const codeOf = async (client: typeof admin, tool: string, given: object) => {
    const { isError, text } = await new McpAgent(client).try(tool, given);
    return isError ? text.split(':')[0] : 'ok';
  };
  expect(await codeOf(reader, 'createChangeRequest', { spaceId, subject: 'No' })).toBe('FORBIDDEN');
  expect(await codeOf(commenter, 'editPageText', { ...name, changes })).toBe('FORBIDDEN');
  expect(await codeOf(reader, 'postComment', { ...name, markdown: 'No' })).toBe('FORBIDDEN');
  expect(await codeOf(commenter, 'postComment', { ...name, markdown: 'Yes' })).toBe('ok');
  expect(await codeOf(editor, 'editPageText', { ...name, changes })).toBe('ok');
  expect(await codeOf(reader, 'getPage', { spaceId, pageId: pageIds[0] })).toBe('ok');
  expect(await codeOf(reader, 'listBrokenLinks', { spaceId })).toBe('ok');
  const resolutions = [{ conflictId: 'x', choice: 'ours' }];
  const all: [string, object][] = [
    ['listSpaces', { organizationId }],
    ['listSites', { organizationId }],
    ['listMembers', { organizationId }],
    ['search', { query: 'chunks', spaceId }],
    ['search', { query: 'chunks', organizationId }],
    ['listPages', { spaceId }],
    ['getPage', { spaceId, path: 'buffers' }],
    ['getPageOutline', { spaceId, pageId: pageIds[0] }],
    ['listRevisions', { spaceId }],
    ['listBrokenLinks', { spaceId }],
    ['listBrokenLinks', name],
    ['listQuestionClusters', { organizationId }],
    ['listChangeRequests', { spaceId }],
    ['getChangeRequest', name],
    ['getChangeRequestDiff', name],
    ['getMergeability', name],
    ['listComments', name],
    ['createChangeRequest', { spaceId, subject: 'No' }],
    ['editPageText', { ...name, changes }],
    ['insertPage', { ...name, changes: [{ title: 'No' }] }],
    ['updateChangeRequest', { ...name, status: 'open' }],
    ['updateFromMain', name],
    ['resolveConflicts', { ...name, resolutions }],
    ['requestReview', { ...name, users: [outsider.userId] }],
    ['postComment', { ...name, markdown: 'No' }],
  ];
  const codes = await Promise.all(all.map(async ([tool, given]) => `${tool} ${await codeOf(outsider, tool, given)}`));
  expect(codes.filter((code) => !code.endsWith(' NOT_FOUND'))).toEqual([]);
});

async function restricted(scopes: string[]): Promise<McpAgent> {
  const { secret } = await admin.mutate('createApiToken', { label: 'Agent', scopes }, 'secret');
  return new McpAgent(new Client(admin.url, secret));
}

const toolsOf = async (own: McpAgent): Promise<string[]> =>
  (await own.send({ method: 'tools/list' })).body.result.tools.map(({ name }: { name: string }) => name);

test('merges only with a token that names the scope', async () => {
  const changeRequestId = await newChangeRequest();
  const name = { spaceId, changeRequestId };
  const changes = [{ page: pageIds[0], edits: [{ find: 'chunks', replaceWith: 'parts' }] }];
  await agent.call('editPageText', { ...name, changes });
  for (const own of [agent, await restricted(['PROPOSE', 'WRITE', 'ADMIN'])]) {
    expect(await toolsOf(own)).not.toContain('mergeChangeRequest');
    const called = { name: 'mergeChangeRequest', arguments: name };
    expect((await own.send({ method: 'tools/call', params: called })).body.error.code).toBe(-32602);
  }
  const merger = await restricted(['MERGE']);
  expect(await toolsOf(merger)).toContain('mergeChangeRequest');
  const tried = await merger.call('mergeChangeRequest', { ...name, dryRun: true });
  expect(tried.preview.pages[0].diff).toContain('+A buffer has parts.');
  expect((await agent.call('getPage', { spaceId, pageId: pageIds[0] })).text).toContain('chunks');
  expect(await merger.call('mergeChangeRequest', name)).toMatchObject({ result: 'merge' });
  expect((await agent.call('getPage', { spaceId, pageId: pageIds[0] })).text).toContain('parts');
});

test('returns the conflicts of a merge as data with the remedy', async () => {
  const changeRequestId = await newChangeRequest();
  const edit = (replaceWith: string) => [{ page: pageIds[0], edits: [{ find: 'chunks', replaceWith }] }];
  await agent.call('editPageText', { spaceId, changeRequestId, changes: edit('parts') });
  await (await restricted(['WRITE'])).call('editPageText', { spaceId, changes: edit('pieces') });
  const merged = await (await restricted(['MERGE'])).try('mergeChangeRequest', { spaceId, changeRequestId });
  expect([merged.data.result, merged.remedy]).toEqual(['conflicts', expect.stringContaining('resolveConflicts')]);
});

test('edits a space itself only with a token that names the scope', async () => {
  const changes = [{ page: pageIds[0], edits: [{ find: 'chunks', replaceWith: 'parts' }] }];
  for (const own of [agent, await restricted(['PROPOSE', 'MERGE', 'ADMIN'])]) {
    const { text } = await own.try('editPageText', { spaceId, changes });
    expect(text).toMatch(/^FORBIDDEN: Send changeRequestId\. .*scope "write"/);
  }
  const writer = await restricted(['WRITE']);
  const edited = await writer.call('editPageText', { spaceId, changes });
  expect([edited.changeRequest, edited.revision]).toEqual([undefined, expect.stringMatching(/^rev_/)]);
  expect((await agent.call('getPage', { spaceId, pageId: pageIds[0] })).text).toContain('parts');
  const { text } = await writer.try('createChangeRequest', { spaceId, subject: 'No' });
  expect(text).toMatch(/^FORBIDDEN: .*scope "propose"/);
});

const audit = async (client = admin) => {
  await settled(app.services.db);
  const { body } = await client.get(`/v1/orgs/${organizationId}/audit-events?type=agent_tool_called&limit=3`);
  return body.items;
};

test('audits every call with its tool and the name of the client, of failed calls too', async () => {
  await agent.call('listPages', { spaceId });
  expect((await audit())[0]).toMatchObject({
    actor: admin.userId,
    space: spaceId,
    client: { kind: 'token', tool: 'listPages', name: 'node', apiTokenId: expect.stringMatching(/^token_/) },
  });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'Editor\u0000', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'getPage' };
  const params = { name: 'getPage', arguments: { organizationId, path: 7 }, _meta };
  expect((await agent.send({ method: 'tools/call', params }, headers)).body.result.isError).toBe(true);
  expect((await audit())[0].client).toMatchObject({ tool: 'getPage', name: 'Editor ' });
  await agent.call('listOrganizations', {});
  expect((await audit())[0]).toMatchObject({ client: { tool: 'listOrganizations' }, ids: { userId: admin.userId } });
});

test('calls of outsiders are no events of the organization that they name', async () => {
  const before = await audit();
  const site = await siteWith(admin, organizationId, { title: 'Open', spaces: [spaceId] });
  expect((await admin.post(`${site.path}/publish`)).status).toBe(200);
  const own = new McpAgent(outsider);
  expect((await own.try('getPage', { spaceId, pageId: pageIds[0] })).isError).toBe(false);
  await own.try('listSpaces', { organizationId });
  expect(await audit()).toEqual(before);
});
