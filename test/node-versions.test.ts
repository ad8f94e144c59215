import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { Client } from './client.ts';

vi.setConfig({ testTimeout: 240_000 });

const VERSIONS = ['22.18.0', '24', '26'];
const PACKAGE = `node-${process.platform}-${process.arch}`;
const folder = mkdtempSync(join(tmpdir(), 'stemma-nodes-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The program of a version of Node from the registry of npm; undefined where it cannot be had. */
function nodeOf(version: string): string | undefined {
  const directory = join(folder, version);
  try {
    const words = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', directory, `${PACKAGE}@${version}`];
    execFileSync('npm', words, { stdio: 'ignore', timeout: 120_000 });
    return join(directory, 'node_modules', PACKAGE, 'bin', 'node');
  } catch {
    return undefined;
  }
}

function start(node: string, dataDir: string): { child: ChildProcess; output: Promise<string> } {
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(node, ['dist/main.mjs'], {
    env: { PATH, HOME, TMPDIR, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', DEMO: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = new Promise<string>((resolve) => {
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        text += chunk;
        if (text.includes('Try a first query')) resolve(text);
      });
    }
    child.once('exit', () => resolve(text));
  });
  return { child, output };
}

test.each(VERSIONS)('the service starts on Node %s and prints a PDF', async (version) => {
  const node = nodeOf(version);
  if (node === undefined) return void console.info(`Skipped: Node ${version} cannot be installed here.`);
  execFileSync(process.execPath, ['build.mjs']);
  const dataDir = await mkdtemp(join(tmpdir(), 'stemma-node-'));
  const { child, output } = start(node, dataDir);
  try {
    const text = await output;
    const token = /stemma_[\w-]+/.exec(text)?.[0] ?? '';
    const client = new Client(/listens on (\S+)/.exec(text)?.[1] ?? `http://no-address/${text}`, token);
    const { body: organizations } = await client.get('/v1/orgs');
    const { body: spaces } = await client.get(`/v1/orgs/${organizations.items[0].id}/spaces`);
    const { viewer } = await client.graphql('{ viewer { organizations { nodes { title } } } }');
    expect(viewer.organizations.nodes).toEqual([{ title: 'Acme' }]);
    const space = `/v1/spaces/${spaces.items[0].id}`;
    const { body: content } = await client.get(`${space}/content`);
    const { body } = await client.get(`${space}/pdf?page=${content.pages[0].id}&only=true`);
    const { pathname, search } = new URL(body.url);
    const print = async () => (await fetch(`${client.url}${pathname}${search}`)).headers.get('content-type');
    await expect.poll(print, { timeout: 150_000, interval: 1_000 }).toBe('application/pdf');
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
});
