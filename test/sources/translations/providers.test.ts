import { beforeEach, expect, test } from 'vitest';
import { world } from '../../world.ts';
import { translating } from './arrange.ts';
import { answeredBy, makeProviderServer } from './provider-server.ts';

const here = await world({ ALLOW_PRIVATE_NETWORK: '1', FETCH_TIMEOUT_MS: '400' });
const { admin, creator, outsider, organizationId } = here;
const { makeSpace, write, create, work, run, page, db } = translating(here);
const server = await makeProviderServer();
const PATH = `/v1/orgs/${organizationId}/translation-provider`;

const upper = (segment: string) => segment.replaceAll(/[a-z](?![^<]*>)/g, (letter) => letter.toUpperCase());

beforeEach(async () => {
  server.asked.length = 0;
  server.answer = answeredBy(upper);
  await db.deleteFrom('translation_memory').execute();
  await db.deleteFrom('translation_usage').execute();
  const { status } = await admin.put(PATH, { kind: 'openai', url: server.url, model: 'm-1', apiKey: 'sk-secret' });
  expect(status).toBe(200);
});

test('an organization sets its own provider, whose key is never shown', async () => {
  const { body } = await admin.get(PATH);
  expect(body).toMatchObject({ kind: 'openai', url: server.url, model: 'm-1', hasApiKey: true, isDefault: false });
  expect(JSON.stringify(body)).not.toContain('sk-secret');
  const row = await db.selectFrom('translation_provider').selectAll().executeTakeFirstOrThrow();
  expect(Buffer.from(row.apiKey ?? []).includes('sk-secret')).toBe(false);
  const { organization } = await admin.graphql(
    'query ($id: ID!) { organization(id: $id) { translationProvider { kind hasApiKey usage { month characters } } } }',
    { id: organizationId },
  );
  expect(organization.translationProvider).toMatchObject({ kind: 'OPENAI', hasApiKey: true, usage: { characters: 0 } });
  expect((await creator.get(PATH)).status).toBe(403);
  expect((await creator.put(PATH, { kind: 'embedded' })).status).toBe(403);
  expect((await outsider.get(PATH)).status).toBe(404);
  expect((await outsider.post(`${PATH}/reset`)).status).toBe(404);
  expect((await creator.post(`${PATH}/reset`)).status).toBe(403);
  expect((await admin.get(PATH)).body.kind).toBe('openai');
  await admin.mutate('resetTranslationProvider', { organizationId }, 'translationProvider { isDefault }');
  expect((await admin.get(PATH)).body).toMatchObject({ kind: 'embedded', isDefault: true, hasApiKey: false });
});

test.each([
  [{ kind: 'openai' }, 'model'],
  [{ kind: 'deepl' }, 'apiKey'],
  [{ kind: 'libretranslate' }, 'url'],
  [{ kind: 'openai', model: 'm', url: 'https://user:word@example.com' }, 'url'],
  [{ kind: 'magic' }, 'kind'],
  [{ kind: 'embedded', characterLimit: -1 }, 'characterLimit'],
])('a provider with settings %j is refused', async (settings, path) => {
  const { status, body } = await admin.put(PATH, settings);
  expect(status).toBe(400);
  expect(body.error.message).toContain(path);
});

test('segments are sent with instructions, terms as placeholders, and are counted', async () => {
  await admin.mutate(
    'updateGlossaryEntries',
    {
      organizationId,
      operations: [
        {
          insert: {
            translations: [
              { language: 'EN', text: 'space' },
              { language: 'DE', text: 'Bereich' },
            ],
          },
        },
      ],
    },
    'organization { id }',
  );
  const { spaceId, pageIds } = await makeSpace({ One: 'Open the **space** with `npm ci`. Then wait.' });
  const { translationId, translatedId } = await create(spaceId, 'de');
  await admin.mutate(
    'updateTranslation',
    { translationId, instructions: { markdown: 'Address readers formally.' } },
    'translation { id }',
  );
  const { stats, provider } = await work(translationId);
  expect(provider).toBe('openai');
  expect(stats).toMatchObject({ latestSentSegments: 3, untranslatedSegments: 0 });
  const [asked] = server.asked;
  expect(asked).toMatchObject({ path: '/chat/completions', headers: { authorization: 'Bearer sk-secret' } });
  expect(asked?.body.messages[0].content).toContain('Address readers formally.');
  expect(JSON.parse(asked?.body.messages[1].content).segments).toContain('Open the <1><3/></1> with <2/>.');
  expect((await page(translatedId, pageIds.One as string)).markdown).toBe(
    'OPEN THE **Bereich** WITH `npm ci`. THEN WAIT.\n',
  );
  const { usage } = (await admin.get(PATH)).body;
  expect(usage).toMatchObject({ requests: 1, segments: 3, characters: stats.latestSentCharacters });
  const { body } = await admin.get(`/v1/orgs/${organizationId}/translations-glossary`);
  await admin.put(`/v1/orgs/${organizationId}/translations-glossary`, {
    operations: [{ type: 'delete', id: body.items[0].id }],
  });
});

