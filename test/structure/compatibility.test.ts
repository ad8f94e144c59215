import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, findBreakingChanges } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/schema.ts';

/** `schema.graphql` of the last release. A release replaces it. */
const RELEASED = join(import.meta.dirname, '../fixtures/schema-of-last-release.graphql');

/** Changes that stop clients of the last release, with the reason why they are made all the same. */
const ACCEPTED: Record<string, string> = {};

const released = readFileSync(RELEASED, 'utf8');

const breaksOf = (before: string) =>
  findBreakingChanges(buildSchema(before), schema).map(({ type, description }) => `${type}: ${description}`);

test('clients of the last release go on working: nothing they use was removed, retyped or made required', () => {
  expect(breaksOf(released)).toEqual(Object.keys(ACCEPTED));
});

test('a field, an argument or a value of an enum that is missing would be found', () => {
  const planted = `${released}
    extend type Space { removed: String }
    extend enum ChangeRequestStatus { REMOVED }
    extend input CreateSpaceInput { removed: String }`;
  const found = breaksOf(planted).filter((text) => !(text in ACCEPTED));
  expect(found.map((text) => text.split(':', 1)[0]).toSorted()).toEqual([
    'FIELD_REMOVED',
    'FIELD_REMOVED',
    'VALUE_REMOVED_FROM_ENUM',
  ]);
});
