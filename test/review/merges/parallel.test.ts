import { expect, test } from 'vitest';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';
import { arrangeIn } from '../reviews/arrange.ts';

const site = await world();
const { app, editor, reviewer, reader } = site;
const arrange = arrangeIn(site);
const { db } = app.services;
const MANY = 50;
const many = Array.from({ length: MANY }, (_, index) => index);

const write = (pageId: string | undefined, markdown: string) => ({ updatePage: { pageId, document: { markdown } } });

/** Tries again as often as the service says that it is busy, which it may be with so many at once. */
const merge = async (spaceId: string, id: string) => {
  const attempt = () => reviewer.post(`/v1/spaces/${spaceId}/change-requests/${id}/merge`);
  let answer = await attempt();
  while (answer.status === 503 && answer.headers.get('retry-after') !== null) answer = await attempt();
  const { status, body } = answer;
  expect([status, body.error]).toEqual([200, undefined]);
  return body;
};

/** One after the other: what is tried here is merging at once. */
async function madeOneByOne(make: (index: number) => Promise<string>): Promise<string[]> {
  const made: string[] = [];
  for (const index of many) made.push(await make(index));
  return made;
}

const markdownOf = async (spaceId: string, pageId = '') =>
  withoutTitle(
    (await reader.get(`/v1/spaces/${spaceId}/content/page/${pageId}?format=markdown`)).body.markdown as string,
  );

/** The primary revisions of a space, newest first, by their first parents. */
async function lineOf(spaceId: string): Promise<{ id: string; mergedFrom: string | null }[]> {
  const { revisionId } = await db
    .selectFrom('space')
    .where('id', '=', spaceId)
    .select('revisionId')
    .executeTakeFirstOrThrow();
  const line: { id: string; mergedFrom: string | null }[] = [];
  for (let at: string | undefined = revisionId; at !== undefined; ) {
    const row: { parents: string[]; mergedFromId: string | null } = await db
      .selectFrom('revision')
      .where('id', '=', at)
      .select(['parents', 'mergedFromId'])
      .executeTakeFirstOrThrow();
    line.push({ id: at, mergedFrom: row.mergedFromId });
    at = row.parents[0];
  }
  return line;
}

