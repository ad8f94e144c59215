import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Client } from '../../client.ts';
import { world } from '../../world.ts';
import { png } from '../files/images.ts';
import { fetchPdf } from './fetch-pdf.ts';

const { app, url, admin, creator, editor, reader, outsider, anonymous, advance, organizationId } = await world();
const { config } = app.services;

const HOUR = 60 * 60 * 1000;

interface PageInput {
  title: string;
  markdown?: string;
  ref?: string;
  parentId?: string;
  hidden?: boolean;
}

async function newSpace(pages: PageInput[]): Promise<{ id: string; pageIds: string[] }> {
  const { space } = await creator.mutate(
    'createSpace',
    { organizationId, title: 'Guide', empty: true },
    'space { id }',
  );
  const changes = pages.map(({ markdown, ...page }) => ({
    insertPage: { ...page, ...(markdown !== undefined && { document: { markdown } }) },
  }));
  await creator.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'space { id }');
  const { body } = await creator.get(`/v1/spaces/${space.id}/content/pages`);
  const idsOf = (list: { id: string; pages?: [] }[]): string[] =>
    list.flatMap(({ id, pages }) => [id, ...idsOf(pages ?? [])]);
  return { id: space.id, pageIds: idsOf(body.pages) };
}

const book = () =>
  newSpace([
    { title: 'Start', ref: 'start', markdown: '# One\n\nSome **bold** text and [a link](https://example.com).' },
    { title: 'Below', parentId: 'start', markdown: '- [x] done\n\n```js\n  const a = 1;\n```' },
    { title: 'Last', markdown: '{% hint style="info" %}\nMind this.\n{% endhint %}' },
  ]);

/** Downloads a PDF from a signed URL. */
async function open(address: string): Promise<{ status: number; type: string | null; text: string }> {
  const response = await fetchPdf(address.replace(config.publicUrl, url));
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
  return { status: response.status, type: response.headers.get('content-type'), text };
}

const sheets = (pdf: string) => pdf.match(/\/Type \/Page\b/g)?.length;
const outline = (pdf: string) => [...pdf.matchAll(/\/Title \(([^)]*)\)/g)].map(([, title]) => title);

const linkTo = async (client: Client, spaceId: string, query = '') => client.get(`/v1/spaces/${spaceId}/pdf${query}`);