test('dropped placeholders are asked for once more, then the source stays and is reported', async () => {
  const { spaceId, pageIds } = await makeSpace({ One: 'Use `npm ci` now. Then wait.' });
  const { translationId, translatedId } = await create(spaceId);
  server.answer = answeredBy((segment) => upper(segment).replace('<1/>', ''));
  const { status, stats } = await work(translationId);
  expect(status).toBe('completed');
  expect(stats).toMatchObject({ untranslatedSegments: 1, latestSentSegments: 4 });
  expect(server.asked).toHaveLength(2);
  expect((await page(translatedId, pageIds.One as string)).markdown).toBe('Use `npm ci` now. THEN WAIT.\n');
  const untranslated = async () =>
    (await admin.get(`/v1/orgs/${organizationId}/translations/${translationId}/untranslated-pages`)).body;
  expect(await untranslated()).toMatchObject({ count: 1, items: [{ page: pageIds.One, untranslatedSegments: 1 }] });
  const { node } = await admin.graphql(
    'query ($id: ID!) { node(id: $id) { ... on Translation { untranslatedPages { nodes { pageId untranslatedSegments } } } } }',
    { id: translationId },
  );
  expect(node.untranslatedPages.nodes).toEqual([{ pageId: pageIds.One, untranslatedSegments: 1 }]);
  server.answer = answeredBy(upper);
  expect((await run(translationId)).stats).toMatchObject({ untranslatedSegments: 0, latestSentSegments: 1 });
  expect((await page(translatedId, pageIds.One as string)).markdown).toBe('USE `npm ci` NOW. THEN WAIT.\n');
  expect((await untranslated()).items).toEqual([]);
});

test('half an answer is completed by the second request', async () => {
  const { spaceId, pageIds } = await makeSpace({ One: 'First half. Second half.' });
  const { translationId, translatedId } = await create(spaceId);
  server.answer = ({ body }) => {
    const { segments } = JSON.parse(body.messages.at(-1).content);
    const half = segments.slice(0, Math.ceil(segments.length / 2)).map(upper);
    return { choices: [{ message: { content: JSON.stringify({ translations: half }) } }] };
  };
  const { stats } = await work(translationId);
  expect(stats).toMatchObject({ untranslatedSegments: 0, latestSentSegments: 4 });
  expect((await page(translatedId, pageIds.One as string)).markdown).toBe('FIRST HALF. SECOND HALF.\n');
});

test.each([
  ['hangs', () => undefined, 'did not respond', 0],
  ['answers garbage', () => ({ choices: [{ message: { content: 'I cannot do that.' } }] }), 'translations', 4],
  ['answers something else', () => ['no'], 'does not contain translations', 1],
  [
    'rejects the key',
    (_: unknown, response: { writeHead(status: number): { end(): void } }) => void response.writeHead(401).end(),
    '401',
    0,
  ],
] as const)(
  'a provider that %s ends the run with a reason, what was translated is kept, and its answers count',
  async (_what, answer, reason, answers) => {
    const { spaceId, pageIds } = await makeSpace({ One: 'Some words.' });
    const { translationId, translatedId } = await create(spaceId);
    await work(translationId);
    await write(spaceId, pageIds.One as string, 'Some words. Some more.');
    server.answer = answer as typeof server.answer;
    const failed = await run(translationId);
    expect(failed).toMatchObject({ status: 'completed', lastError: expect.stringContaining(reason) });
    expect(failed.lastError).not.toContain('sk-secret');
    expect(failed.lastError).not.toContain(new URL(server.url).host);
    expect((await admin.get(PATH)).body.usage.requests).toBe(1 + answers);
    expect((await page(translatedId, pageIds.One as string)).markdown).toBe('SOME WORDS.\n');
    server.answer = answeredBy(upper);
    const { stats, lastError } = await run(translationId);
    expect([stats.latestSentSegments, lastError]).toEqual([1, undefined]);
  },
  30_000,
);

