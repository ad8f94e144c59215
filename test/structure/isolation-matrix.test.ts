import { afterAll, expect, test } from 'vitest';
import type { Route } from '../../src/platform/http/route.ts';
import type { IdPrefix } from '../../src/platform/ids/ids.ts';
import type { Operation } from '../../src/platform/operation/operation.ts';
import { routes } from '../../src/routes.ts';
import { schema } from '../../src/schema.ts';
import type { RestAnswer } from '../client.ts';
import { administer } from '../database.ts';
import { isThorough } from '../how-thorough.ts';
import { world } from '../world.ts';
import {
  callMutation,
  callRoute,
  idsFor,
  innerIdsOf,
  isDeletion,
  kindOfParameter,
  parametersOf,
  prefixOfMember,
  RESULTS,
  withInnerId,
} from './calls.ts';
import { fingerprintOf } from './fingerprint.ts';
import { absentIds, furnish, type Ids } from './furnish.ts';
import { findOperations } from './operations.ts';
import { type Expected, expectedOf, type Principal, permissionOf, principalsOf } from './principals.ts';
import { openFields, selectField } from './selections.ts';

/*
 * Every operation of both transports, as every kind of principal. What to expect comes from the table `permissions`: an
 * operation that is added there is part of the matrix.
 */

const here = await world();
const { admin, outsider, organizationId, otherOrganizationId, databaseUrl } = here;
const ids = await furnish(admin, organizationId);
const foreign = await furnish(outsider, otherOrganizationId);
const principals = await principalsOf(here);
const mutations = (await findOperations())
  .map(({ operation }) => operation)
  .filter(
    ({ kind, operationName }) => kind === 'command' && operationName in (schema.getMutationType()?.getFields() ?? {}),
  );

/** Operations whose table entry says more than their answer here, and why. */
const LEFT_OUT: Record<string, string> = {
  startImportRun: 'its body names the space; the request here names none',
  redeliverWebhookEvent: 'nothing was delivered here',
};

/** Operations that need more than their own line, on the objects that are here. */
const LINE: Record<string, string> = { updateChangeRequest: 'updateForeignChangeRequest' };

/** Bodies of requests that do nothing, and therefore require nothing, or are not valid without them. */
const BODIES: Record<string, object> = {
  updateComment: { resolved: true },
  updateCommentReply: { addedReactions: ['👍'] },
  setBreakGlass: { breakGlass: true },
  getComputedDocument: {
    source: { type: 'builtin:translation', props: { space: ids.space, document: ids.doc } },
    seed: '',
  },
  searchSiteContent: { query: 'pixel' },
  getPublishedContent: { url: ids.publishedUrl },
  exportTranslation: { format: 'xliff' },
};

/** Queries that are refused here even to those who may use them, and why. */
const REFUSED: Record<string, string> = {
  getComputedRevision: 'all its sources depend on what this service does not have yet',
  getSpaceEmbed: 'the address is one of a private network',
  exportTranslation: 'no run of the translation has been completed',
};

/** Principals of whom the rules treat none unlike the others. */
const ALIKE = [
  ['a token that is none', 'a revoked token', 'an expired token'],
  ['an outsider', 'a disabled member'],
  ['a guest', 'a guest with a grant elsewhere'],
];
const MEMBERS = principals.filter(({ membership }) => membership?.role);
let turns = 0;

/**
 * Those who ask: `npm run test:thorough` asks as every principal. Other runs ask as one of those that are alike, and of
 * the members with a role, whose order is that of the roles, as those on both sides of where the expected answer
 * changes, the administrator, and one of the others. Who that is changes from operation to operation.
 */
function principalsFor(expectedBy: (principal: Principal) => Expected): Principal[] {
  if (isThorough) return principals;
  const turn = turns++;
  const answers = MEMBERS.map(expectedBy);
  const isAtBorder = (at: number) =>
    at === MEMBERS.length - 1 || answers[at] !== answers[at + 1] || (at > 0 && answers[at] !== answers[at - 1]);
  const alike = [...ALIKE, MEMBERS.filter((_, at) => !isAtBorder(at)).map(({ name }) => name)];
  return principals.filter(({ name }) => {
    const names = alike.find((each) => each.includes(name));
    return names === undefined || names[turn % names.length] === name;
  });
}

const answerTo = (operationName: string, principal: Principal, isNamedAlone = false): Expected =>
  expectedOf(permissionOf(LINE[operationName] ?? operationName), principal, isNamedAlone);

const before = await fingerprintOf(databaseUrl);
let requests = 0;

/**
 * Requests of callers who may use an operation have this fault, so that nothing changes. It is reported after all
 * checks of access.
 */
