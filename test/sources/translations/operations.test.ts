import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { world } from '../../world.ts';
import { translating } from './arrange.ts';

const here = await world();
const { admin, creator, editor, reader, guest, outsider, anonymous, organizationId, otherOrganizationId } = here;
const { all, makeSpace, create, work, read } = translating(here);

let spaceId: string;
let translationId: string;
let translatedId: string;
beforeAll(async () => {
  ({ spaceId } = await makeSpace({ One: 'One.' }));
  ({ translationId, translatedId } = await create(spaceId));
  await work(translationId);
});

test('neither side of a translation is transferred', async () => {
  await here.app.services.db
    .insertInto('membership')
    .values({ id: newId('member'), organizationId: otherOrganizationId, userId: admin.userId, role: 'create' })
    .execute();
  for (const id of [spaceId, translatedId]) {
    const { status, body } = await admin.post(`/v1/spaces/${id}/transfer`, { organization: otherOrganizationId });
    expect([status, body.error.message]).toEqual([412, expect.stringContaining(translationId)]);
  }
});

const input = { source: { space: '', language: 'en' }, language: 'fr' };

test('a translation is read on both transports, with its space and its revision', async () => {
  const { body } = await reader.restAs('getTranslation', 'GET', `${all}/${translationId}`);
  expect(body).toMatchObject({ id: translationId, language: 'de', permissions: { view: true, edit: false } });
  const { organization, node } = await reader.graphql(
    `query ($org: ID!, $id: ID!) {
      node(id: $id) { ... on Translation { status stats { runs latestSentSegments } progress { pagesTotal pagesDone } } }
      organization(id: $org) {
        translation(id: $id) { id provider lastError instructionsMarkdown permissions { edit } urls { location app } }
        translations(first: 20) { totalCount nodes { id status language source { space { id title } language }
          result { space { id } revision { id } language } stats { runs totalWords } } } } }`,
    { org: organizationId, id: translationId },
  );
  expect(organization.translations).toMatchObject({
    totalCount: 1,
    nodes: [
      {
        id: translationId,
        status: 'COMPLETED',
        language: 'DE',
        source: { space: { id: spaceId, title: 'Guide' }, language: 'EN' },
        result: { space: { id: translatedId }, revision: { id: body.result.revision }, language: 'DE' },
      },
    ],
  });
  expect(organization.translation).toMatchObject({
    provider: 'EMBEDDED',
    lastError: null,
    permissions: { edit: false },
    urls: {
      location: expect.any(String),
      app: expect.stringMatching(`/app/orgs/${organizationId}/translations/${translationId}$`),
    },
  });
  expect(body.urls).toEqual(organization.translation.urls);
  expect(node).toMatchObject({ status: 'COMPLETED', progress: { pagesTotal: 1, pagesDone: 1 } });
  const { body: listed } = await reader.restAs('listTranslations', 'GET', all);
  expect(listed.items.map(({ id }: { id: string }) => id)).toEqual([translationId]);
  const space = (await reader.get(`/v1/spaces/${translatedId}`)).body;
  expect(space).toMatchObject({ title: 'Guide (German)', language: 'de' });
});

test('outsiders and callers who cannot read the source see no translation', async () => {
  const path = `${all}/${translationId}`;
  expect((await outsider.get(path)).status).toBe(404);
  expect((await outsider.get(all)).status).toBe(404);
  expect((await outsider.get(`/v1/orgs/${otherOrganizationId}/translations/${translationId}`)).status).toBe(404);
  expect((await guest.get(path)).status).toBe(404);
  expect((await guest.get(all)).body.items).toEqual([]);
  expect((await anonymous.get(path)).status).toBe(401);
  const { node } = await outsider.graphql('query ($id: ID!) { node(id: $id) { id } }', { id: translationId });
  expect(node).toBeNull();
});

test('writing requires the right to create content', async () => {
  for (const caller of [reader, editor]) {
    expect((await caller.post(all, { ...input, source: { ...input.source, space: spaceId } })).status).toBe(403);
    expect((await caller.post(`${all}/${translationId}/run`)).status).toBe(403);
    expect((await caller.post(`${all}/${translationId}/cancel`)).status).toBe(403);
    expect((await caller.put(`${all}/${translationId}`, { instructions: DOCUMENT })).status).toBe(403);
    expect((await caller.delete(`${all}/${translationId}`)).status).toBe(403);
  }
  for (const [method, path] of [
    ['POST', '/run'],
    ['POST', '/cancel'],
    ['PUT', ''],
  ] as const) {
    const body = method === 'PUT' ? { instructions: DOCUMENT } : undefined;
    expect((await outsider.send(method, `${all}/${translationId}${path}`, body)).status).toBe(404);
    expect((await guest.send(method, `${all}/${translationId}${path}`, body)).status).toBe(404);
  }
  expect((await outsider.delete(`${all}/${translationId}`)).status).toBe(404);
  expect((await outsider.post(all, { ...input, source: { ...input.source, space: spaceId } })).status).toBe(404);
});

const DOCUMENT = { object: 'document', data: { schemaVersion: 8 }, nodes: [] };

