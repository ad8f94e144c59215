import { expect, test } from 'vitest';
import { followSources } from '../../../src/domain/sources/translations/runs/follow-sources.ts';
import { claimBatch } from '../../../src/platform/events/event-consumer.ts';
import { settled } from '../../settled.ts';
import { world } from '../../world.ts';
import { translating } from './arrange.ts';
import { answeredBy, makeProviderServer } from './provider-server.ts';

const here = await world({ ALLOW_PRIVATE_NETWORK: '1', FETCH_TIMEOUT_MS: '20000' });
const { admin, creator, app, organizationId } = here;
const { all, db, makeSpace, write, create, read, work, run, page } = translating(here);
const server = await makeProviderServer();
await admin.put(`/v1/orgs/${organizationId}/translation-provider`, { kind: 'openai', url: server.url, model: 'm' });

const upper = (segment: string) => segment.toUpperCase();

/**
 * Calls `act` at every request of the provider. It does not answer the segment "Refused.", so that every attempt asks
 * for it.
 */
function duringRequests(act: (request: number) => Promise<unknown>) {
  let requests = 0;
  const answer = answeredBy((segment) => (segment === 'Refused.' ? '' : upper(segment)));
  server.answer = (asked, response) => {
    requests += 1;
    const text = JSON.stringify(answer(asked, response));
    act(requests).then(
      () => response.end(text),
      () => response.destroy(),
    );
  };
}

async function translated() {
  await db.deleteFrom('translation_memory').execute();
  server.answer = answeredBy(upper);
  const { spaceId, pageIds } = await makeSpace({ One: 'Old words. Kept words.' });
  const { translationId, translatedId } = await create(spaceId);
  await work(translationId);
  const pageId = pageIds.One as string;
  const markdown = async () => (await page(translatedId, pageId)).markdown.trim();
  return { spaceId, pageId, translationId, translatedId, markdown };
}

const rowOf = (translationId: string) =>
  db.selectFrom('translation').where('id', '=', translationId).selectAll().executeTakeFirstOrThrow();

/** Writes a page of a space in a change request, and merges it. */
async function merge(spaceId: string, pageId: string, markdown: string) {
  const { changeRequest } = await creator.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const changes = [{ updatePage: { pageId, document: { markdown } } }];
  await creator.mutate('updateChangeRequestContent', { changeRequestId: changeRequest.id, changes }, 'revision { id }');
  await admin.mutate('mergeChangeRequest', { changeRequestId: changeRequest.id }, 'result');
}

test('a run that gives up, because changes are merged all the time, leaves everything as it is and runs again later', async () => {
  const { spaceId, pageId, translationId, translatedId, markdown } = await translated();
  await write(spaceId, pageId, 'New words. Kept words. Refused.');
  duringRequests((request) => merge(translatedId, pageId, `OLD WORDS. Fassung ${request}.`));
  const before = await rowOf(translationId);
  await run(translationId);
  const after = await rowOf(translationId);
  expect(after).toMatchObject({ status: 'running', lastError: null, runNumber: before.runNumber + 2 });
  expect([after.runs, after.resultRevisionId, after.sourceRevisionId]).toEqual([
    before.runs,
    before.resultRevisionId,
    before.sourceRevisionId,
  ]);
  const last = await markdown();
  expect(last).toMatch(/^OLD WORDS\. Fassung \d+\.$/);
  const jobs = await app.services.jobs.boss.findJobs('run-translation', { data: { translationId } });
  expect(jobs.map(({ data }) => (data as { runNumber: number }).runNumber)).toContain(after.runNumber);
  server.answer = answeredBy(upper);
  expect((await work(translationId, after.runNumber)).status).toBe('completed');
  expect(await markdown()).toBe(`NEW WORDS. ${last.slice('OLD WORDS. '.length)} REFUSED.`);
});

test('an edit between the reads and the write of a run is found by its next attempt', async () => {
  const { spaceId, pageId, translationId, translatedId, markdown } = await translated();
  await write(spaceId, pageId, 'New words. Kept words.');
  duringRequests((request) =>
    request === 1 ? merge(translatedId, pageId, 'OLD WORDS. Behaltene Worte.') : Promise.resolve(),
  );
  expect((await run(translationId)).status).toBe('completed');
  expect(await markdown()).toBe('NEW WORDS. Behaltene Worte.');
  await run(translationId);
  expect(await markdown()).toBe('NEW WORDS. Behaltene Worte.');
});

test('a run that failed starts again when the translated space changes', async () => {
  const { spaceId, pageId, translationId, translatedId, markdown } = await translated();
  const follow = async () => {
    await settled(db);
    while ((await claimBatch(app.services, followSources)) > 0);
  };
  await write(spaceId, pageId, 'New words. Kept words.');
  await follow();
  server.answer = (_, response) => void response.writeHead(401).end();
  expect(await work(translationId)).toMatchObject({ status: 'completed', lastError: expect.stringContaining('401') });
  await follow();
  expect((await read(translationId)).status).toBe('completed');
  await write(translatedId, pageId, 'OLD WORDS. Von Hand.');
  await follow();
  expect((await read(translationId)).status).toBe('running');
  server.answer = answeredBy(upper);
  const { status, lastError } = await work(translationId);
  expect([status, lastError]).toEqual(['completed', undefined]);
  expect(await markdown()).toBe('NEW WORDS. Von Hand.');
  await follow();
  expect((await read(translationId)).status).toBe('completed');
});

test('a change of the glossary during a run starts it again with the new terms', async () => {
  const { spaceId, pageId, translationId, markdown } = await translated();
  await write(spaceId, pageId, 'A space. Kept words.');
  const put = (operations: object[]) => creator.put(`${all}-glossary`, { operations });
  duringRequests((request) =>
    request === 1 ? put([{ type: 'insert', translations: { en: 'space', de: 'Bereich' } }]) : Promise.resolve(),
  );
  await run(translationId);
  expect((await read(translationId)).status).toBe('running');
  await work(translationId);
  expect(await markdown()).toBe('A Bereich. KEPT WORDS.');
  await put([{ type: 'delete', id: (await creator.get(`${all}-glossary`)).body.items[0].id }]);
});

test('a source that is deleted while it is translated ends the run, and nothing is sent twice', async () => {
  const { spaceId, pageId, translationId, markdown } = await translated();
  await write(spaceId, pageId, 'New words. Kept words.');
  server.asked.length = 0;
  duringRequests(() => admin.delete(`/v1/spaces/${spaceId}`));
  await run(translationId);
  const { status, lastError } = await rowOf(translationId);
  expect({ status, lastError }).toEqual({ status: 'completed', lastError: null });
  expect(server.asked).toHaveLength(1);
  expect(await markdown()).toBe('NEW WORDS. KEPT WORDS.');
  expect((await admin.get(`${all}/${translationId}`)).status).toBe(404);
});

test('an attempt after a killed one sends nothing again', async () => {
  const { spaceId, pageId, translationId } = await translated();
  await write(spaceId, pageId, 'Words of its own. Kept words.');
  server.asked.length = 0;
  await run(translationId);
  const { runNumber } = await rowOf(translationId);
  expect(server.asked).toHaveLength(1);
  // As a kill between the answers and the write leaves it: what was answered is in the memory, and the run goes on.
  await db.updateTable('translation').set({ status: 'running' }).where('id', '=', translationId).execute();
  await db.deleteFrom('translation_page').where('translationId', '=', translationId).execute();
  expect((await work(translationId, runNumber)).stats.latestSentSegments).toBe(0);
  expect(server.asked).toHaveLength(1);
});
