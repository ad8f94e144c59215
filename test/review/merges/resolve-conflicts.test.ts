import { expect, test } from 'vitest';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';
import { arrangeIn } from '../reviews/arrange.ts';

const site = await world();
const { admin, editor, reviewer, commenter, reader, outsider, anonymous } = site;
const arrange = arrangeIn(site);

const write = (pageId: string | undefined, markdown: string) => ({ updatePage: { pageId, document: { markdown } } });
const rename = (pageId: string | undefined, title: string) => ({ updatePage: { pageId, title } });

interface Found {
  id: string;
  kind: string;
  field?: string;
  base: { markdown?: string } | null;
  ours: { markdown?: string } | null;
  theirs: { markdown?: string } | null;
}

/** A change request that conflicts with the primary content in a title, a block and a deleted page. */
async function contradicting() {
  const { spaceId, pageIds } = await arrange.space('First.\n\nSecond.', 'Gone or not.');
  const [pageId = '', other = ''] = pageIds;
  const id = await arrange.changeRequest(editor, spaceId);
  await arrange.edit(editor, id, rename(pageId, 'Ours'), write(pageId, 'Our first.\n\nSecond.'), write(other, 'Kept.'));
  await arrange.editMain(editor, spaceId, rename(pageId, 'Theirs'), write(pageId, 'Their first.\n\nSecond.'), {
    deletePage: { pageId: other },
  });
  const path = `/v1/spaces/${spaceId}/change-requests/${id}`;
  const read = async (): Promise<Found[]> => (await reader.get(`${path}/conflicts`)).body.items;
  return { spaceId, id, path, pageId, other, read };
}

const of = (conflicts: Found[], kind: string) => conflicts.find((conflict) => conflict.kind === kind)?.id ?? '';

const RESOLVED = `result revision { id type } changeRequest { outdated mergeability { mergeable conflicts { id } } }
  conflicts { id }`;

const resolve = (by: typeof editor, changeRequestId: string, resolutions: object[], given = {}) =>
  by.mutate('resolveChangeRequestConflicts', { changeRequestId, resolutions, ...given }, RESOLVED);

const titles = async (path: string) =>
  (await reader.get(`${path}/pages`)).body.pages.map(({ title }: { title: string }) => title);

const markdownOf = async (path: string, pageId: string) =>
  withoutTitle((await reader.get(`${path}/page/${pageId}?format=markdown`)).body.markdown);

test('conflicts show all three versions on both transports', async () => {
  const { id, read, pageId, other } = await contradicting();
  const found = await read();
  expect(found.map(({ kind }) => kind).toSorted()).toEqual(['block', 'deleted-vs-edited', 'field']);
  expect(found.find(({ kind }) => kind === 'field')).toMatchObject({
    field: 'title',
    target: 'page',
    targetId: pageId,
    page: { id: pageId, title: 'Theirs' },
    base: { value: 'Page 1', markdown: 'Page 1' },
    ours: { value: 'Ours' },
    theirs: { value: 'Theirs' },
  });
  expect(found.find(({ kind }) => kind === 'block')).toMatchObject({
    base: { markdown: 'First.\n', document: { object: 'document' } },
    ours: { markdown: 'Our first.\n' },
    theirs: { markdown: 'Their first.\n' },
  });
  expect(found.find(({ kind }) => kind === 'deleted-vs-edited')).toMatchObject({
    page: { id: other, title: 'Page 2' },
    base: { markdown: 'Gone or not.\n' },
    ours: { markdown: 'Kept.\n' },
    theirs: null,
  });
  const query = `query($id: ID!) { changeRequest(id: $id) {
    conflicts(first: 2) { totalCount pageInfo { hasNextPage endCursor } nodes { id kind block page { pageId title } ours { value document } } }
    mergeability { mergeable missingPermission unmetRules { rule } conflicts { id kind page { pageId title } field base { markdown document } ours { markdown } theirs { markdown } } }
  } }`;
  const { changeRequest } = await reader.graphql(query, { id });
  expect(changeRequest.conflicts).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
  expect(changeRequest.conflicts.nodes.map((each: Found) => each.id)).toEqual(found.slice(0, 2).map((each) => each.id));
  expect(changeRequest.mergeability).toMatchObject({ mergeable: false, missingPermission: 'REVIEW', unmetRules: [] });
  expect(changeRequest.mergeability.conflicts.map((each: Found) => each.id)).toEqual(found.map((each) => each.id));
  const next = await reader.get(`/v1/spaces/x/change-requests/${id}/conflicts`);
  expect(next.status).toBe(404);
});

