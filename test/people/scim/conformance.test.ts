import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { ENTERPRISE, GROUP, type ScimAnswer, SEARCH, scimOf, USER } from './scim-client.ts';

const here = await world();
const { admin, reader, organizationId } = here;
const scim = await scimOf(admin, organizationId);

const made = await Promise.all(
  [
    { userName: 'barbara@acme.example', name: { givenName: 'Barbara', familyName: 'Jensen' }, title: 'Tour Guide' },
    { userName: 'carl@acme.example', name: { givenName: 'Carl', familyName: 'Jensen' }, active: false },
    {
      userName: 'O"Neill\\x@acme',
      externalId: 'Ext-1',
      emails: [
        { value: 'neill@work.example', type: 'work', primary: true },
        { value: 'neill@home.example', type: 'home' },
      ],
      [ENTERPRISE]: { department: 'Salt and pepper' },
    },
  ].map(({ userName, ...rest }) => scim.user(userName, rest)),
);
const [barbara, carl, neill] = made;
const ids = new Set(made.map(({ id }) => id));
const group = await scim.group('Guides', [barbara.id]);

/** Those of the users above that a filter finds. */
async function found(filter: string): Promise<string[]> {
  const resources = await scim.find('Users', filter);
  return resources.filter(({ id }) => ids.has(id)).map(({ userName }) => userName.slice(0, 2));
}

const errorOf = ({ status, body }: ScimAnswer) => [status, body.scimType];

test.each<[filter: string, expected: string[]]>([
  ['userName eq "BARBARA@acme.example"', ['ba']],
  ['USERNAME EQ "barbara@acme.example"', ['ba']],
  [`${USER}:userName eq "barbara@acme.example"`, ['ba']],
  ['userName ne "barbara@acme.example"', ['ca', 'O"']],
  ['userName sw "BAR"', ['ba']],
  ['userName ew ".example"', ['ba', 'ca']],
  ['userName co "acme"', ['ba', 'ca', 'O"']],
  ['userName gt "bb"', ['ca', 'O"']],
  ['userName le "bb"', ['ba']],
  [String.raw`userName eq "O\"Neill\\x@acme"`, ['O"']],
  ['name.familyName eq "jensen" and active eq true', ['ba']],
  ['name.familyName eq "jensen" and active eq "False"', ['ca']],
  ['name.familyName eq "Jensen" and not (active eq true)', ['ca']],
  ['not (userName sw "b" or userName sw "c")', ['O"']],
  ['title pr', ['ba']],
  ['not (title pr)', ['ca', 'O"']],
  ['title eq null', ['ca', 'O"']],
  ['title ne "Tour Guide"', ['ca', 'O"']],
  ['externalId eq "Ext-1"', ['O"']],
  ['externalId eq "ext-1"', []],
  ['userName sw "ba" or userName sw "ca" and active eq true', ['ba']],
  ['(userName sw "ba" or userName sw "ca") and active eq true', ['ba']],
  ['emails co "home.example"', ['O"']],
  ['emails.type eq "home"', ['O"']],
  ['emails[type eq "work" and value ew "work.example"]', ['O"']],
  ['emails[type eq "home" and value ew "work.example"]', []],
  ['emails[type eq "work"].value eq "neill@work.example"', ['O"']],
  ['emails[not (type eq "work")]', ['O"']],
  ['emails.primary eq true and userName sw "O"', ['O"']],
  [`${ENTERPRISE}:department eq "salt AND pepper"`, ['O"']],
  [`not (${ENTERPRISE}:department eq "Salt and pepper")`, ['ba', 'ca']],
  ['meta.created gt "2020-01-01T00:00:00Z"', ['ba', 'ca', 'O"']],
  ['meta.lastModified lt "2020-01-01T00:00:00Z"', []],
  ['meta.resourceType eq "User" and userName sw "ba"', ['ba']],
  [`groups.value eq "${group.id}"`, ['ba']],
  [`groups[display eq "guides"]`, ['ba']],
  [`id eq "${carl.id}"`, ['ca']],
])('the filter %s finds %j', async (filter, expected) => {
  expect((await found(filter)).sort()).toEqual([...expected].sort());
});

