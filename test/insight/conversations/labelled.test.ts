import { expect, test } from 'vitest';
import { work } from '../../../src/domain/insight/conversations/group-work.ts';
import { termsOfQuestions } from '../../../src/domain/insight/conversations/question-terms.ts';
import { questionOf } from '../../../src/lib/grouping/question.ts';
import { adjustedRandIndex } from '../../bench/grouping/adjusted-rand-index.ts';
import { labelledQuestions } from '../../bench/grouping/labelled.ts';
import { world } from '../../world.ts';

const { app } = await world();
const labelled = labelledQuestions();

async function groups() {
  const texts = labelled.map(({ subject, question }) => questionOf(subject, [question]).text);
  const terms = await termsOfQuestions(app.services.db, texts);
  const issues = terms.map((found, index) => ({ id: String(index), clusterId: null, ...found }));
  return work({ issues, vectors: null, model: null }).clusters;
}

test('the questions of the labelled set are grouped by topic, better than the required index', async () => {
  const clusters = await groups();
  const clusterOf = new Map(clusters.flatMap(({ issueIds }, index) => issueIds.map((id) => [id, `cluster ${index}`])));
  const found = labelled.map((_, index) => clusterOf.get(String(index)) ?? `alone ${index}`);
  const index = adjustedRandIndex(
    found,
    labelled.map(({ topic }) => topic),
  );
  expect(index).toBeGreaterThan(0.6);
  expect(clusters.every(({ label }) => label !== '')).toBe(true);
});

test('the same questions are grouped alike each time', async () => {
  expect(await groups()).toEqual(await groups());
});