const FAULT = 'x'.repeat(300);

const STATUS: Record<Exclude<Expected, 'allowed' | 'own'>, number> = {
  UNAUTHENTICATED: 401,
  NOT_FOUND: 404,
  FORBIDDEN: 403,
};

const cased = <Item>(items: Item[], name: (item: Item) => string) => items.map((item) => [name(item), item] as const);

const inTable = routes.filter(({ operation }) => operation && !(operation.operationName in LEFT_OUT));

/** The ids that a request to a route contains, which an error may repeat. */
const idsOfPath = (route: Route): string =>
  parametersOf(route)
    .map((name) => idOfParameter(route, name))
    .join(' ');

function idOfParameter(route: Route, name: string): string | undefined {
  const kind = kindOfParameter(route, name);
  return kind && idsFor(route, ids)[kind];
}

/** Whether the path has ids of objects that exist; of others nobody sees more than that they are absent. */
const isFurnished = (route: Route) => parametersOf(route).every((name) => idOfParameter(route, name) !== undefined);

/**
 * Whether a principal who does not see the target sees what it is in: nothing, or an organization of which it is a
 * member.
 */
const seesParent = (route: Route, { membership }: Principal) => {
  const above = parametersOf(route).slice(0, -1);
  return above.length === 0 || (above.join() === 'organizationId' && membership !== undefined);
};

/** The statuses that a route may answer. */
function statusesOf(route: Route, expected: Expected, principal: Principal): number[] {
  const { method, operation } = route;
  if (expected === 'own') return [200, 204, 400, 403, 404];
  if (expected === 'allowed') {
    // Commands have a fault.
    const found = operation?.kind === 'query' && !(operation.operationName in REFUSED) ? [200] : [400];
    return isFurnished(route) ? found : [...found, 404, ...(method === 'DELETE' ? [204] : [])];
  }
  // What somebody does not see is as good as deleted.
  if (expected === 'NOT_FOUND' && method === 'DELETE' && seesParent(route, principal)) return [204];
  // Of an absent object below a visible one, weaker roles may learn that it is absent.
  if (expected === 'FORBIDDEN' && !isFurnished(route)) return [403, 404, ...(method === 'DELETE' ? [204] : [])];
  return [STATUS[expected]];
}

/** Texts of the content, and ids beside those of the request, which no answer to a stranger has. */
const SECRETS = ['Guide', 'Better words', 'Mind the gap', 'Shelf', 'pixel.png'];

function expectNothingTold(answer: RestAnswer, asked: string): void {
  const text = JSON.stringify(answer.body);
  for (const secret of SECRETS) expect(text).not.toContain(secret);
  for (const id of Object.values(ids)) {
    if (typeof id === 'string' && id.includes('_') && !asked.includes(id)) expect(text).not.toContain(id);
  }
}

const seesNothing = (expected: Expected) => expected === 'UNAUTHENTICATED' || expected === 'NOT_FOUND';
const isFaulty = (operation: Operation, expected: Expected) =>
  operation.kind === 'command' && (expected === 'allowed' || expected === 'own');

test.each(cased(inTable, ({ method, path }) => `${method} ${path}`))(
  '%s answers every principal by the table',
  async (_address, route) => {
    const operation = route.operation as Operation; // of these routes
    const expectedBy = (principal: Principal) =>
      answerTo(operation.operationName, principal, parametersOf(route).length === 1);
    const asked = principalsFor(expectedBy);
    const answers = await Promise.all(
      asked.map(async (principal) => {
        const expected = expectedBy(principal);
        const headers: Record<string, string> = isFaulty(operation, expected) ? { 'idempotency-key': FAULT } : {};
        const answer = await callRoute(principal.client, route, ids, BODIES[operation.operationName], headers);
        requests++;
        if (seesNothing(expected)) expectNothingTold(answer, idsOfPath(route));
        return [
          principal.name,
          statusesOf(route, expected, principal).includes(answer.status) || [expected, answer.status],
        ];
      }),
    );
    expect(answers).toEqual(asked.map(({ name }) => [name, true]));
  },
);

/** The code of a mutation's answer, or what else became of it. */
const codeOf = ({ body }: RestAnswer): string => body.errors?.[0]?.extensions?.code ?? 'allowed';