test.each([
  '',
  'userName',
  'userName eq',
  'userName xx "a"',
  'userName eq a',
  'userName eq "a',
  'userName eq "\\q"',
  'userName eq "a" and',
  'userName eq "a" or or active eq true',
  '(userName eq "a"',
  'userName eq "a")',
  'emails[type eq "work"',
  'emails[]',
  'unknown eq "a"',
  'emails.unknown eq "a"',
  'userName[value eq "a"]',
  'userName eq 5',
  'active eq 5',
  'active gt true',
  'meta.created eq "yesterday"',
  'meta.created co "2020-01-01T00:00:00Z"',
  'userName gt null',
  'userName eq "\\u0000"',
  'userName eq "\\ud800"',
  'constructor eq "a"',
  '__proto__.x eq "a"',
  `${'('.repeat(50)}userName eq "a"${')'.repeat(50)}`,
  `${'not '.repeat(50)}userName eq "a"`,
  Array.from({ length: 60 }, (_, index) => `userName eq "${index}"`).join(' or '),
])('the filter %s is refused as such', async (filter) => {
  const answer = await scim.get(`/Users?filter=${encodeURIComponent(filter)}`);
  expect(errorOf(answer)).toEqual([400, 'invalidFilter']);
});

test('a filter of 100 kB is refused', async () => {
  const filter = `userName eq "${'a'.repeat(100_000)}"`;
  for (const kind of ['Users', 'Groups']) {
    const answer = await scim.post(`/${kind}/.search`, { schemas: [SEARCH], filter });
    expect(errorOf(answer)).toEqual([400, 'invalidFilter']);
  }
  const nested = await scim.post('/Users/.search', { schemas: [SEARCH], filter: '('.repeat(100_000) });
  expect(errorOf(nested)).toEqual([400, 'invalidFilter']);
});

test('a search has the same results as the query of a URL', async () => {
  const search = { schemas: [SEARCH], filter: 'userName co "acme"', startIndex: 2, count: 3, attributes: ['userName'] };
  const byBody = await scim.post('/Users/.search', search);
  const byUrl = await scim.get(
    `/Users?filter=${encodeURIComponent(search.filter)}&startIndex=2&count=3&attributes=userName`,
  );
  expect(byBody.status).toBe(200);
  expect(byBody.body).toEqual(byUrl.body);
  expect(byBody.body.Resources).toHaveLength(3);
});

test('groups are found by name, member and identifier', async () => {
  const idsOf = async (filter: string) => (await scim.find('Groups', filter)).map(({ id }) => id);
  expect(await idsOf('displayName eq "GUIDES"')).toEqual([group.id]);
  expect(await idsOf(`members eq "${barbara.id}"`)).toEqual([group.id]);
  expect(await idsOf(`id eq "${group.id}" and members[value eq "${carl.id}"]`)).toEqual([]);
  expect(await idsOf('externalId pr')).toEqual([]);
});

test('pages begin at any resource, have the count that is asked for, and the total of all', async () => {
  const all = await scim.get('/Users');
  const total = all.body.totalResults;
  expect(all.body.Resources).toHaveLength(total);
  const page = async (query: string) => (await scim.get(`/Users?${query}`)).body;
  const names = (body: ScimAnswer['body']) => body.Resources.map(({ id }: { id: string }) => id);
  expect(await page('startIndex=2&count=2')).toMatchObject({ totalResults: total, startIndex: 2, itemsPerPage: 2 });
  expect(names(await page('startIndex=2&count=2'))).toEqual(names(all.body).slice(1, 3));
  expect(await page('startIndex=0&count=1')).toMatchObject({ startIndex: 1, itemsPerPage: 1 });
  expect(await page('startIndex=-5&count=1')).toMatchObject({ startIndex: 1, itemsPerPage: 1 });
  expect(await page('count=0')).toMatchObject({ totalResults: total, itemsPerPage: 0, Resources: [] });
  expect(await page('count=-1')).toMatchObject({ itemsPerPage: 0 });
  expect(await page('count=1000000')).toMatchObject({ itemsPerPage: total });
  expect(await page(`startIndex=${total + 1}`)).toMatchObject({ totalResults: total, itemsPerPage: 0 });
  for (const query of ['startIndex=a', 'count=1.5', 'count=99999999999999', 'count=1&count=2', 'sortOrder=up'])
    expect(errorOf(await scim.get(`/Users?${query}`)), query).toEqual([400, 'invalidValue']);
});

test('lists are sorted by attributes of one value, those without it last', async () => {
  const sorted = async (query: string) => {
    const { body } = await scim.get(`/Users?filter=${encodeURIComponent('userName co "acme"')}&${query}`);
    return body.Resources.filter(({ id }: { id: string }) => ids.has(id)).map(({ userName }: { userName: string }) =>
      userName.slice(0, 2),
    );
  };
  expect(await sorted('sortBy=userName')).toEqual(['ba', 'ca', 'O"']);
  expect(await sorted('sortBy=userName&sortOrder=descending')).toEqual(['O"', 'ca', 'ba']);
  expect((await sorted('sortBy=title'))[0]).toBe('ba');
  expect((await sorted('sortBy=title&sortOrder=descending'))[0]).toBe('ba');
  expect(errorOf(await scim.get('/Users?sortBy=emails'))).toEqual([400, 'invalidValue']);
});

