import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { aSpace } from './arrange.ts';

const { admin, editor, reader, outsider, commenter, organizationId } = await world();

const TEXT = 'One\n\n\n<!-- note -->\nTwo\n\n- a\n- *b*\n\nLast\n';

const edit = (spaceId: string, changes: unknown[]) =>
  editor.mutate('updateSpaceContent', { spaceId, changes }, 'revision { id } pageIds');

async function written(markdown: string) {
  const { spaceId, pageId } = await aSpace(admin, organizationId);
  await edit(spaceId, [{ updatePage: { pageId, document: { markdown } } }]);
  const { blocks } = await read(spaceId, pageId, 'outline');
  return { spaceId, pageId, blocks, keys: blocks.map(({ key }: { key: string }) => key) as string[] };
}

const read = async (spaceId: string, pageId: string, what: 'text' | 'outline') =>
  (await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}/${what}`)).body;

type Edits = (keys: string[]) => unknown[];

/** The text and the keys after edits of the blocks of a text, in the graph. */
async function after(edits: Edits, markdown = TEXT) {
  const { spaceId, pageId, keys } = await written(markdown);
  await edit(spaceId, [{ editPageBlocks: { pageId, edits: edits(keys) } }]);
  const { text } = await read(spaceId, pageId, 'text');
  const { blocks } = await read(spaceId, pageId, 'outline');
  const places = blocks.map(({ key }: { key: string }) => keys.indexOf(key));
  return { text, places };
}

/** The error of edits of the blocks of `TEXT`, in REST. */
async function refused(edits: Edits, by = editor) {
  const { spaceId, pageId, keys } = await written(TEXT);
  const changes = [{ operation: 'edit_page_blocks', page: pageId, edits: edits(keys) }];
  const { status, body } = await by.post(`/v1/spaces/${spaceId}/content`, { changes });
  expect((await read(spaceId, pageId, 'text')).text).toBe(TEXT);
  return { status, message: body.error.message as string };
}

const markdown = (text: string) => ({ markdown: text });

test('blocks are inserted before and after others, and at the end', async () => {
  expect(await after(([one]) => [{ insert: { afterKey: one, document: markdown('New\n') } }])).toEqual({
    text: TEXT.replace('One\n', 'One\n\nNew\n'),
    places: [0, -1, 1, 2, 3],
  });
  expect(await after(([, two]) => [{ insert: { beforeKey: two, document: markdown('New') } }])).toEqual({
    text: TEXT.replace('Two', '\nNew\n\nTwo'),
    places: [0, -1, 1, 2, 3],
  });
  expect(
    await after(() => [{ insert: { document: markdown('## X') } }, { insert: { document: markdown('Y') } }]),
  ).toEqual({
    text: `${TEXT}\n## X\n\nY\n`,
    places: [0, 1, 2, 3, -1, -1],
  });
});

test('a block is replaced with Markdown or with nodes, and keeps its key', async () => {
  expect(await after(([, two]) => [{ replace: { key: two, document: markdown('Two and a half') } }])).toEqual({
    text: TEXT.replace('Two', 'Two and a half'),
    places: [0, 1, 2, 3],
  });
  const nodes = [
    {
      object: 'block',
      type: 'paragraph',
      isVoid: false,
      data: {},
      nodes: [
        { object: 'text', leaves: [{ object: 'leaf', text: 'Bold', marks: [{ object: 'mark', type: 'bold' }] }] },
      ],
    },
  ];
  const document = { object: 'document', data: { schemaVersion: 8 }, nodes };
  expect((await after(([one]) => [{ replace: { key: one, document: { document } } }])).text).toBe(
    TEXT.replace('One', '**Bold**'),
  );
});