test.each([
  [{ language: 'fr' }, 'source'],
  [{ source: { space: 'space_x', language: 'en' }, language: 'fr' }, 'source.space'],
  [{ source: { space: '01', language: 'en' }, language: 'tlh' }, 'language'],
  [{ source: { language: 'en' }, language: 'fr' }, 'source.space'],
  [{ source: { space: 'SPACE', language: 'fr' }, language: 'fr' }, 'language'],
  [{ source: { space: 'SPACE', language: 'en' }, language: 'fr', instructions: 'Be formal.' }, 'instructions'],
  [
    {
      source: { space: 'SPACE', language: 'en' },
      language: 'fr',
      instructions: { ...DOCUMENT, nodes: [{ object: 'x' }] },
    },
    'instructions',
  ],
])('creation with %j is a bad request', async (given, path) => {
  const body = JSON.parse(JSON.stringify(given).replace('SPACE', spaceId));
  const answer = await creator.restAs('createTranslation', 'POST', all, body);
  expect(answer.status).toBe(400);
  expect(answer.body.error.message).toContain(path);
});

test('a space of another organization cannot be translated', async () => {
  const other = await outsider.mutate(
    'createSpace',
    { organizationId: otherOrganizationId, title: 'Theirs' },
    'space { id }',
  );
  const { status } = await creator.post(all, { ...input, source: { space: other.space.id, language: 'en' } });
  expect(status).toBe(400);
});

test('a translation is deleted once, and its space stays', async () => {
  const made = await create(spaceId, 'it');
  await work(made.translationId);
  const path = `${all}/${made.translationId}`;
  expect((await creator.restAs('deleteTranslation', 'DELETE', path)).status).toBe(205);
  expect((await creator.restAs('deleteTranslation', 'DELETE', path)).status).toBe(204);
  expect((await creator.get(path)).status).toBe(404);
  expect((await creator.post(`${path}/run`)).status).toBe(404);
  expect((await creator.get(`/v1/spaces/${made.translatedId}/content/pages`)).body.pages[0].title).toContain('⟦');
  const again = await admin.mutate('deleteTranslation', { translationId: made.translationId }, 'deletedId');
  expect(again).toEqual({ deletedId: null });
});

test('instructions are written and read as a document', async () => {
  const nodes = [
    {
      object: 'block',
      type: 'paragraph',
      isVoid: false,
      data: {},
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'Formal.', marks: [] }] }],
    },
  ];
  const { body, status } = await creator.restAs('updateTranslation', 'PUT', `${all}/${translationId}`, {
    instructions: { ...DOCUMENT, nodes },
  });
  expect(status).toBe(200);
  expect(body.instructions.nodes[0].nodes[0].leaves[0].text).toBe('Formal.');
  expect((await read(translationId)).instructions).toEqual(body.instructions);
});

const GLOSSARY = `/v1/orgs/${organizationId}/translations-glossary`;

test('the glossary is changed in one step, or not at all', async () => {
  const insert = (en: string) => ({ type: 'insert', translations: { en, de: `${en} (de)` } });
  const beyond = { beyond: true };
  const put = await creator.restAs(
    'updateGlossaryEntries',
    'PUT',
    GLOSSARY,
    { operations: [insert('beta'), insert('alpha')] },
    beyond,
  );
  expect(put.status).toBe(204);
  const list = async (query = '') =>
    (await reader.restAs('listGlossaryEntries', 'GET', `${GLOSSARY}${query}`, undefined, beyond)).body;
  expect((await list()).count).toBe(2);
  const [first, second] = (await list('?orderBy=en')).items;
  expect([first.translations.en, second.translations.en]).toEqual(['alpha', 'beta']);
  expect((await list('?orderBy=en&limit=1')).next).toBeDefined();
  const operations = [
    { type: 'update', id: first.id, translations: { en: 'Alpha', fr: 'Alpha' } },
    { type: 'delete', id: 'glossary_01h455vb4pex5vsknk084sn02q' },
  ];
  const { status, body } = await creator.put(GLOSSARY, { operations });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('glossary_01h455vb4pex5vsknk084sn02q')]);
  const one = await reader.restAs('getGlossaryEntry', 'GET', `${GLOSSARY}/${first.id}`, undefined, beyond);
  expect(one.body.translations).toEqual({ en: 'alpha', de: 'alpha (de)' });
  await admin.mutate(
    'updateGlossaryEntries',
    {
      organizationId,
      operations: [
        { update: { id: first.id, translations: [{ language: 'EN', text: 'Alpha' }] } },
        { delete: { id: second.id } },
      ],
    },
    'organization { id }',
  );
  const { organization } = await reader.graphql(
    `query ($org: ID!, $id: ID!) { organization(id: $org) {
      glossaryEntries(first: 5, orderBy: EN) { totalCount nodes { id translations { language text } } } glossaryEntry(id: $id) { id } } }`,
    { org: organizationId, id: first.id },
  );
  expect(organization).toMatchObject({
    glossaryEntries: { totalCount: 1, nodes: [{ translations: [{ language: 'EN', text: 'Alpha' }] }] },
    glossaryEntry: { id: first.id },
  });
  expect((await outsider.get(`${GLOSSARY}/${first.id}`)).status).toBe(404);
  expect((await outsider.get(`/v1/orgs/${otherOrganizationId}/translations-glossary/${first.id}`)).status).toBe(404);
  const theirs = { operations: [{ type: 'delete', id: first.id }] };
  expect((await outsider.put(`/v1/orgs/${otherOrganizationId}/translations-glossary`, theirs)).status).toBe(400);
  expect((await guest.get(GLOSSARY)).status).toBe(403);
  expect((await reader.put(GLOSSARY, { operations: [] })).status).toBe(403);
});

