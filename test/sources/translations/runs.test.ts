import { expect, test } from 'vitest';
import { endLostTranslationRuns } from '../../../src/domain/sources/translations/runs/end-lost-runs.ts';
import { followSources } from '../../../src/domain/sources/translations/runs/follow-sources.ts';
import { claimBatch } from '../../../src/platform/events/event-consumer.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { settled } from '../../settled.ts';
import { world } from '../../world.ts';
import { translating } from './arrange.ts';

const here = await world();
const { admin, advance, app, organizationId } = here;
const { all, db, makeSpace, write, create, read, work, run, page } = translating(here);

const INTRO = 'Install the tool first. Then open [the **guide**](https://example.com).\n\n```sh\nnpm ci\n```';

test('the first run translates every page of the source, with the same IDs, and says what it did', async () => {
  const { spaceId, pageIds } = await makeSpace({ Intro: INTRO, Reference: 'See it.' });
  const { translationId, translatedId } = await create(spaceId);
  expect(await read(translationId)).toMatchObject({ status: 'pending', source: { space: spaceId, language: 'en' } });
  expect((await page(translatedId, pageIds.Intro as string)).markdown).toContain('Install the tool first.');
  const done = await work(translationId);
  expect(done).toMatchObject({
    status: 'completed',
    provider: 'embedded',
    result: { space: translatedId },
    stats: { runs: 1, latestPages: 2, latestSegments: 5, latestSentSegments: 5, untranslatedSegments: 0 },
    progress: { pagesTotal: 2, pagesDone: 2 },
    permissions: { view: true, edit: true },
  });
  expect(done.stats.latestWords).toBeGreaterThan(8);
  const intro = await page(translatedId, pageIds.Intro as string);
  expect(intro).toMatchObject({ id: pageIds.Intro, title: '⟦Îñţřô⟧', slug: 'intro' });
  expect(intro.markdown).toBe(
    '⟦Îñšţàļļ ţĥé ţôôļ ƒîřšţ.⟧ ⟦Ţĥéñ ôþéñ [ţĥé **ğúîđé**](https://example.com).⟧\n\n```sh\nnpm ci\n```\n',
  );
  expect(intro.computed).toMatchObject({
    type: 'builtin:translation',
    props: { space: spaceId },
    dependencies: { translation: { ref: { kind: 'translation', translation: translationId } } },
  });
});

test('one changed sentence sends one segment and writes one page', async () => {
  const { spaceId, pageIds } = await makeSpace({ First: 'One sentence. Two sentences.', Second: 'Other words.' });
  const { translationId, translatedId } = await create(spaceId);
  await work(translationId);
  const before = await db
    .selectFrom('document')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirst();
  await write(spaceId, pageIds.First as string, 'One sentence. Three sentences.');
  const { stats, result } = await run(translationId);
  expect(stats).toMatchObject({ runs: 2, latestPages: 1, latestSentSegments: 1 });
  expect((await page(translatedId, pageIds.First as string)).markdown).toContain('⟦Ţĥřéé');
  const after = await db
    .selectFrom('document')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirst();
  expect(Number(after?.count) - Number(before?.count)).toBe(2); // of the source, and of its translation
  const { body } = await admin.get(`/v1/spaces/${translatedId}/revisions/${result.revision}/changes`);
  expect(body.changes).toHaveLength(1);
});

test('a space in three languages translates anew the one sentence that changed', async () => {
  const { spaceId, pageIds } = await makeSpace({
    Cats: 'Cats sleep. Dogs bark 2 times. See [the birds](https://example.com).',
    Birds: 'Birds sing. Dogs bark 2 times.',
  });
  const made = await Promise.all(['de', 'fr', 'ja'].map((language) => create(spaceId, language)));
  for (const { translationId } of made) {
    expect((await work(translationId)).stats).toMatchObject({
      latestPages: 2,
      latestSegments: 7,
      latestSentSegments: 6,
    });
  }
  await write(spaceId, pageIds.Cats as string, 'Cats sleep. Dogs bark 10 times. See [the birds](https://example.com).');
  for (const { translationId, translatedId } of made) {
    const { stats } = await run(translationId);
    expect(stats).toMatchObject({ latestPages: 1, latestSentSegments: 1, untranslatedSegments: 0 });
    const { markdown } = await page(translatedId, pageIds.Cats as string); // Japanese has no spaces between sentences
    expect(markdown).toMatch(/^⟦[^⟧]+⟧ ?⟦[^⟧]+ 10 [^⟧]+⟧ ?⟦[^⟧]+\(https:\/\/example\.com\)\.⟧\n$/);
  }
});