test('blocks are moved and deleted, several at once', async () => {
  expect(await after(([one, , , last]) => [{ move: { key: last, beforeKey: one } }])).toEqual({
    text: `Last\n\n${TEXT.replace('\nLast\n', '')}`,
    places: [3, 0, 1, 2],
  });
  expect(await after(([one]) => [{ move: { key: one } }])).toEqual({
    text: `${TEXT.replace('One\n\n\n', '')}\nOne\n`,
    places: [1, 2, 3, 0],
  });
  expect(await after(([one, , list]) => [{ delete: { key: one } }, { delete: { key: list } }])).toEqual({
    text: '<!-- note -->\nTwo\n\nLast\n',
    places: [1, 3],
  });
  expect((await after((keys) => keys.slice(1).map((key) => ({ delete: { key } })))).text).toBe(
    'One\n\n\n<!-- note -->\n',
  );
  expect(await after(([, second]) => [{ delete: { key: second } }], 'same\n\nsame\n\nsame\n')).toEqual({
    text: 'same\n\nsame\n',
    places: [0, 2],
  });
});

test('keys of other pages, nested blocks and contradictions are errors that name the fix', async () => {
  const other = await written('Elsewhere\n');
  expect(await refused(() => [{ delete: { key: other.keys[0] } }])).toEqual({
    status: 400,
    message: expect.stringContaining('edits.0.delete.key: is not a block of this page'),
  });
  const twice = await refused(([one]) => [
    { delete: { key: one } },
    { replace: { key: one, document: markdown('x') } },
  ]);
  expect(twice.message).toContain('edits.1.replace.key: is edited twice');
  const beside = await refused(([one]) => [
    { delete: { key: one } },
    { insert: { afterKey: one, document: markdown('x') } },
  ]);
  expect(beside).toEqual({
    status: 400,
    message: expect.stringContaining('edits.1: is next to a block that another edit'),
  });
  expect((await refused(([one]) => [{ replace: { key: one, document: markdown(' \n') } }])).message).toContain(
    'has no content',
  );
  expect((await refused(([one]) => [{ replace: { key: one, document: markdown('```\nopen') } }])).message).toContain(
    'changes what other parts of the page mean, from line 5 on',
  );
  const many = await refused(([one]) => Array.from({ length: 10_000 }, () => ({ delete: { key: one } })));
  expect(many).toEqual({ status: 400, message: expect.stringContaining('100') });
  const { spaceId, pageId } = await written(TEXT);
  const { document } = (await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}`)).body;
  const nested = edit(spaceId, [
    { editPageBlocks: { pageId, edits: [{ delete: { key: document.nodes[2].nodes[0].key } }] } },
  ]);
  await expect(nested).rejects.toMatchObject({
    message: expect.stringContaining(`is within the block "${document.nodes[2].key}"`),
  });
});

test('stale versions of a block are conflicts that name the current one', async () => {
  const { spaceId, pageId, blocks } = await written(TEXT);
  const change = (key: string, version: string) => ({
    editPageBlocks: { pageId, edits: [{ delete: { key, version } }] },
  });
  await edit(spaceId, [{ editPageText: { pageId, edits: [{ find: 'Two', replaceWith: 'Three' }] } }]);
  const now = (await read(spaceId, pageId, 'outline')).blocks[1].version;
  await expect(edit(spaceId, [change(blocks[1].key, blocks[1].version)])).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining(`"${now}"`),
  });
  await edit(spaceId, [change(blocks[0].key, blocks[0].version)]);
  expect((await read(spaceId, pageId, 'text')).text).toBe('<!-- note -->\nThree\n\n- a\n- *b*\n\nLast\n');
});

test('comments stay on the blocks around an edit', async () => {
  const { spaceId, pageId, keys } = await written('same\n\nsame\n\nsame\n');
  const { comment } = await commenter.mutate(
    'postComment',
    { spaceId, pageId, node: keys[2], body: { markdown: 'Here.' } },
    'comment { id }',
  );
  await edit(spaceId, [{ editPageBlocks: { pageId, edits: [{ delete: { key: keys[0] } }] } }]);
  const { blocks } = await read(spaceId, pageId, 'outline');
  expect(blocks.map(({ key }: { key: string }) => key)).toEqual(keys.slice(1));
  const read2 = (await reader.get(`/v1/spaces/${spaceId}/comments/${comment.id}`)).body;
  expect(JSON.stringify(read2.target)).toContain(keys[2]);
});

test('readers and outsiders cannot edit blocks', async () => {
  expect((await refused(() => [{ delete: { key: 'x' } }], reader)).status).toBe(403);
  expect((await refused(() => [{ delete: { key: 'x' } }], outsider)).status).toBe(404);
});
