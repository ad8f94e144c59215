import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  findBreakingChanges,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
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

test('what is missing, retyped, nullable or required now would be found', () => {
  const planted = `${released}
    extend type Space { removed: String }
    extend enum ChangeRequestStatus { REMOVED }
    extend input CreateSpaceInput { removed: String }`
    .replace(/(?<=^type RateLimit \{.*?^ {2}cost: )Int!/ms, 'String!')
    .replace(/(?<=^type RateLimit \{.*?^ {2}resetAt: DateTime)$/ms, '!')
    .replace(/(?<=^ {2}node\(\n.*?^ {4}id: ID)!/ms, '');
  const found = breaksOf(planted).filter((text) => !(text in ACCEPTED));
  expect(found.map((text) => text.split(':', 1)[0]).toSorted()).toEqual([
    'ARG_CHANGED_KIND',
    'FIELD_CHANGED_KIND',
    'FIELD_CHANGED_KIND',
    'FIELD_REMOVED',
    'FIELD_REMOVED',
    'VALUE_REMOVED_FROM_ENUM',
  ]);
});

const argumentsOf = (field: object | undefined): readonly GraphQLArgument[] =>
  field && 'args' in field ? (field.args as readonly GraphQLArgument[]) : []; // of fields of outputs

/**
 * Input fields and arguments, and fields of outputs, that the last release does not have, as `Type.field(argument)`.
 */
function additions(
  before: GraphQLSchema,
): { place: string; name: string; type: GraphQLInputType | GraphQLOutputType }[] {
  return Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => {
      if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [];
      const former = before.getType(type.name);
      const formerFields = former && 'getFields' in former ? former.getFields() : {};
      return Object.values(type.getFields()).flatMap((field) => {
        const place = `${type.name}.${field.name}`;
        const formerField = formerFields[field.name];
        const formerArgs = argumentsOf(formerField);
        const args = argumentsOf(field);
        return [
          ...(formerField ? [] : [{ place, name: field.name, type: field.type }]),
          ...args
            .filter(({ name }) => formerArgs.every((argument) => argument.name !== name))
            .map(({ name, type: given }) => ({ place: `${place}(${name})`, name, type: given })),
        ];
      });
    });
}

const added = additions(buildSchema(released));

/** Booleans that are named otherwise, and why. A new one is a decision. */
const OTHER_BOOLEANS: Record<string, string> = {
  dryRun: 'the term of package managers and cluster tools for trying a change',
  'EditPageSectionInput.delete': 'an edit beside `replaceWith` and `append`, of which it is the third',
};

test('booleans that are new since the last release begin with `is` or `has`', () => {
  const others = added
    .filter(({ type, name }) => getNamedType(type).name === 'Boolean' && !/^(?:is|has)[A-Z]/.test(name))
    .filter(({ place, name }) => !(name in OTHER_BOOLEANS) && !(place in OTHER_BOOLEANS));
  expect(others.map(({ place }) => place)).toEqual([]);
});

test('arguments `orderBy` that are new since the last release take a field and a direction', () => {
  for (const { place, type } of added.filter(({ name }) => name === 'orderBy')) {
    const input = getNamedType(type);
    const fields = isInputObjectType(input) ? Object.values(input.getFields()) : [];
    expect([place, fields.map((field) => `${field.name}: ${field.type}`).toSorted()]).toEqual([
      place,
      ['direction: OrderDirection!', `field: ${input}Field!`],
    ]);
  }
});