test('responses have the attributes that are asked for', async () => {
  const keys = async (query: string) => Object.keys((await scim.get(`/Users/${neill.id}?${query}`)).body).sort();
  expect(await keys('attributes=userName')).toEqual(['id', 'schemas', 'userName']);
  expect(await keys(`attributes=${USER}:USERNAME,externalId`)).toEqual(['externalId', 'id', 'schemas', 'userName']);
  expect(await keys('attributes=unknown')).toEqual(['id', 'schemas']);
  expect(await keys('excludedAttributes=emails,meta,id')).toEqual(
    [ENTERPRISE, 'active', 'externalId', 'id', 'schemas', 'userName'].sort(),
  );
  const part = await scim.get(`/Users/${neill.id}?attributes=emails.value,meta.version`);
  expect(part.body).toEqual({
    schemas: [USER, ENTERPRISE],
    id: neill.id,
    emails: [{ value: 'neill@work.example' }, { value: 'neill@home.example' }],
    meta: { version: expect.any(String) },
  });
  const without = await scim.get(`/Users/${neill.id}?excludedAttributes=emails.type`);
  expect(without.body.emails[1]).toEqual({ value: 'neill@home.example' });
  const work = await scim.get(`/Users/${neill.id}?attributes=${ENTERPRISE}:department`);
  expect(work.body[ENTERPRISE]).toEqual({ department: 'Salt and pepper' });
  const list = await scim.get('/Groups?attributes=displayName');
  expect(Object.keys(list.body.Resources[0]).sort()).toEqual(['displayName', 'id', 'schemas']);
  expect(errorOf(await scim.get('/Users?attributes=a&excludedAttributes=b'))).toEqual([400, 'invalidValue']);
  const changed = await scim.send('PATCH', `/Users/${neill.id}?attributes=title`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'add', path: 'title', value: 'Major' }],
  });
  expect(changed.body).toEqual({ schemas: [USER, ENTERPRISE], id: neill.id, title: 'Major' });
  await scim.patch(`/Users/${neill.id}`, [{ op: 'remove', path: 'title' }]);
});

