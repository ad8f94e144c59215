import { beforeEach, expect, test } from 'vitest';
import { type SentStatement, sentStatements } from '../../sent-statements.ts';
import { untitled } from '../../without-title.ts';
import { world } from '../../world.ts';

const { admin, editor, organizationId } = await world();

let spaceId: string;
let pageId: string;
let changeRequestId: string;

beforeEach(async () => {
  const made = await admin.mutate(
    'createSpace',
    { organizationId, title: 'Docs' },
    'space { id revision { pages { ... on PageNode { pageId } } } }',
  );
  spaceId = made.space.id;
  pageId = made.space.revision.pages[0].pageId;
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  changeRequestId = changeRequest.id;
});

const shown = 'revision { id parents { id } } previousRevision { id } pageIds';

const editSpace = (changes: unknown[], more: Record<string, unknown> = {}) =>
  editor.mutate('updateSpaceContent', { spaceId, changes, ...more }, shown);

const editChangeRequest = (changes: unknown[], more: Record<string, unknown> = {}) =>
  editor.mutate('updateChangeRequestContent', { changeRequestId, changes, ...more }, shown);

const body = (markdown: string) => ({ updatePage: { pageId, document: { markdown } } });

const pageAt = async (revisionId: string, id = pageId) =>
  untitled((await editor.get(`/v1/spaces/${spaceId}/revisions/${revisionId}/page/${id}?format=markdown`)).body);

test.each([
  ['a space', editSpace],
  ['a change request', editChangeRequest],
])(
  'an edit of %s that changes nothing names the revision of others as the previous one, and has no new one',
  async (_name, edit) => {
    const { revision: base } = await edit([body('One.\n\nTwo.')]);
    const same = await edit([body('One.\n\nTwo.')], { baseRevisionId: base.id });
    expect(same).toMatchObject({ revision: { id: base.id }, previousRevision: { id: base.id } });
    const { revision: between, previousRevision } = await edit([body('One!\n\nTwo.')]);
    expect(previousRevision.id).toBe(base.id);
    const unchanged = await edit([body('One.\n\nTwo.')], { baseRevisionId: base.id });
    expect(unchanged).toMatchObject({ revision: { id: between.id }, previousRevision: { id: between.id } });
  },
);

test.each([
  ['a space', editSpace],
  ['a change request', editChangeRequest],
])('%s takes changes on top of an earlier revision, and keeps what was written since', async (_name, edit) => {
  const { revision: base } = await edit([body('One.\n\nTwo.\n\nThree.')]);
  const { revision: between } = await edit([
    body('One!\n\nTwo.\n\nThree.'),
    { insertPage: { title: 'In between' } },
    { updatePage: { pageId, description: 'Theirs' } },
  ]);
  const { revision, pageIds } = await edit(
    [
      body('One.\n\nTwo.\n\nThree!\n\nFour.'),
      { updatePage: { pageId, title: 'Ours' } },
      { insertPage: { title: 'Late' } },
    ],
    { baseRevisionId: base.id },
  );
  expect(revision.parents).toEqual([{ id: between.id }]);
  expect(await pageAt(revision.id)).toMatchObject({
    title: 'Ours',
    description: 'Theirs',
    markdown: 'One!\n\nTwo.\n\nThree!\n\nFour.\n',
  });
  const { body: content } = await editor.get(`/v1/spaces/${spaceId}/revisions/${revision.id}`);
  expect(content.pages.map(({ title }: { title: string }) => title)).toEqual(['Ours', 'In between', 'Late']);
  expect(await pageAt(revision.id, pageIds.at(-1))).toMatchObject({ title: 'Late' });
});

test('the merged content is in the head of the space, also by path', async () => {
  const { revision: base } = await editSpace([body('One.')]);
  await editSpace([{ insertPage: { title: 'News' } }]);
  const { revision } = await editSpace([{ insertPage: { title: 'News' } }], { baseRevisionId: base.id });
  const { body: second } = await editor.get(`/v1/spaces/${spaceId}/content/path/news-2`);
  expect(second).toMatchObject({ title: 'News', path: 'news-2' });
  const { body: head } = await editor.get(`/v1/spaces/${spaceId}/content`);
  expect(head.id).toBe(revision.id);
});

