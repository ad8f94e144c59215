import { THOROUGH_FILES } from './long-files.ts';
import { runVitest } from './run-vitest.ts';

/** Tests of generated input, which generate ten times as many cases here. The matrices ask with every caller. */
const GENERATED = [
  'content/editing/block-edit-laws.test.ts',
  'content/editing/edit-laws.test.ts',
  'content/editing/pages-of-change-requests.test.ts',
  'content/editing/projection.test.ts',
  'content/garbage-collection/collect-content.test.ts',
  'content/links/link-counts.test.ts',
  'http/limits/read-json.test.ts',
  'lib/document/evaluate-laws.test.ts',
  'lib/document/fast-path.test.ts',
  'lib/document/markdown-laws.test.ts',
  'lib/document/patch-laws.test.ts',
  'lib/exports/hostile.test.ts',
  'lib/expression/evaluate-laws.test.ts',
  'lib/html/words.test.ts',
  'lib/merge/documents.laws.test.ts',
  'lib/merge/git.laws.test.ts',
  'lib/merge/manifests.laws.test.ts',
  'lib/merge/pages.laws.test.ts',
  'lib/merge/stories.laws.test.ts',
  'lib/tree/diff.laws.test.ts',
  'lib/tree/edit.laws.test.ts',
  'lib/tree/manifest.laws.test.ts',
  'people/access/plain-rules.test.ts',
  'people/access/role.test.ts',
  'publishing/answer-cache.test.ts',
  'review/merges/stories.test.ts',
  'sources/git/git-program.test.ts',
  'structure/hidden-like-absent.test.ts',
  'structure/isolation-matrix.test.ts',
  'structure/scopes.test.ts',
];

/** Runs what takes too long for every change: before a release, and after changes of what these tests are about. */
process.exitCode = runVitest({
  files: [...THOROUGH_FILES, ...GENERATED].map((name) => `test/${name}`),
  env: { ...process.env, LAW_RUNS: '10' },
});
