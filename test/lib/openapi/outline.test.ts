import { expect, test } from 'vitest';
import { operationsOf } from '../../../src/lib/openapi/operations.ts';
import { specificationOutline } from '../../../src/lib/openapi/outline.ts';
import { pagesOf } from '../../../src/lib/openapi/pages.ts';
import type { JsonRecord } from '../../../src/lib/openapi/read-source.ts';
import { Specification } from '../../../src/lib/openapi/specification.ts';

const outlined = (document: JsonRecord) => {
  const specification = new Specification([{ filename: 'a.json', isEntrypoint: true, specification: document }]);
  return specificationOutline(specification, operationsOf(specification));
};

const some = <Value>(count: number, make: (at: number) => Value) => Array.from({ length: count }, (_, at) => make(at));
const long = (length: number) => 'x'.repeat(length);

test('an operation is on the pages of its first 50 tags', () => {
  const tags = ['a', 'a', ...some(20_000, (at) => `tag-${at}`)];
  const [operation] = outlined({ paths: { '/a': { get: { tags } } } }).operations;
  expect(operation?.tags).toEqual(['a', ...some(49, (at) => `tag-${at}`)]);
});

test('all operations together have up to 2,000 tags, and lose no page by it', () => {
  const paths = Object.fromEntries(some(2_010, (at) => [`/${at}`, { get: { tags: [`tag-${at}`] } }]));
  const outline = outlined({ tags: some(500, (at) => ({ name: `declared-${at}` })), paths });
  expect(new Set(outline.operations.flatMap(({ tags }) => tags)).size).toBe(1_500);
  expect(outline.operations).toHaveLength(2_010);
  const pages = pagesOf(outline, { models: false, changelog: false, downloadLink: false, grouping: 'by-operation' });
  expect(pages.at(-1)).toMatchObject({ title: 'Other operations', pages: { length: 510 } });
});

test('operations whose path or method is too long are left out, and so are tags and schemas with long names', () => {
  const outline = outlined({
    tags: [{ name: long(255) }, { name: long(256) }, { name: 'child', parent: long(256) }],
    paths: {
      [`/${long(1_999)}`]: { get: { tags: [long(255), long(256)], operationId: long(1_000) } },
      [`/${long(2_000)}`]: { get: {} },
      '/a': { additionalOperations: { [long(100)]: { operationId: long(1_001) }, [long(101)]: {} } },
    },
    components: { schemas: { [long(1_000)]: {}, [long(1_001)]: {} } },
  });
  expect(outline.tags).toEqual([{ name: long(255) }, { name: 'child' }]);
  expect(outline.operations).toEqual([
    { kind: 'path', method: 'get', path: `/${long(1_999)}`, tags: [long(255)], operationId: long(1_000) },
    { kind: 'path', method: long(100), path: '/a', tags: [] },
  ]);
  expect(outline.schemas).toEqual([long(1_000)]);
});

test('operations of a hidden tag are left out, even if the tag itself would be', () => {
  const hidden = [...some(1_000, (at) => `tag-${at}`), 'late', long(256)];
  const outline = outlined({
    tags: hidden.map((name) => ({ name, 'x-internal': true })),
    paths: { '/a': { get: { tags: ['late'] } }, '/b': { get: { tags: [long(256)] } }, '/c': { get: {} } },
  });
  expect(outline.operations.map(({ path }) => path)).toEqual(['/c']);
});