test('names are unique in the organization, in any case', async () => {
  expect(errorOf(await scim.post('/Users', { schemas: [USER], userName: 'BARBARA@acme.example' }))).toEqual([
    409,
    'uniqueness',
  ]);
  const renamed = await scim.patch(`/Users/${carl.id}`, [
    { op: 'replace', path: 'userName', value: 'Barbara@acme.example' },
  ]);
  expect(errorOf(renamed)).toEqual([409, 'uniqueness']);
  const asMember = await scim.patch(`/Users/${carl.id}`, [
    { op: 'replace', path: 'userName', value: 'reader@acme.example' },
  ]);
  expect(errorOf(asMember)).toEqual([409, 'uniqueness']);
  expect(errorOf(await scim.post('/Groups', { schemas: [GROUP], displayName: 'guides' }))).toEqual([409, 'uniqueness']);
  const twice = await Promise.all(
    [1, 2, 3, 4].map(() => scim.post('/Users', { schemas: [USER], userName: 'twice@acme.example' })),
  );
  expect(twice.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
});

test('what a user must have is required, and of the right type', async () => {
  const refused = async (body: unknown) => errorOf(await scim.post('/Users', body));
  expect(await refused({ schemas: [USER] })).toEqual([400, 'invalidValue']);
  for (const userName of [null, 5, '', '  ', 'a'.repeat(257), 'a\u0000', 'a\nb', 'a\u202eb', '\ud800', ['a', 'b'], {}])
    expect(await refused({ schemas: [USER], userName }), JSON.stringify(userName)).toEqual([400, 'invalidValue']);
  const user = { schemas: [USER], userName: 'types@acme.example' };
  for (const given of [
    { active: 'maybe' },
    { active: 1 },
    { name: 'Ada' },
    { emails: 'a' },
    { emails: [{ value: 'no address' }] },
    { emails: [{ value: 'ądа@acme.example' }] },
    { emails: [{ value: 'a@acme.example', primary: 'x' }] },
    { displayName: { formatted: 'x' } },
    { title: 'a'.repeat(2_000) },
    { externalId: 7 },
    { externalId: 'a'.repeat(300) },
    { externalId: 'a\r\nb' },
    { [ENTERPRISE]: 'x' },
    { [ENTERPRISE]: { manager: [1, 2] } },
  ])
    expect(await refused({ ...user, ...given }), JSON.stringify(given)).toEqual([400, 'invalidValue']);
  expect(await refused({ ...user, emails: Array.from({ length: 30 }, () => ({ value: 'a@b.example' })) })).toEqual([
    400,
    'invalidValue',
  ]);
  for (const body of [[], 'x', '"x"', '{', { ...user, schemas: [GROUP] }, { ...user, schemas: 5 }])
    expect(await refused(body), JSON.stringify(body)).toEqual([400, 'invalidSyntax']);
  expect(await found('userName sw "types"')).toEqual([]);
  for (const displayName of [undefined, null, '', ' ', 5, 'a'.repeat(65), {}])
    expect(errorOf(await scim.post('/Groups', { schemas: [GROUP], displayName }))).toEqual([400, 'invalidValue']);
});

test('names of attributes have any case, and unknown ones have no effect', async () => {
  const { status, body } = await scim.post('/Users', {
    SCHEMAS: [USER],
    USERNAME: 'case@acme.example',
    Name: { GIVENNAME: 'Case', unknown: 1 },
    unknown: { a: 1 },
    id: 'mine',
    meta: { resourceType: 'X' },
    groups: [{ value: group.id }],
    [`${ENTERPRISE}:__proto__.polluted`]: 'x',
    [`${ENTERPRISE}:constructor.prototype.polluted`]: 'x',
  });
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body).toMatchObject({ userName: 'case@acme.example', name: { givenName: 'Case' } });
  expect(body.name).not.toHaveProperty('unknown');
  expect(body).not.toHaveProperty('groups');
  expect(body.id).not.toBe('mine');
  const raw = `{"schemas":["${USER}"],"userName":"proto@acme.example","__proto__":{"polluted":1},"name":{"__proto__":{"polluted":1}},"${ENTERPRISE}":{"__proto__":{"polluted":1}}}`;
  expect((await scim.post('/Users', raw)).status).toBe(201);
  for (const value of ['null', '{"polluted":1}'])
    expect(
      (
        await scim.put(
          `/Users/${body.id}`,
          `{"schemas":["${USER}"],"userName":"case@acme.example","__proto__":${value}}`,
        )
      ).status,
    ).toBe(200);
  const operations = `[{"op":"add","value":{"__proto__":{"polluted":1},"title":"T"}}]`;
  const schemas = '["urn:ietf:params:scim:api:messages:2.0:PatchOp"]';
  const patched = await scim.send('PATCH', `/Users/${body.id}`, `{"schemas":${schemas},"Operations":${operations}}`);
  expect(patched).toMatchObject({ status: 200, body: { title: 'T' } });
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test.each<[operations: object[], expected: object]>([
  [[{ op: 'add', path: 'title', value: 'A' }], { title: 'A' }],
  [[{ op: 'ADD', path: `${USER}:title`, value: 'A' }], { title: 'A' }],
  [[{ op: 'replace', path: 'title', value: 'B' }], { title: 'B' }],
  [[{ op: 'replace', value: { title: 'C', nickName: 'D' } }], { title: 'C', nickName: 'D' }],
  [[{ op: 'remove', path: 'title' }], { title: undefined }],
  [[{ op: 'replace', path: 'title', value: null }], { title: undefined }],
  [[{ op: 'add', path: 'name.givenName', value: 'G' }], { name: { givenName: 'G', familyName: 'F' } }],
  [[{ op: 'add', path: 'name', value: { givenName: 'G' } }], { name: { givenName: 'G', familyName: 'F' } }],
  [[{ op: 'remove', path: 'name.familyName' }], { name: undefined }],
  [[{ op: 'remove', path: 'name' }], { name: undefined }],
  [
    [{ op: 'add', path: 'emails', value: [{ value: 'c@x.example', type: 'other', primary: true }] }],
    {
      emails: [
        { value: 'a@x.example', type: 'work', primary: false },
        { value: 'b@x.example', type: 'home' },
        { value: 'c@x.example', type: 'other', primary: true },
      ],
    },
  ],
  [
    [{ op: 'add', path: 'emails', value: { value: 'b@x.example', type: 'home' } }],
    {
      emails: [
        { value: 'a@x.example', type: 'work', primary: true },
        { value: 'b@x.example', type: 'home' },
      ],
    },
  ],
  [[{ op: 'replace', path: 'emails', value: [{ value: 'd@x.example' }] }], { emails: [{ value: 'd@x.example' }] }],
  [[{ op: 'remove', path: 'emails' }], { emails: undefined }],
  [
    [{ op: 'remove', path: 'emails[type eq "home"]' }],
    { emails: [{ value: 'a@x.example', type: 'work', primary: true }] },
  ],
  [
    [{ op: 'remove', path: 'emails', value: [{ value: 'b@x.example' }] }],
    { emails: [{ value: 'a@x.example', type: 'work', primary: true }] },
  ],
  [
    [{ op: 'replace', path: 'emails[value sw "a@"].value', value: 'e@x.example' }],
    {
      emails: [
        { value: 'e@x.example', type: 'work', primary: true },
        { value: 'b@x.example', type: 'home' },
      ],
    },
  ],
  [
    [{ op: 'replace', path: 'emails[type eq "home"]', value: { value: 'f@x.example', primary: true } }],
    {
      emails: [
        { value: 'a@x.example', type: 'work', primary: false },
        { value: 'f@x.example', type: 'home', primary: true },
      ],
    },
  ],
  [
    [{ op: 'add', path: 'emails[type eq "other"].value', value: 'g@x.example' }],
    {
      emails: [
        { value: 'a@x.example', type: 'work', primary: true },
        { value: 'b@x.example', type: 'home' },
        { value: 'g@x.example', type: 'other' },
      ],
    },
  ],
  [
    [{ op: 'remove', path: 'emails[type eq "work" and primary eq true].primary' }],
    {
      emails: [
        { value: 'a@x.example', type: 'work' },
        { value: 'b@x.example', type: 'home' },
      ],
    },
  ],
  [[{ op: 'add', path: `${ENTERPRISE}:division`, value: 'V' }], { [ENTERPRISE]: { division: 'V' } }],
  [[{ op: 'add', path: ENTERPRISE, value: { division: 'V' } }], { [ENTERPRISE]: { division: 'V' } }],
  [
    [{ op: 'add', path: `${ENTERPRISE}:manager.displayName`, value: 'M' }],
    { [ENTERPRISE]: { manager: { displayName: 'M' } } },
  ],
  [
    [
      { op: 'add', value: { [ENTERPRISE]: { division: 'V' } } },
      { op: 'remove', path: ENTERPRISE },
    ],
    { [ENTERPRISE]: undefined },
  ],
  [[{ op: 'replace', path: 'phoneNumbers', value: [{ value: '1' }] }], { title: 'T' }],
  [[{ op: 'remove', path: 'emails[type eq "other"]' }], { title: 'T' }],
  [
    [
      { op: 'replace', path: 'title', value: '1' },
      { op: 'replace', path: 'title', value: '2' },
    ],
    { title: '2' },
  ],
])('the operations %j are applied', async (operations, expected) => {
  const { id } = await scim.user(`patch-${Math.random()}`, {
    title: 'T',
    name: { familyName: 'F' },
    emails: [
      { value: 'a@x.example', type: 'work', primary: true },
      { value: 'b@x.example', type: 'home' },
    ],
  });
  const { status, body } = await scim.patch(`/Users/${id}`, operations);
  expect(status, JSON.stringify(body)).toBe(200);
  for (const [name, value] of Object.entries(expected)) expect(body[name], name).toEqual(value);
  expect((await scim.get(`/Users/${id}`)).body).toEqual(body);
});

test.each<[operations: unknown, scimType: string]>([
  [[], 'invalidValue'],
  ['x', 'invalidSyntax'],
  [[5], 'invalidValue'],
  [[{ op: 'move', path: 'title' }], 'invalidSyntax'],
  [[{ path: 'title', value: 'x' }], 'invalidValue'],
  [[{ op: 'add', path: 'title' }], 'invalidValue'],
  [[{ op: 'remove' }], 'noTarget'],
  [[{ op: 'add', path: 5, value: 'x' }], 'invalidPath'],
  [[{ op: 'add', value: 'x' }], 'invalidValue'],
  [[{ op: 'add', path: 'unknown', value: 'x' }], 'invalidPath'],
  [[{ op: 'add', path: 'name.unknown', value: 'x' }], 'invalidPath'],
  [[{ op: 'add', path: 'title.x', value: 'x' }], 'invalidPath'],
  [[{ op: 'add', path: 'title[value eq "x"]', value: 'x' }], 'invalidPath'],
  [[{ op: 'add', path: 'emails]x[', value: 'x' }], 'invalidPath'],
  [[{ op: 'add', path: 'urn:x:title', value: 'x' }], 'invalidPath'],
  [[{ op: 'add', path: '__proto__', value: { a: 1 } }], 'invalidPath'],
  [[{ op: 'add', path: 'title', value: 'a'.repeat(1_025) }], 'invalidValue'],
  [[{ op: 'add', path: 'emails[type eq "work"].display', value: 'a'.repeat(1_025) }], 'invalidValue'],
  [
    [
      { op: 'add', path: 'title', value: 'a'.repeat(1_025) },
      { op: 'replace', path: 'title', value: 'short' },
    ],
    'invalidValue',
  ],
  [[{ op: 'replace', path: 'userName', value: 'a\nb' }], 'invalidValue'],
  [[{ op: 'replace', path: 'externalId', value: 'a\tb' }], 'invalidValue'],
  [[{ op: 'add', path: 'emails[type eq]', value: 'x' }], 'invalidFilter'],
  [[{ op: 'add', path: `emails[type eq "${'x'.repeat(100_000)}"]`, value: 'x' }], 'invalidFilter'],
  [[{ op: 'replace', path: 'emails[type eq "none"].value', value: 'a@b.example' }], 'noTarget'],
  [[{ op: 'replace', path: 'id', value: 'x' }], 'mutability'],
  [[{ op: 'add', path: 'groups', value: [{ value: 'x' }] }], 'mutability'],
  [[{ op: 'replace', path: 'meta.created', value: 'x' }], 'mutability'],
  [[{ op: 'remove', path: 'userName' }], 'invalidValue'],
  [[{ op: 'replace', path: 'active', value: 'perhaps' }], 'invalidValue'],
  [[{ op: 'add', path: 'emails', value: [{ value: 'no' }] }], 'invalidValue'],
  [
    [{ op: 'add', path: 'emails', value: Array.from({ length: 21 }, (_, at) => ({ value: `${at}@b.example` })) }],
    'invalidValue',
  ],
  [
    Array.from({ length: 21 }, (_, at) => ({ op: 'add', path: 'emails', value: { value: `${at}@b.example` } })),
    'invalidValue',
  ],
])('the operations %j are refused, and nothing is changed', async (operations, scimType) => {
  const before = await scim.get(`/Users/${barbara.id}`);
  const both =
    Array.isArray(operations) && operations.length > 0
      ? [{ op: 'add', path: 'title', value: 'No' }, ...operations]
      : operations;
  const answer = await scim.patch(`/Users/${barbara.id}`, both);
  expect(errorOf(answer)).toEqual([400, scimType]);
  expect((await scim.get(`/Users/${barbara.id}`)).body).toEqual(before.body);
});

const comparisons = (count: number) => Array.from({ length: count }, () => 'type eq "x"').join(' or ');

test.each<[what: string, operations: object[]]>([
  ['operations', Array.from({ length: 1_001 }, () => ({ op: 'add', path: 'title', value: 'x' }))],
  [
    'names without a path',
    [{ op: 'add', value: Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`x${at}`, 'x'])) }],
  ],
  ['comparisons in paths', Array.from({ length: 5 }, () => ({ op: 'remove', path: `emails[${comparisons(41)}]` }))],
])('too many %s are refused as too large', async (_what, operations) => {
  const answer = await scim.patch(`/Users/${barbara.id}`, operations);
  expect(errorOf(answer)).toEqual([413, undefined]);
});

