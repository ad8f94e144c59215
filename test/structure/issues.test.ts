import { expect, test } from 'vitest';
import { z } from 'zod';
import { ISSUE_CODES } from '../../src/lib/validation/issue-code.ts';
import { ApiError, type Issue } from '../../src/platform/errors/errors.ts';
import { parse } from '../../src/platform/operation/operation.ts';
import { world } from '../world.ts';
import { findOperations } from './operations.ts';
import { UNPLAIN } from './unplain.ts';

const WRONG: unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e12,
  '',
  '\u0000',
  'x'.repeat(20_000),
  [],
  ['', 1, {}],
  {},
  { a: { b: 1 } },
];

const operations = await findOperations();
const { admin, organizationId } = await world();

function issuesOf(schema: z.ZodType, value: unknown): readonly Issue[] {
  try {
    parse(schema, value);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.issues;
  }
}

/** Values that have one wrong value, at each place of a schema down to a few levels. */
function* wrongValues(schema: z.ZodType, depth = 4): Generator<unknown> {
  yield* WRONG;
  if (depth === 0) return;
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) {
    for (const [name, member] of Object.entries(inner.shape))
      for (const wrong of wrongValues(member as z.ZodType, depth - 1)) yield { [name]: wrong, unknownProperty: 1 };
  } else if (inner instanceof z.ZodArray) {
    for (const wrong of wrongValues(inner.element as z.ZodType, depth - 1)) yield [wrong];
    yield Array.from({ length: 2_000 }, () => ({}));
  } else if (inner instanceof z.ZodUnion) {
    for (const option of inner.options) yield* wrongValues(option as z.ZodType, depth - 1);
  }
}

function unwrap(schema: z.ZodType): z.ZodType {
  const { def } = schema._zod as { def: { innerType?: z.ZodType; in?: z.ZodType } };
  const inner = def.innerType ?? def.in;
  return inner ? unwrap(inner) : schema;
}

test('every operation refuses wrong values in plain words, with a code', () => {
  const unplain = new Set<string>();
  let count = 0;
  for (const { exportedAs, operation } of operations) {
    for (const value of wrongValues(operation.input)) {
      for (const { path, message, code } of issuesOf(operation.input, value)) {
        count++;
        if (UNPLAIN.test(message) || !(code in ISSUE_CODES))
          unplain.add(`${exportedAs}: ${path.join('.')}: ${message}`);
      }
    }
  }
  expect(count).toBeGreaterThan(10_000);
  expect([...unplain]).toEqual([]);
});

test('both transports answer with the same code and the same words', async () => {
  const rest = await admin.post('/v1/orgs', { title: 5 });
  expect(rest.status).toBe(400);
  expect(rest.body.error).toMatchObject({
    message: 'title: must be a string, not a number.',
    issues: [{ path: ['title'], message: 'must be a string, not a number.', code: 'WRONG_TYPE' }],
  });
  const long = { title: 'x'.repeat(300) };
  const message = expect.stringMatching(/^must be at most \d+ characters long$/);
  expect((await admin.post('/v1/orgs', long)).body.error.issues).toEqual([
    { path: ['title'], message, code: 'TOO_LONG' },
  ]);
  const { body } = await admin.post('/graphql', {
    query: 'mutation($input: CreateOrganizationInput!) { createOrganization(input: $input) { organization { id } } }',
    variables: { input: long },
  });
  expect(body.errors[0].extensions.issues).toEqual([{ path: ['input', 'title'], message, code: 'TOO_LONG' }]);
  const limit = await admin.get(`/v1/orgs/${organizationId}/spaces?limit=many`);
  expect(limit.body.error.issues).toMatchObject([{ path: ['limit'], code: 'INVALID_FORMAT' }]);
  const page = await admin.get(`/v1/orgs/${organizationId}/spaces?page=none`);
  expect(page.body.error.issues).toMatchObject([{ path: ['page'], code: 'INVALID_CURSOR' }]);
});

test.each([
  ['a property that is missing', { input: {} }, ['input', 'title'], 'REQUIRED'],
  ['null', { input: { title: null } }, ['input', 'title'], 'REQUIRED'],
  ['an unknown property', { input: { title: 'a', titel: 'b' } }, ['input', 'titel'], 'UNKNOWN_PROPERTY'],
  ['a wrong type', { input: { title: {} } }, ['input', 'title'], 'WRONG_TYPE'],
  ['no variable', {}, ['input'], 'REQUIRED'],
])('variables with %s have an issue with a code', async (_what, variables, path, code) => {
  const query =
    'mutation($input: CreateOrganizationInput!) { createOrganization(input: $input) { organization { id } } }';
  const { body } = await admin.post('/graphql', { query, variables });
  expect(body.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', issues: [{ path, code }] });
});