test('comments on a translated page stay with it when it is translated anew and moved', async () => {
  const { spaceId, pageIds } = await makeSpace({ One: 'One.', Two: 'Two.' });
  const { translationId, translatedId } = await create(spaceId);
  await work(translationId);
  const { comment } = await admin.mutate(
    'postComment',
    { spaceId: translatedId, pageId: pageIds.Two, body: { markdown: 'Is this the right word?' } },
    'comment { id }',
  );
  await write(spaceId, pageIds.Two as string, 'Two and a half.');
  const changes = [{ updatePage: { pageId: pageIds.Two, parentId: pageIds.One } }];
  await admin.mutate('updateSpaceContent', { spaceId, changes }, 'revision { id }');
  await run(translationId);
  const { body } = await admin.get(`/v1/spaces/${translatedId}/comments`);
  expect(body.items).toMatchObject([{ id: comment.id, target: { page: { id: pageIds.Two } } }]);
  expect(await page(translatedId, pageIds.Two as string)).toMatchObject({
    path: 'one/two',
    markdown: '⟦Ţŵô àñđ à ĥàļƒ.⟧\n',
  });
});

test('a run without changes writes no revision', async () => {
  const { spaceId } = await makeSpace({ First: 'One sentence.' });
  const { translationId } = await create(spaceId);
  const first = await work(translationId);
  const second = await run(translationId);
  expect(second.result.revision).toBe(first.result.revision);
  expect(second.stats).toMatchObject({ runs: 2, latestPages: 0, latestSentSegments: 0 });
});

test('a run completes although the totals of its translation are at the largest value', async () => {
  const { spaceId, pageIds } = await makeSpace({ First: 'One sentence.' });
  const { translationId } = await create(spaceId);
  await work(translationId);
  const largest = 2_147_483_647;
  const totals = { totalWords: largest - 1, totalDuration: largest };
  await db.updateTable('translation').set(totals).where('id', '=', translationId).execute();
  await write(spaceId, pageIds.First as string, 'Some other words of one sentence.');
  const { status, stats } = await run(translationId);
  expect([status, stats]).toMatchObject(['completed', { runs: 2, totalWords: largest, totalDuration: largest }]);
});

test('moves, deletions and renames of pages follow, and the slugs stay', async () => {
  const { spaceId, pageIds } = await makeSpace({ One: 'One.', Two: 'Two.', Three: 'Three.' });
  const { translationId, translatedId } = await create(spaceId);
  await work(translationId);
  const changes = [
    { deletePage: { pageId: pageIds.Two } },
    { updatePage: { pageId: pageIds.Three, parentId: pageIds.One, title: 'Third' } },
  ];
  await admin.mutate('updateSpaceContent', { spaceId, changes }, 'revision { id }');
  await run(translationId);
  const { body } = await admin.get(`/v1/spaces/${translatedId}/content/pages`);
  expect(body.pages).toMatchObject([
    { id: pageIds.One, pages: [{ id: pageIds.Three, title: '⟦Ţĥîřđ⟧', path: 'one/three' }] },
  ]);
});

