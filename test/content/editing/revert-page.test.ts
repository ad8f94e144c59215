import Cursor from 'pg-cursor';
import { expect, test, vi } from 'vitest';
import { statementsOf } from '../../client.ts';
import { untitled } from '../../without-title.ts';
import { world } from '../../world.ts';
import { aSpace, editBy, proposeBy } from './arrange.ts';

const { admin, editor, reader, organizationId } = await world();
const { spaceId } = await aSpace(admin, organizationId);
const edit = editBy(spaceId);

const page = async (id: string, under = `/v1/spaces/${spaceId}/content`) =>
  untitled((await reader.get(`${under}/page/${id}?format=markdown`)).body);

const insert = async (title: string, markdown: string, more = {}) => {
  const { pageIds, revision } = await edit(editor, [{ insertPage: { title, document: { markdown }, ...more } }]);
  return { pageId: pageIds[0], revisionId: revision.id };
};

const changeRequest = async () => {
  const made = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id number }');
  const path = `/v1/spaces/${spaceId}/change-requests/${made.changeRequest.number}/content`;
  return { path, propose: proposeBy(made.changeRequest.id) };
};

test('puts fields, body and parent of a page back', async () => {
  const parent = await insert('Parent', 'p');
  const { pageId, revisionId } = await insert('Before', 'Old words.', { icon: 'flag', description: 'Told.' });
  const before = await page(pageId);
  await edit(editor, [
    {
      updatePage: {
        pageId,
        title: 'After',
        slug: 'after',
        icon: null,
        hidden: true,
        document: { markdown: 'New.' },
        parentId: parent.pageId,
      },
    },
  ]);
  const { pageIds } = await edit(editor, [{ revertPage: { pageId, revisionId } }]);
  expect(pageIds).toEqual([pageId]);
  const { updatedAt: _, ...after } = await page(pageId);
  const { updatedAt: __, ...expected } = before;
  expect(after).toEqual(expected);
});

test('restores a deleted page with its descendants', async () => {
  const { pageId } = await insert('Top', 'Top.');
  const { pageIds, revision } = await edit(editor, [
    { insertPage: { title: 'Below', parentId: pageId, ref: 'below', document: { markdown: 'Below.' } } },
    { insertPage: { title: 'Deeper', parentId: 'below' } },
    { insertPage: { title: 'Moved away', parentId: pageId } },
  ]);
  await edit(editor, [{ movePage: { pageId: pageIds[2], parentId: null } }, { deletePage: { pageId } }]);
  const { body } = await editor.post(`/v1/spaces/${spaceId}/content`, {
    changes: [{ operation: 'revert_page', page: pageId, revision: revision.id }],
  });
  expect(body.changes.map(({ object }: { object: string }) => object)).toEqual(Array(3).fill('created_page'));
  expect(await page(pageIds[0])).toMatchObject({ path: 'top/below', markdown: 'Below.\n' });
  expect(await page(pageIds[1])).toMatchObject({ path: 'top/below/deeper' });
  expect((await page(pageIds[2])).path).toBe('moved-away');
});

test('in a change request it restores the base, and removes an added page', async () => {
  const { pageId } = await insert('On main', 'Main.');
  const { path, propose } = await changeRequest();
  const { pageIds } = await propose(editor, [
    { updatePage: { pageId, title: 'Changed', document: { markdown: 'Changed.' } } },
    { insertPage: { title: 'Added' } },
  ]);
  await edit(editor, [{ updatePage: { pageId, title: 'Later on main' } }]);
  await propose(editor, [{ revertPage: { pageId } }, { revertPage: { pageId: pageIds[1] } }]);
  expect(await page(pageId, path)).toMatchObject({ title: 'On main', markdown: 'Main.\n' });
  expect((await reader.get(`${path}/page/${pageIds[1]}`)).status).toBe(404);
});

test('removing an added page moves the pages below it that were there before back, and keeps what was added below them', async () => {
  const outer = await insert('Outer', 'Outer.');
  const inner = await insert('Inner', 'Inner.', { parentId: outer.pageId });
  const lone = await insert('Lone', 'Lone.');
  const orphan = await insert('Orphan', 'Orphan.', { parentId: lone.pageId });
  const { path, propose } = await changeRequest();
  const { pageIds } = await propose(editor, [
    { insertPage: { title: 'New', ref: 'new' } },
    { insertPage: { title: 'Between', ref: 'between', parentId: 'new' } },
    { movePage: { pageId: inner.pageId, parentId: 'new' } },
    { movePage: { pageId: outer.pageId, parentId: 'between' } },
    { movePage: { pageId: orphan.pageId, parentId: 'between' } },
    { insertPage: { title: 'Kept', parentId: outer.pageId } },
    { deletePage: { pageId: lone.pageId } },
  ]);
  const [added, between, , , , kept] = pageIds;
  const { pageIds: changed } = await propose(editor, [{ revertPage: { pageId: added } }]);
  expect(changed.toSorted()).toEqual([added, outer.pageId, inner.pageId, orphan.pageId].toSorted());
  expect((await page(outer.pageId, path)).path).toBe('outer');
  expect((await page(inner.pageId, path)).path).toBe('outer/inner');
  expect((await page(kept, path)).path).toBe('outer/kept');
  expect((await page(orphan.pageId, path)).path).toBe('orphan');
  for (const gone of [added, between]) expect((await reader.get(`${path}/page/${gone}`)).status).toBe(404);
});