test('a request of megabytes is refused without delay, and others are answered meanwhile', async () => {
  const { id } = await scim.user('large@acme.example', {
    emails: Array.from({ length: 20 }, (_, at) => ({ value: `large${at}@acme.example`, display: 'x'.repeat(1_024) })),
  });
  const large = 'x'.repeat(7_000_000);
  const start = performance.now();
  const values = await scim.patch(`/Users/${id}`, [
    { op: 'replace', path: 'emails[value pr].display', value: large },
    ...Array.from({ length: 999 }, () => ({ op: 'replace', path: 'emails[display ew "y"].display', value: 'y' })),
  ]);
  expect(errorOf(values)).toEqual([400, 'invalidValue']);
  const wide = Array.from({ length: 200 }, () => ({
    op: 'remove',
    path: `emails[display ew "${'x'.repeat(1_000)}y"]`,
  }));
  const added = Array.from({ length: 800 }, () => ({
    op: 'add',
    path: 'emails',
    value: { value: 'large1@acme.example', display: 'x'.repeat(1_024) },
  }));
  expect((await scim.patch(`/Users/${id}`, [...wide, ...added])).status).toBe(200);
  expect(performance.now() - start).toBeLessThan(5_000);
});

test('in a value without a path, names that are unknown or read-only have no effect', async () => {
  const user = await scim.user('lenient@acme.example');
  const value = {
    id: 'mine',
    META: { created: 'x' },
    schemas: [],
    groups: [],
    unknown: 1,
    'name.unknown': 'x',
    title: 'T',
  };
  const patched = await scim.patch(`/Users/${user.id}`, [{ op: 'replace', value }]);
  expect(patched.status, JSON.stringify(patched.body)).toBe(200);
  expect(patched.body).toMatchObject({ id: user.id, title: 'T' });
  const other = await scim.group('Lenient');
  const members = { ID: 'mine', Meta: {}, unknown: 1, displayName: 'Lenient 2' };
  expect((await scim.patch(`/Groups/${other.id}`, [{ op: 'replace', value: members }])).status).toBe(204);
  expect((await scim.get(`/Groups/${other.id}`)).body.displayName).toBe('Lenient 2');
});

