import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import {
  buildSchema,
  type DocumentNode,
  execute,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLScalarType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  parse,
  responsePathAsArray,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import { compileOperation, countCompiledFields, markIgnoresInfo } from '../../../src/lib/graphql-executor/index.ts';
import { VALUE_WEIGHT, weigh } from '../../../src/lib/json-weight.ts';

const SCHEMA = `
  scalar Moment
  input Box { text: String = "box" number: Int! = 1 words: [String!] inner: Box needed: Int! }
  input One @oneOf { text: String number: Int }
  enum Color { RED GREEN }
  interface Being { name: String sure: String! }
  union Either = Thing | Other
  type Other implements Being { name: String sure: String! other: Other }
  type Thing implements Being {
    name: String
    sure: String!
    count: Int
    size: Float!
    isOn: Boolean
    key: ID
    color: Color
    time: Moment
    computed: String!
    late: Int
    echo(text: String = "none", number: Int, color: Color, words: [String!], box: Box, one: One, needed: Int! = 3): String
    thing: Thing
    sureThing: Thing!
    owned: Thing
    things: [Thing]
    sureThings: [Thing!]!
    grid: [[Int!]]
    being: Being
    beings: [Being!]
    either: Either
  }
  type Query { thing: Thing sureThing: Thing! things: [Thing!] being: Being either: [Either]! count: Int }
  type Mutation { thing: Thing sureThing: Thing! count: Int again: Int }
`;

const COMPOSITE = ['thing', 'sureThing', 'owned', 'things', 'sureThings', 'being', 'beings', 'either'];
const LISTS = ['things', 'sureThings', 'beings', 'grid'];
/** Read from the source, without a resolver. */
const PROPERTIES = ['name', 'sure', 'count', 'size', 'isOn', 'key', 'color', 'time', 'owned', 'other'];

/** A number that the seed and the text decide. */
function chance(seed: number, text: string): number {
  let hash = seed | 0;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x5bd1e995) ^ (hash >>> 13);
  return (hash >>> 0) % 1000;
}

/** What is at a path: the same for both executors. */
class World {
  readonly seed: number;
  /** How many of 1000 values are wrong in a way. */
  readonly faults: number;

  constructor(seed: number, faults: number) {
    this.seed = seed;
    this.faults = faults;
  }

  /** The outcome of a resolver. */
  resolved(path: string, name: string): unknown {
    const value = this.value(path, name);
    const luck = chance(this.seed, `${path} fault`);
    if (luck < this.faults) {
      const error = new Error(`fault at ${path}`);
      if (luck % 4 === 0) throw error;
      if (luck % 4 === 1) return error;
      if (luck % 4 === 2) return this.later(path, () => Promise.reject(error));
    }
    return luck % 3 === 0 ? this.later(path, () => value) : value;
  }

  /** A promise that settles after some turns. */
  async later(path: string, make: () => unknown): Promise<unknown> {
    for (let turns = chance(this.seed, `${path} turns`) % 5; turns > 0; turns--) await undefined;
    return make();
  }

  value(path: string, name: string): unknown {
    const luck = chance(this.seed, path);
    if (luck < this.faults) return luck % 2 === 0 ? null : undefined;
    if (LISTS.includes(name) || (name === 'either' && path === 'either')) return this.list(path, name);
    return this.item(path, name);
  }

  list(path: string, name: string): unknown {
    const length = chance(this.seed, `${path} length`) % 4;
    const items = Array.from({ length }, (_, index) => {
      const at = `${path}.${index}`;
      const value = this.listed(at, name);
      return chance(this.seed, `${at} late`) % 5 === 0 ? this.later(at, () => value) : value;
    });
    return chance(this.seed, `${path} kind`) % 4 === 0 ? new Set(items) : items;
  }

  listed(path: string, name: string): unknown {
    const luck = chance(this.seed, `${path} item`);
    if (luck < this.faults) return luck % 2 === 0 ? null : new Error(`fault at ${path}`);
    return name === 'grid' ? this.list(path, 'row') : this.item(path, name);
  }

