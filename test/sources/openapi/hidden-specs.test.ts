import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { Client } from '../../client.ts';
import { zipOf } from '../../content/import-engine/arrange.ts';
import { Application, allow, makeVerifier, signedIn } from '../../people/oauth/application.ts';
import { freePort } from '../../people/sso/identity-provider.ts';
import { siteWith } from '../../publishing/arrange.ts';
import { visitorOf } from '../../publishing/visiting.ts';
import { world } from '../../world.ts';
import { gitServer, sync } from '../git/arrange.ts';
import { translating } from '../translations/arrange.ts';
import { pets, specifying } from './arrange.ts';

// What an organization has is its own: whoever acts in one space, without a role in the organization, reaches through
// sources and blocks only what is public, and what the content of the space refers to already.

const port = await freePort();
const here = await world({
  WORKERS: '1',
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  ALLOW_PRIVATE_NETWORK: '1',
});
const { app, url, admin, editor, reader, guest, anonymous, organizationId, grant } = here;
const { put, all } = specifying(here);
const { makeSpace, create, work } = translating(here);
const server = await gitServer();

const SECRET = 'Left-handed bolts';
const [HIDDEN, ABSENT, OPEN, USED] = ['billing-internal', 'absent', 'open', 'used'];

const reference = (spec: string) => ({ kind: 'openapi', spec });
const openApi = (spec: string, props = {}) => ({
  type: 'builtin:openapi',
  props,
  dependencies: { spec: { ref: reference(spec) } },
});
const translation = (id: string) => ({
  type: 'builtin:translation',
  props: {},
  dependencies: { translation: { ref: { kind: 'translation', translation: id } } },
});

/** A block of each type that shows a specification. */
const BLOCKS: Record<string, (spec: string) => string> = {
  'openapi-operation': (spec) => `{% openapi-operation spec="${spec}" path="/pets" method="get" %}`,
  'openapi-webhook': (spec) => `{% openapi-webhook spec="${spec}" name="petBorn" method="post" %}`,
  'openapi-schemas': (spec) => `{% openapi-schemas spec="${spec}" schemas="Pet" %}`,
};

let spaceId: string;
let editedId: string;
let hidden: { translationId: string; spaceId: string; documentId: string };
/** Callers who act in the space alone, and those who only read it. */
let writers: [name: string, client: Client][];
let readers: [name: string, client: Client][];

async function limitedTo(space: string): Promise<Client> {
  const robot = await Application.register(url);
  const verifier = makeVerifier();
  const browser = await signedIn(url, editor.token);
  const scope = 'read comment propose write merge';
  const form = { reach: 'spaces', [`in_${space}`]: 'yes' };
  const back = await allow(browser, robot.addressFor(verifier, { scope }), form);
  const { body } = await robot.exchange(back.searchParams.get('code') ?? '', verifier);
  return new Client(url, body.access_token, editor.userId);
}

