import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assemble } from '../../../src/lib/openapi/assemble.ts';
import { UnusableSpecification } from '../../../src/lib/openapi/fault.ts';
import { operationsOf } from '../../../src/lib/openapi/operations.ts';
import { specificationOutline } from '../../../src/lib/openapi/outline.ts';
import { type OutlinePage, pagesOf } from '../../../src/lib/openapi/pages.ts';
import { resolveReferences } from '../../../src/lib/openapi/resolve.ts';
import { Specification } from '../../../src/lib/openapi/specification.ts';

const FOLDER = join(import.meta.dirname, '../../../node_modules/@readme/oas-examples');
const files = globSync('{2.0,3.0,3.1}/{json,yaml}/*.{json,yaml}', { cwd: FOLDER }).sort();

const read = (file: string) => {
  const assembled = assemble([
    { location: `https://example.com/${file}`, text: readFileSync(join(FOLDER, file), 'utf8') },
  ]);
  if ('missing' in assembled) throw new Error(assembled.missing.join());
  return { ...assembled, specification: new Specification(assembled.files) };
};

const flat = (pages: OutlinePage[]): OutlinePage[] => pages.flatMap((page) => [page, ...flat(page.pages)]);

test('finds the examples', () => expect(files.length).toBeGreaterThan(30));

test.each(files)('%s is taken apart, and every operation can be resolved', (file) => {
  const { specification, openapiVersion } = read(file);
  expect(openapiVersion).toMatch(/^(2\.0|3\.[01]\.\d)$/);
  expect(specification.document.openapi).toMatch(/^3\.1/);
  const operations = operationsOf(specification);
  for (const { body } of operations) {
    const resolved = JSON.stringify(resolveReferences(body, (ref) => specification.part(ref)));
    for (const ref of specification.dependencies(body)) expect(typeof ref).toBe('string');
    expect(resolved.length).toBeGreaterThan(0);
  }
  const options = { models: true, changelog: false, downloadLink: false, grouping: 'by-operation' as const };
  const pages = flat(pagesOf(specificationOutline(specification, operations), options));
  expect(new Set(pages.map(({ key }) => key)).size).toBe(pages.length);
});

test('a file that is no specification is rejected', () => {
  expect(() => assemble([{ location: 'https://example.com/a.json', text: '{}' }])).toThrow(UnusableSpecification);
});
