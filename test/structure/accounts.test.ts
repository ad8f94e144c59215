import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The names of the rows: `find: …`, `make: …`, `link: …`, `rename: …`. */
const rows = [...read('docs/accounts.md').matchAll(/^\| ((?:find|make|link|rename): [^|]+) \|/gm)].map(
  ([, name = '']) => name,
);
const tests = globSync('test/people/**/*.test.ts', { cwd: ROOT })
  .flatMap((path) => [...read(path).matchAll(/^test\(\s*['"](.+?)['"],/gm)])
  .map(([, title = '']) => title);

test('every way to an account that docs/accounts.md lists has a test with its name, and no other has', () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(new Set(rows).size).toBe(rows.length);
  const named = tests.flatMap((title) => /^((?:find|make|link|rename): [^:]+)(?::|$)/.exec(title)?.[1] ?? []);
  expect([...new Set(named)].sort()).toEqual(rows.toSorted());
});