test('removing an empty list removes nothing', async () => {
  const user = await scim.user('kept@acme.example', { emails: [{ value: 'kept@acme.example' }] });
  const other = await scim.group('Kept', [user.id]);
  for (const value of [[], [{}]]) {
    const { body } = await scim.patch(`/Users/${user.id}`, [{ op: 'remove', path: 'emails', value }]);
    expect(body.emails).toEqual([{ value: 'kept@acme.example' }]);
  }
  await scim.patch(`/Groups/${other.id}`, [{ op: 'remove', path: 'members', value: [] }]);
  expect((await scim.get(`/Groups/${other.id}`)).body.members).toMatchObject([{ value: user.id }]);
  const gone = await scim.patch(`/Users/${user.id}`, [{ op: 'remove', path: 'emails', value: null }]);
  expect(gone.body).not.toHaveProperty('emails');
});

test('the URL of a manager is kept as it is', async () => {
  for (const $ref of ['../Users/26118915', 'https://idp.example/Users/1', 'manager']) {
    const { status, body } = await scim.patch(`/Users/${carl.id}`, [
      { op: 'add', path: `${ENTERPRISE}:manager`, value: { value: '26118915', $ref } },
    ]);
    expect([status, body[ENTERPRISE]]).toEqual([200, { manager: { value: '26118915', $ref } }]);
  }
  await scim.patch(`/Users/${carl.id}`, [{ op: 'remove', path: ENTERPRISE }]);
});