function codesOf(operation: Operation, expected: Expected): string[] {
  if (expected === 'own') return ['BAD_USER_INPUT', 'FORBIDDEN', 'NOT_FOUND'];
  if (expected === 'allowed') return ['BAD_USER_INPUT', 'NOT_FOUND'];
  if (expected === 'NOT_FOUND' && isDeletion(operation.operationName)) {
    // What is removed from a target that is absent has none to be removed from.
    return idMembers(operation).length > 1 ? ['allowed', 'NOT_FOUND'] : ['allowed'];
  }
  if (expected === 'FORBIDDEN') return ['FORBIDDEN', 'NOT_FOUND'];
  return [expected];
}

/** Ids by the members of an input, down to the first level. */
const idMembers = (operation: Operation) =>
  Object.keys(operation.input.shape).flatMap((name) => {
    const prefix = prefixOfMember(operation, name);
    return prefix ? [{ name, prefix }] : [];
  });

const idsOfInput = (operation: Operation) =>
  idMembers(operation)
    .map(({ prefix }) => ids[prefix])
    .join(' ');

const isKnown = (operation: Operation) => idMembers(operation).every(({ prefix }) => ids[prefix] !== undefined);

const inGraph = mutations.filter(({ operationName }) => !(operationName in LEFT_OUT));

test.each(cased(inGraph, ({ operationName }) => operationName))(
  'the mutation %s answers every principal by the table',
  async (_name, operation) => {
    const expectedBy = (principal: Principal) => answerTo(operation.operationName, principal, true);
    const asked = principalsFor(expectedBy);
    const answers = await Promise.all(
      asked.map(async (principal) => {
        const expected = expectedBy(principal);
        const given = isFaulty(operation, expected) ? { idempotencyKey: FAULT } : {};
        const answer = await callMutation(principal.client, operation, ids, {
          ...BODIES[operation.operationName],
          ...given,
        });
        requests++;
        const code = codeOf(answer);
        if (seesNothing(expected)) expectNothingTold(answer, idsOfInput(operation));
        if (code === 'allowed') expect(answer.body.data[operation.operationName].deletedId).toBe(null);
        // Objects that do not exist here are absent for everybody.
        const codes = codesOf(operation, expected).filter(
          (each) => !isKnown(operation) || expected === 'own' || each !== 'NOT_FOUND' || expected === 'NOT_FOUND',
        );
        return [principal.name, codes.includes(code) || [expected, code]];
      }),
    );
    expect(answers).toEqual(asked.map(({ name }) => [name, true]));
  },
);

/** Types with a lookup in the graph, and the permission that reads them. */
const LOOKUPS = [
  ['organization', 'org', 'Organization', 'getOrganization'],
  ['space', 'space', 'Space', 'getSpace'],
  ['collection', 'collection', 'Collection', 'getCollection'],
  ['changeRequest', 'cr', 'ChangeRequest', 'getChangeRequest'],
] as const;

/** A query for everything of a type, two levels deep. */
function queryOf(lookup: string, typeName: string, id: string | undefined): string {
  const type = schema.getType(typeName) as Parameters<typeof openFields>[0]; // one with fields
  const selected = openFields(type).map((field) => selectField(field, 1));
  return `{ found: ${lookup}(id: "${id}") { ${selected.join(' ')} } }`;
}

const strangers = principals.filter((principal) => seesNothing(answerTo('getSpace', principal)));

test.each(LOOKUPS)(
  'the lookup %s shows nothing to those who do not see the object',
  async (lookup, prefix, typeName, operationName) => {
    for (const principal of strangers) {
      const expected = answerTo(operationName, principal);
      if (!seesNothing(expected)) continue;
      const { body } = await principal.client.graphqlRaw(queryOf(lookup, typeName, ids[prefix]));
      requests++;
      const codes = (body.errors ?? []).map((error: { extensions: { code: string } }) => error.extensions.code);
      const found = expected === 'UNAUTHENTICATED' ? ['UNAUTHENTICATED'] : [];
      expect([principal.name, body.data?.found ?? null, codes]).toEqual([principal.name, null, found]);
    }
  },
);

/**
 * No list, count or search of the organization has what guests were not granted, and applications are not limited to,
 * but for what is published.
 */
test.each(
  principals
    .filter(({ membership, spaceIds }) => membership?.role === null || spaceIds)
    .map((principal) => [principal.name, principal] as const),
)(
  'lists, counts, search and events show nothing of the content to %s',
  async (_name, { client, spaceIds }: Principal) => {
    const { body: open } = await admin.post('/v1/urls/published', { url: ids.publishedUrl });
    const visible = [...(spaceIds ?? (await contentIdsOf(client))), open.space].sort();
    const { body } = await client.graphqlRaw(`{ organization(id: "${organizationId}") {
      spaces { totalCount nodes { id title } } collections { totalCount nodes { id title } }
      changeRequests(status: ALL) { totalCount nodes { id subject } }
      search(query: "pixel") { nodes { title } }
      importRuns { totalCount nodes { id } }
      events { totalCount nodes { id } }
    } }`);
    requests++;
    const { organization } = body.data;
    expect(organization.spaces.totalCount).toBe(visible.length);
    expect(organization.spaces.nodes.map(({ id }: { id: string }) => id).sort()).toEqual(visible);
    expect([organization.collections.totalCount, organization.changeRequests.totalCount]).toEqual([0, 0]);
    expect([organization.search.nodes, organization.importRuns.nodes, organization.events]).toEqual([[], [], null]);
    expectNothingTold({ status: 200, headers: new Headers(), body }, organizationId);
  },
);

