import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { aSpace, editBy, proposeBy } from './arrange.ts';

const { admin, editor, commenter, reader, outsider, anonymous, organizationId, app } = await world();
const { spaceId } = await aSpace(admin, organizationId);
const edit = editBy(spaceId);
const content = `/v1/spaces/${spaceId}/content`;

const insert = async (title: string, markdown = 'Shared.') => {
  const { insertedReusableContents } = await edit(editor, [
    { insertReusableContent: { title, document: { markdown } } },
  ]);
  return insertedReusableContents[0].reusableContentId;
};

test('inserts one that pages of the same call show, readable on both transports', async () => {
  const { insertedReusableContents, pageIds, revision } = await edit(editor, [
    { insertReusableContent: { title: 'Note', ref: 'note', document: { markdown: 'Mind the **gap**.' } } },
    { insertPage: { title: 'Uses it', document: { markdown: '{% include "reusable:note" %}' } } },
  ]);
  const [{ reusableContentId: id, markdown }] = insertedReusableContents;
  expect(markdown).toBe('Mind the **gap**.\n');
  const page = await reader.get(`${content}/page/${pageIds[0]}`);
  expect(page.body.document.nodes).toMatchObject([
    { type: 'reusable-content', data: { ref: { kind: 'reusable-content', reusableContent: id } } },
  ]);
  const { body } = await reader.get(`${content}/reusable-contents/${id}`);
  expect(body).toEqual({ id, title: 'Note', document: expect.stringMatching(/^doc_/) });
  const inRevision = `/v1/spaces/${spaceId}/revisions/${revision.id}/reusable-contents/${id}`;
  expect((await reader.get(inRevision)).body).toEqual(body);
  const document = await reader.get(`${inRevision}/document`);
  expect(document.body).toMatchObject({ object: 'document', nodes: [{ type: 'paragraph' }] });
  expect((await reader.get(content)).body.reusableContents).toContainEqual(body);
  const { node } = await reader.graphql(
    'query($id: ID!) { node(id: $id) { id ... on ReusableContent { reusableContentId documentId document } } }',
    { id: `${id}-at-${revision.id}` },
  );
  expect(node).toMatchObject({ reusableContentId: id, documentId: body.document, document: document.body });
});

test('changes title and body, keeping the keys of unchanged blocks', async () => {
  const id = await insert('Keys', 'One.\n\nTwo.');
  const keys = async () => {
    const { body } = await reader.get(content);
    const { nodes } = (await reader.get(`/v1/spaces/${spaceId}/revisions/${body.id}/reusable-contents/${id}/document`))
      .body;
    return nodes.map(({ key }: { key: string }) => key);
  };
  const before = await keys();
  await edit(editor, [
    { updateReusableContent: { reusableContentId: id, title: 'Kept', document: { markdown: 'One.\n\nNew.\n\nTwo.' } } },
  ]);
  const after = await keys();
  expect([after[0], after[2]]).toEqual(before);
  expect((await reader.get(`${content}/reusable-contents/${id}`)).body.title).toBe('Kept');
  const emptied = [{ operation: 'update_reusable_content', reusableContent: id, document: { markdown: '' } }];
  const { body } = await editor.post(content, { changes: emptied });
  expect(body.changes).toMatchObject([{ object: 'updated_reusable_content', reusableContent: { id } }]);
  expect((await reader.get(`${content}/reusable-contents/${id}`)).body).toEqual({ id, title: 'Kept' });
});

test('deletes one that is in use, and earlier revisions keep it', async () => {
  const id = await insert('Going');
  const { revision } = await edit(editor, [
    { insertPage: { title: 'User', document: { markdown: `{% include "reusable:${id}" %}` } } },
  ]);
  await edit(editor, [{ deleteReusableContent: { reusableContentId: id } }]);
  expect((await reader.get(`${content}/reusable-contents/${id}`)).status).toBe(404);
  expect((await reader.get(`/v1/spaces/${spaceId}/revisions/${revision.id}/reusable-contents/${id}`)).status).toBe(200);
});

test('lists them page by page, of the head and of earlier revisions alike', async () => {
  const titles = Array.from({ length: 5 }, (_, index) => `Listed ${index}`);
  const { revision } = await edit(
    editor,
    titles.map((title) => ({ insertReusableContent: { title } })),
  );
  const all = async (path: string) => {
    const found: string[] = [];
    for (let query = '?limit=2'; query; ) {
      const { body } = await reader.get(`${path}${query}`);
      found.push(...body.items.map(({ title }: { title: string }) => title));
      query = body.next ? `?limit=2&page=${body.next.page}` : '';
      expect(body.count).toBeGreaterThanOrEqual(5);
    }
    return found;
  };
  const atHead = await all(`${content}/reusable-contents`);
  expect(atHead.slice(-5)).toEqual(titles);
  await edit(editor, [{ insertPage: { title: 'The head moves on' } }]);
  expect(await all(`/v1/spaces/${spaceId}/revisions/${revision.id}/reusable-contents`)).toEqual(atHead);
});

test('a change request has its own, and the projection of the head is what the manifest says', async () => {
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id number }');
  const { insertedReusableContents } = await proposeBy(changeRequest.id)(editor, [
    { insertReusableContent: { title: 'Proposed', document: { markdown: 'x' } } },
  ]);
  const [{ reusableContentId: id }] = insertedReusableContents;
  expect((await reader.get(`${content}/reusable-contents/${id}`)).status).toBe(404);
  const own = `/v1/spaces/${spaceId}/change-requests/${changeRequest.number}/content/reusable-contents`;
  expect((await reader.get(`${own}/${id}`)).body.title).toBe('Proposed');
  expect((await reader.get(own)).body.items.at(-1).id).toBe(id);
  const rows = await app.services.db
    .selectFrom('head_reusable_content')
    .where('spaceId', '=', spaceId)
    .select(['reusableContentId', 'title'])
    .orderBy('reusableContentId')
    .execute();
  const { reusableContents } = (await reader.get(content)).body;
  expect(rows).toEqual(
    reusableContents.map((each: { id: string; title: string }) => ({
      reusableContentId: each.id,
      title: each.title,
    })),
  );
});

test('a copy of the space has them too', async () => {
  const { body } = await admin.post(`/v1/spaces/${spaceId}/duplicate`, {});
  const list = async (id: string) => (await admin.get(`/v1/spaces/${id}/content/reusable-contents`)).body.items;
  expect(await list(body.id)).toEqual(await list(spaceId));
});

test.each([
  ['one that is not there', [{ updateReusableContent: { reusableContentId: 'reusable_absent', title: 'A' } }]],
  ['the removal of one that is not there', [{ deleteReusableContent: { reusableContentId: 'reusable_absent' } }]],
  ['an empty title', [{ insertReusableContent: { title: '' } }]],
])('refuses %s', async (_name, changes) => {
  await expect(edit(editor, changes)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

test('can be written by editors and read by everyone who can see the space', async () => {
  const changes = [{ insertReusableContent: { title: 'No' } }];
  await expect(edit(commenter, changes)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(edit(outsider, changes)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const id = await insert('Mine');
  expect((await outsider.get(`${content}/reusable-contents/${id}`)).status).toBe(404);
  expect((await anonymous.get(`${content}/reusable-contents`)).status).toBe(401);
  expect((await reader.get(`${content}/reusable-contents/reusable_absent`)).status).toBe(404);
});
