import { encode } from 'fast-png';
import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { fetchPdf } from './fetch-pdf.ts';
import { readPdf } from './read-pdf.ts';

const { app, url, admin, reader, organizationId } = await world();

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** A screenshot with transparency. */
function png(): Buffer {
  const [width, height] = [300, 200];
  const data = Uint8Array.from({ length: width * height * 4 }, (_, at) => (at * 31) % 251);
  return Buffer.from(encode({ width, height, data, channels: 4, depth: 8 }));
}

/** The PDF of a space with one page for each file. */
async function printed(files: Record<string, Buffer>): Promise<Response> {
  const input = { organizationId, title: 'Pictures', empty: true };
  const { space } = await admin.mutate('createSpace', input, 'space { id }');
  const { body } = await admin.post(`/v1/spaces/${space.id}/content`, {
    changes: [
      {
        operation: 'insert_files',
        files: Object.entries(files).map(([name, bytes]) => ({ name, base64: bytes.toString('base64'), ref: name })),
      },
    ],
    compat: false,
  });
  const changes = body.insertedFiles.map(({ id }: { id: string }, index: number) => ({
    insertPage: { title: `Page ${index}`, document: { markdown: `![](file:${id})` } },
  }));
  await admin.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'space { id }');
  const { body: link } = await reader.get(`/v1/spaces/${space.id}/pdf`);
  return fetchPdf(link.url.replace(app.services.config.publicUrl, url));
}

test('images that cannot be printed are left out alone, and the PDF and the answer say so', async () => {
  const damaged = png();
  damaged.fill(0, 60, 400);
  const response = await printed({ 'a.png': png(), 'b.png': damaged, 'c.gif': GIF });
  expect(response.status).toBe(200);
  expect(response.headers.get('stemma-left-out-images')).toBe('2');
  const bytes = Buffer.from(await response.arrayBuffer());
  // The image and its transparency.
  expect(bytes.toString('latin1').match(/\/Subtype \/Image/g)).toHaveLength(2);
  const { text } = readPdf(bytes);
  const [cover] = text.split('\n');
  expect(cover).toContain(
    'Left out of this PDF: 1 image in formats other than PNG, JPEG and SVG, 1 image that cannot be read.',
  );
  expect(text).toContain('b.png');
  expect(text).toContain('c.gif');
});

test('a PDF with all of its images says nothing', async () => {
  const response = await printed({ 'a.png': png() });
  expect(response.headers.get('stemma-left-out-images')).toBeNull();
  expect(readPdf(Buffer.from(await response.arrayBuffer())).text).not.toContain('Left out');
});