  item(path: string, name: string): unknown {
    const luck = chance(this.seed, `${path} value`);
    if (luck < this.faults && !COMPOSITE.includes(name)) return luck % 2 === 0 ? { not: 'a leaf' } : Number.NaN;
    if (name === 'row' || name === 'late' || name === 'count') return luck % 7 === 0 ? 1.5 : luck;
    if (name === 'size') return luck / 8;
    if (name === 'isOn') return luck % 2 === 0;
    if (name === 'color') return luck % 9 === 0 ? 'BLUE' : luck % 2 === 0 ? 'RED' : 'GREEN';
    if (name === 'key') return luck % 2 === 0 ? luck : `k${luck}`;
    if (!COMPOSITE.includes(name) && name !== 'other') return `text ${luck}`;
    const isOther = name === 'other' || (['being', 'beings', 'either'].includes(name) && luck % 2 === 0);
    return this.object(path, isOther ? 'Other' : 'Thing');
  }

  object(path: string, kind: string): object {
    const object = Object.create(null);
    object.kind = kind;
    for (const name of PROPERTIES) {
      const at = `${path}/${name}`;
      const luck = chance(this.seed, `${at} property`);
      if (luck < this.faults) {
        Object.defineProperty(object, name, {
          get() {
            throw new Error(`fault at ${at}`);
          },
        });
      } else if (luck % 11 === 0) object[name] = () => this.value(at, name);
      else if (luck % 11 === 1) object[name] = this.later(at, () => this.value(at, name));
      else if (name === 'owned' || name === 'other')
        // Made when it is read, since it contains others of its kind.
        Object.defineProperty(object, name, { get: () => this.value(at, name) });
      else object[name] = this.value(at, name);
    }
    return object;
  }
}

const schema = schemaOf();

function schemaOf(): GraphQLSchema {
  const built = buildSchema(SCHEMA);
  const types = built.getTypeMap();
  for (const name of ['Query', 'Mutation', 'Thing', 'Other']) {
    for (const field of Object.values((types[name] as GraphQLObjectType).getFields())) {
      if (field.name === 'computed')
        field.resolve = markIgnoresInfo((_source, _args, world: World) => `seed ${world.seed}`);
      else if (field.name === 'echo') field.resolve = (_source, args) => JSON.stringify(args);
      else if (name === 'Query' || name === 'Mutation' || !PROPERTIES.includes(field.name))
        field.resolve = (_source, _args, world: World, info: GraphQLResolveInfo) =>
          world.resolved(responsePathAsArray(info.path).join('.'), info.fieldName);
    }
  }
  for (const name of ['Being', 'Either'])
    Object.assign(types[name] ?? {}, { resolveType: ({ kind }: { kind: string }) => kind });
  const moment = types.Moment as GraphQLScalarType;
  moment.serialize = (value) => {
    if (value === 'text 13') throw new Error('This moment has no number.');
    return `at ${String(value)}`;
  };
  return built;
}

const FIELDS = Object.fromEntries(
  ['Query', 'Mutation', 'Thing', 'Other'].map((name) => [
    name,
    Object.values((schema.getType(name) as GraphQLObjectType).getFields()).map((field) => ({
      name: field.name,
      type: String(field.type).replaceAll(/[[\]!]/g, ''),
    })),
  ]),
);
FIELDS.Being = (FIELDS.Other ?? []).filter(({ name }) => name !== 'other');
FIELDS.Either = [];

const ECHOES = [
  'echo',
  'e1: echo(text: $text)',
  'e2: echo(text: "a", number: 2, color: GREEN)',
  'e3: echo(number: $number, color: $color)',
  'e4: echo(words: ["a", $word])',
  'e5: echo(text: null)',
  'e6: echo(box: { number: 2, needed: 4, inner: { text: $text, needed: 5 } })',
  'e7: echo(box: { words: ["a"], needed: $number })',
  'e8: echo(one: { text: $word })',
  'e9: echo(needed: $number, box: { needed: 1, inner: { number: $number, needed: 2 } })',
];
const CONDITIONS = ['', '', '', ' @include(if: $yes)', ' @skip(if: $yes)', ' @skip(if: $no)', ' @include(if: false)'];

