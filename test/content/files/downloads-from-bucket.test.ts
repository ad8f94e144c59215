import { S3Client } from '@aws-sdk/client-s3';
import pino from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { downloadUrl } from '../../../src/domain/content/files/index.ts';
import { s3Client } from '../../../src/platform/storage/s3-client.ts';
import { signedFiles } from '../../../src/platform/storage/signed-files.ts';
import type { S3Location } from '../../../src/platform/storage/storage-location.ts';
import { makeDatabase } from '../../database.ts';
import { startS3 } from '../../platform/s3-service.ts';
import { publishedSite, show, spaceWith } from '../../publishing/reader-world.ts';
import { configOf } from '../../settings.ts';
import { world } from '../../world.ts';
import { contextOf, fileOf } from './content.ts';
import { png } from './images.ts';

vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
const s3 = await startS3();
afterAll(() => s3.close());

const BUCKET = {
  STORAGE_URL: `s3://blobs/docs?region=us-east-1&endpoint=${s3.url}`,
  STORAGE_PUBLIC: 'signed',
};
const service = await world(BUCKET);
const { app, url, organizationId, otherOrganizationId, admin, editor } = service;
const ctx = contextOf(service, editor);

/** The download URL of new bytes under a name, with the port that the test listens on. */
async function addressOf(name: string, bytes: string | Uint8Array, organization = organizationId): Promise<string> {
  const { blob } = await fileOf(ctx, organizationId, name, bytes);
  return downloadUrl(ctx, organization, blob, name).replace(app.services.config.publicUrl, url);
}

const ask = (address: string, init: RequestInit = {}) => fetch(address, { redirect: 'manual', ...init });

const image = png(3, 2);
const dot = await addressOf('dot.png', image);

test('redirects to the bucket, which answers with the media type and the name of the file', async () => {
  const before = s3.requests.length;
  const { status, headers } = await ask(dot);
  expect(s3.requests.slice(before)).toEqual([expect.stringMatching(/^HEAD /)]);
  const location = headers.get('location') ?? '';
  expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([302, 'private, max-age=300', null]);
  expect(location).toMatch(new RegExp(`^${s3.url}/blobs/docs/[0-9a-f]{2}/[0-9a-f]{64}\\?`));
  const answer = await fetch(location);
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(image))).toBe(true);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': `inline; filename="dot.png"; filename*=UTF-8''dot.png`,
    'cache-control': 'private, max-age=1800, immutable',
    'content-length': String(image.length),
  });
});

test.each(['50% "of" – ä;b\\c.png', "it's (one) *.png", '図.png'])('keeps the file name %s', async (name) => {
  const { status, headers } = await fetch(await addressOf(name, png(2, 2)));
  const found = /filename\*=UTF-8''(.*)$/.exec(headers.get('content-disposition') ?? '')?.[1] ?? '';
  expect([status, decodeURIComponent(found)]).toEqual([200, name]);
});

test('ranges and conditions are answered by the bucket', async () => {
  const part = await fetch(dot, { headers: { range: 'bytes=1-3' } });
  expect([part.status, await part.text()]).toEqual([206, 'PNG']);
  expect((await fetch(dot, { headers: { range: 'bytes=100000-' } })).status).toBe(416);
  const etag = (await fetch(dot)).headers.get('etag') ?? '';
  expect((await fetch(dot, { headers: { 'if-none-match': etag } })).status).toBe(304);
  // A redirect ignores conditions, and the entity tag of the service is not the bucket's.
  const blob = /[0-9a-f]{64}/.exec(dot)?.[0];
  expect((await ask(dot, { headers: { 'if-none-match': `"${blob}"` } })).status).toBe(302);
});

test('HEAD is redirected to a URL for HEAD', async () => {
  const redirect = await ask(dot, { method: 'HEAD' });
  expect([redirect.status, await redirect.text()]).toEqual([302, '']);
  const answer = await fetch(dot, { method: 'HEAD' });
  expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(image.length)]);
  expect((await fetch(redirect.headers.get('location') ?? '')).status).toBe(403);
});