test('a deleted page returns with the pages that were below a child which is elsewhere now', async () => {
  const { pageId } = await insert('Chapter', 'Chapter.');
  const child = await insert('Child', 'Child.', { parentId: pageId });
  const { pageId: grandchild, revisionId } = await insert('Grandchild', 'Words.', { parentId: child.pageId });
  await edit(editor, [
    { movePage: { pageId: child.pageId, parentId: null } },
    { deletePage: { pageId: grandchild } },
    { deletePage: { pageId } },
  ]);
  await edit(editor, [{ revertPage: { pageId, revisionId } }]);
  expect((await page(child.pageId)).path).toBe('child');
  expect(await page(grandchild)).toMatchObject({ path: 'child/grandchild', markdown: 'Words.\n' });
});

test('takes the same statements to restore few pages and many, but for those that index batches of pages', async () => {
  const restored = async (count: number, parentId?: string) => {
    const [top] = (await edit(editor, [{ insertPage: { title: `Section of ${count}`, parentId } }])).pageIds;
    const inserted = Array.from({ length: count }, (_, index) => ({
      insertPage: { title: `Page ${index}`, parentId: top, document: { markdown: `Page ${index} of ${count}.` } },
    }));
    const { pageIds, revision } = await edit(editor, inserted);
    const revert = async (pages: readonly string[]) => {
      await edit(editor, [{ deletePage: { pageId: top } }]);
      const answer = await editor.post(`/v1/spaces/${spaceId}/content`, {
        changes: pages.map((page) => ({ operation: 'revert_page', page, revision: revision.id })),
      });
      expect(answer.body.changes.filter(({ object }: { object: string }) => object === 'created_page')).toHaveLength(
        count + 1,
      );
      return statementsOf(answer);
    };
    return { section: await revert([top]), pages: await revert([top, ...pageIds]) };
  };
  await restored(2);
  const few = await restored(3);
  const many = await restored(48);
  expect(many.pages - few.pages).toBeLessThan(45 / 3);
  expect(many.section - few.section).toBeLessThan(45 / 3);
});

test('reads only the reverted pages of each revision, and what is below them', async () => {
  const many = Array.from({ length: 50 }, (_, index) => ({ insertPage: { title: `Stays ${index}` } }));
  const { pageIds } = await edit(editor, many);
  const below = pageIds.slice(0, 2);
  const reverts: { revertPage: { pageId: string; revisionId: string } }[] = [];
  for (const pageId of pageIds.slice(2, 6)) {
    const { revision } = await edit(editor, [{ updatePage: { pageId, title: `Before ${pageId}` } }]);
    reverts.push({ revertPage: { pageId, revisionId: revision.id } });
  }
  const { revision: last } = await edit(editor, [
    { movePage: { pageId: below[0], parentId: pageIds[6] } },
    { movePage: { pageId: below[1], parentId: below[0] } },
  ]);
  await edit(editor, [{ deletePage: { pageId: pageIds[6] } }, { deletePage: { pageId: pageIds[2] } }]);
  await edit(
    editor,
    pageIds.slice(3, 6).map((pageId: string) => ({ updatePage: { pageId, title: 'After' } })),
  );
  // The revisions alternate.
  const changes = [
    ...reverts.slice(0, 2),
    { revertPage: { pageId: pageIds[6], revisionId: last.id } },
    ...reverts.slice(2),
  ];
  const rows = vi.spyOn(Cursor.prototype as unknown as { handleDataRow(row: unknown): void }, 'handleDataRow');
  await edit(editor, changes);
  const streamed = rows.mock.calls.length;
  rows.mockRestore();
  for (const pageId of pageIds.slice(2, 6)) expect((await page(pageId)).title).toBe(`Before ${pageId}`);
  expect((await page(below[1])).path).toBe('stays-6/stays-0/stays-1');
  expect(streamed).toBe(4 + 3);
});

test('puts single blocks back: changed, removed and added ones', async () => {
  const { pageId, revisionId } = await insert('Blocks', 'One.\n\nTwo.\n\nThree.');
  const keys = async () => {
    const { body } = await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}`);
    return body.document.nodes.map(({ key }: { key: string }) => key);
  };
  const [, two, three] = await keys();
  await edit(editor, [{ updatePage: { pageId, document: { markdown: 'One.\n\nThree!\n\nFour.' } } }]);
  const four = (await keys())[2];
  await edit(editor, [{ revertPage: { pageId, revisionId, block: [two] } }]);
  expect((await page(pageId)).markdown).toBe('One.\n\nTwo.\n\nThree!\n\nFour.\n');
  await edit(editor, [{ revertPage: { pageId, revisionId, block: [three, four] } }]);
  expect((await page(pageId)).markdown).toBe('One.\n\nTwo.\n\nThree.\n');
  const unknown = edit(editor, [{ revertPage: { pageId, revisionId, block: ['absent'] } }]);
  await expect(unknown).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

test('refuses targets without an earlier state', async () => {
  const { revisionId } = await insert('Earlier', 'e');
  const { pageId } = await insert('Later', 'l');
  const { spaceId: other } = await aSpace(admin, organizationId);
  const { body } = await reader.get(`/v1/spaces/${other}/content`);
  for (const change of [
    { pageId },
    { pageId, revisionId },
    { pageId, revisionId: body.id },
    { pageId: 'page_absent', revisionId },
  ]) {
    await expect(edit(editor, [{ revertPage: change }])).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  }
});
