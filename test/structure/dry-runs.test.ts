import { expect, test } from 'vitest';
import { findOperations } from './operations.ts';

/** Commands of the modules that write content that cannot be tried, and why. */
const NOT_TRIED: Readonly<Record<string, string>> = {
  createChangeRequest: 'edits no content',
  updateChangeRequest: 'edits no content',
  createUpload: 'edits no content',
  updateAgentInstructions: 'edits no content',
  cancelImportRun: 'edits no content',
  startImportRun: 'runs in the background: importSpaceContent and importChangeRequestContent can be tried',
};

const MODULES = /^domain\/(content|review\/merges)\//;

test('every command that edits content can be tried with dryRun', async () => {
  const commands = (await findOperations())
    .filter(({ file, operation }) => MODULES.test(file) && operation.kind === 'command')
    .map(({ operation }) => operation);
  const named = (canBeTried: boolean) =>
    commands
      .filter(({ input }) => 'dryRun' in input.shape === canBeTried)
      .map(({ operationName }) => operationName)
      .sort();
  expect(named(false)).toEqual(Object.keys(NOT_TRIED).sort());
  expect(named(true)).toEqual([
    'applySpaceTemplate',
    'importChangeRequestContent',
    'importSpaceContent',
    'mergeChangeRequest',
    'pullChangeRequest',
    'resolveChangeRequestConflicts',
    'updateChangeRequestContent',
    'updateSpaceContent',
  ]);
});