test('a change of the source starts a run within a minute, and one during a run starts another', async () => {
  const { spaceId, pageIds } = await makeSpace({ One: 'One.' });
  const { translationId, translatedId } = await create(spaceId);
  await work(translationId);
  const follow = async () => {
    await settled(db);
    while ((await claimBatch(app.services, followSources)) > 0);
  };
  await follow();
  expect((await read(translationId)).status).toBe('completed');
  await write(spaceId, pageIds.One as string, 'Second.');
  await follow();
  expect((await read(translationId)).status).toBe('running');
  await work(translationId);
  expect((await page(translatedId, pageIds.One as string)).markdown).toContain('⟦Šéçôñđ.⟧');
});

test('a run while one is queued has no effect, and a stale job does nothing', async () => {
  const { spaceId } = await makeSpace({ One: 'One.' });
  const { translationId } = await create(spaceId);
  const numberOf = async () =>
    (await db.selectFrom('translation').where('id', '=', translationId).select('runNumber').executeTakeFirstOrThrow())
      .runNumber;
  await admin.post(`${all}/${translationId}/run`);
  const number = await numberOf();
  await admin.post(`${all}/${translationId}/run`);
  expect(await numberOf()).toBe(number);
  expect((await work(translationId)).stats.runs).toBe(1);
  expect((await work(translationId)).stats.runs).toBe(1);
});

test('a cancelled run writes nothing, and the translation has its former status', async () => {
  const { spaceId, pageIds } = await makeSpace({ One: 'One.' });
  const { translationId, translatedId } = await create(spaceId);
  const { translation } = await admin.mutate('cancelTranslationRun', { translationId }, 'translation { status }');
  expect(translation.status).toBe('PENDING');
  await work(translationId, 1);
  expect((await page(translatedId, pageIds.One as string)).markdown).toBe('One.\n');
  await admin.post(`${all}/${translationId}/run`);
  expect((await admin.post(`${all}/${translationId}/cancel`)).body.status).toBe('pending');
  expect((await run(translationId)).status).toBe('completed');
});

test('a source that is deleted ends the run with a reason, and nothing is lost', async () => {
  const { spaceId, pageIds } = await makeSpace({ One: 'One.' });
  const { translationId, translatedId } = await create(spaceId);
  await work(translationId);
  await admin.post(`${all}/${translationId}/run`);
  await admin.delete(`/v1/spaces/${spaceId}`);
  await work(translationId);
  expect((await admin.get(`${all}/${translationId}`)).status).toBe(404);
  const row = await db.selectFrom('translation').where('id', '=', translationId).selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ status: 'completed', lastError: expect.stringContaining('source space was deleted') });
  expect((await page(translatedId, pageIds.One as string)).markdown).toBe('⟦Ôñé.⟧\n');
});

test('reusable contents are translated, and files and links follow', async () => {
  const { spaceId, pageIds } = await makeSpace({ One: 'One.', Two: 'Two.' });
  const edited = await admin.mutate(
    'updateSpaceContent',
    { spaceId, changes: [{ insertReusableContent: { title: 'Note', document: { markdown: 'Mind the gap.' } } }] },
    'insertedReusableContents { reusableContentId }',
  );
  const { reusableContentId } = edited.insertedReusableContents[0];
  const link = { kind: 'page', page: pageIds.Two };
  const nodes = [
    {
      object: 'block',
      type: 'paragraph',
      isVoid: false,
      data: {},
      nodes: [
        {
          object: 'inline',
          type: 'link',
          isVoid: false,
          data: { ref: link },
          nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'Next page', marks: [] }] }],
        },
      ],
    },
  ];
  const document = { object: 'document', data: { schemaVersion: 8 }, nodes };
  await admin.mutate(
    'updateSpaceContent',
    { spaceId, changes: [{ updatePage: { pageId: pageIds.One, document: { document } } }] },
    'revision { id }',
  );
  const { translationId, translatedId } = await create(spaceId);
  await work(translationId);
  const { body } = await admin.get(`/v1/spaces/${translatedId}/links`);
  expect(body.items).toMatchObject([{ status: 'ok' }]);
  const { space } = await admin.graphql(
    `query ($id: ID!) { space(id: $id) { language revision { reusableContents(first: 5) { nodes { reusableContentId title markdown } } } } }`,
    { id: translatedId },
  );
  expect(space.language).toBe('DE');
  expect(space.revision.reusableContents.nodes).toEqual([
    { reusableContentId, title: '⟦Ñôţé⟧', markdown: '⟦Ṁîñđ ţĥé ğàþ.⟧\n' },
  ]);
});