/** A selection set on a type. */
const selection = (type: string, depth: number): fc.Arbitrary<string> => {
  const fields = (FIELDS[type] ?? []).filter((field) => depth > 0 || !FIELDS[field.type]);
  const field = fc.constantFrom({ name: '__typename', type: 'String' }, ...fields).chain((chosen) => {
    if (chosen.name === 'echo') return fc.constantFrom(...ECHOES);
    const alias = fc.constantFrom('', `x_${chosen.name}: `);
    const below = FIELDS[chosen.type] ? selection(chosen.type, depth - 1) : fc.constant('');
    return fc.tuple(alias, fc.constantFrom(...CONDITIONS), below).map((parts) => {
      const [as, condition, inside] = parts;
      return `${as}${chosen.name}${condition}${inside}`;
    });
  });
  const ofType = type === 'Being' || type === 'Either' ? ['Thing', 'Other', 'Being'] : [type];
  const fragment = fc
    .tuple(fc.constantFrom(...ofType), fc.constantFrom(...CONDITIONS))
    .chain(([on, condition]) =>
      selection(on, Math.max(0, depth - 1)).map((inside) => `... on ${on}${condition}${inside}`),
    );
  const part = depth > 0 ? fc.oneof({ weight: 5, arbitrary: field }, { weight: 1, arbitrary: fragment }) : field;
  return fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => ` { ${parts.join(' ')} }`);
};

const HEAD = '($yes: Boolean!, $no: Boolean = false, $text: String, $number: Int, $color: Color, $word: String = "w")';

const request = fc.record({
  kind: fc.constantFrom('query', 'query', 'query', 'mutation'),
  yes: fc.boolean(),
  text: fc.constantFrom(undefined, null, 'given'),
  number: fc.constantFrom(undefined, null, 4),
  seed: fc.integer(),
  faults: fc.constantFrom(0, 10, 60, 200),
});

interface Outcome {
  data: string;
  errors: string[];
}

/** Errors by path. Messages of values that do not fit their type are our own. */
const outcomeOf = (result: { data?: unknown; errors?: readonly { message: string; path?: unknown }[] }): Outcome => ({
  data: JSON.stringify(result.data),
  errors: (result.errors ?? [])
    .map(({ message, path }) =>
      JSON.stringify([
        path,
        /^fault|^Cannot return null|^This moment|^Expected Iterable|^Argument/.test(message) ? message : '',
      ]),
    )
    .sort(),
});

function compiledFor(document: DocumentNode) {
  const compiled = compileOperation(schema, document, document.definitions[0] as OperationDefinitionNode, {
    size: { perValue: VALUE_WEIGHT, of: weigh },
  });
  if (!compiled) throw new Error('The operation is not supported.');
  const run = async (context: unknown, variables: Record<string, unknown>) =>
    (await compiled.run(context, variables))?.result;
  return { run, runSized: compiled.run };
}

/**
 * The reference does not wait for the items before one that is wrong at once, so that nobody handles their rejections:
 * https://github.com/graphql/graphql-js/pull/3761
 */
function ignoreUnhandledRejections(): AsyncDisposable {
  const listeners = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', () => {});
  return {
    async [Symbol.asyncDispose]() {
      await setImmediate();
      process.removeAllListeners('unhandledRejection');
      for (const listener of listeners) process.on('unhandledRejection', listener);
    },
  };
}

test('a compiled operation answers what the reference implementation answers', async () => {
  const given = request.chain((values) =>
    selection(values.kind === 'query' ? 'Query' : 'Mutation', 3).map((body) => ({ ...values, body })),
  );
  await using _ = ignoreUnhandledRejections();
  let faulty = 0;
  await fc.assert(
    fc.asyncProperty(given, async ({ kind, body, yes, text, number, seed, faults }) => {
      const document = parse(`${kind} Any${HEAD}${body}`);
      fc.pre(validate(schema, document).every(({ message }) => message.includes('is never used')));
      const asked = { yes, ...(text !== undefined && { text }), ...(number !== undefined && { number }), color: 'RED' };
      const coerced = { ...asked, no: false, word: 'w' };
      const world = new World(seed, faults);
      const expected = outcomeOf(await execute({ schema, document, variableValues: asked, contextValue: world }));
      const compiled = compiledFor(document);
      // The second time, all functions are there.
      for (let time = 0; time < 2; time++) {
        const { result = {}, size } = (await compiled.runSized(world, coerced)) ?? {};
        const actual = outcomeOf(result);
        expect(actual.data).toBe(expected.data);
        // The reference stops at the first error that makes an object null; we also report those of its other fields.
        expect(new Set(expected.errors).isSubsetOf(new Set(actual.errors))).toBe(true);
        if (expected.errors.length === 0) expect(actual.errors).toEqual([]);
        else faulty++;
        // The size is counted on the way, and need not be exact.
        if (actual.errors.length > 0) expect(size).toBeUndefined();
        else expect((size ?? 0) + 20).toBeGreaterThan(weigh(result.data) * 0.7);
        if (size !== undefined) expect(size / weigh(result.data)).toBeLessThan(2);
      }
    }),
    { numRuns: 1500 },
  );
  expect(faulty).toBeGreaterThan(100);
});

