import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseOptions } from '../../../src/lib/validation/describe-issue.ts';
import { flattenIssues } from '../../../src/lib/validation/flatten-issues.ts';
import { withCode } from '../../../src/lib/validation/issue-code.ts';

const issuesOf = (schema: z.ZodType, value: unknown) =>
  flattenIssues(schema.safeParse(value, parseOptions).error?.issues ?? []);

test.each<[string, z.ZodType, unknown, message: string, code: string]>([
  ['a missing value', z.string(), undefined, 'is required: a string.', 'REQUIRED'],
  ['null', z.number(), null, 'must be a number, not null.', 'REQUIRED'],
  ['a number for a string', z.string(), 5, 'must be a string, not a number.', 'WRONG_TYPE'],
  ['a list for an object', z.object({}), [], 'must be an object, not a list.', 'WRONG_TYPE'],
  ['an object for a list', z.array(z.string()), {}, 'must be a list, not an object.', 'WRONG_TYPE'],
  ['a string for a boolean', z.boolean(), 'yes', 'must be true or false, not a string.', 'WRONG_TYPE'],
  ['a fraction for an integer', z.int(), 1.5, 'must be an integer, not 1.5.', 'WRONG_TYPE'],
  ['infinity', z.number(), Number.POSITIVE_INFINITY, 'must be a number, not Infinity.', 'WRONG_TYPE'],
  ['no option of an enum', z.enum(['a', 'b']), 'c', 'must be one of "a", "b".', 'INVALID_VALUE'],
  ['a missing option', z.enum(['a', 'b']), undefined, 'is required: one of "a", "b".', 'REQUIRED'],
  ['another literal', z.literal(8), 9, 'must be 8.', 'INVALID_VALUE'],
  ['an empty list', z.array(z.string()).min(1), [], 'must not be empty.', 'TOO_FEW'],
  ['a short list', z.array(z.string()).min(2), ['a'], 'must have at least 2 items.', 'TOO_FEW'],
  ['a long list', z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 item.', 'TOO_MANY'],
  ['a list of another length', z.array(z.string()).length(2), ['a'], 'must have exactly 2 items.', 'TOO_FEW'],
  ['an empty text', z.string().min(1), '', 'must not be empty.', 'TOO_SHORT'],
  ['a long text', z.string().max(2), 'abc', 'must have at most 2 characters.', 'TOO_LONG'],
  ['a small number', z.number().min(0), -1, 'must be at least 0.', 'TOO_SMALL'],
  ['a large number', z.number().lt(5), 5, 'must be less than 5.', 'TOO_LARGE'],
  ['a remainder', z.number().multipleOf(5), 7, 'must be a multiple of 5.', 'INVALID_VALUE'],
  ['no email address', z.email(), 'a', 'must be an email address, such as ada@example.com.', 'INVALID_FORMAT'],
  ['no time', z.iso.datetime(), 'now', 'must be a time, such as 2026-01-31T12:00:00Z.', 'INVALID_FORMAT'],
  ['no match', z.string().regex(/^a+$/), 'b', 'must be text that matches the pattern /^a+$/.', 'INVALID_FORMAT'],
  ['another start', z.string().startsWith('a'), 'b', 'must be text that begins with "a".', 'INVALID_FORMAT'],
  [
    'no option of a union',
    z.union([z.string(), z.number()]),
    {},
    'must be a string or a number, not an object.',
    'INVALID_VALUE',
  ],
  ['a check without a message', z.string().refine(() => false), 'a', 'is not valid.', 'INVALID_VALUE'],
  [
    'a check with a code',
    z.string().refine(() => false, { error: 'no', ...withCode('DUPLICATE') }),
    'a',
    'no',
    'DUPLICATE',
  ],
])('%s has a plain message and a code', (_what, schema, value, message, code) => {
  expect(issuesOf(schema, value)).toEqual([{ path: [], message, code }]);
});

test('every unknown property is an issue at its path', () => {
  const schema = z.object({ inner: z.strictObject({ a: z.string() }) });
  const message = 'Unknown property. Remove it, or correct its name.';
  expect(issuesOf(schema, { inner: { a: 'x', b: 1, c: 2 } })).toEqual([
    { path: ['inner', 'b'], message, code: 'UNKNOWN_PROPERTY' },
    { path: ['inner', 'c'], message, code: 'UNKNOWN_PROPERTY' },
  ]);
});

test('an unknown kind names the kinds', () => {
  const kinds = z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]);
  expect(issuesOf(kinds, { kind: 'c' })).toEqual([
    { path: ['kind'], message: 'must be one of "a", "b".', code: 'INVALID_VALUE' },
  ]);
});

test('a value that one option fits has the issues of its properties', () => {
  const schema = z.object({ either: z.union([z.string(), z.object({ size: z.number() })]) });
  expect(issuesOf(schema, { either: { size: 'big' } })).toEqual([
    { path: ['either', 'size'], message: 'must be a number, not a string.', code: 'WRONG_TYPE' },
  ]);
});

test('names of properties are checked in plain words', () => {
  expect(issuesOf(z.record(z.string().max(2), z.string()), { long: 'x' })).toEqual([
    {
      path: ['long'],
      message: 'is not a valid name of a property: it must have at most 2 characters.',
      code: 'INVALID_VALUE',
    },
  ]);
});
