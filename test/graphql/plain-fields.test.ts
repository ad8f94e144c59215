import type { GraphQLObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { isProperty } from '../../src/platform/graphql/plain-fields.ts';
import { types } from '../../src/platform/resource/field-types.ts';
import { schema } from '../../src/schema.ts';

const resolverOf = (type: string, field: string) =>
  (schema.getType(type) as GraphQLObjectType).getFields()[field]?.resolve; // asked for by names of object types

test.each([
  ['Comment', 'postedAt'],
  ['CommentBody', 'markdown'],
  ['User', 'displayName'],
  ['ChangeRequest', 'status'],
  ['CommentEdge', 'node'],
  ['CommentEdge', 'cursor'],
  ['PageInfo', 'endCursor'],
])('executors read %s.%s from the row, without a function', (type, field) => {
  expect(resolverOf(type, field)).toBeUndefined();
});

test.each([
  ['Comment', 'status', 'is computed'],
  ['Comment', 'postedBy', 'is loaded'],
  ['Comment', 'body', 'is an object'],
  ['CommentConnection', 'nodes', 'is a promise'],
])('%s.%s, which %s, has a resolver', (type, field) => {
  expect(resolverOf(type, field)).toBeTypeOf('function');
});

interface Row {
  title: string;
  name: string;
}

const { string, list } = types;

test.each([
  ['its own property', string, ({ title }: Row) => title, true],
  ['another property', string, ({ name }: Row) => name, false],
  ['a property or a default', string, ({ title }: Row) => title ?? 'Untitled', false],
  ['a part of a property', string, ({ title }: Row) => title.length, false],
  ['a list', list(string), ({ title }: Row) => title, false],
])('a field "title" that returns %s is recognized', (_what, type, read, expected) => {
  expect(isProperty({ type, read: read as never }, 'title')).toBe(expected);
});
