import { afterEach, expect, test } from 'vitest';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';
import { aSpace, editBy } from './arrange.ts';

const { admin, editor, reader, organizationId, app } = await world();
const { spaceId, pageId } = await aSpace(admin, organizationId);
const edit = editBy(spaceId);

/** The kinds of work that were done in workers. */
const inWorkers: string[] = [];
const { heavyWork } = app.services;
const { inWorker } = heavyWork;
heavyWork.inWorker = (kind, of, work) => {
  inWorkers.push(kind);
  return inWorker(kind, of, work);
};
afterEach(() => void inWorkers.splice(0));

const prose = (paragraphs: number) =>
  Array.from({ length: paragraphs }, (_, index) => `Paragraph ${index} with **some** words and \`code\`.\n`).join('\n');
const write = (document: unknown) => edit(editor, [{ updatePage: { pageId, document } }]);
const read = async (format: string) => {
  const query = `?format=${format}&format.markdown.refs=stable`;
  const { body } = await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}${query}`);
  return format === 'markdown' ? withoutTitle(body.markdown) : body[format];
};

test('small bodies are read at once', async () => {
  await write({ markdown: prose(20) });
  await write({ document: await read('document') });
  expect(inWorkers).toEqual([]);
});

test('large Markdown is parsed and aligned with the previous body in a worker', async () => {
  const before = prose(1_000);
  await write({ markdown: before });
  expect(inWorkers).toContain('read-body');
  expect(await read('markdown')).toBe(before);
  const keys = async () => (await read('document')).nodes.map(({ key }: { key: string }) => key);
  const old = await keys();
  await write({ markdown: `New.\n\n${before}` });
  expect(inWorkers).toContain('write-body');
  expect((await keys()).slice(1)).toEqual(old);
});

test('large JSON is validated in a worker, and its issues have paths', async () => {
  const document = await read('document');
  await write({ document });
  expect(inWorkers).toEqual(['read-body']);
  document.nodes[500].type = 'marquee';
  await expect(write({ document })).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    errors: [
      {
        extensions: {
          issues: [{ path: ['input', 'changes', 0, 'updatePage', 'document', 'document', 'nodes', 500, 'type'] }],
        },
      },
    ],
  });
});

test.each([
  ['Markdown of too many blocks', () => ({ markdown: '- a\n'.repeat(50_000) })],
  ['JSON of too many values', () => ({ document: { object: 'document', data: {}, nodes: Array(400_001).fill(0) } })],
  [
    'JSON of too much text',
    () => ({ document: { object: 'document', data: { x: 'x'.repeat(2_000_001) }, nodes: [] } }),
  ],
])('refuses %s', async (_name, document) => {
  await expect(write(document())).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

const columns = Array.from({ length: 200 }, (_, at) => `c${at}`);

const emptyTable = () => ({
  object: 'block',
  type: 'table',
  data: {
    view: { type: 'grid', columns, hideHeader: false },
    definition: Object.fromEntries(columns.map((id) => [id, { id, title: '', type: 'number' }])),
    records: Object.fromEntries(Array.from({ length: 480 }, (_, at) => [`r${at}`, { orderIndex: '', values: {} }])),
  },
  fragments: [],
});

test.each([
  ['JSON', () => ({ document: { object: 'document', data: {}, nodes: [emptyTable(), emptyTable()] } })],
  ['Markdown', () => ({ markdown: `${'|a'.repeat(200)}|\n${'|-'.repeat(200)}|\n${'|\n'.repeat(1_600)}` })],
])('refuses short %s whose tables have too many cells together', async (_name, document) => {
  await expect(write(document())).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    message: expect.stringContaining('100000 cells of tables'),
  });
});

test('JSON with excessive nesting is refused', async () => {
  const path = `/v1/spaces/${spaceId}/content`;
  const nested = `${'{"object":"block","type":"blockquote","nodes":['.repeat(10_000)}${']}'.repeat(10_000)}`;
  const body = `{"changes":[{"operation":"insert_page","title":"Deep","document":{"document":{"object":"document","nodes":[${nested}]}}}]}`;
  const { status } = await editor.send('POST', path, body);
  expect(status).toBe(400);
});
