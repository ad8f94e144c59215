import {
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';
import { expect, test } from 'vitest';
import { ISSUE_CODES } from '../../src/lib/validation/issue-code.ts';
import { schema } from '../../src/schema.ts';
import { world } from '../world.ts';
import { furnish, prefixOfName } from './furnish.ts';
import { UNPLAIN } from './unplain.ts';

const { admin, organizationId } = await world();
const ids = await furnish(admin, organizationId);

const LONG = 'x'.repeat(5_000);
const MANY = 60;

/** How the scalars of an input are filled: with other types, with values out of all bounds, or with nothing in them. */
type Filling = (scalar: string) => unknown;

const FILLINGS: Record<string, Filling> = {
  'values of other types': (scalar) => (scalar === 'Boolean' ? 'yes' : { wrong: [] }),
  'too much': (scalar) =>
    ({ Int: 2_147_483_647, Float: 1e300, Boolean: true, JSON: {}, JSONObject: { a: {} } })[scalar] ?? LONG,
  'too little': (scalar) => ({ Int: -1, Float: -1, Boolean: false, JSON: null, JSONObject: {} })[scalar] ?? '',
};

/**
 * An input with what a filling gives to each scalar. IDs of what the mutation is about exist, so that the rest is
 * looked at.
 */
function filled(type: GraphQLInputType, fill: Filling, name: string, depth = 0): unknown {
  const bare = getNullableType(type);
  if (isListType(bare)) {
    const item = filled(bare.ofType, fill, name, depth + 1);
    return fill('String') === LONG
      ? Array.from({ length: depth > 1 ? 1 : MANY }, () => item)
      : fill('String') === ''
        ? []
        : [item];
  }
  if (isEnumType(bare)) return fill('String') === LONG ? bare.getValues()[0]?.name : fill('String');
  if (!isInputObjectType(bare)) {
    const prefix = depth === 1 && String(bare) === 'ID' ? prefixOfName(name) : undefined;
    return (prefix && ids[prefix]) ?? fill(String(bare));
  }
  if (depth > 3) return {};
  const fields = Object.values(bare.getFields());
  const chosen = bare.isOneOf ? fields.slice(0, 1) : fields;
  return Object.fromEntries(chosen.map((field) => [field.name, filled(field.type, fill, field.name, depth + 1)]));
}

const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});

/** A field of a payload that needs no selection. */
const selectionOf = (type: unknown) => (isObjectType(type) ? 'clientMutationId' : '__typename');

test.each(Object.entries(FILLINGS))('every mutation refuses %s in plain words, with codes', async (_what, fill) => {
  const unplain: unknown[] = [];
  let count = 0;
  for (const { name, args, type } of mutations) {
    const [input] = args;
    if (!input) continue;
    const query = `mutation($input: ${input.type}) { ${name}(input: $input) { ${selectionOf(getNullableType(type))} } }`;
    const given = filled(input.type, fill, 'input') as object; // of an input object
    // Too long for a key, so that nothing is ever changed.
    const { body } = await admin.graphqlRaw(query, { input: { ...given, idempotencyKey: LONG } });
    expect([name, body.errors?.length ?? 0]).not.toEqual([name, 0]);
    for (const { message, extensions } of body.errors ?? []) {
      const issues: { message: string; code: string }[] = extensions?.issues ?? [];
      count += issues.length;
      const texts = [message, ...issues.map((issue) => issue.message)];
      unplain.push(...texts.filter((text) => UNPLAIN.test(text)).map((text) => [name, text]));
      unplain.push(...issues.filter(({ code }) => !(code in ISSUE_CODES)).map(({ code }) => [name, code]));
      expect([name, extensions?.code]).not.toEqual([name, 'INTERNAL_SERVER_ERROR']);
    }
  }
  expect(count).toBeGreaterThan(mutations.length);
  expect(unplain).toEqual([]);
});
