import { expect, test } from 'vitest';
import { findOperations } from './operations.ts';
import { filesThatReach } from './reaching.ts';

const INSERTS = /insertInto\('revision'\)|\binsert into revision\b/;

const NEW_SPACE = 'makes a new space, and changes no content that exists';
const BACKGROUND = 'starts a run in the background';
const GIT = `${BACKGROUND}: previewGitConnection shows what the one of a connection would change`;
const TRANSLATES = `${BACKGROUND}, which asks a provider for translations`;

/** Commands by which revisions are written that cannot be tried, and why. */
const NOT_TRIED: Readonly<Record<string, string>> = {
  createSpace: NEW_SPACE,
  createTranslation: NEW_SPACE,
  duplicateSiteSpace: NEW_SPACE,
  duplicateSpace: NEW_SPACE,
  exportSpaceToGit: GIT,
  importSpaceFromGit: GIT,
  importTranslationMemory: TRANSLATES,
  previewGitConnection: `${BACKGROUND} that is a dry run itself`,
  purgeTranslationMemory: TRANSLATES,
  runTranslation: TRANSLATES,
  startGitConnection: GIT,
  startImportRun: `${BACKGROUND}: importSpaceContent and importChangeRequestContent can be tried`,
  syncGitConnection: GIT,
  updateGitConnection: GIT,
  updateGlossaryEntries: TRANSLATES,
};

test('every command of the service that writes a revision can be tried with dryRun', async () => {
  const operations = await findOperations();
  const canBeTried = operations.filter(({ operation }) => 'dryRun' in operation.input.shape);
  const reaching = filesThatReach(INSERTS);
  const writing = operations.filter(({ file, operation }) => operation.kind === 'command' && reaching.has(file));
  const namesOf = (some: typeof operations) => some.map(({ operation }) => operation.operationName).sort();
  expect(namesOf(writing.filter((each) => !canBeTried.includes(each)))).toEqual(Object.keys(NOT_TRIED).sort());
  expect(namesOf(canBeTried)).toEqual([
    'applySpaceTemplate',
    'importChangeRequestContent',
    'importSpaceContent',
    'importTranslationEdits',
    'mergeChangeRequest',
    'pullChangeRequest',
    'resolveChangeRequestConflicts',
    'resolveTranslationReview',
    'updateChangeRequestContent',
    'updateSpaceContent',
  ]);
  expect(namesOf(canBeTried)).toEqual(namesOf(canBeTried.filter((each) => writing.includes(each))));
});

test('what writes a revision is found through index files and jobs, and by its values alone', () => {
  const reaching = filesThatReach(INSERTS);
  expect(reaching).toContain('domain/store/heads/create-content.ts');
  expect(reaching).toContain('domain/sources/translations/reviews/resolve-translation-review.ts');
  expect(reaching).toContain('domain/sources/git/import-space-from-git.ts');
  expect(reaching).not.toContain('domain/content/change-requests/update-change-request.ts');
  expect(reaching).not.toContain('domain/content/uploads/create-upload.ts');
});