test('a provider is asked again while it is overloaded', async () => {
  const { spaceId } = await makeSpace({ One: 'Busy words.' });
  const { translationId } = await create(spaceId);
  let refused = 0;
  server.answer = (asked, response) => {
    refused += 1;
    return refused === 1 ? void response.writeHead(429).end() : answeredBy(upper)(asked, response);
  };
  expect(await work(translationId)).toMatchObject({ status: 'completed', stats: { untranslatedSegments: 0 } });
});

test('nothing is sent beyond the limit of the month', async () => {
  await admin.put(PATH, { kind: 'openai', url: server.url, model: 'm-1', characterLimit: 30 });
  const { spaceId, pageIds } = await makeSpace({ One: 'Short.' });
  const { translationId } = await create(spaceId);
  expect((await work(translationId)).status).toBe('completed');
  await write(spaceId, pageIds.One as string, 'This sentence is longer than thirty characters.');
  server.asked.length = 0;
  const { status, lastError } = await run(translationId);
  expect([status, lastError]).toEqual(['completed', expect.stringContaining('limit of 30 characters')]);
  expect(server.asked).toEqual([]);
});

test('DeepL gets XML and answers it', async () => {
  await admin.put(PATH, { kind: 'deepl', url: server.url, apiKey: 'k:fx' });
  server.answer = ({ body }) => ({ translations: body.text.map((text: string) => ({ text: `Ja, ${text}` })) });
  const { spaceId, pageIds } = await makeSpace({ One: 'Use **this** `code`.' });
  const { translationId, translatedId } = await create(spaceId, 'pt');
  await work(translationId);
  const [asked] = server.asked;
  expect(asked).toMatchObject({ path: '/v2/translate', headers: { authorization: 'DeepL-Auth-Key k:fx' } });
  expect(asked?.body).toMatchObject({ source_lang: 'EN', target_lang: 'PT-PT', tag_handling: 'xml' });
  expect(asked?.body.text).toContain('Use <x1>this</x1> <x2/>.');
  expect((await page(translatedId, pageIds.One as string)).markdown).toBe('Ja, Use **this** `code`.\n');
});

test('LibreTranslate gets HTML, and empty elements may come back in another form', async () => {
  await admin.put(PATH, { kind: 'libretranslate', url: `${server.url}/` });
  server.answer = ({ body }) => ({ translatedText: body.q.map((text: string) => text.replace('<x2/>', '<x2></x2>')) });
  const { spaceId, pageIds } = await makeSpace({ One: 'Use **this** `code`.' });
  const { translationId, translatedId } = await create(spaceId, 'fr');
  expect((await work(translationId)).stats.untranslatedSegments).toBe(0);
  expect(server.asked[0]).toMatchObject({ path: '/translate', body: { source: 'en', target: 'fr', format: 'html' } });
  expect((await page(translatedId, pageIds.One as string)).markdown).toBe('Use **this** `code`.\n');
});

test('an edit that is made during a run is not lost', async () => {
  const { spaceId, pageIds } = await makeSpace({ One: 'Old words.' });
  const { translationId, translatedId } = await create(spaceId);
  await work(translationId);
  const pageId = pageIds.One ?? '';
  await write(spaceId, pageId, 'New words.');
  let edited: Promise<unknown> | undefined;
  server.answer = (asked, response) => {
    server.answer = answeredBy(upper);
    const answer = JSON.stringify(server.answer(asked, response));
    edited = write(translatedId, pageId, 'Alte Worte.').then(() => response.end(answer));
  };
  await run(translationId);
  await edited;
  expect((await page(translatedId, pageId)).markdown.trim()).toBe('NEW WORDS.');
  const { body } = await admin.get(`/v1/orgs/${organizationId}/translations/${translationId}/reviews`);
  expect(body.items).toMatchObject([{ translation: 'Alte Worte.', newSource: 'New words.' }]);
});