test('a conflict is refused with what both sides changed, and nothing is written', async () => {
  const { revision: base } = await editSpace([body('One.\n\nTwo.')]);
  const { revision: head } = await editSpace([
    body('One, theirs.\n\nTwo.'),
    { updatePage: { pageId, title: 'Theirs' } },
  ]);
  const late = [body('One, ours.\n\nTwo.'), { updatePage: { pageId, title: 'Ours' } }];
  const refused = editSpace(late, { baseRevisionId: base.id });
  await expect(refused).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(refused).rejects.toThrow(new RegExp(`page "${pageId}", field "title".*page "${pageId}", block "`));
  const rest = await editor.post(`/v1/spaces/${spaceId}/content`, {
    changes: [{ operation: 'update_page', page: pageId, title: 'Ours' }],
    baseRevision: base.id,
  });
  expect(rest.status).toBe(409);
  const { body: content } = await editor.get(`/v1/spaces/${spaceId}/content`);
  expect([content.id, content.pages.length]).toEqual([head.id, 1]);
});

test('a page deleted in the meantime cannot be edited, and an edited one cannot be deleted', async () => {
  const { revision: base, pageIds } = await editSpace([{ insertPage: { title: 'A' } }, { insertPage: { title: 'B' } }]);
  const [a, b] = pageIds;
  await editSpace([{ deletePage: { pageId: a } }, { updatePage: { pageId: b, title: 'B!' } }]);
  const edit = editSpace([{ updatePage: { pageId: a, title: 'A!' } }], { baseRevisionId: base.id });
  await expect(edit).rejects.toMatchObject({ code: 'CONFLICT' });
  const deletion = editSpace([{ deletePage: { pageId: b } }], { baseRevisionId: base.id });
  await expect(deletion).rejects.toMatchObject({ code: 'CONFLICT' });
  const alike = await editSpace([{ deletePage: { pageId: a } }], { baseRevisionId: base.id });
  expect(alike.pageIds).toEqual([a]);
});

test('files, reusable contents and variables are merged too', async () => {
  const file = { name: 'a.txt', base64: Buffer.from('one').toString('base64') };
  const { revision: base } = await editSpace([
    { insertFiles: { files: [file] } },
    { insertReusableContent: { title: 'Shared', document: { markdown: 'One.\n\nTwo.' } } },
    { setVariables: { variables: { a: 1, b: 1 } } },
  ]);
  const { body: before } = await editor.get(`/v1/spaces/${spaceId}/content`);
  const reusableContentId = before.reusableContents[0].id;
  const fileId = before.files[0].id;
  const shared = (markdown: string) => ({ updateReusableContent: { reusableContentId, document: { markdown } } });
  await editSpace([
    shared('One!\n\nTwo.'),
    { updateFile: { fileId, name: 'theirs.txt' } },
    { setVariables: { variables: { a: 2 } } },
  ]);
  await editSpace([shared('One.\n\nTwo!'), { setVariables: { variables: { b: 2 } } }], { baseRevisionId: base.id });
  const { body: after } = await editor.get(`/v1/spaces/${spaceId}/content`);
  expect(after.files[0].name).toBe('theirs.txt');
  expect(after.variables).toMatchObject({ a: 2, b: 2 });
  const document = `/v1/spaces/${spaceId}/revisions/${after.id}/reusable-contents/${reusableContentId}/document`;
  const { body: read } = await editor.get(document);
  expect(JSON.stringify(read)).toMatch(/One!.*Two!/);
  const late = editSpace([{ updateFile: { fileId, name: 'ours.txt' } }], { baseRevisionId: base.id });
  await expect(late).rejects.toThrow(new RegExp(`file "${fileId}", field "name"`));
});

test('a merge whose result equals the head creates no revision', async () => {
  const { revision: base } = await editSpace([body('One.')]);
  const { revision: head } = await editSpace([body('Two.')]);
  const { revision } = await editSpace([body('Two.')], { baseRevisionId: base.id });
  expect(revision.id).toBe(head.id);
});

test.each([
  ['a space', editSpace],
  ['a change request', editChangeRequest],
])('while %s is locked, no bodies are read to merge them', async (_name, edit) => {
  const { revision: base } = await edit([body('One.\n\nTwo.')]);
  await edit([body('One!\n\nTwo.')]);
  const sent = sentStatements();
  const { revision } = await edit([body('One.\n\nTwo!')], { baseRevisionId: base.id });
  expect(await pageAt(revision.id)).toMatchObject({ markdown: 'One!\n\nTwo!\n' });
  expectUnlockedMerges(sent);
});

/** Bodies were read to merge them, and none of them in a transaction. */
function expectUnlockedMerges(sent: readonly SentStatement[]): void {
  const merging = sent.filter(({ text }) => text.includes('select w.hash, d.body from unnest'));
  expect(merging.length).toBeGreaterThan(0);
  for (const statement of merging) {
    const before = sent.slice(0, sent.indexOf(statement)).filter(({ client }) => client === statement.client);
    const transaction = before.findLast(({ text }) => /^(begin|commit|rollback)/.test(text));
    expect(transaction?.text ?? 'none').not.toMatch(/^begin/);
  }
}