test('the translated content is found, and read by its source', async () => {
  const { spaceId, pageIds } = await makeSpace({ One: 'Penguins swim.' });
  const { translationId, translatedId } = await create(spaceId, 'fr');
  await work(translationId);
  const { body } = await admin.get(`/v1/spaces/${translatedId}/search?query=${encodeURIComponent('Þéñğúîñš')}`);
  expect(body.items).toHaveLength(1);
  const { computed } = await page(translatedId, pageIds.One as string);
  const asked = { source: computed, seed: '' };
  const answer = await admin.post(`/v1/spaces/${spaceId}/content/computed/document`, asked);
  expect(JSON.stringify(answer.body)).toContain('Þéñğúîñš');
  const source = { type: 'builtin:translation', props: {}, dependencies: computed.dependencies };
  const revision = await admin.post(`/v1/spaces/${spaceId}/content/computed/revision`, { source, seed: '' });
  expect(revision.body.pages).toMatchObject([{ title: '⟦Ôñé⟧' }]);
});

test('a glossary change translates again only the segments with its terms', async () => {
  const { spaceId, pageIds } = await makeSpace({ One: 'Open the space. Close the door.', Two: 'Nothing here.' });
  const { translationId, translatedId } = await create(spaceId);
  await work(translationId);
  const operations = [{ type: 'insert', translations: { en: 'space', de: 'Bereich' } }];
  expect((await admin.put(`${all}-glossary`, { operations })).status).toBe(204);
  expect((await read(translationId)).status).toBe('running');
  const { stats } = await work(translationId);
  expect(stats).toMatchObject({ latestSentSegments: 1 });
  expect((await page(translatedId, pageIds.One as string)).markdown).toBe('⟦Ôþéñ ţĥé Bereich.⟧ ⟦Çļôšé ţĥé đôôř.⟧\n');
  const { body } = await admin.get(`${all}-glossary`);
  await admin.put(`${all}-glossary`, { operations: [{ type: 'delete', id: body.items[0].id }] });
  expect((await work(translationId)).stats.latestSentSegments).toBe(0);
  expect((await page(translatedId, pageIds.One as string)).markdown).toContain('šþàçé');
});

test('instructions are part of what a translation depends on', async () => {
  const { spaceId } = await makeSpace({ One: 'Some text of its own.' });
  const { translationId } = await create(spaceId);
  await work(translationId);
  const input = { translationId, instructions: { markdown: 'Be formal.' } };
  const { translation } = await admin.mutate('updateTranslation', input, 'translation { instructionsMarkdown }');
  expect(translation.instructionsMarkdown).toBe('Be formal.\n');
  expect((await run(translationId)).stats.latestSentSegments).toBe(2);
  expect((await admin.get(`/v1/orgs/${organizationId}/translations`)).body.items[0].id).toBe(translationId);
});

test('a run ends as failed when its job is lost, and not while it waits in the queue', async () => {
  const { spaceId } = await makeSpace({ One: 'Waiting words.' });
  const { translationId } = await create(spaceId);
  await work(translationId);
  await admin.post(`${all}/${translationId}/run`);
  const endLost = () =>
    endLostTranslationRuns.run(
      jobContext(app.services, 'test'),
      {},
      { signal: new AbortController().signal, retries: 0 },
    );
  advance(25 * 60 * 60 * 1000);
  await endLost();
  expect((await read(translationId)).status).toBe('running');
  await app.services.jobs.boss.deleteAllJobs('run-translation');
  await endLost();
  expect(await read(translationId)).toMatchObject({
    status: 'completed',
    lastError: 'The run was interrupted several times.',
  });
});
