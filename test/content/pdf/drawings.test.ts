import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { world } from '../../world.ts';
import { makeSite, PIXEL } from '../import-engine/arrange.ts';
import { fetchPdf } from './fetch-pdf.ts';

const { app, url, admin, reader, organizationId } = await world();

/** An image on the host, which SVG images must not be able to read. */
const folder = await mkdtemp(join(tmpdir(), 'stemma-host-'));
const secret = join(folder, 'secret.png');
await writeFile(secret, PIXEL);
afterAll(() => rm(folder, { recursive: true, force: true }));

const site = await makeSite({ '/x.png': PIXEL });

const svg = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="60">
    <rect width="33" height="44" fill="#ff0000"/>${inside}</svg>`;

/** A PDF of one page with these SVG images. */
async function printed(drawings: string[]): Promise<string> {
  const { space } = await admin.mutate(
    'createSpace',
    { organizationId, title: 'Drawings', empty: true },
    'space { id }',
  );
  const files = drawings.map((text, index) => ({
    name: `${index}.svg`,
    base64: Buffer.from(text).toString('base64'),
    ref: `f${index}`,
  }));
  const { body } = await admin.post(`/v1/spaces/${space.id}/content`, {
    changes: [{ operation: 'insert_files', files }],
    compat: false,
  });
  const markdown = body.insertedFiles.map(({ id }: { id: string }) => `![](file:${id})`).join('\n\n');
  const insertPage = { title: 'Drawings', document: { markdown } };
  await admin.mutate('updateSpaceContent', { spaceId: space.id, changes: [{ insertPage }] }, 'space { id }');
  const { body: link } = await reader.get(`/v1/spaces/${space.id}/pdf`);
  const response = await fetchPdf(link.url.replace(app.services.config.publicUrl, url));
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer()).toString('latin1');
}

/** The number of bitmaps in a PDF, including masks: the printer writes one for each image with transparency. */
const bitmaps = (pdf: string) => pdf.match(/\/Subtype \/Image/g)?.length ?? 0;

test('an embedded image is printed', async () => {
  const pixel = `<image width="9" height="9" xlink:href="data:image/png;base64,${PIXEL.toString('base64')}"/>`;
  expect(bitmaps(await printed([svg(pixel)]))).toBeGreaterThan(0);
});

test.each([
  ['a file of the host', () => secret],
  ['a file: address', () => `file://${secret}`],
  ['an http: address', () => `${site.url}/x.png`],
  ['a device without an end', () => '/dev/zero'],
])('an SVG image that refers to %s is printed without it', async (_name, reference) => {
  const hostile = ['href', 'xlink:href'].map((name) => svg(`<image width="9" height="9" ${name}="${reference()}"/>`));
  expect(bitmaps(await printed(hostile))).toBe(0);
  expect(site.asked).toEqual([]);
});

test('invalid and endless SVG images are replaced by their names, and others stay', async () => {
  const levels = Array.from({ length: 30 }, (_, at) => `<g id="a${at}">${`<use href="#a${at + 1}"/>`.repeat(9)}</g>`);
  const pixel = `<image width="9" height="9" href="data:image/png;base64,${PIXEL.toString('base64')}"/>`;
  expect(bitmaps(await printed(['<svg><g></svg>', svg(levels.join('')), svg(pixel)]))).toBeGreaterThan(0);
});
