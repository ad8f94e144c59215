import { expect, test } from 'vitest';
import { api, compared, reasonsOf, receiving, sending, withParameters } from './comparing.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: object, required: string[] = [], rest: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...rest,
});
const text = { type: 'string' };
const whole = { type: 'integer' };
const nothing = { type: 'null' };

const list = (rest: object) =>
  withParameters({ name: 'tags', in: 'query', schema: { type: 'array', items: text }, ...rest });
const header = (headers: object) => api({ responses: { 200: { description: 'ok', headers } } });
const webhook = (schema: object, responses: object = {}) => ({
  ...api({}),
  webhooks: {
    told: { post: { requestBody: { required: true, content: { 'application/json': { schema } } }, responses } },
  },
});
const callback = (schema: object, expression = '{$request.body#/url}') => {
  const { told } = webhook(schema).webhooks;
  return api({ callbacks: { done: { [expression]: told } } });
};
const secured = (security: object[], token: object = { type: 'http', scheme: 'bearer' }) =>
  api({ security }, { components: { securitySchemes: { token, oauth: { type: 'oauth2', flows: { implicit: {} } } } } });

/** Pairs that break clients of the earlier version, and what is said about them. */
const pairs: [name: string, before: object, after: object, breaking: string[]][] = [
  ['a type', sending(text), sending(whole), ['request body: type changed from string to integer']],
  [
    'null in a request',
    sending({ anyOf: [whole, nothing] }),
    sending(whole),
    ['request body: type changed from integer or null to integer'],
  ],
  [
    'null in a response',
    receiving(object({ a: whole }, ['a'])),
    receiving(object({ a: { anyOf: [whole, nothing] } }, ['a'])),
    ['response 200 a: type changed from integer to integer or null'],
  ],
  [
    'a wider type in a response',
    receiving(whole),
    receiving({ type: 'number' }),
    ['response 200: type changed from integer to number'],
  ],
  ['any value in a response', receiving(whole), receiving({}), ['response 200: type changed from integer to any']],
  [
    'a value in a request',
    sending({ ...text, enum: ['a', 'b'] }),
    sending({ const: 'a' }),
    ['request body: value "b" removed'],
  ],
  [
    'values in a request',
    sending(text),
    sending({ ...text, enum: ['a'] }),
    ['request body: values are now restricted'],
  ],
  [
    'closed objects in requests',
    sending(object({ a: text })),
    sending(object({ a: text }, [], { additionalProperties: false })),
    ['request body: other properties are no longer accepted'],
  ],
  [
    'a property that a closed object had',
    sending(object({ a: text, b: text }, [], { additionalProperties: false })),
    sending(object({ a: text }, [], { additionalProperties: false })),
    ['request body b: property removed'],
  ],
  [
    'values of a map',
    receiving({ type: 'object', additionalProperties: whole }),
    receiving({ type: 'object', additionalProperties: text }),
    ['response 200 *: type changed from integer to string'],
  ],
  [
    'a required property in a branch',
    sending(ref('A'), { A: object({ a: text }) }),
    sending({ allOf: [ref('A'), object({ b: text }, ['b'])] }, { A: object({ a: text }) }),
    ['request body b: new required property'],
  ],
  [
    'a property in a base',
    receiving(ref('B'), { A: object({ a: text }), B: { allOf: [ref('A'), object({ b: text })] } }),
    receiving(ref('B'), { A: object({}), B: { allOf: [ref('A'), object({ b: text })] } }),
    ['response 200 a: property removed'],
  ],
  [
    'an alternative in a request',
    sending({ oneOf: [text, whole] }),
    sending(text),
    ['request body: type changed from integer or string to string'],
  ],
  [
    'an alternative in a response',
    receiving({ oneOf: [ref('A')] }, { A: object({ a: text }) }),
    receiving({ oneOf: [ref('A'), ref('B')] }, { A: object({ a: text }), B: object({ b: text }, ['b']) }),
    ['response 200: alternative B added'],
  ],
  [
    'a dropped base in a variant',
    sending(ref('Pet'), {
      Pet: object({ kind: text }, ['kind'], { discriminator: { propertyName: 'kind', mapping: { cat: 'Cat' } } }),
      Cat: { allOf: [ref('Pet'), object({ a: text })] },
    }),
    sending(ref('Pet'), {
      Pet: object({ kind: text }, ['kind'], { discriminator: { propertyName: 'kind', mapping: { cat: 'Cat' } } }),
      Cat: { allOf: [ref('Pet'), object({ a: text }, ['a'])] },
    }),
    ['request body (cat).a: property is now required'],
  ],
  ['a format in a request', sending(text), sending({ ...text, format: 'date' }), ['request body: format date added']],
  [
    'a format in a response',
    receiving({ ...text, format: 'date-time' }),
    receiving(text),
    ['response 200: format date-time removed'],
  ],
  [
    'larger numbers in a response',
    receiving({ ...whole, format: 'int32' }),
    receiving({ ...whole, format: 'int64' }),
    ['response 200: format changed from int32 to int64'],
  ],
  ['multiples', sending(whole), sending({ ...whole, multipleOf: 5 }), ['request body: multipleOf changed']],
  [
    'unique items',
    sending({ type: 'array', items: text }),
    sending({ type: 'array', items: text, uniqueItems: true }),
    ['request body: items must now be unique'],
  ],
  ['a pattern', sending(text), sending({ ...text, pattern: '^a' }), ['request body: pattern added']],
  [
    'an item of a tuple',
    receiving({ type: 'array', prefixItems: [text, whole] }),
    receiving({ type: 'array', prefixItems: [text, text] }),
    ['response 200 [1]: type changed from integer to string'],
  ],
  ['how lists are written', list({}), list({ explode: false }), ['query tags: style changed']],
  [
    'a parameter described by a media type',
    withParameters({ name: 'q', in: 'query', content: { 'application/json': { schema: text } } }),
    withParameters({ name: 'q', in: 'query', content: { 'application/json': { schema: whole } } }),
    ['query q: type changed from string to integer'],
  ],
  [
    'a header of a response',
    header({ 'X-Total': { required: true, schema: whole } }),
    header({}),
    ['response 200 header x-total: header removed'],
  ],
  [
    'the type of a header',
    header({ 'X-Total': { schema: whole } }),
    header({ 'x-total': { schema: text } }),
    ['response 200 header x-total: type changed from integer to string'],
  ],
  ['a successful response', api({}), api({ responses: { 204: { description: 'ok' } } }), ['response 200 removed']],
  [
    'a body under another name',
    api({ responses: { 200: { description: 'ok', content: { 'text/plain': {} } } } }),
    api({}),
    ['response 200: content type text/plain removed'],
  ],
  ['the payload of a webhook', webhook(object({ a: text })), webhook(object({})), ['request body a: property removed']],
  [
    'an answer to a webhook',
    webhook(text, { 200: { description: 'ok' } }),
    webhook(text, {}),
    ['response 200 removed'],
  ],
  [
    'the payload of a callback',
    callback(object({ a: text }, ['a'])),
    callback(object({ a: text }), '{$request.query.url}'),
    ['callback POST done request body a: property is now optional'],
  ],
  ['a callback', callback(text), api({}), ['callback POST done removed']],
  [
    'a scope',
    secured([{ oauth: ['read'] }]),
    secured([{ oauth: ['read', 'write'] }]),
    ['security changed: now requires write'],
  ],
  ['a way to authenticate', secured([{ token: [] }, { oauth: [] }]), secured([{ oauth: [] }]), ['security changed']],
  [
    'a scheme under the same name',
    secured([{ token: [] }]),
    secured([{ token: [] }], { type: 'apiKey', in: 'header', name: 'X-Key' }),
    ['security changed'],
  ],
  ['authentication', secured([]), secured([{ token: [] }]), ['security changed']],
];