test('a PDF is printed again when its temporary files have been tidied away', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stemma-tidied-'));
  vi.stubEnv('TMPDIR', folder);
  const { id } = await book();
  const { body } = await linkTo(reader, id);
  expect((await open(body.url)).status).toBe(200);
  const written = await readdir(folder);
  expect(written).toHaveLength(1);
  for (const name of written) await rm(join(folder, name), { recursive: true });
  const { status, text } = await open(body.url);
  expect([status, sheets(text)]).toEqual([200, 5]);
  expect(await readdir(folder)).toHaveLength(1);
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

test('a space is printed with a cover, a table of contents and an outline', async () => {
  const { id } = await book();
  const { status, body } = await linkTo(reader, id);
  expect(status).toBe(200);
  const printed = await open(body.url);
  expect([printed.status, printed.type]).toEqual([200, 'application/pdf']);
  expect(printed.text.startsWith('%PDF-')).toBe(true);
  expect(sheets(printed.text)).toBe(5);
  expect(outline(printed.text)).toEqual(expect.arrayContaining(['Start', 'Below', 'Last']));
});

test('both transports return URLs of the same PDF, for an hour', async () => {
  const { id } = await book();
  const { space } = await reader.graphql('query($id: ID!) { space(id: $id) { pdf { url expiresAt } } }', { id });
  expect((await open(space.pdf.url)).status).toBe(200);
  const parts = (address: string) => new URL(address).pathname;
  expect(parts(space.pdf.url)).toBe(parts((await linkTo(reader, id)).body.url));
  expect(Date.parse(space.pdf.expiresAt)).toBeGreaterThan(app.services.clock().getTime() + HOUR - 60_000);
  advance(HOUR + 6 * 60_000);
  expect((await open(space.pdf.url)).status).toBe(404);
});

test('a modified URL is rejected', async () => {
  const [mine, other] = [await book(), await newSpace([{ title: 'Secret' }])];
  const { url: address } = (await linkTo(creator, mine.id)).body;
  const { url: elsewhere } = (await linkTo(creator, other.id)).body;
  const swapped = new URL(address);
  swapped.pathname = new URL(elsewhere).pathname;
  expect((await open(swapped.href)).status).toBe(404);
  expect((await open(`${address}&only=true`)).status).toBe(404);
});

test('a page is printed with the pages below it, or alone', async () => {
  const { id, pageIds } = await book();
  const [start] = pageIds;
  const below = await open((await linkTo(reader, id, `?page=${start}`)).body.url);
  expect(outline(below.text)).toEqual(expect.arrayContaining(['Start', 'Below']));
  expect(outline(below.text)).not.toContain('Last');
  const alone = await open((await linkTo(reader, id, `?page=${start}&only=true`)).body.url);
  expect(sheets(alone.text)).toBe(1);
});

test('rejects `only` without a page, and unknown pages', async () => {
  const { id } = await book();
  expect((await linkTo(reader, id, '?only=true')).status).toBe(400);
  expect((await linkTo(reader, id, '?page=page_00000000000000000000000000')).status).toBe(400);
});

test('requires access to the space', async () => {
  const { id } = await book();
  expect((await linkTo(outsider, id)).status).toBe(404);
  expect((await linkTo(anonymous, id)).status).toBe(401);
  const { body } = await creator.post(`/v1/spaces/${id}/change-requests`, { subject: 'Better' });
  const path = `/v1/spaces/${id}/change-requests/${body.id}/pdf`;
  expect((await outsider.get(path)).status).toBe(404);
  const { changeRequest } = await outsider.graphql('query($id: ID!) { changeRequest(id: $id) { pdf { url } } }', {
    id: body.id,
  });
  expect(changeRequest).toBeNull();
});

test('a PDF of a deleted space is not available', async () => {
  const { id, pageIds } = await newSpace([{ title: 'Gone' }]);
  const { url: address } = (await linkTo(creator, id)).body;
  const { url: printed } = (await linkTo(creator, id, `?page=${pageIds[0]}`)).body;
  expect((await open(printed)).status).toBe(200);
  await creator.delete(`/v1/spaces/${id}`);
  expect((await open(address)).status).toBe(404);
  expect((await open(printed)).status).toBe(404);
});

test('a change request is printed with its changes, deleted pages at the end', async () => {
  const { id, pageIds } = await book();
  const [start, , last] = pageIds;
  const { body } = await editor.post(`/v1/spaces/${id}/change-requests`, { subject: 'Better words' });
  const changes = [
    {
      updatePage: {
        pageId: start,
        document: { markdown: '# One\n\nSome **bold** words and [a link](https://example.com).' },
      },
    },
    { insertPage: { title: 'Added' } },
    { deletePage: { pageId: last } },
  ];
  await editor.mutate('updateChangeRequestContent', { changeRequestId: body.id, changes }, 'changeRequest { id }');
  const printed = await open((await reader.get(`/v1/spaces/${id}/change-requests/${body.id}/pdf`)).body.url);
  expect(printed.status).toBe(200);
  const titles = outline(printed.text);
  expect(titles).toEqual(expect.arrayContaining(['Start', 'Below', 'Added', 'Last']));
  expect(sheets(printed.text)).toBe(6);
  const { changeRequest } = await reader.graphql('query($id: ID!) { changeRequest(id: $id) { pdf { url } } }', {
    id: body.id,
  });
  expect((await open(changeRequest.pdf.url)).status).toBe(200);
});

test('deleted pages that were hidden, or below hidden ones, are not printed with a change request', async () => {
  const { id, pageIds } = await newSpace([
    { title: 'Start' },
    { title: 'Hidden', hidden: true, ref: 'hidden' },
    { title: 'Beneath', parentId: 'hidden' },
    { title: 'Staying', hidden: true, ref: 'staying' },
    { title: 'Leaving', parentId: 'staying' },
    { title: 'Last' },
  ]);
  const [, hidden, , , leaving, last] = pageIds;
  const { body } = await editor.post(`/v1/spaces/${id}/change-requests`, { subject: 'Fewer pages' });
  const changes = [hidden, leaving, last].map((pageId) => ({ deletePage: { pageId } }));
  await editor.mutate('updateChangeRequestContent', { changeRequestId: body.id, changes }, 'changeRequest { id }');
  const printed = await open((await reader.get(`/v1/spaces/${id}/change-requests/${body.id}/pdf`)).body.url);
  expect(printed.status).toBe(200);
  const titles = outline(printed.text);
  expect(titles).toEqual(expect.arrayContaining(['Start', 'Last']));
  for (const title of ['Hidden', 'Beneath', 'Staying', 'Leaving']) expect(titles).not.toContain(title);
});

test('images are included, and broken ones are left out', async () => {
  const { id } = await newSpace([{ title: 'Pictures' }]);
  const files = [
    { name: 'good.png', base64: png(40, 30).toString('base64'), ref: 'good' },
    { name: 'bad.png', base64: png(40, 30).subarray(0, 60).toString('base64'), ref: 'bad' },
  ];
  const { status, body } = await admin.post(`/v1/spaces/${id}/content`, {
    changes: [{ operation: 'insert_files', files }],
    compat: false,
  });
  expect(status).toBe(200);
  const fileIds = body.insertedFiles.map((file: { id: string }) => file.id);
  const markdown = fileIds.map((file: string) => `![](file:${file})`).join('\n\n');
  const insertPage = { title: 'Both', document: { markdown } };
  await admin.mutate('updateSpaceContent', { spaceId: id, changes: [{ insertPage }] }, 'space { id }');
  const printed = await open((await linkTo(admin, id)).body.url);
  expect(printed.status).toBe(200);
  expect(sheets(printed.text)).toBe(4);
});
