import { expect } from 'vitest';
import { canonicalJson } from '../../../src/lib/canonical.ts';
import type { JSONDocument } from '../../../src/lib/document/document.ts';
import { countedKeys, withoutKeys } from '../../../src/lib/document/keys.ts';
import { type ParseOptions, parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import { validateDocument } from '../../../src/lib/document/validate.ts';

export function parse(markdown: string, options: ParseOptions = {}): JSONDocument {
  return parseMarkdown(markdown, { nextKey: countedKeys(), ...options }).document;
}

/** What a document says, whatever its keys. */
export function meaning(document: JSONDocument): string {
  return canonicalJson(withoutKeys(document));
}

/** The law of the two forms: printing and parsing give the same document and then the same text. */
export function expectStable(document: JSONDocument): string {
  const printed = printMarkdown(document);
  const again = parse(printed);
  expect(meaning(again)).toBe(meaning(document));
  expect(printMarkdown(again)).toBe(printed);
  return printed;
}

export function expectValid(document: JSONDocument): void {
  const checked = validateDocument(document);
  expect('issues' in checked ? checked.issues : []).toEqual([]);
}