test.each<[operations: unknown, scimType: string | undefined]>([
  [[{ op: 'remove', path: 'displayName' }], 'invalidValue'],
  [[{ op: 'replace', path: 'displayName', value: 5 }], 'invalidValue'],
  [[{ op: 'add', path: 'members', value: [{ value: 'user_unknown' }] }], 'invalidValue'],
  [[{ op: 'add', path: 'members', value: [{}] }], 'invalidValue'],
  [[{ op: 'add', path: 'members', value: [{ value: 'team_x', type: 'Group' }] }], 'invalidValue'],
  [[{ op: 'add', path: 'members', value: 5 }], 'invalidValue'],
  [[{ op: 'add', path: 'unknown', value: 5 }], 'invalidPath'],
  [[{ op: 'add', path: 'members[value eq "a"]', value: { value: 'b' } }], 'invalidPath'],
  [[{ op: 'remove', path: 'members[value sw "a"]' }], 'invalidFilter'],
  [[{ op: 'remove', path: 'members[value eq ' }], 'invalidPath'],
  [[{ op: 'replace', path: 'id', value: 'x' }], 'mutability'],
  [[{ op: 'replace', value: 'x' }], 'invalidValue'],
  [[{ op: 'add', path: 'members', value: Array.from({ length: 10_001 }, (_, at) => ({ value: `${at}` })) }], undefined],
])('the operations %j on a group are refused', async (operations, scimType) => {
  const answer = await scim.patch(`/Groups/${group.id}`, operations);
  expect(errorOf(answer)).toEqual([scimType === undefined ? 413 : 400, scimType]);
  expect((await scim.get(`/Groups/${group.id}`)).body).toEqual(group);
});

test('the version of a group changes with the names of its members, which it shows', async () => {
  const user = await scim.user('renamed@acme.example');
  const named = await scim.group('Named', [user.id]);
  const path = `/Groups/${named.id}`;
  const first = await scim.get(path);
  const change = [{ op: 'replace', path: 'displayName', value: 'Another Name' }];
  expect((await scim.patch(`/Users/${user.id}`, change)).status).toBe(200);
  const second = await scim.get(path, { 'if-none-match': first.headers.get('etag') ?? '' });
  expect([second.status, second.body.members]).toMatchObject([200, [{ value: user.id, display: 'Another Name' }]]);
  expect((await scim.delete(path, { 'if-match': first.headers.get('etag') ?? '' })).status).toBe(412);
  expect((await scim.delete(path, { 'if-match': second.headers.get('etag') ?? '' })).status).toBe(204);
});

