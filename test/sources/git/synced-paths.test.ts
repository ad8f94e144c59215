import { expect, test } from 'vitest';
import { syncedPaths } from '../../../src/domain/sources/git/runs/synced-paths.ts';
import { expectLinear } from '../../growth.ts';

interface Branches {
  /** Object IDs of the files at the last synchronization, by path. */
  before: Record<string, string>;
  now: Record<string, string>;
}

/** The paths that the pages have now, by their former paths, which are their ids here. */
async function renamed({ before, now }: Branches): Promise<Record<string, string>> {
  const rows = Object.entries(before).map(([path, oid]) => ({ path, kind: 'page', targetId: path, oid, sketch: null }));
  const query = { where: () => query, selectAll: () => query, execute: async () => rows };
  const files = Object.entries(now).map(([path, oid]) => ({ path, oid, size: 1 }));
  const { ids } = await syncedPaths({ db: { selectFrom: () => query } } as never, 'space', files);
  return Object.fromEntries([...ids.pages].map(([path, pageId]) => [pageId, path]));
}

test('of several new files with the same bytes, a page has the one whose path ends most alike', async () => {
  const before = { 'a/setup/linux.md': 'same', 'a/setup/windows.md': 'same', 'a/other.md': 'other' };
  const now = { 'b/linux.md': 'same', 'b/setup/windows.md': 'same', 'b/setup/linux.md': 'same', 'b/new.md': 'other' };
  expect(await renamed({ before, now })).toEqual({
    'a/setup/linux.md': 'b/setup/linux.md',
    'a/setup/windows.md': 'b/setup/windows.md',
    'a/other.md': 'b/new.md',
  });
});

/** A directory of files that got another name. */
const renamedDirectory = (files: number, oidOf: (index: number) => string): Branches => {
  const inside = (directory: string) =>
    Object.fromEntries(Array.from({ length: files }, (_, index) => [`${directory}/${index}.md`, oidOf(index)]));
  return { before: inside('before'), now: inside('after') };
};

test.each<[what: string, oidOf: (index: number) => string, files: number]>([
  ['distinct files', String, 4_000],
  ['files with the same bytes', () => 'same', 500],
])('renames of %s take time in proportion to their number', async (_, oidOf, files) => {
  await expectLinear(renamed, (size) => renamedDirectory(size, oidOf), files);
});