beforeAll(async () => {
  const text = pets({
    info: { title: SECRET, version: '1', description: SECRET },
    webhooks: { petBorn: { post: { description: SECRET, responses: {} } } },
  });
  for (const slug of [HIDDEN, OPEN, USED]) await put(slug, { text });
  expect((await admin.patch(`${all}/${OPEN}`, { visibility: 'public' })).status).toBe(200);
  spaceId = (await admin.mutate('createSpace', { organizationId, title: 'Docs', empty: true }, 'space { id }')).space
    .id;
  const changes = [
    { insertPage: { title: 'Written', document: { markdown: 'Words.' } } },
    {
      insertPage: {
        title: 'Uses',
        document: {
          markdown: Object.values(BLOCKS)
            .map((of) => of(USED))
            .join('\n\n'),
        },
      },
    },
  ];
  [editedId] = (await admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds')).pageIds;
  const made = await makeSpace({ One: 'Penguins swim.' });
  const { translationId, translatedId } = await create(made.spaceId, 'fr');
  await work(translationId);
  const page = (await admin.get(`/v1/spaces/${made.spaceId}/content/page/${made.pageIds.One}`)).body;
  hidden = { translationId, spaceId: made.spaceId, documentId: page.documentId };
  for (const id of [made.spaceId, translatedId]) await admin.patch(`/v1/spaces/${id}`, { defaultLevel: null });
  await grant(spaceId, guest.userId, 'create');
  const site = await siteWith(admin, organizationId, { title: 'Help', visibility: 'public', spaces: [spaceId] });
  expect((await admin.post(`${site.path}/publish`)).status).toBeLessThan(300);
  writers = [
    ['guest', guest],
    ['limited application', await limitedTo(spaceId)],
  ];
  readers = [...writers, ['visitor', await visitorOf(app, url, site.id)], ['anonymous', anonymous]];
});

test('all kinds of sources and types of blocks are among the cases below', () => {
  const src = (path: string) => readFileSync(join(import.meta.dirname, '../../../src', path), 'utf8');
  const registered = src('app.ts').matchAll(/^register(?:ComputedSource|BlockSource)\((\w+)\)/gm);
  expect([...registered].map(([, name]) => name)).toEqual(['openApiPages', 'translatedPages', 'openApiBlocks']);
  const [, types = ''] = /types: \[(.*)\],/.exec(src('domain/sources/openapi/pages/openapi-blocks.ts')) ?? [];
  expect(types.split(', ').map((type) => type.slice(1, -1))).toEqual(Object.keys(BLOCKS));
});

test('a source that names something hidden answers like one that names nothing', async () => {
  const compute = async (client: Client, what: string, source: object) => {
    const { status, body } = await client.post(`/v1/spaces/${spaceId}/content/computed/${what}`, { source, seed: '' });
    return [status, body.error?.message ?? JSON.stringify(body)];
  };
  const { documentId } = hidden;
  for (const [name, client] of readers)
    for (const what of ['document', 'revision']) {
      for (const props of [{}, { doc: 'changelog' }, { doc: 'operations', page: 'pets' }]) {
        const [status, text] = await compute(client, what, openApi(HIDDEN, props));
        expect([name, what, status, text]).toEqual([
          name,
          what,
          ...(await compute(client, what, openApi(ABSENT, props))),
        ]);
        expect([status, text]).toEqual([400, expect.not.stringContaining(SECRET)]);
      }
      const translated = await compute(client, what, {
        ...translation(hidden.translationId),
        props: { document: documentId },
      });
      expect([name, ...translated]).toEqual([name, ...(await compute(client, what, translation('translation_1')))]);
      const original = (space: string) =>
        compute(client, what, { type: 'builtin:translation', props: { space, document: documentId } });
      expect([name, what, ...(await original(hidden.spaceId))]).toEqual([name, what, ...(await original('space_1'))]);
      expect((await original(hidden.spaceId))[0]).toBeGreaterThanOrEqual(400);
      for (const slug of [OPEN, USED])
        expect([name, (await compute(client, what, openApi(slug)))[0]]).toEqual([name, 200]);
    }
  expect((await compute(reader, 'document', openApi(HIDDEN)))[0]).toBe(200);
});

/** Changes that name a specification, in all ways in which content can. */
const changesWith = (spec: string): [name: string, change: object][] => [
  ...Object.entries(BLOCKS).map(([type, of]): [string, object] => [
    type,
    { insertPage: { title: type, document: { markdown: of(spec) } } },
  ]),
  ['a computed page', { insertPage: { kind: 'COMPUTED', title: 'API', computed: openApi(spec) } }],
  ['a link', { insertPage: { kind: 'LINK', title: 'API', target: reference(spec) } }],
  ['a computed content', { insertReusableContent: { title: 'API', computed: openApi(spec) } }],
  ['a content', { insertReusableContent: { title: 'API', document: { markdown: BLOCKS['openapi-schemas']?.(spec) } } }],
  [
    'an edited text',
    {
      editPageText: {
        pageId: editedId,
        edits: [{ find: 'Words.', replaceWith: `Words.\n\n${BLOCKS['openapi-schemas']?.(spec)}` }],
      },
    },
  ],
];

const codeOf = (client: Client, mutation: string, input: object) =>
  client.mutate(mutation, { ...input }, 'revision { id }').then(
    () => 'done',
    ({ code, message }) => {
      expect(message).not.toContain(SECRET);
      return code;
    },
  );

test('a specification that only `if` blocks show is hidden from readers who do not meet them', async () => {
  await put('conditional', { text: pets({ info: { title: SECRET, version: '1', description: SECRET } }) });
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Terms', empty: true }, 'space { id }');
  const block = BLOCKS['openapi-operation']?.('conditional') ?? '';
  const markdown = `Words.\n\n{% if visitor.claims.isBeta == true %}\n${block}\n{% endif %}\n`;
  await admin.mutate(
    'updateSpaceContent',
    { spaceId: space.id, changes: [{ insertPage: { title: 'Page', document: { markdown } } }] },
    'pageIds',
  );
  const site = await siteWith(admin, organizationId, { title: 'Terms', visibility: 'public', spaces: [space.id] });
  expect((await admin.post(`${site.path}/publish`)).status).toBeLessThan(300);
  const ask = async (client: Client, path: string) => {
    const body = { source: openApi('conditional'), seed: '' };
    return (await client.post(`/v1/spaces/${space.id}/content/computed/${path}`, body)).status;
  };
  for (const path of ['document', 'revision']) {
    expect([path, await ask(anonymous, path), await ask(admin, path)]).toEqual([path, 400, 200]);
  }
  expect((await anonymous.get(`${all}/conditional`)).status).toBeGreaterThanOrEqual(400);
});

test('content that names a hidden specification is not written, in the primary content nor in a change request', async () => {
  for (const [name, client] of writers) {
    const { changeRequest } = await client.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
    const places: [string, object][] = [
      ['updateSpaceContent', { spaceId, dryRun: true }],
      ['updateSpaceContent', { spaceId }],
      ['updateChangeRequestContent', { changeRequestId: changeRequest.id }],
    ];
    for (const [mutation, place] of places)
      for (const spec of [HIDDEN, ABSENT])
        for (const [way, change] of changesWith(spec)) {
          const code = await codeOf(client, mutation, { ...place, changes: [change] });
          expect([name, mutation, way, code]).toEqual([name, mutation, way, 'BAD_USER_INPUT']);
        }
    const page = {
      operation: 'insert_page',
      title: 'x',
      document: { markdown: BLOCKS['openapi-operation']?.(HIDDEN) },
    };
    const inRest = await client.post(`/v1/spaces/${spaceId}/content`, { changes: [page] });
    expect([name, inRest.status, inRest.body.error.message]).toEqual([
      name,
      400,
      expect.stringContaining('There is no OpenAPI specification "billing-internal" that you can use here'),
    ]);
  }
});

test('content can name public specifications, and those that the content of the space refers to already', async () => {
  for (const [name, client] of writers) {
    const { changeRequest } = await client.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
    for (const spec of [OPEN, USED])
      for (const [way, change] of changesWith(spec)) {
        const input = { changes: [change] };
        const primary = await codeOf(client, 'updateSpaceContent', { spaceId, dryRun: true, ...input });
        expect([name, way, primary]).toEqual([name, way, 'done']);
        // Each change is made once, since an edited text has its words once.
        if (spec === USED) {
          const proposed = await codeOf(client, 'updateChangeRequestContent', {
            changeRequestId: changeRequest.id,
            ...input,
          });
          expect([name, way, proposed]).toEqual([name, way, 'done']);
        }
      }
  }
  const [, change] = changesWith(HIDDEN)[0] ?? [];
  expect(await codeOf(editor, 'updateSpaceContent', { spaceId, dryRun: true, changes: [change] })).toBe('done');
});

test('a specification that a change request refers to can be used in it, and not yet elsewhere', async () => {
  await put('proposed', { text: pets() });
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const [first, second] = changesWith('proposed').map(([, change]) => change);
  const propose = (client: Client, change?: object) =>
    codeOf(client, 'updateChangeRequestContent', { changeRequestId: changeRequest.id, changes: [change] });
  expect(await propose(guest, first)).toBe('BAD_USER_INPUT');
  expect(await propose(editor, first)).toBe('done');
  expect(await propose(guest, second)).toBe('done');
  expect(await codeOf(guest, 'updateSpaceContent', { spaceId, changes: [second] })).toBe('BAD_USER_INPUT');
});

test('a preview shows no hidden specification', async () => {
  const query = `query ($spaceId: ID!, $markdown: String!) {
    previewMarkdown(spaceId: $spaceId, markdown: $markdown) { document(dereferenced: TRUE) }
  }`;
  for (const [name, client] of writers)
    for (const of of Object.values(BLOCKS)) {
      const shown = async (spec: string) => {
        const { body } = await client.graphqlRaw(query, { spaceId, markdown: of(spec) });
        return [body.errors?.[0]?.extensions.code, body.data?.previewMarkdown?.document !== undefined];
      };
      expect([name, ...(await shown(HIDDEN))]).toEqual([name, 'BAD_USER_INPUT', false]);
      expect([name, ...(await shown(ABSENT))]).toEqual([name, 'BAD_USER_INPUT', false]);
      for (const spec of [OPEN, USED]) expect([name, ...(await shown(spec))]).toEqual([name, undefined, true]);
    }
});

test('a conflict is not resolved by a block with a hidden specification', async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Both', empty: true }, 'space { id }');
  await grant(space.id, guest.userId, 'create');
  const write = (client: Client, change: object, changeRequestId?: string) =>
    changeRequestId === undefined
      ? client.mutate('updateSpaceContent', { spaceId: space.id, changes: [change] }, 'pageIds')
      : client.mutate('updateChangeRequestContent', { changeRequestId, changes: [change] }, 'pageIds');
  const { pageIds } = await write(admin, { insertPage: { title: 'Page', document: { markdown: 'First.' } } });
  const input = { spaceId: space.id };
  const { changeRequest } = await guest.mutate('createChangeRequest', input, 'changeRequest { id }');
  const updated = (markdown: string) => ({ updatePage: { pageId: pageIds[0], document: { markdown } } });
  await write(guest, updated('Our first.'), changeRequest.id);
  await write(admin, updated('Their first.'));
  const path = `/v1/spaces/${space.id}/change-requests/${changeRequest.id}/conflicts`;
  const [conflict] = (await guest.get(path)).body.items;
  const resolve = (spec: string) => {
    const resolutions = [{ conflictId: conflict.id, markdown: BLOCKS['openapi-operation']?.(spec) }];
    return codeOf(guest, 'resolveChangeRequestConflicts', { changeRequestId: changeRequest.id, resolutions });
  };
  expect(await resolve(HIDDEN)).toBe('BAD_USER_INPUT');
  expect(await resolve(OPEN)).toBe('done');
});

