import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { world } from '../world.ts';

const { anonymous, admin } = await world();

const page = (path: string) => anonymous.send('GET', path, undefined, { accept: 'text/html' });

/** Addresses of this service that a page leads to. */
const linksOf = (html: string) => [...new Set([...html.matchAll(/ href="(\/[^"#]*)/g)].map(([, path = '']) => path))];

test('the root page describes the service and links to its interfaces', async () => {
  const { status, headers, body } = await page('/');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(body).toContain('<h1>A backend for documentation</h1>');
  expect(linksOf(body)).toEqual([
    '/graphql',
    '/app',
    '/account',
    '/docs',
    '/handbook',
    '/v1/openapi.json',
    '/healthz',
    '/readyz',
  ]);
  for (const path of linksOf(body)) expect([path, (await page(path)).status]).toEqual([path, 200]);
});

test.each(['/', '/handbook', '/handbook/using/versions'])('%s runs no scripts and loads nothing', async (path) => {
  const { headers, body } = await page(path);
  const policy = headers.get('content-security-policy') ?? '';
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(body) ?? [];
  expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(policy).not.toMatch(/unsafe|script-src|connect-src/);
  expect(body).not.toMatch(/<script| style="| src="(?!data:)|url\(/);
  expect(body).toMatch(/<html lang="en">.*<meta name="viewport".*<title>[^<]+<\/title>.*<main>.*<h1/s);
});

test('every page of the handbook is served, and all its links resolve', async () => {
  const seen = new Map<string, string>();
  const waiting = ['/handbook'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    const { status, body } = await page(path);
    expect([path, status]).toEqual([path, 200]);
    seen.set(path, body);
    waiting.push(...linksOf(body).filter((link) => link.startsWith('/handbook')));
  }
  const files = globSync('**/*.md', { cwd: join(import.meta.dirname, '../../src/demo/handbook') });
  expect(seen.size).toBe(files.filter((file) => file !== 'SUMMARY.md').length);
  for (const [path, body] of seen) {
    for (const [, target = '', anchor] of body.matchAll(/ href="(\/handbook[^"#]*)#([^"]+)"/g)) {
      expect([path, anchor, seen.get(target)?.includes(` id="${anchor}"`)]).toEqual([path, anchor, true]);
    }
    // Tags of block extensions are shown in examples alone.
    expect(body.replaceAll(/<(pre|code)[^>]*>.*?<\/\1>/gs, '')).not.toMatch(/\{% /);
  }
});

test('the handbook marks the current page, and finds pages without scripts', async () => {
  const { body } = await page('/handbook/using/git');
  expect([...body.matchAll(/href="([^"]+)" aria-current="page"/g)].map(([, path]) => path)).toEqual([
    '/handbook/using/git',
  ]);
  expect(body).toContain('<form role="search" action="/handbook">');
  const found = await page('/handbook?q=access');
  expect(found.headers.get('content-security-policy')).toContain("form-action 'self'");
  expect([...found.body.matchAll(/<li><a href="([^"]+)">[^<]+<\/a><p>/g)][0]?.[1]).toBe('/handbook/using/access');
  const hostile = await page(`/handbook?q=${encodeURIComponent('"><b>')}`);
  expect(hostile.body).toContain('No page of the handbook contains “&quot;&gt;&lt;b&gt;”.');
});

test("other files in the handbook's folder are not served", async () => {
  for (const path of ['SUMMARY', 'nothing', '%2e%2e/author', '..%2f..%2fconfig', '.gitbook/assets/version-graph.svg']) {
    const { status, body } = await anonymous.get(`/handbook/${path}`);
    expect([path, status, body.error?.code]).toEqual([path, 404, 404]);
  }
});

test('with a query, a browser gets GraphiQL and other clients get the response', async () => {
  const address = `/graphql?query=${encodeURIComponent('{ __typename }')}`;
  expect((await page(address)).body).toContain('Open GraphiQL');
  expect((await admin.get(address)).body).toEqual({ data: { __typename: 'Query' } });
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
  expect((await anonymous.send('GET', address, undefined, { accept: browser })).headers.get('content-type')).toMatch(
    /^text\/html/,
  );
});

test('GraphiQL has our name and mark, first asks for a token, and keeps it for the session only', async () => {
  const { body } = await page('/graphql');
  const before = body.slice(0, body.indexOf('<script>'));
  expect(before).toMatch(/<meta name="viewport" content="width=device-width, initial-scale=1">/);
  expect(before).toMatch(/<title>Stemma: GraphiQL<\/title>.*<label for="token">Access token<\/label>/s);
  expect(before).toMatch(/<a class="brand" href="\/"><svg.*<\/svg> Stemma<\/a>/s);
  expect(before).toMatch(/<link rel="(?:shortcut )?icon"[^>]* href="data:image\/svg\+xml,/);
  expect(body).toContain('"shouldPersistHeaders":false');
  expect(body).toContain('sessionStorage.setItem(KEY, token)');
});