test('a mutation runs its fields one after another, and stops when its data are null', async () => {
  const run: string[] = [];
  const mutation = schemaWith(`type Query { a: Int } type Mutation { first: Int second: Int! third: Int }`, {
    first: async () => {
      run.push('first begins');
      await new Promise((resolve) => setTimeout(resolve, 5));
      run.push('first ends');
      return 1;
    },
    second: () => {
      run.push('second');
      return null;
    },
    third: () => run.push('third'),
  });
  const document = parse('mutation { first second third }');
  const compiled = compileOperation(mutation, document, document.definitions[0] as OperationDefinitionNode);
  const { result } = (await compiled?.run({}, {})) ?? {};
  expect(run).toEqual(['first begins', 'first ends', 'second']);
  expect(result).toMatchObject({ data: null, errors: [{ path: ['second'] }] });
});

function schemaWith(text: string, resolvers: Record<string, () => unknown>): GraphQLSchema {
  const built = buildSchema(text);
  for (const [name, resolve] of Object.entries(resolvers)) {
    const field = built.getMutationType()?.getFields()[name] ?? built.getQueryType()?.getFields()[name];
    if (field) field.resolve = resolve;
  }
  return built;
}

test('reads arguments once for all objects of a list', async () => {
  const document = parse('query ($text: String) { things { echo(text: $text) } }');
  const seen = new Set<object>();
  const { echo } = (schema.getType('Thing') as GraphQLObjectType).getFields();
  const resolve = echo?.resolve;
  Object.assign(echo ?? {}, { resolve: (_source: unknown, args: object) => String(seen.add(args).size) });
  const three = Object.assign(new World(1, 0), { resolved: () => [{}, {}, {}] });
  const result = await compiledFor(document).run(three, { text: 'x' });
  Object.assign(echo ?? {}, { resolve });
  expect(result).toEqual({ data: { things: [{ echo: '1' }, { echo: '1' }, { echo: '1' }] } });
});

test.each([
  ['a subscription', 'subscription { thing { name } }'],
  ['an operation with more than 3,000 fields', manyObjects(1_501)],
  ['the same with fragments', `{ ${manySpreads(1_001)} } fragment F on Thing { thing { name } }`],
  ['fragments that take long to count', `{ being { ...F0 } } ${chain(20)}`],
])('does not compile %s', (_what, text) => {
  const document = parse(text);
  expect(compileOperation(schema, document, document.definitions[0] as OperationDefinitionNode)).toBeNull();
});

function manyObjects(number: number): string {
  return `{ ${Array.from({ length: number }, (_, index) => `t${index}: thing { name }`).join(' ')} }`;
}

function manySpreads(number: number): string {
  return Array.from({ length: number }, (_, index) => `t${index}: thing { ...F }`).join(' ');
}

/** Fragments of one type that lead to nothing of another type, more often than can be counted. */
function chain(length: number): string {
  const fragments = Array.from({ length }, (_, index) => {
    const next = index + 1 < length ? `a: being { ...F${index + 1} } b: being { ...F${index + 1} }` : '__typename';
    return `fragment F${index} on Being { ... on Thing { ${next} } }`;
  });
  return fragments.join(' ');
}

test('fields are counted for each object type, and for each combination of conditions', () => {
  const counted = (text: string) => countCompiledFields(schema, parse(text));
  expect(counted('{ thing { name sure } }')).toBe(3);
  expect(counted('{ being { name } }')).toBe(3);
  expect(counted('{ being { name ... on Thing { sure } } }')).toBe(4);
  expect(counted('{ thing { name } thing { sure } }')).toBe(4);
  expect(counted('{ __schema { types { name } } }')).toBe(3);
  expect(counted('query A { count } query B { thing { name } }')).toBe(3);
  expect(counted('query ($yes: Boolean!) { count @skip(if: $yes) }')).toBe(2);
});