test('two concurrent merges run one after the other', async () => {
  const { spaceId, pageIds } = await arrange.space('Left.\n\nMiddle.\n\nRight.');
  const [one, two] = [await arrange.changeRequest(editor, spaceId), await arrange.changeRequest(editor, spaceId)];
  await arrange.edit(editor, one, write(pageIds[0], 'Left of one.\n\nMiddle.\n\nRight.'));
  await arrange.edit(editor, two, write(pageIds[0], 'Left.\n\nMiddle.\n\nRight of two.'));
  const answers = await Promise.all([merge(spaceId, one), merge(spaceId, two)]);
  expect(answers.map(({ result }) => result)).toEqual(['merge', 'merge']);
  expect(await markdownOf(spaceId, pageIds[0])).toBe('Left of one.\n\nMiddle.\n\nRight of two.\n');
  const line = await lineOf(spaceId);
  expect(
    line
      .slice(0, 2)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(answers.map(({ revision }) => revision).toSorted());
});

test('of two contradicting change requests one is merged, the other gets a conflict', async () => {
  const { spaceId, pageIds } = await arrange.space('Same.');
  const [one, two] = [await arrange.changeRequest(editor, spaceId), await arrange.changeRequest(editor, spaceId)];
  await arrange.edit(editor, one, write(pageIds[0], 'One.'));
  await arrange.edit(editor, two, write(pageIds[0], 'Two.'));
  const answers = await Promise.all([merge(spaceId, one), merge(spaceId, two)]);
  expect(answers.map(({ result }) => result).toSorted()).toEqual(['conflicts', 'merge']);
  const winner = answers[0].result === 'merge' ? 'One.\n' : 'Two.\n';
  expect(await markdownOf(spaceId, pageIds[0])).toBe(winner);
  const loser = answers.find(({ result }) => result === 'conflicts');
  expect(loser.conflicts).toMatchObject([{ base: { markdown: 'Same.\n' }, theirs: { markdown: winner } }]);
});

test('the same merge sent many times at once merges once', async () => {
  const { spaceId, pageIds } = await arrange.space('One.');
  const id = await arrange.changeRequest(editor, spaceId);
  await arrange.edit(editor, id, write(pageIds[0], 'Two.'));
  const path = `/v1/spaces/${spaceId}/change-requests/${id}/merge`;
  const keyed = { 'idempotency-key': 'once' };
  const answers = await Promise.all(
    many.slice(0, 10).map((index) => reviewer.send('POST', path, undefined, index % 2 ? keyed : {})),
  );
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.result} ${body.revision}`)).size).toBe(1);
  expect((await lineOf(spaceId)).filter(({ mergedFrom }) => mergedFrom === id)).toHaveLength(1);
});

test('50 concurrent merges without overlap all succeed, each with its own block and page', {
  timeout: 120_000,
}, async () => {
  const block = (index: number, words = 'as it was') => `Block ${index} ${words}.`;
  const { spaceId, pageIds } = await arrange.space(many.map((index) => block(index)).join('\n\n'));
  const made = await madeOneByOne(async (index) => {
    const id = await arrange.changeRequest(editor, spaceId);
    const body = many.map((each) => block(each, each === index ? `by ${index}` : undefined)).join('\n\n');
    const page = { insertPage: { title: `Page of ${index}`, document: { markdown: `Written by ${index}.` } } };
    await arrange.edit(editor, id, write(pageIds[0], body), page);
    return id;
  });
  const answers = await Promise.all(made.map((id) => merge(spaceId, id)));
  expect(answers.map(({ result }) => result)).toEqual(made.map(() => 'merge'));
  const expected = `${many.map((index) => block(index, `by ${index}`)).join('\n\n')}\n`;
  expect(await markdownOf(spaceId, pageIds[0])).toBe(expected);
  const { pages } = (await reader.get(`/v1/spaces/${spaceId}/content/pages`)).body;
  const titles = pages.slice(1).map(({ title }: { title: string }) => title);
  expect(titles.toSorted()).toEqual(many.map((index) => `Page of ${index}`).toSorted());
  const line = await lineOf(spaceId);
  expect(line.filter(({ mergedFrom }) => mergedFrom !== null)).toHaveLength(MANY);
});

test('50 concurrent overlapping merges: each succeeds, or has a conflict and succeeds after its resolution', {
  timeout: 120_000,
}, async () => {
  const places = many.slice(0, 5);
  const body = (at?: number, words = '') => places.map((place) => `Place ${place}.${place === at ? ` ${words}` : ''}`);
  const { spaceId, pageIds } = await arrange.space(body().join('\n\n'));
  const made = await madeOneByOne(async (index) => {
    const id = await arrange.changeRequest(editor, spaceId);
    await arrange.edit(editor, id, write(pageIds[0], body(index % places.length, `Word ${index}.`).join('\n\n')));
    return id;
  });
  const answers = await Promise.all(made.map((id) => merge(spaceId, id)));
  expect(answers.filter(({ result }) => result === 'merge')).toHaveLength(places.length);
  for (const [index, answer] of answers.entries()) {
    if (answer.result === 'merge') continue;
    const path = `/v1/spaces/${spaceId}/change-requests/${made[index]}`;
    const [found] = (await reader.get(`${path}/conflicts`)).body.items;
    const both = `${found.theirs.markdown.trim()} Word ${index}.`;
    const resolutions = [{ conflictId: found.id, markdown: both }];
    expect((await editor.post(`${path}/conflicts/resolve`, { resolutions })).body.result).toBe('update');
    expect((await merge(spaceId, made[index] ?? '')).result).toBe('merge');
  }
  const text = await markdownOf(spaceId, pageIds[0]);
  for (const index of many) expect(text.split(`Word ${index}.`)).toHaveLength(2);
});