test('a version that is not the current one is refused, for users and groups', async () => {
  const user = await scim.user('versions@acme.example');
  const other = await scim.group('Versions', [user.id]);
  const cases = [
    ['Users', user, { schemas: [USER], userName: 'versions@acme.example', title: 'New' }, 'title'],
    ['Groups', other, { schemas: [GROUP], displayName: 'Versions 2' }, 'displayName'],
  ] as const;
  for (const [kind, resource, body, name] of cases) {
    const path = `/${kind}/${resource.id}`;
    const first = (await scim.get(path)).headers.get('etag') ?? '';
    expect(first).toMatch(/^W\/"[0-9a-f]+"$/);
    const changed = await scim.put(path, body, { 'if-match': first });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    const second = changed.headers.get('etag') ?? '';
    expect(second).not.toBe(first);
    const operations = [{ op: 'replace', path: name, value: 'Other' }];
    expect((await scim.put(path, body, { 'if-match': first })).status).toBe(412);
    expect((await scim.patch(path, operations, { 'if-match': first })).status).toBe(412);
    expect((await scim.delete(path, { 'if-match': first })).status).toBe(412);
    expect((await scim.get(path, { 'if-none-match': second })).status).toBe(304);
    expect((await scim.get(path, { 'if-none-match': first })).status).toBe(200);
    expect((await scim.patch(path, operations, { 'if-match': `"x", ${second}` })).status).toBeLessThan(300);
    expect((await scim.delete(path, { 'if-match': '*' })).status).toBe(204);
    expect((await scim.delete(path, { 'if-match': '*' })).status).toBe(404);
  }
});

test('a replacement ends what it does not name, except access', async () => {
  const user = await scim.user('replace@acme.example', { title: 'T', externalId: 'E', active: false });
  const { status, body } = await scim.put(`/Users/${user.id}`, { schemas: [USER], userName: 'Replace@acme.example' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ userName: 'Replace@acme.example', active: false });
  expect(body).not.toHaveProperty('title');
  expect(body).not.toHaveProperty('externalId');
});

test('the schemas name what is kept, and responses have nothing else', async () => {
  const { body } = await scim.get('/Schemas');
  expect(body.totalResults).toBe(3);
  const [user, enterprise, ofGroup] = body.Resources;
  expect([user.id, enterprise.id, ofGroup.id]).toEqual([USER, ENTERPRISE, GROUP]);
  const attributes = user.attributes.map(({ name }: { name: string }) => name);
  expect(attributes).not.toContain('password');
  const userName = user.attributes.find(({ name }: { name: string }) => name === 'userName');
  expect(userName).toMatchObject({
    type: 'string',
    required: true,
    multiValued: false,
    caseExact: false,
    uniqueness: 'server',
    mutability: 'readWrite',
    returned: 'default',
  });
  const shown = Object.keys((await scim.get(`/Users/${neill.id}`)).body);
  expect(shown.filter((name) => !attributes.includes(name)).sort()).toEqual(
    [ENTERPRISE, 'externalId', 'id', 'meta', 'schemas'].sort(),
  );
  for (const id of [USER, ENTERPRISE, GROUP]) {
    const one = await scim.get(`/Schemas/${id}`);
    expect(one.body.meta.location).toBe(`${body.Resources[0].meta.location.replace(USER, '')}${id}`);
  }
  expect((await scim.get('/Schemas/urn:none')).status).toBe(404);
  const types = await scim.get('/ResourceTypes');
  expect(types.body.Resources).toMatchObject([
    { id: 'User', endpoint: '/Users', schema: USER, schemaExtensions: [{ schema: ENTERPRISE, required: false }] },
    { id: 'Group', endpoint: '/Groups', schema: GROUP },
  ]);
  expect((await scim.get('/ResourceTypes/Group')).body).toEqual(types.body.Resources[1]);
  expect((await scim.get('/ResourceTypes/Device')).status).toBe(404);
  expect((await scim.get('/ServiceProviderConfig')).body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: true, maxOperations: 100 },
    filter: { supported: true, maxResults: 200 },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [{ type: 'oauthbearertoken' }],
  });
});

test('paths and methods that are not there are refused in the form of SCIM', async () => {
  for (const path of ['/Nothing', '/Users/a/b', '', '/Users/user_none', '/Groups/team_none'])
    expect((await scim.get(path)).status, path).toBe(404);
  for (const path of ['/Users/%zz', '/Users/%00']) expect((await scim.get(path)).status, path).toBe(400);
  const wrong = await scim.put('/Users', {});
  expect(wrong.status).toBe(405);
  expect(wrong.headers.get('allow')).toContain('POST');
  for (const method of ['PUT', 'PATCH'])
    expect(
      (
        await scim.send(method, '/Users/user_none', {
          schemas: [method === 'PUT' ? USER : 'urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          userName: 'x',
          Operations: [{ op: 'add', path: 'title', value: 'x' }],
        })
      ).status,
    ).toBe(404);
});

test('members whom SCIM does not manage yet are users with the data of their accounts', async () => {
  const [user] = await scim.find('Users', `id eq "${reader.userId}"`);
  expect(user).toMatchObject({
    userName: 'reader@acme.example',
    name: { formatted: 'Reader' },
    displayName: 'Reader',
    emails: [{ value: 'reader@acme.example', type: 'work', primary: true }],
    active: true,
  });
  expect(await scim.find('Users', 'displayName eq "Reader" and emails.value eq "READER@acme.example"')).toHaveLength(1);
});
