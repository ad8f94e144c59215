import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/**
 * Variables of modules that hold promises, for which all requests can wait; `SharedWork`, `sharedRead` and `openOnce`
 * take their place. A promise that is made in a request ends with it, so that another request which waits for it fails
 * when the first is cancelled.
 */
const HOLDS =
  /^(?:export )?(?:const|let) (\w+)(?:[^\n=]*: *Promise<|[^\n]*\b(?:(?:Weak)?(?:Map|Set)|LRUCache)<[^\n]*\bPromise<)/gm;

const heldIn = (text: string): string[] => [...text.matchAll(HOLDS)].map(([, name = '']) => name);

/** Those that no request shares the work of. */
const OTHERS: Record<string, string> = {
  'platform/operation/mutex.ts turns': 'only order: each function runs in its own request',
};

test('no variable of a module is declared as a promise or a collection of promises', () => {
  const held = globSync('**/*.ts', { cwd: SRC }).flatMap((path) =>
    heldIn(readFileSync(join(SRC, path), 'utf8')).map((name) => `${path} ${name}`),
  );
  expect(held.sort()).toEqual(Object.keys(OTHERS).sort());
});

test.each([
  'const known = new LRUCache<string, Promise<Row[]>>({ max: 20 });',
  'export const known = new Map<string, Promise<void>>();',
  'const known: Map<string, Promise<void>> = new Map();',
  'const servers = new WeakMap<Services, Promise<Server>>();',
  'let page: Promise<string> | undefined;',
])('%s is found', (line) => expect(heldIn(`${line}\n`)).toHaveLength(1));

test.each([
  '  const known = new Map<string, Promise<void>>();',
  'const read = async (): Promise<void> => {};',
  'const comparing = new SharedWork<Row[]>();',
  'const known = new Map<string, Row>();',
])('%s is not', (line) => expect(heldIn(`${line}\n`)).toEqual([]));