async function contentIdsOf({ userId }: { userId: string }): Promise<string[]> {
  const rows = await here.app.services.db
    .selectFrom('grant')
    .where('granteeId', '=', userId)
    .select('targetId')
    .execute();
  return rows.map(({ targetId }) => targetId);
}

/** Ids of a path, each replaced by one of another organization. */
const mixed = inTable.flatMap((route) => {
  const names = parametersOf(route);
  const replaced = names.flatMap((name) => {
    const prefix = kindOfParameter(route, name);
    const isId =
      prefix !== undefined && prefix !== 'path' && prefix !== 'specSlug' && prefix !== 'hostname' && prefix !== 'user';
    return isId && ids[prefix] !== undefined && foreign[prefix] !== undefined ? [{ route, name, prefix }] : [];
  });
  return names.length > 1 ? replaced : [];
});

/** Ids that two organizations can have in common: they are made from the content, or numbered. */
const isShared = (prefix: IdPrefix) => ids[prefix] === foreign[prefix];

test.each(
  mixed
    .filter(({ prefix }) => !isShared(prefix))
    .map((each) => [`${each.route.method} ${each.route.path}`, each.name, each] as const),
)('%s finds nothing with a foreign %s', async (_address, _name, { route, prefix }) => {
  const swapped: Ids = { ...ids, [prefix]: foreign[prefix] };
  if (ids.inChangeRequest && prefix in ids.inChangeRequest) {
    swapped.inChangeRequest = { ...ids.inChangeRequest, [prefix]: foreign.inChangeRequest?.[prefix] };
  }
  const { status } = await callRoute(admin, route, swapped, BODIES[route.operation?.operationName ?? '']);
  requests++;
  // An absent object below one that is visible is as good as deleted.
  expect(route.method === 'DELETE' ? [204, 404] : [404]).toContain(status);
});

/** Operations for which an id is the key to an organization, whoever has it, and the member with that id. */
const KEYS: Record<string, string> = { joinWithLinkInvite: 'inviteId', acceptInvite: 'inviteId' };

/** Members of mutations that name something of another organization, beside ids of the own one. */
const pairs = inGraph
  .filter((operation) => idMembers(operation).length > 1)
  .flatMap((operation) =>
    idMembers(operation)
      .filter(({ prefix }) => prefix !== 'user' && foreign[prefix] !== undefined && !isShared(prefix))
      .map(({ name, prefix }) => [operation.operationName, name, operation, foreign[prefix]] as const),
  );

/** All ids of an input, of objects that belong together. */
function ownIds(operation: Operation): Record<string, string | undefined> {
  const members = idMembers(operation);
  const there = members.some(({ name }) => name === 'changeRequestId') ? { ...ids, ...ids.inChangeRequest } : ids;
  return Object.fromEntries(members.map(({ name, prefix }) => [name, there[prefix]]));
}

test.each(pairs)('the mutation %s accepts no foreign %s', async (operationName, member, operation, id) => {
  const isKey = KEYS[operationName] === member;
  const answers = [
    await callMutation(admin, operation, ids, { ...ownIds(operation), [member]: id }),
    // The id alone, with what the input requires.
    ...(isKey ? [] : [await callMutation(admin, operation, ids, { ...BODIES[operationName], [member]: id }, false)]),
    ...(isKey ? [] : [await callMutation(admin, operation, ids, { ...BODIES[operationName], [member]: id })]),
  ];
  for (const answer of answers) {
    requests++;
    const code = codeOf(answer);
    if (code === 'allowed') expect(answer.body.data[operationName].deletedId).toBe(null);
    else expect(['NOT_FOUND', 'BAD_USER_INPUT']).toContain(code);
  }
});

/** What makes inputs valid where the example of a member is none that it accepts. */
const VALID: Record<string, object> = {
  grantPermission: { role: 'READ' },
  createSiteRedirect: { source: '/new' },
};

