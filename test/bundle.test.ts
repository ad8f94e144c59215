import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { BUNDLES, bundleDirectory, PROGRAMS, programUrl } from '../src/bundle.mjs';
import { Client } from './client.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const TOKEN = 'stemma_the-token-of-this-test';

let dataDir: string;
let service: ChildProcess;
let client: Client;
let spaceId: string;

/** The service as `npm start` runs it, on a database of its own. */
beforeAll(async () => {
  build();
  dataDir = await mkdtemp(join(tmpdir(), 'stemma-bundle-'));
  const { PATH, HOME } = process.env;
  service = spawn(process.execPath, ['src/main.mjs'], {
    env: { PATH, HOME, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', DEMO: '1', BOOTSTRAP_TOKEN: TOKEN },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve) => {
    let text = '';
    service.stdout?.on('data', (chunk) => {
      text += chunk;
      const address = /listens on (\S+)/.exec(text)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  client = new Client(url, TOKEN);
  const { body: organizations } = await client.get('/v1/orgs');
  const { body: spaces } = await client.get(`/v1/orgs/${organizations.items[0].id}/spaces`);
  spaceId = spaces.items[0].id;
});

afterAll(async () => {
  service.kill('SIGTERM');
  await once(service, 'exit');
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

const build = () => execFileSync(process.execPath, ['src/build.mjs'], { encoding: 'utf8' });

test('there is a bundle of each program for the sources as they are, which is built once', () => {
  for (const name of PROGRAMS) {
    const path = new URL(programUrl(name)).pathname;
    expect(path).toMatch(new RegExp(`/dist/[0-9a-f]{16}/${name}\\.mjs$`));
  }
  const files = readdirSync(bundleDirectory());
  expect(build()).toBe('');
  expect(readdirSync(bundleDirectory())).toEqual(files);
  expect(readdirSync(BUNDLES).length).toBeLessThanOrEqual(2);
});

test('programs that end soon run from their sources', () => {
  expect(programUrl('doctor')).toMatch(/\/src\/programs\/doctor\.ts$/);
});

test('a bundled service has its pages, style sheets and documents', async () => {
  const texts = await Promise.all(
    ['/', '/graphql', '/docs', '/handbook'].map(async (path) => {
      const response = await fetch(`${client.url}${path}`, { headers: { accept: 'text/html' } });
      return [response.status, (await response.text()).includes('<html')];
    }),
  );
  expect(texts).toEqual(Array(4).fill([200, true]));
});

test('a bundled service reads large Markdown in the threads of its heavy work', async () => {
  const { body: request } = await client.post(`/v1/spaces/${spaceId}/change-requests`, { subject: 'Large' });
  const markdown = `# Large\n\n${'A **word** of a [page](https://example.com), `code`.\n\n'.repeat(3_000)}`;
  const changes = [{ operation: 'insert_page', type: 'document', title: 'Large', document: { markdown } }];
  const { status, body } = await client.post(`/v1/spaces/${spaceId}/change-requests/${request.id}/content`, {
    changes,
  });
  expect([status, body.error]).toEqual([200, undefined]);
});

test('a bundled service prints PDFs in its isolated processes', async () => {
  const { body: link } = await client.get(`/v1/spaces/${spaceId}/pdf`);
  const { pathname, search } = new URL(link.url);
  const pdf = await fetch(`${client.url}${pathname}${search}`);
  expect([pdf.status, (await pdf.text()).slice(0, 5)]).toEqual([200, '%PDF-']);
});

test('a bundled service refuses to fetch private addresses', async () => {
  const answer = await client.get(`/v1/urls/embed?url=${encodeURIComponent('http://127.0.0.1:1/')}`);
  expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('127.0.0.1')]);
});
