import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { api, compared, reasonsOf, receiving, sending, withParameters } from './comparing.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: object, required: string[] = [], rest: object = {}) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  ...rest,
});
const text = { type: 'string' };
const whole = { type: 'integer' };
const nothing = { type: 'null' };
const OLD = { openapi: '3.0.3' };

const pet = object({ name: text, age: whole }, ['name']);
const cat = object({ kind: { const: 'cat' }, meows: whole }, ['kind', 'meows']);
const dog = object({ kind: { const: 'dog' }, barks: whole }, ['kind', 'barks']);
const ofKind = { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' } };

/** Pairs of schemas that accept the same, with the named schemas of both sides and the version of the first one. */
const equal: [name: string, before: unknown, after: unknown, schemas?: object, old?: object][] = [
  ['a reference and allOf with it', ref('Pet'), { allOf: [ref('Pet')] }, { Pet: pet }],
  ['allOf with a description', ref('Pet'), { allOf: [ref('Pet')], description: 'It.', title: 'Pet' }, { Pet: pet }],
  ['a reference with a description', ref('Pet'), { ...ref('Pet'), description: 'It.' }, { Pet: pet }],
  ['a reference and the schema itself', ref('Pet'), pet, { Pet: pet }],
  ['properties in branches of allOf', pet, { allOf: [object({ name: text }, ['name']), object({ age: whole })] }],
  [
    'properties in a base',
    pet,
    { allOf: [ref('Named')], properties: { age: whole }, type: 'object' },
    { Named: object({ name: text }, ['name']) },
  ],
  [
    'required beside the branch with the property',
    pet,
    { allOf: [object({ name: text, age: whole }), { required: ['name'] }] },
  ],
  ['anyOf with null and a list of types', { anyOf: [whole, nothing] }, { type: ['integer', 'null'] }],
  ['oneOf and anyOf with null', { oneOf: [nothing, ref('Pet')] }, { anyOf: [ref('Pet'), nothing] }, { Pet: pet }],
  ['nullable and null', { type: 'string', nullable: true }, { type: ['string', 'null'] }, {}, OLD],
  [
    'a nullable reference',
    { allOf: [ref('Pet')], nullable: true },
    { oneOf: [nothing, ref('Pet')] },
    { Pet: pet },
    OLD,
  ],
  [
    'a nullable reference with a type',
    { type: 'object', allOf: [ref('Pet')], nullable: true },
    { anyOf: [ref('Pet'), nothing] },
    { Pet: pet },
    OLD,
  ],
  [
    'exclusive bounds as flags',
    { type: 'number', minimum: 0, exclusiveMinimum: true },
    { type: 'number', exclusiveMinimum: 0 },
    {},
    OLD,
  ],
  ['exclusive and inclusive bounds of integers', { ...whole, exclusiveMinimum: 0 }, { ...whole, minimum: 1 }],
  ['limits that limit nothing', { type: 'array', items: text, minItems: 0 }, { type: 'array', items: text }],
  ['const and a single value', { const: 'a' }, { type: 'string', enum: ['a'] }],
  ['a union of constants', { anyOf: [{ const: 'a' }, { ...text, const: 'b' }] }, { ...text, enum: ['b', 'a'] }],
  ['an extensible enumeration', { anyOf: [text, { ...text, enum: ['a', 'b'] }] }, text],
  ['an enumeration without a type', { enum: ['A', 'B', null] }, { type: ['string', 'null'], enum: ['A', 'B'] }],
  [
    'an enumeration with a default in allOf',
    { allOf: [ref('Color')], default: 'red' },
    { ...ref('Color'), default: 'red' },
    { Color: { ...text, enum: ['red'] } },
  ],
  ['free-form objects', { type: 'object' }, { type: 'object', additionalProperties: true }],
  ['free-form objects with an empty schema', { type: 'object' }, { type: 'object', additionalProperties: {} }],
  [
    'closed objects',
    object({ a: text }, [], { additionalProperties: false }),
    object({ a: text }, [], { unevaluatedProperties: { not: {} } }),
  ],
  ['any value', {}, true],
  ['an object without a type', { properties: { a: text } }, object({ a: text })],
  [
    'bytes in two versions',
    object({ file: { ...text, format: 'binary' } }),
    object({ file: { ...text, contentMediaType: 'application/octet-stream' } }),
    {},
    OLD,
  ],
  ['tuples', { type: 'array', items: [text, whole] }, { type: 'array', prefixItems: [text, whole] }],
  [
    'alternatives in another order',
    { oneOf: [ref('Cat'), ref('Dog')] },
    { oneOf: [ref('Dog'), ref('Cat')] },
    { Cat: cat, Dog: dog },
  ],
  [
    'alternatives that only a constant tells apart, without names',
    { oneOf: [object({ kind: { const: 'a' }, name: text }), object({ kind: { const: 'b' }, name: text })] },
    { oneOf: [object({ kind: { const: 'b' }, name: text }), object({ kind: { enum: ['a'] }, name: text })] },
  ],
  [
    'lists of different things in another order',
    {
      anyOf: [
        { type: 'array', items: pet },
        { type: 'array', items: whole },
      ],
    },
    {
      anyOf: [
        { type: 'array', items: whole },
        { type: 'array', items: pet },
      ],
    },
  ],
  [
    'alternatives without their names',
    { oneOf: [ref('Cat'), ref('Dog')] },
    { anyOf: [cat, dog] },
    { Cat: cat, Dog: dog },
  ],
  [
    'alternatives in a schema of their own',
    { oneOf: [ref('Cat'), ref('Dog')] },
    ref('Pet'),
    { Cat: cat, Dog: dog, Pet: { oneOf: [ref('Cat'), ref('Dog')], discriminator: ofKind } },
  ],
  [
    'a list of types and alternatives',
    { type: ['string', 'integer'], maxLength: 5 },
    { anyOf: [whole, { ...text, maxLength: 5 }] },
  ],
  [
    'common properties inside and outside of alternatives',
    { allOf: [pet, { oneOf: [cat, dog] }] },
    { oneOf: [{ allOf: [pet, cat] }, { allOf: [pet, dog] }] },
  ],
];

describe.each(equal)('%s', (_name, before, after, schemas = {}, old = {}) => {
  test.each([
    ['requests', sending],
    ['responses', receiving],
  ])('is no change of %s', (_direction, make) => {
    const [one, other] = [make(before, { ...schemas }, { ...old }), make(after, { ...schemas })];
    expect(reasonsOf(one, other)).toEqual({ breaking: [], others: [] });
    expect(reasonsOf(other, one)).toEqual({ breaking: [], others: [] });
  });
});

const query = (schema: object, rest: object = {}) => withParameters({ name: 'q', in: 'query', schema, ...rest });
const secured = (security: object[], securitySchemes: object) => api({ security }, { components: { securitySchemes } });
const oauth = (...scopes: string[]) => ({
  type: 'oauth2',
  flows: { password: { tokenUrl: 'token', scopes: Object.fromEntries(scopes.map((scope) => [scope, ''])) } },
});
const at = (path: string, operation: object = {}, rest: object = {}) => ({
  ...api({}),
  paths: { [path]: { get: { responses: {}, ...operation } } },
  ...rest,
});
const inPath = (name: string) => ({ parameters: [{ name, in: 'path', required: true, schema: whole }] });

/** Pairs that clients of the earlier version do not notice. */
const harmless: [name: string, before: object, after: object, others: string[]][] = [
  [
    'another name of a path parameter',
    at('/u/{id}', inPath('id')),
    at('/u/{userId}', inPath('userId')),
    ['path is now /u/{userId}', 'path id: renamed to userId'],
  ],
  [
    'a part of the path that moves to the server',
    at('/v1/u'),
    at('/u', {}, { servers: [{ url: '/v1' }] }),
    ['path is now /u', 'server /v1 added'],
  ],
  [
    'another server',
    { ...at('/u'), servers: [{ url: 'http://localhost:5000/' }] },
    { ...at('/u'), servers: [{ url: 'https://api.example' }] },
    ['server http://localhost:5000 removed', 'server https://api.example added'],
  ],
  [
    'an optional parameter that can be null',
    query(whole),
    query({ anyOf: [whole, nothing], title: 'Q' }),
    ['query q: type changed from integer to integer or null'],
  ],
  ['explode where it has no effect', query(whole, { explode: false }), query(whole), []],
  [
    'the case of a header',
    withParameters({ name: 'X-Id', in: 'header', schema: text }),
    withParameters({ name: 'x-id', in: 'header', schema: text }),
    [],
  ],
  [
    'a header that OpenAPI describes elsewhere',
    api({}),
    withParameters({ name: 'Authorization', in: 'header', required: true, schema: text }),
    [],
  ],
  [
    'an optional property of a response that can be null',
    receiving(object({ a: whole })),
    receiving(object({ a: { anyOf: [whole, nothing] } })),
    ['response 200 a: type changed from integer to integer or null'],
  ],
  [
    'a number that is also read from text',
    receiving({ ...whole, format: 'int32' }),
    receiving({ type: ['integer', 'string'], format: 'int32', pattern: '^-?(?:0|[1-9]\\d*)$' }),
    [],
  ],
  [
    'a property that is not sent',
    sending(object({ a: text })),
    sending(object({ a: text, id: { ...text, readOnly: true } }, ['id'])),
    [],
  ],
  [
    'a property that is not received',
    receiving(object({ a: text, secret: { ...text, writeOnly: true } })),
    receiving(object({ a: text })),
    [],
  ],
  [
    'a validation error that nothing causes anymore',
    api({ responses: { 200: { description: 'ok' }, 422: { description: 'Validation Error' } } }),
    api({}),
    ['response 422 removed'],
  ],
  [
    'a status that the default described',
    api({ responses: { default: { description: 'error' }, 200: { description: 'ok' } } }),
    api({
      responses: { default: { description: 'error' }, 200: { description: 'ok' }, 400: { description: 'error' } },
    }),
    ['response 400 added'],
  ],
  [
    'parameters of media types',
    api({ requestBody: { content: { 'application/json': { schema: text } } } }),
    api({ requestBody: { content: { 'application/json; charset=utf-8': { schema: text } } } }),
    [],
  ],
  [
    'a range of media types',
    api({ requestBody: { content: { 'application/json': { schema: text } } } }),
    api({ requestBody: { content: { 'application/*': { schema: text } } } }),
    ['request body: content type application/* added'],
  ],
  [
    'the order of scopes',
    secured([{ o: ['a', 'b'] }], { o: oauth('a', 'b') }),
    secured([{ o: ['b', 'a'] }], { o: oauth('a', 'b') }),
    [],
  ],
  [
    'the name of a security scheme',
    secured([{ Bearer: [] }], { Bearer: { type: 'http', scheme: 'bearer' } }),
    secured([{ token: [] }], { token: { type: 'http', scheme: 'Bearer' } }),
    [],
  ],
  [
    'a scope less',
    secured([{ o: ['a', 'b'] }], { o: oauth('a', 'b') }),
    secured([{ o: ['a'] }], { o: oauth('a', 'b') }),
    ['security changed'],
  ],
  [
    'a new value in responses',
    receiving({ ...text, enum: ['a'] }),
    receiving({ ...text, enum: ['a', 'b'] }),
    ['response 200: value "b" added'],
  ],
  [
    'a limit in responses',
    receiving({ ...text, maxLength: 5 }),
    receiving({ ...text, maxLength: 9 }),
    ['response 200: maxLength changed from 5 to 9'],
  ],
  [
    'a wider request',
    sending(object({ a: whole }, ['a'])),
    sending(object({ a: { type: 'number' } })),
    ['request body a: property is now optional', 'request body a: type changed from integer to number'],
  ],
  [
    'schemas that are split for requests and responses',
    receiving(ref('Item'), { Item: pet }),
    receiving(ref('Item-Output'), { 'Item-Output': object({ name: text, age: whole }, ['name', 'age']) }),
    ['response 200 age: property is now required'],
  ],
  [
    'variants that are listed now',
    sending(ref('Pet'), {
      Pet: object({ kind: text }, ['kind'], { discriminator: ofKind }),
      Cat: { allOf: [ref('Pet'), cat] },
      Dog: { allOf: [ref('Pet'), dog] },
    }),
    sending(ref('Pet'), { Pet: { oneOf: [ref('Cat'), ref('Dog')], discriminator: ofKind }, Cat: cat, Dog: dog }),
    [],
  ],
];

test.each(harmless)('%s breaks nothing', (_name, before, after, others) => {
  expect(reasonsOf({ ...before }, { ...after })).toEqual({ breaking: [], others });
});

/** Schemas, and ways to write them differently. */
const schema = fc.letrec<{ any: object }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(text, whole, { type: 'boolean' }, { ...text, enum: ['a', 'b'] }, { ...text, maxLength: 3 }),
    fc
      .dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('any'), { minKeys: 1 })
      .map((properties) => object(properties, Object.keys(properties).slice(0, 1))),
    tie('any').map((items) => ({ type: 'array', items })),
  ),
})).any;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function rewritten(value: unknown, schemas: Record<string, unknown>, steps: number[]): unknown {
  if (!isObject(value)) return value;
  const { properties, items, required, ...rest } = value;
  const below = Object.fromEntries(
    Object.entries(isObject(properties) ? properties : {}).map(([name, each]) => [
      name,
      rewritten(each, schemas, steps),
    ]),
  );
  const own = {
    ...rest,
    ...(properties !== undefined && { properties: below, required }),
    ...(items !== undefined && { items: rewritten(items, schemas, steps) }),
  };
  const step = steps.shift() ?? 0;
  if (step === 1) return { allOf: [own], description: 'Wrapped.' };
  if (step === 2) return { oneOf: [own] };
  if (step === 3 && properties !== undefined) {
    const entries = Object.entries(below);
    return { required, allOf: entries.map(([name, each]) => ({ type: 'object', properties: { [name]: each } })) };
  }
  if (step !== 4) return own;
  const name = `Part${Object.keys(schemas).length}`;
  schemas[name] = own;
  return ref(name);
}

test('a schema that is written differently is no change', () => {
  fc.assert(
    fc.property(schema, fc.array(fc.nat(4), { maxLength: 20 }), (given, steps) => {
      const schemas = {};
      const other = rewritten(given, schemas, [...steps]);
      for (const make of [sending, receiving]) {
        const changes = compared(make(given), make(other, schemas)).filter(({ subject }) => subject !== 'schema');
        expect(changes).toEqual([]);
      }
    }),
    { numRuns: 200 },
  );
});