test.each([
  [{}],
  [{ operations: 'all' }],
  [{ operations: [{ type: 'replace', id: 'x' }] }],
  [{ operations: [{ type: 'insert', translations: {} }] }],
  [{ operations: [{ type: 'insert', translations: { en: '' } }] }],
  [{ operations: [{ type: 'insert', translations: { en: 'x'.repeat(256) } }] }],
  [{ operations: [{ type: 'insert', translations: { en: 'two\nlines' } }] }],
  [{ operations: [{ type: 'insert', translations: { tlh: 'x' } }] }],
  [{ operations: [{ type: 'insert', translations: [{ language: 'en', text: 'x' }] }] }],
])('a change of the glossary with %j is a bad request', async (body) => {
  expect((await creator.put(GLOSSARY, body)).status).toBe(400);
});

test('who cannot see the translated space may run and delete its translation, but reads nothing of it', async () => {
  const made = await create(spaceId, 'es');
  await work(made.translationId);
  await admin.patch(`/v1/spaces/${made.translatedId}`, { defaultLevel: null });
  const path = `${all}/${made.translationId}`;
  expect((await creator.get(`/v1/spaces/${made.translatedId}`)).status).toBe(404);
  for (const below of ['reviews', 'untranslated-pages', 'export?format=xliff', 'export?format=tmx']) {
    expect([below, (await creator.get(`${path}/${below}`)).status]).toEqual([below, 404]);
  }
  const { node } = await creator.graphql(
    'query ($id: ID!) { node(id: $id) { ... on Translation { result { space { id } revision { id } } } } }',
    { id: made.translationId },
  );
  expect(node.result).toEqual({ space: null, revision: null });
  expect((await creator.put(path, { instructions: DOCUMENT })).status).toBe(200);
  expect((await creator.post(`${path}/run`)).status).toBe(204);
  expect((await creator.post(`${path}/cancel`)).status).toBe(200);
  expect((await creator.delete(path)).status).toBe(205);
});

test('a role on both spaces does not replace the right to create content', async () => {
  const made = await create(spaceId, 'nl');
  await here.grant(spaceId, editor.userId, 'admin');
  await here.grant(made.translatedId, editor.userId, 'admin');
  const path = `${all}/${made.translationId}`;
  expect((await editor.get(path)).body.permissions).toEqual({ view: true, edit: false });
  expect((await editor.post(`${path}/run`)).status).toBe(403);
  expect((await editor.put(path, { instructions: DOCUMENT })).status).toBe(403);
  expect((await editor.delete(path)).status).toBe(403);
});

test('who cannot see the source sees no translation of it, whatever the role on the translated space', async () => {
  const { spaceId: hidden } = await makeSpace({ One: 'Secret.' });
  const made = await create(hidden, 'nl');
  await admin.patch(`/v1/spaces/${hidden}`, { defaultLevel: null });
  await here.grant(made.translatedId, creator.userId, 'admin');
  const path = `${all}/${made.translationId}`;
  expect((await creator.get(`/v1/spaces/${made.translatedId}`)).status).toBe(200);
  for (const below of ['', '/reviews', '/export?format=xliff']) {
    expect([below, (await creator.get(`${path}${below}`)).status]).toEqual([below, 404]);
  }
  expect((await creator.post(`${path}/run`)).status).toBe(404);
  expect((await creator.delete(path)).status).toBe(204);
  expect((await admin.get(path)).status).toBe(200);
});

test('changes of one glossary entry in one call are applied in their order', async () => {
  const put = (operations: object[]) => creator.put(GLOSSARY, { operations });
  await put([{ type: 'insert', translations: { en: 'first' } }]);
  const { id } = (await creator.get(GLOSSARY)).body.items[0];
  const update = (en: string) => ({ type: 'update', id, translations: { en } });
  await put([update('second'), { type: 'insert', translations: { en: 'other' } }, update('third')]);
  expect((await creator.get(`${GLOSSARY}/${id}`)).body.translations).toEqual({ en: 'third' });
  const { status, body } = await put([update('fourth'), { type: 'delete', id }, update('fifth')]);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('operations.2')]);
  expect((await creator.get(`${GLOSSARY}/${id}`)).body.translations).toEqual({ en: 'third' });
  expect((await put([update('fourth'), { type: 'delete', id }])).status).toBe(204);
  expect((await creator.get(`${GLOSSARY}/${id}`)).status).toBe(404);
});
