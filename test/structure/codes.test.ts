import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GraphQLEnumType } from 'graphql';
import { expect, test } from 'vitest';
import { describeApi } from '../../src/describe-api.ts';
import { ISSUE_CODES } from '../../src/lib/validation/issue-code.ts';
import { API_ERRORS } from '../../src/platform/errors/errors.ts';
import { schema } from '../../src/schema.ts';

const HANDBOOK = join(import.meta.dirname, '../../src/demo/handbook/interfaces/errors.md');

/** Codes that are not API errors: invalid documents of the graph, and bugs. */
const OTHERS: Record<string, string> = {
  INTERNAL_SERVER_ERROR: '500',
  GRAPHQL_PARSE_FAILED: '',
  GRAPHQL_VALIDATION_FAILED: '',
  PERSISTED_QUERY_NOT_SUPPORTED: '',
};

test('the handbook lists exactly the error codes with their status', () => {
  const rows = readFileSync(HANDBOOK, 'utf8').matchAll(/^\| `([A-Z_]+)` \| *(\d*) *\|/gm);
  const documented = Object.fromEntries([...rows].map(([, code, status]) => [code, status]));
  const apiErrors = Object.entries(API_ERRORS).map(([code, status]) => [code, String(status)]);
  expect(documented).toEqual({ ...Object.fromEntries(apiErrors), ...OTHERS });
});

test('the graph has an enum of all codes', () => {
  const codes = schema.getType('ErrorCode') as GraphQLEnumType; // fails below if it is not
  const listed = codes.getValues().map(({ name }) => name);
  expect(listed.toSorted()).toEqual([...Object.keys(API_ERRORS), ...Object.keys(OTHERS)].toSorted());
});

test('the handbook, the graph and the OpenAPI description list exactly the codes of issues', () => {
  const codes = Object.keys(ISSUE_CODES).toSorted();
  const issues = readFileSync(HANDBOOK, 'utf8').split('| Code of an issue |')[1] ?? '';
  const rows = issues.matchAll(/^\| `([A-Z_]+)` \| [^|]+ \| [^|]+ \|$/gm);
  expect([...rows].map(([, code]) => code).toSorted()).toEqual(codes);
  const inGraph = schema.getType('ErrorIssueCode') as GraphQLEnumType; // fails below if it is not
  const names = inGraph.getValues().map(({ name }) => name);
  expect(names.toSorted()).toEqual(codes);
  const { components } = describeApi({ publicUrl: 'https://docs.example' }) as {
    components: { schemas: { Error: unknown } };
  };
  const code = { enum: Object.keys(ISSUE_CODES) };
  expect(components.schemas.Error).toMatchObject({
    properties: { error: { properties: { issues: { items: { properties: { code } } } } } },
  });
});

test('the OpenAPI description has a response for every error status', () => {
  const { paths } = describeApi({ publicUrl: 'https://docs.example' }) as { paths: Record<string, object> };
  const statuses = new Set(
    Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ responses }) => Object.keys(responses ?? {}).map(Number)),
    ),
  );
  // An address that lacks the method is not in the description, which is by methods.
  const described = new Set<number>(Object.values(API_ERRORS)).difference(new Set([API_ERRORS.METHOD_NOT_ALLOWED]));
  expect([...described].filter((status) => !statuses.has(status))).toEqual([]);
});
