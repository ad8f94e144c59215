import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import { expectStable, expectValid } from './markdown-round-trip.ts';

const folder = new URL('../../fixtures/markdown/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const canonical = readdirSync(new URL('canonical/', folder));
const foreign = readdirSync(new URL('foreign/', folder)).filter((name) => !name.endsWith('.printed.md'));

describe('pages in the printed form', () => {
  test.each(canonical)('%s is printed back byte for byte', (name) => {
    const source = read(`canonical/${name}`);
    const { document, degradations } = parseMarkdown(source);
    expectValid(document);
    expect(printMarkdown(document)).toBe(source);
    expect(degradations).toEqual([]);
  });

  test.each(canonical)('%s with other line ends and a byte order mark is the same', (name) => {
    const source = read(`canonical/${name}`);
    const { document } = parseMarkdown(`\ufeff${source.replaceAll('\n', '\r\n')}`);
    expect(printMarkdown(document)).toBe(source);
  });
});

describe('pages written otherwise', () => {
  test.each(foreign)('%s is printed in the normal form and stays stable', (name) => {
    const { document } = parseMarkdown(read(`foreign/${name}`));
    expectValid(document);
    expect(expectStable(document)).toBe(read(`foreign/${name.replace('.md', '.printed.md')}`));
  });
});
