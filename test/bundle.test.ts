import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ownModule } from '../src/platform/own-files.ts';
import { Client } from './client.ts';
import { programWords } from './command.ts';

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
  service = spawn(process.execPath, programWords('main'), {
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

const build = () => execFileSync(process.execPath, ['build.mjs'], { encoding: 'utf8' });

test('the bundle has every program and every module of threads', () => {
  const programs = readdirSync('src/programs').map((file) => file.replace(/\.ts$/, '.mjs'));
  const modules = globSync('src/**/*.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\bownModule\(([^)]*)\)/g)].map(([, argument = '']) => argument),
  );
  expect(modules.length).toBeGreaterThan(15);
  const entries = modules
    .filter((argument) => !argument.startsWith('path:'))
    .map((argument) => {
      const [, path = ''] = /^'([\w/-]+)\.ts'$/.exec(argument) ?? [];
      expect([argument, existsSync(ownModule(`${path}.ts`))]).toEqual([argument, true]);
      return `${path.replaceAll('/', '.')}.mjs`;
    });
  expect(readdirSync('dist')).toEqual(expect.arrayContaining([...programs, ...entries]));
});

test('a bundle is built again only when sources or packages have changed', () => {
  const builtAt = () => statSync('dist/main.mjs').mtimeMs;
  const before = builtAt();
  expect(build()).toBe('');
  expect(builtAt()).toBe(before);
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

test('a bundled service has the web application', async () => {
  const document = await (await fetch(`${client.url}/app`)).text();
  const files = [...document.matchAll(/(?:src|href)="(\/app\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  const scripts = files.filter((path) => path.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(0);
  for (const path of files) expect([path, (await fetch(client.url + path)).status]).toEqual([path, 200]);
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
  const { body: content } = await client.get(`/v1/spaces/${spaceId}/content`);
  const { body: link } = await client.get(`/v1/spaces/${spaceId}/pdf?page=${content.pages[0].id}&only=true`);
  const { pathname, search } = new URL(link.url);
  const print = async () => {
    const pdf = await fetch(`${client.url}${pathname}${search}`);
    return [pdf.status, (await pdf.text()).slice(0, 5)];
  };
  await expect.poll(print, { timeout: 110_000, interval: 1_000 }).toEqual([200, '%PDF-']);
});

test('a bundled service refuses to fetch private addresses', async () => {
  const answer = await client.get(`/v1/urls/embed?url=${encodeURIComponent('http://127.0.0.1:1/')}`);
  expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('127.0.0.1')]);
});
