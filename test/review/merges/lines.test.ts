import { expect, test } from 'vitest';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';
import { arrangeIn } from '../reviews/arrange.ts';

const site = await world();
const { editor, reviewer, reader } = site;
const arrange = arrangeIn(site);

const BASE = 'The first line of it\nwas wrapped by hand,\nand so is the last.\n';

const write = (pageId: string | undefined, markdown: string) => ({ updatePage: { pageId, document: { markdown } } });

/** Merges a change request that changes a page in one way, while the space has changed it in another one. */
async function merged(base: string, ours: string, theirs: string) {
  const { spaceId, pageIds } = await arrange.space(base);
  const id = await arrange.changeRequest(editor, spaceId);
  await arrange.edit(editor, id, write(pageIds[0], ours));
  await arrange.editMain(editor, spaceId, write(pageIds[0], theirs));
  const { body } = await reviewer.post(`/v1/spaces/${spaceId}/change-requests/${id}/merge`);
  const page = await reader.graphql(
    'query($id: ID!) { space(id: $id) { revision { pages { ... on DocumentPage { markdown(references: WRITTEN) } } } } }',
    { id: spaceId },
  );
  return { result: body.result, markdown: page.space.revision.pages[0].markdown, spaceId, id };
}

test('two people change different lines of one paragraph', async () => {
  const { result, markdown } = await merged(BASE, BASE.replace('first', '1st'), BASE.replace('last', 'end'));
  expect([result, markdown]).toEqual(['merge', BASE.replace('first', '1st').replace('last', 'end')]);
});

test('the same line changed in two ways is a conflict, which changes nothing', async () => {
  const { result, markdown, spaceId, id } = await merged(BASE, BASE.replace('hand', 'us'), BASE.replace('hand', 'me'));
  expect([result, markdown]).toEqual(['conflicts', BASE.replace('hand', 'me')]);
  const { body } = await reader.get(`/v1/spaces/${spaceId}/change-requests/${id}/conflicts`);
  expect(body.items).toMatchObject([{ kind: 'block' }]);
});

test('a paragraph that one side divides and the other edits is merged', async () => {
  const divided = BASE.replace('it\n', 'it\n\n');
  const { result, markdown } = await merged(BASE, divided, BASE.replace('last', 'end'));
  expect([result, markdown]).toEqual(['merge', divided.replace('last', 'end')]);
});

test('comments and titles of links that each side writes are in the merged text', async () => {
  const base = `<!-- one -->\n\n${BASE}\n[a](https://a.b "two")\n`;
  const { result, markdown } = await merged(base, base.replace('one', '1'), base.replace('two', '2'));
  expect([result, markdown]).toEqual(['merge', base.replace('one', '1').replace('two', '2')]);
});

test('items of a list that two people edit in bodies without a text are merged', async () => {
  const item = (text: string) => ({
    object: 'block',
    type: 'list-item',
    isVoid: false,
    data: {},
    nodes: [
      {
        object: 'block',
        type: 'paragraph',
        isVoid: false,
        data: {},
        nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
      },
    ],
  });
  const list = (...texts: string[]) => ({
    object: 'document',
    data: {},
    nodes: [{ object: 'block', type: 'list-unordered', isVoid: false, data: {}, key: 'list', nodes: texts.map(item) }],
  });
  const { spaceId, pageIds } = await arrange.space('To be replaced.');
  const body = (...texts: string[]) => ({ updatePage: { pageId: pageIds[0], document: { document: list(...texts) } } });
  await arrange.editMain(editor, spaceId, body('one', 'two', 'three'));
  const id = await arrange.changeRequest(editor, spaceId);
  await arrange.edit(editor, id, body('1', 'two', 'three'));
  await arrange.editMain(editor, spaceId, body('one', 'two', '3'));
  const { body: answer } = await reviewer.post(`/v1/spaces/${spaceId}/change-requests/${id}/merge`);
  expect(answer.result).toBe('merge');
  const { markdown } = (await reader.get(`/v1/spaces/${spaceId}/content/page/${pageIds[0]}?format=markdown`)).body;
  expect(withoutTitle(markdown).match(/\w+/g)).toEqual(['1', 'two', '3']);
});
