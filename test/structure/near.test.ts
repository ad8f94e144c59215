import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testsOf } from '../tests-of.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const folders = ['src/domain/*/*', 'src/platform/*', 'src/lib/*']
  .flatMap((pattern) => globSync(`${pattern}/`, { cwd: ROOT }))
  .filter((path) => !path.endsWith('.ts'));

test('`npm run test:near` finds tests for every folder of `src`', () => {
  expect(folders.length).toBeGreaterThan(100);
  expect(folders.filter((folder) => testsOf(folder).length === 0)).toEqual([]);
});

test('`npm run test:near` chooses the nearest folder with tests, and names paths without tests', () => {
  expect(testsOf('src/domain/places/spaces/create-space.ts')).toEqual(['test/places/spaces/']);
  expect(testsOf('src/domain/publishing/reader/')).toEqual(['test/publishing/']);
  expect(testsOf('src/lib/rank.ts')).toEqual(['test/lib/']);
  expect(testsOf('test/mcp/tools.test.ts')).toEqual(['test/mcp/tools.test.ts']);
  expect(() => testsOf('src/config.ts')).toThrow('There are no tests of src/config.ts.');
});
