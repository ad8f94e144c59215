import { expect, test } from 'vitest';
import { modules, routes } from '../../src/routes.ts';
import { type Described, description, faultsBy } from '../description.ts';

const { document, operations } = description();
const components = document.components as Record<string, Record<string, object>>;
const found = (operationId: string): Described => {
  const operation = operations.find((each) => each.operationId === operationId);
  if (!operation) throw new Error(`${operationId} is not described.`);
  return operation;
};
const named = routes.map((route) => [route.operationId, route] as const);

/** Operations whose success other than 204 has no body. */
const BODILESS: readonly string[] = ['deleteLegacyGitInstallation', 'deleteTranslation', 'receiveGitHook'];

test.each(named)('%s has a described route, input and output', (operationId, route) => {
  const { method, path, responses, parameters = [], requestBody } = found(operationId);
  expect([method, path]).toEqual([route.method, route.path.replace(/:(\w+)/g, '{$1}')]);
  const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const { statuses, shape, givesBytes, isLines, takesBytes, bodiless } = route.about;
  const ofShape = isLines ? 'application/x-ndjson' : 'application/json';
  for (const status of statuses) {
    const types = Object.keys(responses[status]?.content ?? {});
    const hasShape = shape !== undefined && !bodiless?.includes(status);
    expect(types).toEqual(givesBytes ? ['*/*'] : hasShape ? [ofShape] : []);
    const isBodiless = status === 204 || BODILESS.includes(operationId) || bodiless?.includes(status);
    expect([operationId, status, types.length]).toEqual([operationId, status, isBodiless ? 0 : 1]);
  }
  if (takesBytes) expect(Object.keys(requestBody?.content ?? {})).toEqual(['application/octet-stream']);
});

test.each(named)(
  '%s has all properties of its input but those that the route sets',
  (operationId, { operation, about }) => {
    const { parameters = [], requestBody } = found(operationId);
    const { rename = {}, sets = [], body } = about;
    const theirs = new Map(Object.entries(rename).map(([name, ours]) => [ours, name]));
    const inBody = Object.keys(propertiesOf(requestBody?.content['application/json']?.schema));
    const places = [...parameters.map(({ name }) => name), ...inBody];
    const wanted = body ? Object.keys(body.shape) : Object.keys(operation?.input.shape ?? {});
    const missing = wanted.map((name) => theirs.get(name) ?? name).filter((name) => !places.includes(name));
    expect(missing).toEqual([...sets]);
  },
);

/** Of an object, or of the first of several variants. */
function propertiesOf(schema: unknown): Record<string, object> {
  const { properties, oneOf } = (schema ?? {}) as { properties?: Record<string, object>; oneOf?: unknown[] };
  return properties ?? (oneOf ? propertiesOf(oneOf[0]) : {});
}

test('every module, operation and parameter has a description', () => {
  expect(document.tags).toEqual(
    modules.map(({ name }) => ({ name, description: expect.stringMatching(/^[A-Z].+\.$/) })),
  );
  for (const { operationId, description: text, tags, parameters = [] } of operations) {
    expect([operationId, text, tags]).toEqual([operationId, expect.stringMatching(/\w\./), [expect.any(String)]]);
    const silent = parameters.filter(({ $ref, description: said }) => $ref === undefined && !said);
    expect([operationId, silent]).toEqual([operationId, []]);
  }
});

test('every property of every schema has a description', () => {
  const silent: string[] = [];
  const walk = (schema: unknown, path: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [name, member] of Object.entries(propertiesOf(schema))) {
      if (!isDescribed(member)) silent.push(`${path}.${name}`);
    }
    for (const [name, part] of Object.entries(schema)) if (!NOT_SCHEMAS.has(name)) walk(part, `${path}.${name}`);
  };
  for (const [name, schema] of Object.entries(components.schemas ?? {})) walk(schema, name);
  for (const { operationId, responses, requestBody } of operations) walk({ responses, requestBody }, operationId);
  expect(silent).toEqual([]);
});

/** By itself, or by the named schema that it refers to, which may be null as well. */
const isDescribed = (member: { description?: string; $ref?: string; anyOf?: { $ref?: string }[] }): boolean =>
  (member.description ?? member.$ref ?? member.anyOf?.[0]?.$ref) !== undefined;

/** What holds values and no schemas. */
const NOT_SCHEMAS = new Set(['example', 'enum', 'default', 'const', 'required']);

test('every reference resolves, and no component is unused', () => {
  const text = JSON.stringify(document);
  const references = new Set([...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, path]) => path));
  const there = Object.entries(components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, members]) => Object.keys(members).map((name) => `${kind}/${name}`));
  expect([...references].toSorted()).toEqual(there.toSorted());
});

test('every enum value is described', () => {
  expect(components.schemas?.SpaceEditMode).toEqual({
    type: 'string',
    enum: ['live', 'locked'],
    description: expect.stringMatching(/^Whether .+\n\n- `live`: .+\n- `locked`: .+$/),
  });
});

test('limits, defaults and required properties are those of the input', () => {
  const { requestBody, parameters } = found('createApiToken');
  const schema = requestBody?.content['application/json']?.schema;
  expect(schema).toMatchObject({ required: ['label'], properties: { label: { minLength: 1, maxLength: 50 } } });
  expect(parameters).toContainEqual({ $ref: '#/components/parameters/IdempotencyKey' });
  const limit = found('listSpacesInOrganizationById').parameters?.find(({ name }) => name === 'limit');
  expect(limit?.schema).toMatchObject({ default: 50 });
});

test('public operations require no token, and those on published content make it optional', () => {
  const securityOf = (operationId: string) => (found(operationId) as { security?: unknown }).security;
  expect(securityOf('getApiInformation')).toEqual([]);
  expect(securityOf('getSpaceById')).toEqual([{ token: [] }, {}]);
  expect(securityOf('updateSpaceById')).toBeUndefined();
});

test('REST has its own names, inside bodies too', () => {
  const change = components.schemas?.UpdatePageChange ?? {};
  expect(Object.keys(propertiesOf(change))).toEqual(
    expect.arrayContaining(['operation', 'page', 'into', 'at', 'title']),
  );
  const bodySchema = found('updateSpaceContent').requestBody?.content['application/json']?.schema ?? {};
  const deletes = (page: unknown) => ({ changes: [{ operation: 'delete_page', page }] });
  expect(faultsBy('content', bodySchema, deletes('page_1'))).toEqual([]);
  expect(faultsBy('content', bodySchema, deletes(1))).not.toEqual([]);
});