test('one call resolves all conflicts, which do not come back', async () => {
  const { spaceId, id, path, read, pageId, other } = await contradicting();
  const found = await read();
  const resolutions = [
    { conflictId: of(found, 'field'), choice: 'THEIRS' },
    { conflictId: of(found, 'block'), markdown: 'Both our and their first.' },
    { conflictId: of(found, 'deleted-vs-edited'), choice: 'OURS' },
  ];
  const { result, revision, changeRequest, conflicts } = await resolve(editor, id, resolutions);
  expect([result, revision.type, conflicts]).toEqual(['UPDATE', 'UPDATE', []]);
  expect(changeRequest).toEqual({ outdated: false, mergeability: { mergeable: false, conflicts: [] } });
  expect(await read()).toEqual([]);
  expect(await titles(`${path}/content`)).toEqual(['Theirs', 'Page 2']);
  expect(await markdownOf(`${path}/content`, pageId)).toBe('Both our and their first.\n\nSecond.\n');
  expect((await reviewer.post(`${path}/merge`)).body.result).toBe('merge');
  const content = `/v1/spaces/${spaceId}/content`;
  expect(await markdownOf(content, pageId)).toBe('Both our and their first.\n\nSecond.\n');
  expect(await markdownOf(content, other)).toBe('Kept.\n');
});

test('REST resolves a title by a text and a deletion by a choice', async () => {
  const { path, read, pageId } = await contradicting();
  const found = await read();
  const resolutions = [
    { conflictId: of(found, 'field'), markdown: 'Ours and theirs' },
    { conflictId: of(found, 'block'), choice: 'base' },
    { conflictId: of(found, 'deleted-vs-edited'), choice: 'theirs' },
  ];
  const { status, body } = await editor.post(`${path}/conflicts/resolve`, { resolutions });
  expect([status, body]).toEqual([200, { result: 'update', revision: expect.stringMatching(/^rev_/) }]);
  expect(await titles(`${path}/content`)).toEqual(['Ours and theirs']);
  expect(await markdownOf(`${path}/content`, pageId)).toBe('First.\n\nSecond.\n');
});

test('a block may be replaced by a document', async () => {
  const { path, read, pageId } = await contradicting();
  const found = await read();
  const leaf = { object: 'leaf', text: 'As a document.', marks: [] };
  const paragraph = { object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves: [leaf] }] };
  const resolutions = [
    { conflictId: of(found, 'field'), choice: 'ours' },
    { conflictId: of(found, 'block'), document: { object: 'document', data: {}, nodes: [paragraph] } },
    { conflictId: of(found, 'deleted-vs-edited'), choice: 'theirs' },
  ];
  expect((await editor.post(`${path}/conflicts/resolve`, { resolutions })).body.result).toBe('update');
  expect(await markdownOf(`${path}/content`, pageId)).toBe('As a document.\n\nSecond.\n');
});

test('lists conflicts without a resolution, and writes nothing', async () => {
  const { id, path, read } = await contradicting();
  const [before, found] = [(await reader.get(path)).body, await read()];
  const [first, second, third] = found.map((conflict) => conflict.id);
  const { status, body } = await editor.post(`${path}/conflicts/resolve`, {
    resolutions: [{ conflictId: first, choice: 'ours' }],
  });
  expect(status).toBe(400);
  for (const missing of [second, third]) expect(body.error.message).toContain(missing);
  expect(body.error.message).not.toContain(first);
  await expect(resolve(editor, id, [])).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  expect((await reader.get(path)).body).toEqual(before);
});

test('refuses resolutions of conflicts that do not exist or no longer exist', async () => {
  const { spaceId, id, path, read, pageId } = await contradicting();
  const all = (found: Found[], choice = 'ours') => found.map((conflict) => ({ conflictId: conflict.id, choice }));
  const found = await read();
  const unknown = [...all(found), { conflictId: '0'.repeat(32), choice: 'ours' }];
  expect((await editor.post(`${path}/conflicts/resolve`, { resolutions: unknown })).status).toBe(409);
  await arrange.editMain(editor, spaceId, rename(pageId, 'Theirs again'));
  const { status, body } = await editor.post(`${path}/conflicts/resolve`, { resolutions: all(found) });
  expect([status, body.error.message]).toEqual([409, expect.stringContaining(of(found, 'field'))]);
  await expect(resolve(editor, id, all(found, 'OURS'))).rejects.toMatchObject({ code: 'CONFLICT' });
  expect((await editor.post(`${path}/conflicts/resolve`, { resolutions: all(await read()) })).status).toBe(200);
  expect((await editor.post(`${path}/conflicts/resolve`, { resolutions: all(found) })).status).toBe(409);
});

