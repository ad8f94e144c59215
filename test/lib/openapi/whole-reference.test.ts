import { expect, test } from 'vitest';
import type { Outline } from '../../../src/lib/openapi/outline.ts';
import { MAX_WHOLE, pageTextParts, sizeOfTexts } from '../../../src/lib/openapi/page-texts.ts';
import { operationsAt, operationsOfTag } from '../../../src/lib/openapi/pages.ts';
import { expectLinear } from '../../growth.ts';

const outlineOf = (operations: Partial<Outline['operations'][number]>[], tags: Outline['tags'] = []): Outline => ({
  title: 'API',
  version: '1',
  description: '',
  tags,
  operations: operations.map((operation, at) => ({
    kind: 'path',
    method: 'get',
    path: `/${at}`,
    tags: [],
    ...operation,
  })),
  schemas: [],
});

const some = (count: number) => Array.from({ length: count }, (_, at) => at);

test('the text of a whole reference takes linear time', async () => {
  const reference = (count: number) =>
    outlineOf(
      some(count).map((at) => ({ tags: [`tag-${at}`] })),
      some(count).map((at) => ({ name: `tag-${at}` })),
    );
  // A copy, without what an earlier run has learned of the outline.
  const texts = (outline: Outline) => pageTextParts({ ...outline }, { grouping: 'by-operation' });
  await expectLinear(texts, reference, 2_000);
});

test('a whole reference ends, however many pages show the same operations', () => {
  const tags = some(300).map((at) => `tag-${at}`);
  const ofTags = pageTextParts(outlineOf(some(300).map(() => ({ tags }))), {});
  const webhooks = some(300).map((at) => ({ kind: 'webhook' as const, method: `method-${at}`, path: 'hook' }));
  const ofWebhooks = pageTextParts(outlineOf(webhooks), { grouping: 'by-operation' });
  for (const { length } of [ofTags, ofWebhooks]) {
    expect(length).toBeGreaterThan(MAX_WHOLE - 1);
    expect(length).toBeLessThan(MAX_WHOLE + 1_000);
  }
});

test('the size of the texts counts an operation on each page that shows it', () => {
  const size = (operations: Parameters<typeof outlineOf>[0]) => sizeOfTexts(outlineOf(operations));
  const one = size([{ path: '/a' }]);
  expect(size([{ path: '/a', tags: ['a'] }])).toBe(one);
  expect(size([{ path: '/a', tags: ['a', 'b', 'c'] }])).toBe(3 * one);
  const hook = size([{ path: 'h', kind: 'webhook' }]);
  const hooks = some(10).map((at) => ({ path: 'h', kind: 'webhook' as const, method: `me${at}` }));
  expect(size(hooks)).toBe(100 * hook);
  // Operations can have the same method in upper and lower case.
  expect(size([{ path: '/a' }, { path: '/a' }])).toBe(4 * one);
});

test('operations without a tag are on the page `default`, unless a tag has this name', () => {
  const untagged = outlineOf([{ path: '/a' }, { path: '/b', tags: ['b'] }]);
  expect(operationsOfTag(untagged, 'default').map(({ path }) => path)).toEqual(['/a']);
  expect(operationsOfTag(untagged, '')).toEqual([]);
  const tagged = outlineOf([{ path: '/a' }, { path: '/b', tags: ['default', 'b', 'b'] }]);
  expect(operationsOfTag(tagged, 'default').map(({ path }) => path)).toEqual(['/b']);
  expect(operationsOfTag(tagged, 'b').map(({ path }) => path)).toEqual(['/b']);
  expect(operationsOfTag(tagged, 'constructor')).toEqual([]);
});

test('an operation is found by its method, and a webhook with all of its methods', () => {
  const outline = outlineOf([
    { path: '/a' },
    { path: '/a', method: 'post' },
    { path: 'b', kind: 'webhook' },
    { path: 'b', kind: 'webhook', method: 'post' },
  ]);
  const methodsAt = (path: string, method: string) => operationsAt(outline, path, method).map((each) => each.method);
  expect([methodsAt('/a', 'post'), methodsAt('b', 'hook'), methodsAt('/a', 'hook'), methodsAt('/a', 'put')]).toEqual([
    ['post'],
    ['get', 'post'],
    [],
    [],
  ]);
});