test('imports have the rights of whoever imports', async () => {
  const importBy = async (client: Client, spec: string, place = '') => {
    const bytes = await zipOf({ 'README.md': `# Imported\n\n${BLOCKS['openapi-operation']?.(spec)}\n` });
    const headers = { 'content-type': 'application/zip' };
    const uploaded = await client.send('POST', `/v1/orgs/${organizationId}/uploads?name=a.zip`, bytes, headers);
    expect(uploaded.status).toBe(201);
    const source = { url: uploaded.body.url, source: 'zip' };
    return (await client.post(`/v1/spaces/${spaceId}${place}/content/import`, source)).status;
  };
  expect(await importBy(guest, HIDDEN)).toBe(400);
  expect(await importBy(guest, USED)).toBe(201);
  expect(await importBy(guest, OPEN)).toBe(201);
});

test('a branch has the rights of whoever synchronizes it', async () => {
  const importing = async (client: Client, spec: string) => {
    const { space } = await admin.mutate('createSpace', { organizationId, title: 'Git', empty: true }, 'space { id }');
    await grant(space.id, guest.userId, 'create');
    const repository = await server.repository(`specs-${client.userId}-${spec}`);
    await repository.commit({ 'README.md': `# Home\n\n${BLOCKS['openapi-operation']?.(spec)}\n` });
    return (await sync(client, space.id, 'import', { url: repository.url })).status;
  };
  expect(await importing(guest, HIDDEN)).toBe('failed');
  expect(await importing(guest, OPEN)).toBe('completed');
  expect(await importing(admin, HIDDEN)).toBe('completed');
});
