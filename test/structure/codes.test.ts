import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type GraphQLEnumType,
  type GraphQLType,
  getNamedType,
  isAbstractType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { expect, test } from 'vitest';
import { describeApi } from '../../src/describe-api.ts';
import { ISSUE_CODES } from '../../src/lib/validation/issue-code.ts';
import { API_ERRORS } from '../../src/platform/errors/errors.ts';
import { ERROR_CODES } from '../../src/platform/graphql/error-codes.ts';
import { schema } from '../../src/schema.ts';
import { world } from '../world.ts';

const HANDBOOK = join(import.meta.dirname, '../../src/demo/handbook/interfaces/errors.md');

/** Codes that are not API errors: invalid documents of the graph, and bugs. */
const OTHERS: Record<string, string> = {
  INTERNAL_SERVER_ERROR: '500',
  GRAPHQL_PARSE_FAILED: '',
  GRAPHQL_VALIDATION_FAILED: '',
  PERSISTED_QUERY_NOT_FOUND: '',
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

test('the handbook has the meanings and remedies that the graph returns', async () => {
  const { anonymous } = await world();
  const { errorCodes, errorIssueCodes } = await anonymous.graphql(`{
    errorCodes { code restStatus description remedy example { code issues { path message code } requestId } }
    errorIssueCodes { code description remedy }
  }`);
  const [codes = '', issues = ''] = readFileSync(HANDBOOK, 'utf8').split('| Code of an issue |');
  const rowsOf = (text: string) => [...text.matchAll(/^\| (`[A-Z_]+` \|.*) \|$/gm)].map(([, row]) => row);
  interface Meaning {
    code: string;
    description: string;
    remedy: string;
    restStatus: number | null;
    example: { code: string };
  }
  expect(rowsOf(codes)).toEqual(
    errorCodes.map(({ code, restStatus, description, remedy }: Meaning) =>
      [`\`${code}\``, restStatus ?? '', description, remedy].join(' | ').replace('|  |', '| |'),
    ),
  );
  expect(rowsOf(issues)).toEqual(
    errorIssueCodes.map(({ code, description, remedy }: Meaning) => [`\`${code}\``, description, remedy].join(' | ')),
  );
  expect(errorCodes.map(({ code }: Meaning) => code)).toEqual(Object.keys(ERROR_CODES));
  for (const { code, example } of errorCodes) expect(example.code).toBe(code);
});

/** Names of the types that fields of the root types lead to: what code generators keep. */
function reachableTypes(): Set<string> {
  const reached = new Set<string>();
  const waiting = ['Query', 'Mutation', 'Subscription'];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const type = schema.getType(name);
    if (!type || reached.has(name)) continue;
    reached.add(name);
    if (isAbstractType(type)) waiting.push(...schema.getPossibleTypes(type).map(String));
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    if (!isInputObjectType(type)) waiting.push(...type.getInterfaces().map(String));
    for (const field of Object.values(type.getFields())) {
      const args = 'args' in field ? field.args : [];
      for (const { type: used } of [field, ...args]) waiting.push(getNamedType(used as GraphQLType).name);
    }
  }
  return reached;
}

test('fields lead to every type, so that code generators that leave out unused types keep those of errors', () => {
  const types = Object.keys(schema.getTypeMap()).filter((name) => !name.startsWith('__'));
  const reached = reachableTypes();
  expect([...reached]).toEqual(
    expect.arrayContaining(['ErrorExtensions', 'ErrorCode', 'ErrorIssue', 'ErrorIssueCode']),
  );
  expect(types.filter((name) => !reached.has(name))).toEqual([]);
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
