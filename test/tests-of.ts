import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Where the tests of folders of `src` are, the most specific ones first. */
const PLACES: [source: string, tests: readonly string[]][] = [
  ['src/domain/store', ['test/content']],
  ['src/domain', ['test']],
  ['src/lib', ['test/lib']],
  ['src/platform/graphql', ['test/graphql', 'test/limits']],
  ['src/platform/http', ['test/http', 'test/limits']],
  ['src/platform/mcp', ['test/mcp']],
  ['src/platform', ['test/platform']],
];

/**
 * The folders of `test` with the tests of a folder or file of `src`: those of the same name, or of the nearest folder
 * around it that has tests. Paths in `test` are taken as they are. Throws if there are none.
 */
export function testsOf(path: string): string[] {
  const folder = path.replace(/^\.\//, '').replace(/\/(?:[^/]+\.ts)?$/, '');
  if (folder.startsWith('test/')) return [path];
  const [source, places] = PLACES.find(([name]) => folder === name || folder.startsWith(`${name}/`)) ?? [];
  const found = places?.flatMap((place) => nearest(place, folder.slice(`${source}/`.length))) ?? [];
  if (found.length === 0) throw new Error(`There are no tests of ${path}. Name a folder of test.`);
  return found;
}

/** The folder in a place, or the nearest one around it with tests. All tests together are not near anything. */
function nearest(place: string, folder: string): string[] {
  const path = join(place, folder);
  if (path === 'test') return [];
  if (globSync(`${path}/**/*.test.ts`, { cwd: ROOT }).length > 0) return [`${path}/`];
  return folder === '' ? [] : nearest(place, dirname(folder).replace(/^\.$/, ''));
}
