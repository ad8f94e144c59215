import {
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
} from 'graphql';
import pino from 'pino';
import { expect, test } from 'vitest';
import { ANONYMOUS } from '../../src/platform/access/actor.ts';
import type { Context } from '../../src/platform/context/context.ts';
import { badInput } from '../../src/platform/errors/errors.ts';
import { chargeLists } from '../../src/platform/graphql/limits/charge-lists.ts';
import { makeRunGraphQL } from '../../src/platform/graphql/request/run-graphql.ts';
import { comparedWithReference } from '../executors.ts';
import { world } from '../world.ts';

const { app } = await world();
const ctx: Context = {
  actor: ANONYMOUS,
  em: app.services.em.fork(),
  db: app.services.db,
  services: app.services,
  requestId: 'req-1',
  log: pino({ level: 'silent' }),
  inTransaction: false,
};

const Animal = new GraphQLInterfaceType({
  name: 'Animal',
  fields: { age: { type: GraphQLInt } },
  resolveType: () => 'Unicorn',
});
const field = (type: GraphQLOutputType, resolve: () => unknown) => ({ type, resolve });

/** Fields that each fail in a way of their own. */
const run = makeRunGraphQL(
  new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: {
        fine: field(GraphQLInt, () => 1),
        thrown: field(GraphQLInt, () => {
          throw new Error('the password is 1234');
        }),
        late: field(GraphQLInt, async () => {
          throw new Error('the password is 1234');
        }),
        refused: field(GraphQLInt, async () => {
          throw badInput(['a', 0], 'is too small.');
        }),
        missing: field(new GraphQLNonNull(GraphQLInt), () => null),
        gap: field(new GraphQLList(new GraphQLNonNull(GraphQLInt)), () => [1, null]),
        garbled: field(GraphQLInt, () => 'the password is 1234'),
        unknown: field(Animal, () => ({})),
      },
    }),
  }),
);

const ask = async (query: string) => (await run({ query }, ctx)).response;

test.each(['thrown', 'late', 'missing', 'gap', 'garbled', 'unknown'])(
  'an internal error is masked: %s',
  async (name) => {
    const answer = await ask(name === 'unknown' ? '{ unknown { age } }' : `{ ${name} }`);
    expect(answer.errors).toMatchObject([
      { message: 'Internal error (request req-1).', extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'req-1' } },
    ]);
    expect(JSON.stringify(answer)).not.toContain('1234');
  },
);

test('an API error is returned with its code and the paths of its issues', async () => {
  expect(await ask('{ fine refused }')).toEqual({
    data: { fine: 1, refused: null },
    errors: [
      {
        message: 'a.0: is too small.',
        locations: [{ line: 1, column: 8 }],
        path: ['refused'],
        extensions: {
          code: 'BAD_USER_INPUT',
          issues: [{ path: ['a', 0], message: 'is too small.', code: 'INVALID_VALUE' }],
          requestId: 'req-1',
        },
      },
    ],
  });
});

test('one failing field does not affect the others', async () => {
  expect(await ask('{ fine thrown }')).toMatchObject({ data: { fine: 1, thrown: null } });
});

test.each([
  ['compiled', 1],
  ['run by graphql-js', Number.POSITIVE_INFINITY],
])(
  'an operation with many objects that is %s yields to the event loop between its lists',
  async (_how, compileFrom) => {
    let tick = 0;
    const next = () => {
      tick++;
      immediate = setImmediate(next);
    };
    let immediate = setImmediate(next);
    const ticks = new Set<number>();
    const Item = new GraphQLObjectType({
      name: 'Item',
      fields: { tick: field(GraphQLInt, () => ticks.add(tick).size) },
    });
    const items = Array.from({ length: 600 }, () => ({}));
    const query = new GraphQLObjectType({
      name: 'Query',
      fields: { items: field(new GraphQLList(Item), async () => items) },
    });
    const runLists = makeRunGraphQL(chargeLists(new GraphQLSchema({ query })), { compileFrom });
    const lists = Array.from({ length: 10 }, (_, index) => `a${index}: items { tick }`).join(' ');
    const { response: answer } = await runLists({ query: `{ ${lists} }` }, { ...ctx });
    clearImmediate(immediate);
    expect(answer.errors).toBeUndefined();
    expect(ticks.size).toBeGreaterThanOrEqual(5);
  },
);

test('compiled queries are cached by document text and operation name', async () => {
  const query = 'query A { fine } query B { b: fine }';
  const named = async (operationName: string) => (await run({ query, operationName }, ctx)).response;
  expect(await named('A')).toEqual({ data: { fine: 1 } });
  expect(await named('B')).toEqual({ data: { b: 1 } });
  expect(await named('A')).toEqual({ data: { fine: 1 } });
  expect(await ask('{ fine }')).toEqual(await ask('{ fine }'));
});

test('detects a compiled query whose result differs from the reference executor', async () => {
  const lying = comparedWithReference(async () => ({ response: { data: { only: 'Lie' } }, stage: 'executed' }));
  // A document that no other test sends: each is compared a few times only.
  await expect(lying({ query: '{ only: __typename }' }, ctx)).rejects.toThrow(/executors differ[\s\S]*Lie[\s\S]*Query/);
});

test.each([
  ['1', true],
  ['0', false],
])('with GRAPHQL_JIT=%s, operations are compiled: %s', async (graphqlJit, isCompiled) => {
  const service = await world({ GRAPHQL_JIT: graphqlJit });
  const { config } = service.app.services;
  const { publicUrl } = config;
  let stack = '';
  // Resolvers of URLs read it, below the executor.
  Object.defineProperty(config, 'publicUrl', {
    get() {
      // The reference executor runs afterwards.
      stack ||= callers();
      return publicUrl;
    },
  });
  await service.admin.graphqlRaw('{ viewer { urls { location } } }');
  expect(stack).toMatch(/resolve/);
  expect(stack.includes('lib/graphql-executor')).toBe(isCompiled);
});

function callers(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 200;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return stack;
}
