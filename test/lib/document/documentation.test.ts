import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { splitFrontMatter } from '../../../src/lib/front-matter.ts';
import { expectStable, expectValid, parse } from './markdown-round-trip.ts';

const HANDBOOK = join(import.meta.dirname, '..', '..', '..', 'src', 'demo', 'handbook');

/** Every page of the handbook, and of whatever documentation `DOCUMENTATION` names a folder of. */
const pages = [HANDBOOK, ...(process.env.DOCUMENTATION ? [process.env.DOCUMENTATION] : [])].flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((file) => file.endsWith('.md')),
);

test('finds pages', () => expect(pages.length).toBeGreaterThan(10));

test.each(pages)('%s has the same meaning after printing, and is stable from then on', (file) => {
  const document = parse(splitFrontMatter(readFileSync(file, 'utf8')).body);
  expectValid(document);
  expectStable(document);
});
