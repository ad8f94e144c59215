import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect } from 'vitest';
import yazl from 'yazl';
import type { Client } from '../../client.ts';
import { withoutTitle } from '../../without-title.ts';
import type { World } from '../../world.ts';

export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export type Files = Record<string, string | Buffer>;

export async function zipOf(files: Files, compress = true): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path, { compress });
  zip.end();
  return buffer(zip.outputStream);
}

/** What tests of imports do over and over, in one organization. */
export function importing({ admin, editor, reader, organizationId }: World) {
  const newSpace = async (title = 'Imported'): Promise<string> => {
    const { space } = await admin.mutate('createSpace', { organizationId, title }, 'space { id }');
    return space.id;
  };
  const upload = async (bytes: Buffer, name = 'file.zip', by: Client = editor) => {
    const path = `/v1/orgs/${organizationId}/uploads?name=${encodeURIComponent(name)}`;
    const { status, body } = await by.send('POST', path, bytes, { 'content-type': 'application/zip' });
    expect(status).toBe(201);
    return body;
  };
  const importInto = (spaceId: string, url: string, source: string) =>
    editor.post(`/v1/spaces/${spaceId}/content/import`, { url, source });
  /** Imports bytes into a space of their own, and answers what is there then. */
  const imported = async (bytes: Buffer, source: string, name?: string) => {
    const spaceId = await newSpace();
    const { status, body } = await importInto(spaceId, (await upload(bytes, name)).url, source);
    expect([status, body.error?.message]).toEqual([201, undefined]);
    return { spaceId, report: body, tree: await treeOf(spaceId) };
  };
  /** Titles of pages, nested as they are. */
  const treeOf = async (spaceId: string): Promise<unknown[]> => {
    const { body } = await reader.get(`/v1/spaces/${spaceId}/content/pages`);
    return outline(body.pages);
  };
  const markdownAt = async (spaceId: string, path: string): Promise<string> =>
    withoutTitle(
      (
        await reader.get(
          `/v1/spaces/${spaceId}/content/path/${encodeURIComponent(path)}?format=markdown&format.markdown.refs=stable`,
        )
      ).body.markdown,
    );
  return { newSpace, upload, importInto, imported, treeOf, markdownAt };
}

interface Listed {
  title: string;
  pages?: Listed[];
}

const outline = (pages: readonly Listed[] = []): unknown[] =>
  pages.map(({ title, pages: inner = [] }) => (inner.length === 0 ? title : [title, outline(inner)]));

/** A site on this machine: bodies of HTML by path, or what answers. */
export async function makeSite(pages: Record<string, string | Buffer | RequestListener>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    asked.push(path);
    const page = pages[path];
    if (typeof page === 'function') return page(request, response);
    if (page === undefined) return void response.writeHead(404).end('Not here.');
    const type = Buffer.isBuffer(page) ? 'image/png' : 'text/html; charset=utf-8';
    response.writeHead(200, { 'content-type': path.endsWith('.txt') ? 'text/plain' : type }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  return { url, asked };
}