test.each(pairs)('%s is reported', (_name, before, after, breaking) => {
  expect(reasonsOf({ ...before }, { ...after }).breaking).toEqual(breaking);
});

test('what webhooks send may be more', () => {
  const { breaking, others } = reasonsOf(webhook(object({})), webhook(object({ a: text }, ['a'])));
  expect(breaking).toEqual([]);
  expect(others).toEqual(['request body a: property added']);
});

test('a schema that is only received breaks no requests', () => {
  const [before, after] = [[], ['a']].map((required) =>
    receiving(ref('A'), { A: object({ a: text }, required), B: object({ a: text }, required) }),
  );
  const changes = compared(before ?? {}, after ?? {}).map(({ name, isBreaking, reasons }) => [
    name,
    isBreaking,
    reasons[0]?.message,
  ]);
  expect(changes).toEqual([
    ['POST /things', false, 'response 200 a: property is now required'],
    ['A', false, 'a: property is now required'],
    ['B', false, 'a: property is now required'],
  ]);
});

test('differences are found within circles of schemas', () => {
  const nodes = (leaf: object) => ({
    A: object({ b: ref('B') }),
    B: object({ a: ref('A'), c: ref('C') }),
    C: object({ a: ref('A'), leaf }),
  });
  const [before, after] = [
    receiving(object({ a: ref('A'), b: ref('B'), c: ref('C') }), nodes(text)),
    receiving(object({ a: ref('A'), b: ref('B'), c: ref('C') }), nodes(whole)),
  ];
  expect(reasonsOf(before, after).breaking).toEqual(['response 200 c.leaf: type changed from string to integer']);
  const schemas = compared(before, after).filter(({ subject, isBreaking }) => subject === 'schema' && isBreaking);
  expect(schemas.map(({ name }) => name)).toEqual(['C']);
});

