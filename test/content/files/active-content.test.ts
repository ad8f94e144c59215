import { expect, test } from 'vitest';
import { downloadUrl } from '../../../src/domain/content/files/index.ts';
import { routes } from '../../../src/routes.ts';
import type { RestAnswer } from '../../client.ts';
import { publishedSite, show, spaceWith } from '../../publishing/reader-world.ts';
import { world } from '../../world.ts';
import { contextOf, fileOf } from './content.ts';
import { png } from './images.ts';

/*
 * Files that anyone with an account uploads are served from the origin of the API and of sessions. A browser that opens
 * one must not execute it there, whatever its bytes and its name are, and whichever way it is asked for.
 */

const service = await world();
const { app, url, organizationId, admin, anonymous } = service;
const { publicUrl } = app.services.config;
const ctx = contextOf(service, admin);

const RUN = 'fetch("/v1/user")';
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload='${RUN}'><script>${RUN}</script></svg>`;
const XHTML = `<html xmlns="http://www.w3.org/1999/xhtml"><script>${RUN}</script></html>`;
const MATH = `<math xmlns="http://www.w3.org/1998/Math/MathML"><mtext href="javascript:${RUN}">x</mtext></math>`;
const PROLOG = '<?xml version="1.0"?>';

/**
 * Files by their name and bytes, with the type that they are served as, and whether browsers display or download them.
 */
const FILES: [name: string, bytes: string | Uint8Array, type: string, disposition: 'inline' | 'attachment'][] = [
  ['a.png', png(1, 1), 'image/png', 'inline'],
  ['page.html', png(2, 1), 'image/png', 'inline'],
  ['a.gif', 'GIF89a=1;/*', 'image/gif', 'inline'],
  ['a.mp4', '\0\0\0\x18ftypisom', 'video/mp4', 'inline'],
  ['a.mp3', 'ID3\x04\0', 'audio/mpeg', 'inline'],
  ['a.pdf', `%PDF-1.7 1 0 obj<</OpenAction<</S/JavaScript/JS(${RUN})>>>>`, 'application/pdf', 'inline'],
  ['b.html', `%PDF-1.7 <script>${RUN}</script>`, 'application/pdf', 'inline'],
  ['a.svg', SVG, 'image/svg+xml', 'attachment'],
  ['b.svg', `${PROLOG}<!-- drawn -->${SVG}`, 'image/svg+xml', 'attachment'],
  ['c.svg', `${PROLOG}<!DOCTYPE svg [ <!ENTITY x "y"> ]>${SVG}`, 'image/svg+xml', 'attachment'],
  ['d.svg', SVG.replaceAll(/(<\/?)/g, '$1s:').replace('xmlns', 'xmlns:s'), 'image/svg+xml', 'attachment'],
  ['e.png', SVG, 'image/svg+xml', 'attachment'],
  [
    'f.svg',
    `${PROLOG}<x><svg xmlns="http://www.w3.org/2000/svg"><script>${RUN}</script></svg></x>`,
    'image/svg+xml',
    'attachment',
  ],
  ['a.svgz', Buffer.from('\x1f\x8b\x08\0', 'latin1'), 'application/gzip', 'attachment'],
  ['a.html', `<!doctype html><script>${RUN}</script>`, 'text/html; charset=utf-8', 'attachment'],
  ['b.png', `<!doctype html><script>${RUN}</script>`, 'text/html; charset=utf-8', 'attachment'],
  ['c.html', 'no tag', 'text/html; charset=utf-8', 'attachment'],
  ['a.xhtml', XHTML, 'text/html; charset=utf-8', 'attachment'],
  ['b.xhtml', `${PROLOG}${XHTML}`, 'text/html; charset=utf-8', 'attachment'],
  [
    'c.xml',
    `${PROLOG}<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:script>${RUN}</h:script></h:html>`,
    'application/xml',
    'attachment',
  ],
  ['a.xml', `${PROLOG}<?xml-stylesheet type="text/xsl" href="a.xsl"?><a/>`, 'application/xml', 'attachment'],
  ['a.xsl', `${PROLOG}<xsl:stylesheet/>`, 'application/xml', 'attachment'],
  ['a.mml', MATH, 'text/plain; charset=utf-8', 'attachment'],
  ['a.mathml', `${PROLOG}${MATH}`, 'application/xml', 'attachment'],
  ['a.rss', `${PROLOG}<rss/>`, 'application/xml', 'attachment'],
  [
    'a.mhtml',
    `MIME-Version: 1.0\nContent-Type: text/html\n\n<script>${RUN}</script>`,
    'text/plain; charset=utf-8',
    'attachment',
  ],
  ['a.js', RUN, 'text/javascript; charset=utf-8', 'attachment'],
  ['a.mjs', RUN, 'text/javascript; charset=utf-8', 'attachment'],
  ['a.css', '* { color: red }', 'text/css; charset=utf-8', 'attachment'],
  ['a.md', `<script>${RUN}</script>`, 'text/markdown; charset=utf-8', 'attachment'],
  ['a.json', '1', 'application/json', 'attachment'],
  ['a.swf', 'FWS\x09', 'text/plain; charset=utf-8', 'attachment'],
  ['a.wasm', '\0asm', 'application/wasm', 'attachment'],
  ['a.docx', 'PK\x03\x04', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'attachment'],
  ['a.bin', '\0\x01', 'application/octet-stream', 'attachment'],
];

/** The address of a file, with the port that the test listens on. */
async function addressOf(name: string, bytes: string | Uint8Array): Promise<string> {
  const { blob } = await fileOf(ctx, organizationId, name, bytes);
  return downloadUrl(ctx, organizationId, blob, name).replace(publicUrl, url);
}

/** The ways to ask for a file, by the method and a header. */
const WAYS: [what: string, method: string, headers: Record<string, string>][] = [
  ['whole', 'GET', {}],
  ['as a document', 'GET', { accept: 'text/html,application/xhtml+xml', 'sec-fetch-dest': 'document' }],
  ['in a frame', 'GET', { 'sec-fetch-dest': 'iframe' }],
  ['in part', 'GET', { range: 'bytes=0-0' }],
  ['without its bytes', 'HEAD', {}],
];

/** Types of which browsers execute nothing in the origin of the file. */
const PASSIVE = /^(image\/(?!svg)|video\/|audio\/|application\/pdf$)/;

function expectInert({ headers }: RestAnswer): void {
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  if (PASSIVE.test(headers.get('content-type') ?? '')) return;
  expect(headers.get('content-disposition')).toMatch(/^attachment; /);
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.* sandbox$/);
}

test.each(FILES)('%s of %j is %s, %s', async (name, bytes, type, disposition) => {
  const address = await addressOf(name, bytes);
  for (const [what, method, headers] of WAYS) {
    const answer = await anonymous.send(method, address, undefined, headers);
    expect([what, answer.headers.get('content-type')]).toEqual([what, type]);
    expect(answer.headers.get('content-disposition')).toMatch(new RegExp(`^${disposition}; filename="${name}"`));
    expectInert(answer);
  }
});

test('every route that serves the bytes of a file is one of these', () => {
  const found = routes.filter(({ about }) => about.givesBytes).map(({ path }) => path);
  // PDFs are printed by the service. The other route is that of the files above.
  expect(found.sort()).toEqual(['/files/:organizationId/:blob/:signature/:name', '/pdf/:spaceId/:revisionId']);
});

test.each(['/v1', '/graphql', '/healthz', '/v1/nothing', '/metrics', '/openapi.json', '/account', '/nothing'])(
  'what %s answers is not executed either',
  async (path) => {
    for (const client of [anonymous, admin]) {
      const { headers } = await client.get(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    }
  },
);

test('a published page shows an SVG file as an image, and a link to it downloads it', async () => {
  const { spaceId } = await spaceWith(admin, organizationId, 'Drawings', []);
  const files = [{ name: 'drawing.svg', base64: Buffer.from(SVG).toString('base64') }];
  const edit = (changes: unknown[]) =>
    admin.mutate('updateSpaceContent', { spaceId, changes }, 'insertedFiles { downloadUrl }');
  const { downloadUrl: address } = (await edit([{ insertFiles: { files } }])).insertedFiles[0];
  const document = { markdown: `![Drawing](${address})\n\n[Open it](${address})` };
  await edit([{ insertPage: { title: 'Start', document } }]);
  const site = await publishedSite(admin, organizationId, { title: 'Drawings', spaces: [spaceId] });
  const page = await show(site.at());
  const [, source = ''] = /<img [^>]*src="([^"]*\/drawing\.svg)"/.exec(page.text) ?? [];
  expect(source).toMatch(/\/files\/.*\/drawing\.svg$/);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/sandbox (?!.*allow-same-origin)(?!.*allow-scripts)/);
  expect(policy).toContain(`img-src 'self' ${publicUrl}/files/`);
  const image = await show(new URL(source, publicUrl).href.replace(publicUrl, url), { 'sec-fetch-dest': 'image' });
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  // Sites have another origin than files.
  expect(image.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  // The address that renderers have images resized at leads to the same.
  const resized = await show(site.at(`~gitbook/image?url=${encodeURIComponent(address)}&width=100`));
  expect([resized.status, resized.headers.get('location')]).toEqual([307, address]);
  const icon = await show(site.at('~gitbook/icon'));
  expect([icon.headers.get('content-type'), icon.headers.get('content-security-policy')]).toEqual([
    'image/svg+xml',
    "default-src 'none'; sandbox",
  ]);
});
