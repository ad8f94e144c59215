import { expect, test } from 'vitest';
import { world } from '../../world.ts';

const { app, url, admin, reader, organizationId } = await world({ RATE_LIMIT: '0' });

async function newSpace(): Promise<string> {
  const input = { organizationId, title: 'Large', empty: true };
  return (await admin.mutate('createSpace', input, 'space { id }')).space.id;
}

const edit = (spaceId: string, changes: object[]) =>
  admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds insertedReusableContents { reusableContentId }');

/** Downloads the PDF of a space, once it is known whether there is one. */
async function open(spaceId: string, query = ''): Promise<{ status: number; body: string }> {
  const { body } = await reader.get(`/v1/spaces/${spaceId}/pdf${query}`);
  for (;;) {
    const response = await fetch(body.url.replace(app.services.config.publicUrl, url));
    if (response.status !== 503) return { status: response.status, body: await response.text() };
  }
}

const TOO_LARGE = {
  status: 413,
  body: expect.stringContaining('A PDF is limited to 5000 pages with 64 MB of documents in JSON.'),
};

test('a space with more than 5,000 pages is not printed, and says that its pages can be', async () => {
  const spaceId = await newSpace();
  const first = { insertPage: { title: 'Section', ref: 'section' } };
  const below = Array.from({ length: 49 }, (_, n) => ({ insertPage: { title: `Page ${n}`, parentId: 'section' } }));
  const pageIds: string[] = [];
  for (let section = 0; section <= 100; section++) pageIds.push(...(await edit(spaceId, [first, ...below])).pageIds);
  expect(await open(spaceId)).toEqual(TOO_LARGE);
  expect((await open(spaceId, `?page=${pageIds[0]}&only=true`)).status).toBe(200);
});

test('documents of more than 64 MB are not printed', async () => {
  const spaceId = await newSpace();
  const document = { markdown: 'word '.repeat(40_000) };
  const { insertedReusableContents } = await edit(spaceId, [{ insertReusableContent: { title: 'Long', document } }]);
  const [{ reusableContentId }] = insertedReusableContents;
  const block = {
    object: 'block',
    type: 'reusable-content',
    isVoid: true,
    data: { ref: { kind: 'reusable-content', reusableContent: reusableContentId } },
  };
  const including = { document: { object: 'document', data: {}, nodes: [block] } };
  const pages = Array.from({ length: 50 }, (_, index) => ({
    insertPage: { title: `Page ${index}`, document: including },
  }));
  for (let batch = 0; batch < 7; batch++) await edit(spaceId, pages);
  expect(await open(spaceId)).toEqual(TOO_LARGE);
});