test('files that were set aside as unused pass through the service until they are restored', async () => {
  const bytes = png(7, 7);
  const address = await addressOf('aside.png', bytes);
  const hash = Buffer.from(/[0-9a-f]{64}/.exec(address)?.[0] ?? '', 'hex');
  expect(await app.services.storage.remove(hash, new Date(Date.now() + 60_000))).toBe(true);
  const answer = await ask(address, { headers: { range: 'bytes=1-3' } });
  expect([answer.status, answer.headers.get('location'), await answer.text()]).toEqual([206, null, 'PNG']);
  await app.services.storage.tidy(async (hashes) => hashes, new Date(0), new AbortController().signal);
  expect((await ask(address)).status).toBe(302);
  expect(Buffer.from(await (await fetch(address)).arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
});

test('nothing is redirected without the right to it', async () => {
  const address = await addressOf('else.png', png(5, 5), otherOrganizationId);
  const forged = [address, dot.replace(/\/[^/]{22}\//, '/AAAAAAAAAAAAAAAAAAAAAA/'), dot.replace('dot', 'spot')];
  for (const each of forged) {
    const { status, headers } = await ask(each);
    expect([status, headers.get('location')]).toEqual([404, null]);
  }
});

test('a signed URL cannot be changed', async () => {
  const location = (await ask(dot)).headers.get('location') ?? '';
  for (const [from, to] of [
    ['image%2Fpng', 'text%2Fhtml'],
    ['inline', 'attachment'],
    ['X-Amz-Expires=1800', 'X-Amz-Expires=18000'],
    [/[0-9a-f]{64}/, (hash: string) => hash.split('').reverse().join('')],
  ] as const) {
    const altered = location.replace(from, to as string);
    expect(altered).not.toBe(location);
    expect((await fetch(altered)).status).toBe(403);
  }
});

test('a signed URL is the same for a while, and longer valid than its redirect', async () => {
  const locations = new Set<string>();
  let offset = 0;
  const moveTo = (milliseconds: number) => {
    service.advance(milliseconds - offset);
    offset = milliseconds;
  };
  const begin = Math.ceil(Date.now() / 900_000) * 900_000 - Date.now();
  for (const seconds of [1, 300, 890]) {
    moveTo(begin + seconds * 1_000);
    locations.add((await ask(dot)).headers.get('location') ?? '');
  }
  expect(locations.size).toBe(1);
  moveTo(begin + 901_000);
  locations.add((await ask(dot)).headers.get('location') ?? '');
  expect(locations.size).toBe(2);
  moveTo(begin - 900_000 - 1_800_000); // two periods ago
  expect((await fetch(dot)).status).toBe(403);
  moveTo(0);
  expect((await fetch(dot)).status).toBe(200);
});

const XML = '<?xml version="1.0"?><note/>';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

test.each([
  ['page.html', '<!doctype html><p>Hi', 'text/html; charset=utf-8'],
  ['picture.svg', SVG, 'image/svg+xml'],
  ['note.xml', XML, 'application/xml'],
  ['note.txt', 'text', 'text/plain; charset=utf-8'],
  ['script.js', 'alert(1)', 'text/javascript; charset=utf-8'],
  ['data.json', '{}', 'application/json'],
  ['style.css', 'p {}', 'text/css; charset=utf-8'],
  ['font.woff2', 'wOF2\0', 'font/woff2'],
  ['code.wasm', '\0asm\u0001\0\0\0', 'application/wasm'],
  ['book.epub', 'PK\u0003\u0004', 'application/epub+zip'],
])('%s passes through the service, with its safe headers', async (name, bytes, contentType) => {
  const { status, headers } = await ask(await addressOf(name, bytes));
  expect([status, headers.get('content-type')]).toEqual([200, contentType]);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('content-disposition')).toMatch(/^attachment;/);
});

test.each([
  ['manual.pdf', '%PDF-1.7', 'application/pdf', 'inline'],
  ['film.mp4', '\0\0\0\0ftypisom', 'video/mp4', 'inline'],
  ['all.zip', 'PK\u0003\u0004', 'application/zip', 'attachment'],
  ['page.html', '\0\u0001<html>', 'application/octet-stream', 'attachment'],
])('%s comes from the bucket', async (name, bytes, contentType, disposition) => {
  const answer = await fetch(await addressOf(name, bytes));
  expect([answer.url.startsWith(s3.url), answer.headers.get('content-type')]).toEqual([true, contentType]);
  expect(answer.headers.get('content-disposition')?.split(';')[0]).toBe(disposition);
});

test('both transports show the same download URLs as ever', async () => {
  const { space } = await admin.mutate('createSpace', { organizationId }, 'space { id }');
  const changes = [{ insertFiles: { files: [{ name: 'a.png', base64: Buffer.from(image).toString('base64') }] } }];
  await admin.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'pageIds');
  const { body } = await admin.get(`/v1/spaces/${space.id}/content/files`);
  const shown = body.items[0].downloadURL as string;
  expect(shown).toMatch(new RegExp(`^${app.services.config.publicUrl}/files/`));
  const query = 'query($id: ID!) { space(id: $id) { revision { files(first: 1) { nodes { downloadUrl } } } } }';
  const data = await admin.graphql(query, { id: space.id });
  expect(data.space.revision.files.nodes).toEqual([{ downloadUrl: shown }]);
  expect((await fetch(shown.replace(app.services.config.publicUrl, url))).url).toContain(s3.url);
});

test('pages of the application and of sites may show images of the bucket', async () => {
  const source = `${s3.url}/blobs/docs/`;
  const policyOf = (headers: Headers) => headers.get('content-security-policy') ?? '';
  const application = policyOf((await ask(`${url}/app`)).headers);
  for (const directive of ['img-src', 'media-src'])
    expect(application).toMatch(new RegExp(`${directive} 'self'[^;]* ${source}(;|$)`));
  const { spaceId } = await spaceWith(admin, organizationId, 'Guides', [{ title: 'Start' }]);
  const site = await publishedSite(admin, organizationId, { title: 'Docs', spaces: [spaceId] });
  const page = policyOf((await show(site.at(''))).headers);
  expect(page).toMatch(new RegExp(`img-src 'self'[^;]* ${source}[ ;]`));
  expect(page).toMatch(/script-src 'sha256-[^ ;]*';/);
});

test.each([
  ['PUBLIC_URL', { PUBLIC_URL: s3.url }],
  ['SITES_URL', { SITES_URL: `${s3.url}/sites` }],
])('a bucket with the origin of %s is refused at the start', async (name, settings) => {
  const database = await makeDatabase();
  const config = configOf({ ...BUCKET, ...settings, WORKERS: '0' });
  const log = pino({ level: 'silent' });
  const secretKey = 'a key of tests that is long enough';
  try {
    await expect(
      createApp({ config, databaseUrl: database.url, secretKey, log, isMigrated: true }),
    ).rejects.toMatchObject({
      name: 'Error',
      message: `STORAGE_PUBLIC=signed requires a bucket with a separate origin, but ${s3.url} is also the origin of ${name}. Give the bucket another host name, or remove STORAGE_PUBLIC.`,
    });
  } finally {
    await database.drop();
  }
});

const AMAZON: S3Location = { kind: 's3', bucket: 'files', prefix: '', region: 'eu-central-1', endpoint: undefined };

test.each([
  [AMAZON, 'https://files.s3.eu-central-1.amazonaws.com', '/'],
  [{ ...AMAZON, prefix: 'a/b/' }, 'https://files.s3.eu-central-1.amazonaws.com', '/a/b/'],
  [{ ...AMAZON, bucket: 'my.files' }, 'https://s3.eu-central-1.amazonaws.com', '/my.files/'],
  [{ ...AMAZON, region: 'cn-north-1' }, 'https://files.s3.cn-north-1.amazonaws.com.cn', '/'],
  [{ ...AMAZON, endpoint: 'https://files.example.com:9000' }, 'https://files.example.com:9000', '/files/'],
])('knows the address of a bucket: %o', async (location, origin, path) => {
  const client = s3Client(location, 1_000);
  const files = await signedFiles(client, location, 1_000);
  client.destroy();
  expect([files.origin, files.source]).toEqual([origin, `${origin}${path}`]);
});

test('a URL is valid for no longer than temporary credentials', async () => {
  const now = new Date(1_000 * 900_000);
  const signedWith = async (secondsLeft: number) => {
    const expiration = new Date(now.getTime() + secondsLeft * 1_000);
    const credentials = async () => ({ accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'c&d', expiration });
    const files = await signedFiles(new S3Client({ region: 'eu-central-1', credentials }), AMAZON, 1_000);
    const response = { method: 'GET', contentType: 'image/png', contentDisposition: 'inline' } as const;
    const { url: signed, maxAgeSeconds } = await files.sign(Buffer.alloc(32), response, now);
    const { searchParams } = new URL(signed);
    expect(searchParams.get('X-Amz-Security-Token')).toBe('c&d');
    return [Number(searchParams.get('X-Amz-Expires')), maxAgeSeconds];
  };
  expect(await signedWith(86_400)).toEqual([1_800, 300]);
  expect(await signedWith(400)).toEqual([400, 200]);
  expect(await signedWith(-5)).toEqual([1, 0]);
});