test('alternatives beyond all bounds end', () => {
  const wide = (leaf: object) => ({
    allOf: Array.from({ length: 12 }, (_, index) => ({
      anyOf: [object({ [`a${index}`]: text }), object({ [`b${index}`]: leaf })],
    })),
  });
  expect(reasonsOf(sending(wide(text)), sending(wide(text)))).toEqual({ breaking: [], others: [] });
  expect(reasonsOf(sending(wide(text)), sending(wide(whole))).breaking.length).toBeGreaterThan(0);
});

const NAMES = ['Other', 'Right', 'Left', 'Leaf'];

test.each([
  ['from above', NAMES],
  ['from below', NAMES.toReversed()],
])('every use of a changed schema is reported, compared %s', (_order, names) => {
  const schemas = (leaf: object) => ({
    Leaf: object({ value: leaf }),
    Left: object({ leaf: ref('Leaf'), right: ref('Right') }),
    Right: object({ left: ref('Left') }),
    Other: object({ other: ref('Other') }),
  });
  const uses = (leaf: object) => {
    const content = (name: string) => ({ 'application/json': { schema: ref(name) } });
    const operation = (name: string) => ({
      get: { responses: { 200: { description: 'ok', content: content(name) } } },
    });
    const paths = Object.fromEntries(names.map((name) => [`/${name}`, operation(name)]));
    return { ...api({}), paths, components: { schemas: schemas(leaf) } };
  };
  const changes = compared(uses(text), uses(whole)).filter(({ subject }) => subject === 'operation');
  const places = new Map(
    changes.map(({ name, reasons }) => [name, reasons.map(({ message }) => message.split(':', 1)[0])]),
  );
  expect(places).toEqual(
    new Map([
      ['GET /Right', ['response 200 left.leaf.value']],
      ['GET /Left', ['response 200 leaf.value']],
      ['GET /Leaf', ['response 200 value']],
    ]),
  );
});

test.each([
  ['doubled at every level', (at: number) => [at + 1, at + 1]],
  ['all connected to each other', () => Array.from({ length: 30 }, (_, index) => index)],
])('schemas that are %s end', (_name, below) => {
  const schemas = (leaf: object) =>
    Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `S${at}`,
        {
          allOf: below(at)
            .filter((to) => to < 30)
            .map((to) => ref(`S${to}`)),
          properties: { [`p${at}`]: leaf },
        },
      ]),
    );
  const { breaking } = reasonsOf(receiving(ref('S0'), schemas(text)), receiving(ref('S0'), schemas(whole)));
  expect(breaking).toContain('response 200 p0: type changed from string to integer');
});

test('schemas with names that all objects have are reported when they are added and removed', () => {
  const [without, named] = [api({}), api({}, { components: { schemas: { constructor: text } } })];
  expect(compared(without, named)).toMatchObject([{ name: 'constructor', kind: 'added' }]);
  expect(compared(named, without)).toMatchObject([{ name: 'constructor', kind: 'removed' }]);
});