test('a variable that is no condition of the operation is not kept', async () => {
  const document = parse(`
    query A($s: String) { thing { echo(text: $s) } }
    query B($s: Boolean!) { count @include(if: $s) }`);
  const compiled = compiledFor(document);
  const world = Object.assign(new World(1, 0), { resolved: () => ({}) });
  for (const s of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const result = await compiled.run(world, { s });
    expect(result?.data).toEqual({ thing: { echo: expect.stringContaining(`"text":"${s}"`) } });
  }
});

test('resolvers that change their arguments do not change those of other requests', async () => {
  const document = parse('{ thing { echo(words: ["a"]) } }');
  const { echo } = (schema.getType('Thing') as GraphQLObjectType).getFields();
  const resolve = echo?.resolve;
  const change = (_source: unknown, { words }: { words: string[] }) => String(words.push('b'));
  Object.assign(echo ?? {}, { resolve: change });
  const compiled = compiledFor(document);
  const world = Object.assign(new World(1, 0), { resolved: () => ({}) });
  const results = [await compiled.run(world, {}), await compiled.run(world, {})];
  Object.assign(echo ?? {}, { resolve });
  expect(results).toEqual([{ data: { thing: { echo: '2' } } }, { data: { thing: { echo: '2' } } }]);
});

test('a rejected promise of a property is the error of its field', async () => {
  const thing = {
    get name() {
      return Promise.reject(new Error('fault of the name'));
    },
    get time() {
      return Promise.reject(new Error('fault of the time'));
    },
  };
  const world = Object.assign(new World(1, 0), { resolved: () => thing });
  const result = await compiledFor(parse('{ thing { name time } }')).run(world, {});
  await setImmediate();
  expect(result?.data).toEqual({ thing: { name: null, time: null } });
  expect(result?.errors?.map(({ message }) => message)).toEqual(['fault of the name', 'fault of the time']);
});

test('compiles an operation with the key __proto__', async () => {
  const document = parse('{ thing { __proto__: name sure } __proto__: count }');
  const world = new World(1, 0);
  const expected = await execute({ schema, document, contextValue: world });
  expect(JSON.stringify((await compiledFor(document).run(world, {}))?.data)).toBe(JSON.stringify(expected.data));
  expect(Object.keys(expected.data ?? {})).toEqual(['thing', '__proto__']);
});

test('compiles four combinations of conditions, and leaves others to the reference', async () => {
  const names = ['a', 'b', 'c'];
  const head = names.map((name) => `$${name}: Boolean = true`).join(', ');
  const fields = names.map((name) => `${name}: count @include(if: $${name})`).join(' ');
  const compiled = compiledFor(parse(`query (${head}) { ${fields} }`));
  for (const number of [0, 5, 3, 7, 1, 5, 4, 0]) {
    const isWanted = (place: number) => (number & (1 << place)) !== 0;
    const variables = Object.fromEntries(names.map((name, place) => [name, isWanted(place)]));
    const result = await compiled.run(new World(1, 0), variables);
    if (number === 1 || number === 4) expect(result).toBeUndefined();
    else expect(Object.keys(result?.data ?? {})).toEqual(names.filter((_, place) => isWanted(place)));
  }
});

test.each([
  ['of the root', '{ thing { name } count @include(if: $a) }'],
  ['below', '{ thing { name sureThing { sure @skip(if: $a) } } }'],
  ['of the items of a list', '{ things { sure @skip(if: $a) } }'],
  ['below a list', '{ things { sureThing { sure @skip(if: $a) } } }'],
])('a null condition %s is the error of the reference', async (_where, body) => {
  const document = parse(`query ($a: Boolean = true) ${body}`);
  const resolved = (_path: string, name: string) => (name === 'things' ? [{}, {}] : {});
  const world = Object.assign(new World(1, 0), { resolved });
  const expected = await execute({ schema, document, variableValues: { a: null }, contextValue: world });
  const actual = await compiledFor(document).run(world, { a: null });
  expect(JSON.stringify(actual?.data)).toBe(JSON.stringify(expected.data));
  expect(expected.errors?.length).toBeGreaterThan(0);
  expect(actual?.errors).toEqual(expect.arrayContaining([...(expected.errors ?? [])]));
});