/** What makes parts of inputs valid, for mutations that answer for each part. */
const VALID_PARTS: Record<string, { member: string; part: object }> = {
  upsertSiteRedirects: { member: 'redirects', part: { source: '/new' } },
};

/** Adds what makes the parts of an input valid. */
function withValidParts(operationName: string, given: Record<string, unknown>): Record<string, unknown> {
  const { member, part } = VALID_PARTS[operationName] ?? {};
  if (member === undefined) return given;
  return { ...given, [member]: (given[member] as object[]).map((each) => ({ ...each, ...part })) };
}

/** What makes changes of content valid that take one of several members. */
const VALID_CHANGES: Record<string, object> = { editPageSection: { anchor: 'a', delete: true } };

/** Adds what makes the changes of an input valid. */
function withValidChanges(given: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(given.changes)) return given;
  const changes = (given.changes as Record<string, object>[]).map((change) =>
    Object.fromEntries(Object.entries(change).map(([kind, members]) => [kind, { ...VALID_CHANGES[kind], ...members }])),
  );
  return { ...given, changes };
}

/** What a mutation says that refuses an id inside its input: in an error, or else in the results of all parts. */
function refusalIn({ operationName }: Operation, answer: RestAnswer): string {
  if (operationName in RESULTS && codeOf(answer) === 'allowed') {
    const { results } = answer.body.data[operationName];
    expect(results).toEqual([{ status: 'ERROR', error: expect.any(String) }]);
    return results[0].error;
  }
  expect(['NOT_FOUND', 'BAD_USER_INPUT']).toContain(codeOf(answer));
  const [{ message, extensions }] = answer.body.errors;
  return `${message} ${JSON.stringify(extensions.issues ?? [])}`;
}

/** Ids of another organization inside of inputs. */
const inner = inGraph.flatMap((operation) =>
  innerIdsOf(operation)
    .filter(({ prefix }) => prefix !== 'user' && foreign[prefix] !== undefined && !isShared(prefix))
    .map((innerId) => [operation.operationName, innerId.path.join('.'), operation, innerId] as const),
);

/** Targets of link pages are stored as they are given, like links in texts. Readers see what they can see of them. */
const isStored = (path: string) => path.includes('.targetReference.');

test.each(inner.filter(([, path]) => isStored(path)))(
  'the mutation %s stores a foreign %s like one of nothing',
  async (_operationName, path, operation, innerId) => {
    const answers = [foreign, absentIds].map(async ({ [innerId.prefix]: id = '' }) => {
      const [change = {}] = (withInnerId(operation, innerId, id, ids) as { changes: Record<string, object>[] }).changes;
      const changes = [
        { ...change, ...(change.insertPage && { insertPage: { ...change.insertPage, kind: 'LINK', title: 'x' } }) },
      ];
      const answer = await callMutation(admin, operation, ids, { changes, dryRun: true });
      requests++;
      const { requestId: _, ...extensions } = answer.body.errors?.[0]?.extensions ?? {};
      const isAllowed = codeOf(answer) === 'allowed';
      return { isAllowed, extensions, text: answer.body.errors?.[0]?.message.replaceAll(id, '<id>') };
    });
    const [real, nothing] = await Promise.all(answers);
    expect(real).toEqual(nothing);
    expect(real?.isAllowed).toBe(path.includes('insertPage'));
  },
);

test.each(inner.filter(([, path]) => !isStored(path)))(
  'the mutation %s accepts no foreign %s',
  async (operationName, _path, operation, innerId) => {
    const id = foreign[innerId.prefix] ?? '';
    const given = withValidChanges(withValidParts(operationName, withInnerId(operation, innerId, id, ids)));
    const answer = await callMutation(admin, operation, ids, { ...VALID[operationName], ...given });
    requests++;
    // Nothing else is wrong with the request.
    expect(refusalIn(operation, answer)).toMatch(new RegExp(`${id}|${innerId.path.at(-1)}`));
  },
);

test('nothing was changed by any of these requests', async () => {
  expect(await fingerprintOf(databaseUrl)).toEqual(before);
});

test('no requests that ran at the same time met a deadlock', async () => {
  const [found] = await administer(
    databaseUrl,
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  expect(found).toEqual({ deadlocks: 0 });
});

test('the exceptions are operations', () => {
  const names = routes.map(({ operation }) => operation?.operationName);
  for (const name of Object.keys({ ...LEFT_OUT, ...REFUSED })) expect(names).toContain(name);
  expect(absentIds.space).not.toBe(ids.space);
});

afterAll(() => {
  if (process.env.SHOW_MATRIX) process.stdout.write(`${requests} requests of ${principals.length} principals\n`);
});