test('refuses resolutions that do not fit, are empty, or have two values', async () => {
  const { path, read } = await contradicting();
  const found = await read();
  const rest = (kind: string) =>
    found.filter((conflict) => conflict.kind !== kind).map(({ id }) => ({ conflictId: id, choice: 'ours' }));
  const wrong = [
    [...rest('field'), { conflictId: of(found, 'field'), document: { object: 'document', data: {}, nodes: [] } }],
    [...rest('deleted-vs-edited'), { conflictId: of(found, 'deleted-vs-edited'), markdown: 'Neither.' }],
    [...rest('field'), { conflictId: of(found, 'field'), markdown: '' }],
    [...rest('field'), { conflictId: of(found, 'field'), markdown: 'Two\nlines' }],
    [...rest('field'), { conflictId: of(found, 'field'), markdown: 'x'.repeat(256) }],
    [...rest('field'), { conflictId: of(found, 'field'), markdown: 'Nothing\u0000' }],
    [...rest('field'), { conflictId: of(found, 'field') }],
    [...rest('field'), { conflictId: of(found, 'field'), choice: 'ours', markdown: 'Both' }],
    [...rest('field'), { conflictId: of(found, 'field'), choice: 'mine' }],
    [...rest('none'), { conflictId: of(found, 'field'), choice: 'ours' }],
  ];
  for (const [index, resolutions] of wrong.entries()) {
    expect([index, (await editor.post(`${path}/conflicts/resolve`, { resolutions })).status]).toEqual([index, 400]);
  }
  expect((await editor.post(`${path}/conflicts/resolve`, {})).status).toBe(400);
});

test('updates without conflicts, and refuses a merged change request', async () => {
  const { spaceId, pageIds } = await arrange.space('One.', 'Two.');
  const id = await arrange.changeRequest(editor, spaceId);
  await arrange.edit(editor, id, write(pageIds[0], 'Ours.'));
  await arrange.editMain(editor, spaceId, write(pageIds[1], 'Theirs.'));
  expect((await resolve(editor, id, [])).result).toBe('UPDATE');
  await reviewer.post(`/v1/spaces/${spaceId}/change-requests/${id}/merge`);
  await expect(resolve(editor, id, [])).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('moves that would put pages below each other are resolved by choosing a side', async () => {
  const { spaceId, pageIds } = await arrange.space('One.', 'Two.');
  const [one = '', two = ''] = pageIds;
  const id = await arrange.changeRequest(editor, spaceId);
  await arrange.edit(editor, id, { movePage: { pageId: one, parentId: two } });
  await arrange.editMain(editor, spaceId, { movePage: { pageId: two, parentId: one } });
  const path = `/v1/spaces/${spaceId}/change-requests/${id}`;
  const { body } = await reader.get(`${path}/conflicts`);
  expect(body.items).toMatchObject([{ kind: 'cycle' }]);
  const resolutions = [{ conflictId: body.items[0].id, choice: 'ours' }];
  expect((await editor.post(`${path}/conflicts/resolve`, { resolutions })).body.result).toBe('update');
  const [top] = (await reader.get(`${path}/content/pages`)).body.pages;
  expect([top.id, top.pages.map((page: { id: string }) => page.id)]).toEqual([two, [one]]);
});

test.each([
  ['a commenter', commenter, 403, 'FORBIDDEN'],
  ['an outsider', outsider, 404, 'NOT_FOUND'],
  ['an anonymous caller', anonymous, 401, 'UNAUTHENTICATED'],
] as const)('%s cannot resolve conflicts', async (_who, caller, status, code) => {
  const { spaceId } = await arrange.space('One.');
  const id = await arrange.changeRequest(admin, spaceId);
  const path = `/v1/spaces/${spaceId}/change-requests/${id}/conflicts`;
  for (const resolutions of [[], 7]) {
    expect((await caller.post(`${path}/resolve`, { resolutions })).status).toBe(status);
  }
  await expect(resolve(caller, id, [])).rejects.toMatchObject({ code });
  if (caller !== commenter) expect((await caller.get(path)).status).toBe(status);
});
