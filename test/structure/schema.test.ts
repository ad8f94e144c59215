import { readFileSync } from 'node:fs';
import {
  type GraphQLArgument,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/schema.ts';
import { PRINTED_SCHEMA, printedSchema } from '../print-schema.ts';

test('schema.graphql is the schema of the code; `npm run schema` prints it', () => {
  expect(readFileSync(PRINTED_SCHEMA, 'utf8')).toBe(printedSchema());
});

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);

/** A part of the schema that people read about: its place, the last of its names, and what is said of it. */
interface Part {
  place: string;
  name: string;
  description: string | null | undefined;
  deprecationReason?: string | null | undefined;
}

function partsOf(type: GraphQLNamedType): Part[] {
  const parts: Part[] = [{ place: type.name, name: type.name, description: type.description }];
  if (isEnumType(type))
    parts.push(...type.getValues().map((value) => ({ ...value, place: `${type.name}.${value.name}` })));
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return parts;
  for (const field of Object.values(type.getFields())) {
    const place = `${type.name}.${field.name}`;
    parts.push({ ...field, place });
    if ('args' in field)
      parts.push(
        ...field.args.map((argument: GraphQLArgument) => ({ ...argument, place: `${place}(${argument.name})` })),
      );
  }
  return parts;
}

const parts = types.flatMap(partsOf);

const SILENT_WORDS = new Set(['a', 'an', 'the', 'its', 'of', 'this']);

/** The words that tell something: `The display name.` says no more than `displayName`. */
const wordsOf = (text: string) =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !SILENT_WORDS.has(word));

test('every type, field, argument, value and input field has a description', () => {
  // A value's name may need no more than its plain form: `AR` is "Arabic".
  const isShort = ({ name, description }: Part) => !/^[A-Z_0-9]+$/.test(name) && !description?.trim().includes(' ');
  const silent = parts.filter((part) => !part.description?.trim() || isShort(part));
  expect(silent.map(({ place }) => place)).toEqual([]);
});

test('no description only repeats the name', () => {
  // Types of mutations have no meaning beyond their mutation, and ids state their prefix.
  const isConventional = /^((Input|Payload) of `\w+`|ID of the `\w+` \(`\w+_…`\))\.$/;
  const repeating = parts.filter(({ name, description }) => {
    if (isConventional.test(description ?? '')) return false;
    const said = wordsOf(description ?? '');
    const known = new Set(wordsOf(name));
    return said.length > 0 && said.every((word) => known.has(word));
  });
  expect(repeating.map(({ place, description }) => `${place}: ${description}`)).toEqual([]);
});

test('descriptions are sentences', () => {
  const unfinished = parts.filter(
    ({ description }) => !/^[\p{Lu}\p{N}`"'].*[.:!?)`…]$/su.test(description?.trim() ?? ''),
  );
  expect(unfinished.map(({ place, description }) => `${place}: ${description}`)).toEqual([]);
});

test('deprecations name a replacement', () => {
  const unhelpful = parts.filter(({ deprecationReason }) => deprecationReason && !/`\w+`/.test(deprecationReason));
  expect(unhelpful.map(({ place }) => place)).toEqual([]);
});

/**
 * Types that are no nodes and have a field `id` all the same, and why. Normalized caches (Relay, Apollo, urql) merge
 * objects of one id, so such an id must never be a node's, and equal ids must mean equal objects.
 */
const IDENTIFIED: Record<string, string> = {
  SsoLogin: 'its id is made of that of its provider and is no node id: equal ids are equal ways to sign in',
  MergeConflict: 'its id is a digest of the versions that it is between: equal ids are equal conflicts',
  SearchPageResult: 'its id is a digest of the list, the query and the page: equal ids are equal results',
  SearchSectionResult: 'its id is that of the result for the page, with the anchor: equal ids are equal results',
  SearchSpaceResult: 'its id is a digest of the list, the query and the space: equal ids are equal results',
};

test('only nodes have an id', () => {
  const identified = types.filter(
    (type) => (isObjectType(type) || isInterfaceType(type)) && 'id' in type.getFields() && type.name !== 'Node',
  ) as (GraphQLObjectType | GraphQLInterfaceType)[];
  const others = identified.filter((type) => !type.getInterfaces().some(({ name }) => name === 'Node'));
  expect(others.map(({ name }) => name).sort()).toEqual(Object.keys(IDENTIFIED).sort());
});

test('delete payloads have the parent of the deleted object', () => {
  const deletions = types.filter(
    (type) => isObjectType(type) && type.name.endsWith('Payload') && 'deletedId' in type.getFields(),
  ) as GraphQLObjectType[];
  expect(deletions.length).toBeGreaterThan(0);
  const parentsOf = (type: GraphQLObjectType) =>
    Object.values(type.getFields()).filter((field) => isObjectType(getNamedType(field.type)));
  expect(deletions.filter((type) => parentsOf(type).length === 0).map(({ name }) => name)).toEqual([]);
  // What was deleted may be absent, and its parent hidden.
  const required = deletions.flatMap((type) => parentsOf(type).filter((field) => isNonNullType(field.type)));
  expect(required).toEqual([]);
});

test('names follow one style', () => {
  const styled = (text: string) =>
    (/^[a-z]/.test(text) ? /^[a-z][a-zA-Z0-9]*$/ : /^([A-Z][a-zA-Z0-9]*|[A-Z][A-Z0-9_]*)$/).test(text);
  expect(parts.filter(({ name }) => !styled(name)).map(({ place }) => place)).toEqual([]);
});
