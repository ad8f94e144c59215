import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../src/database.ts';
import { work } from '../../src/domain/insight/conversations/group-work.ts';
import { termsOfQuestions } from '../../src/domain/insight/conversations/question-terms.ts';
import { questionOf } from '../../src/lib/grouping/question.ts';
import { featureCounts } from '../../src/lib/grouping/vectors.ts';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { adjustedRandIndex } from './grouping/adjusted-rand-index.ts';
import { baselineIndex } from './grouping/baseline.ts';
import { labelledQuestions } from './grouping/labelled.ts';
import { supervisedIndex } from './grouping/supervised.ts';

/*
 * How well the labelled questions are grouped by topic: the adjusted Rand index beside that of k-means over plain TF-IDF,
 * and beside what the same vectors reach with known topics. Prints the clusters with their labels.
 *
 *   node test/bench/grouping.ts
 */

const directory = await mkdtemp(join(tmpdir(), 'stemma-grouping-'));
const dataDir = await openDataDir(directory);
const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
const connection = await connect(server.url, { poolSize: 1 });
try {
  const labelled = labelledQuestions();
  const topics = labelled.map(({ topic }) => topic);
  const texts = labelled.map(({ subject, question }) => questionOf(subject, [question]).text);
  const terms = await termsOfQuestions(connection.db, texts);
  const began = performance.now();
  const { clusters } = work({
    issues: terms.map((found, index) => ({ id: String(index), clusterId: null, ...found })),
    vectors: null,
    model: null,
  });
  const seconds = (performance.now() - began) / 1_000;
  const clusterOf = new Map(clusters.flatMap(({ issueIds }, index) => issueIds.map((id) => [id, index] as const)));
  const found = topics.map((_, index) => clusterOf.get(String(index)) ?? `alone ${index}`);
  const documents = terms.map((each) => ({
    counts: featureCounts(each.terms.split(' '), each.concepts.split(' ')),
    language: each.language,
  }));
  for (const { issueIds, label } of clusters) console.log(`${String(issueIds.length).padStart(4)}  ${label}`);
  console.log(`\n${clusters.length} clusters of ${clusterOf.size} questions in ${seconds.toFixed(1)} s`);
  console.log(`Adjusted Rand index                     ${adjustedRandIndex(found, topics).toFixed(3)}`);
  console.log(
    `k-means over plain TF-IDF, ${new Set(topics).size} groups      ${baselineIndex(texts, topics).toFixed(3)}`,
  );
  console.log(`Nearest topic, all other topics known   ${supervisedIndex(documents, topics).toFixed(3)}`);
} finally {
  await connection.close();
  await server.stop();
  dataDir.close();
  await rm(directory, { recursive: true, force: true });
}
