import { afterAll, expect, test } from 'vitest';
import { nodePrefixes } from '../../src/platform/graphql/node.ts';
import type { Route } from '../../src/platform/http/route.ts';
import { type IdPrefix, newId, PREFIXES } from '../../src/platform/ids/ids.ts';
import type { Operation } from '../../src/platform/operation/operation.ts';
import { routes } from '../../src/routes.ts';
import { schema } from '../../src/schema.ts';
import { Client, type RestAnswer } from '../client.ts';
import { isThorough, sampled } from '../how-thorough.ts';
import { tokenOfApplication } from '../people/oauth/application-row.ts';
import { world } from '../world.ts';
import {
  callMutation,
  callRoute,
  idsFor,
  innerIdsOf,
  kindOfParameter,
  parametersOf,
  prefixOfMember,
  withInnerId,
} from './calls.ts';
import { fingerprintOf } from './fingerprint.ts';
import { absentIds, furnish, type Ids } from './furnish.ts';
import { findOperations } from './operations.ts';
import { newMember, principalsOf } from './principals.ts';

/*
 * Where a caller cannot read an object, an operation that names it answers as for an id of nothing: with the same
 * status, code, message and headers, whatever else is in the request. So no answer tells whether the object exists.
 */

/**
 * Those of the principals that differ in what they see. Tokens that are not valid are refused before anything is read,
 * like no token.
 */
const PRINCIPALS = [
  'no token',
  'an outsider',
  'a disabled member',
  'a guest',
  'a reader',
  'a creator',
  'an application of an administrator that is limited to another space',
];

const here = await world();
const { admin, organizationId, databaseUrl, app, url } = here;
const furnished = await furnish(admin, organizationId);
const ids: Ids = { ...furnished, delivery: await deliveryTo(furnished.webhook ?? '') };
const callers = await callersOf();
const before = await fingerprintOf(databaseUrl);
let compared = 0;

type Kind = Exclude<keyof Ids, 'inChangeRequest' | 'publishedUrl'>;

const absent: Ids = { ...absentIds, path: 'nowhere', specSlug: 'no-such-slug', hostname: 'docs.nothing.example.com' };

/** Kinds that `node` does not find, and the kind of what shows them. */
const SHOWN_BY: Partial<Record<Kind, IdPrefix>> = {
  path: 'page',
  specSlug: 'openapi',
  hostname: 'site',
  delivery: 'webhook',
};

/** Operations that an id is the key to, whoever has it, and why. */
const KEYS: Record<string, string> = {
  joinWithLinkInvite: 'the id of an invite link is the secret that lets its owner join',
};

/** Nothing delivers here: the delivery is one that was made for an event of the organization. */
async function deliveryTo(webhookId: string): Promise<string> {
  const [event] = await here.eventsBy();
  const delivery = { id: newId('delivery'), organizationId, webhookId, eventId: event?.id ?? '' };
  await app.services.db.insertInto('webhook_delivery').values(delivery).execute();
  return delivery.id;
}

interface Caller {
  name: string;
  client: Client;
}

async function callersOf(): Promise<Caller[]> {
  const principals = (await principalsOf(here)).filter(({ name }) => PRINCIPALS.includes(name));
  expect(principals).toHaveLength(PRINCIPALS.length);
  const { body: published } = await admin.post('/v1/urls/published', { url: ids.publishedUrl });
  const spaceAdmin = await newMember(here, { role: null });
  await here.grant(ids.space ?? '', spaceAdmin.userId, 'admin');
  const teamOwner = await newMember(here, { role: null });
  const owners = { teamId: ids.team, userId: teamOwner.userId, role: 'OWNER' };
  await admin.mutate('addTeamMember', owners, 'team { id }');
  const elsewhere = { organizationId: here.otherOrganizationId, userId: admin.userId, role: 'admin' as const };
  await app.services.db
    .insertInto('membership')
    .values({ id: newId('member'), ...elsewhere })
    .execute();
  const limited = { userId: admin.userId, organizationIds: [here.otherOrganizationId] };
  const application = new Client(url, await tokenOfApplication(app.services, limited), admin.userId);
  const within = { userId: admin.userId, organizationIds: [organizationId], spaceIds: [ids.space ?? ''] };
  const inSpace = new Client(url, await tokenOfApplication(app.services, within), admin.userId);
  return [
    ...principals.map(({ name, client }) => ({ name, client })),
    { name: 'an application of the admin that is limited to another organization', client: application },
    { name: 'an application of the admin that is limited to the space', client: inSpace },
    { name: 'a visitor of a site', client: new Client(url, published.apiToken) },
    { name: 'a guest who is admin of the space', client: spaceAdmin },
    { name: 'a guest who owns the team', client: teamOwner },
  ];
}

const nodes = new Set<string>(nodePrefixes());

/** What lives in revisions has a node id for each of them. */
const nodeIdOf = (kind: string, id: string) =>
  ['page', 'file', 'reusable', 'doc'].includes(kind) ? `${id}-at-${ids.rev}` : id;

const readings = new Map<string, Promise<boolean>>();

/** Whether the caller can read an object by its id. */
function sees({ name, client }: Caller, kind: Kind, there: Ids): Promise<boolean> {
  const shownBy = SHOWN_BY[kind] ?? kind;
  const id = nodeIdOf(shownBy, there[shownBy] ?? '');
  const key = `${name} ${id}`;
  const reading = readings.get(key) ?? seesNode(client, id);
  readings.set(key, reading);
  return reading;
}

async function seesNode(client: Client, id: string): Promise<boolean> {
  const { body } = await client.graphqlRaw('query ($id: ID!) { node(id: $id) { id } }', { id });
  return body.data?.node != null;
}

/** An answer without what differs between two requests, which name objects of a kind. */
function comparable({ status, headers, body }: RestAnswer, kind: Kind, there: Ids): unknown {
  const names = [...headers.keys()].filter((name) => !VARIES.test(name)).sort();
  const given = [ids[kind], there[kind], absent[kind]];
  const text = given.reduce<string>((rest, id) => (id ? rest.replaceAll(id, '<id>') : rest), JSON.stringify(body));
  return { status, names, body: text.replaceAll(/"requestId":"[^"]*"/g, '') };
}

/** Headers that do not depend on what is asked for. */
const VARIES = /^(connection|keep-alive|date|content-length|server-timing|x-ratelimit-.*)$/;

/** The same request for an object that is there and for none. */
interface Pair {
  what: string;
  kind: Kind;
  /** The ids that are there, by the route. */
  there: Ids;
  ask(client: Client, id: string): Promise<RestAnswer>;
  /** Only members of the organization get as far as to the id. */
  isInner?: true;
}

/** `npm run test:thorough` asks with every caller, other runs with every eighth, who changes from pair to pair. */
const every = isThorough ? 1 : 8;
let turns = 0;

/** Differences between the answers for objects that the callers do not see and those for absent ones. */
async function differencesOf(pairs: readonly Pair[], asked: readonly Caller[] = callers): Promise<unknown[]> {
  const turn = turns++;
  const found = asked.map(async (caller, at) => {
    const differences: unknown[] = [];
    const isMember = await sees(caller, 'org', ids);
    for (const [index, { what, kind, there, ask, isInner }] of pairs.entries()) {
      if ((turn + index + at) % every !== 0) continue;
      if (isInner && !isMember) continue;
      const [id, none] = [there[kind], absent[kind]];
      if (id === undefined || none === undefined || (await sees(caller, kind, there))) continue;
      const real = comparable(await ask(caller.client, id), kind, there);
      const nothing = comparable(await ask(caller.client, none), kind, there);
      compared++;
      if (JSON.stringify(real) !== JSON.stringify(nothing)) {
        differences.push({ caller: caller.name, what, kind, real, nothing });
      }
    }
    return differences;
  });
  return (await Promise.all(found)).flat();
}

const withId = (there: Ids, kind: Kind, id: string): Ids => ({
  ...there,
  [kind]: id,
  inChangeRequest: {
    ...there.inChangeRequest,
    ...(there.inChangeRequest && kind in there.inChangeRequest && { [kind]: id }),
  },
});

/**
 * Requests to a route. Writes: with nothing but ids, and with a body that is not valid and a version that nothing has.
 */
function pairsOfRoute(route: Route): Pair[] {
  const there = idsFor(route, ids);
  const kinds = parametersOf(route).flatMap((name) => kindOfParameter(route, name) ?? []);
  const ways: [what: string, body: unknown, headers: Record<string, string>][] =
    route.method === 'GET'
      ? [['read', undefined, { 'if-none-match': '*' }]]
      : [
          ['plain', undefined, {}],
          ['not valid', { title: 1 }, { 'if-match': '"none"' }],
        ];
  return [...new Set(kinds)].flatMap((kind) =>
    ways.map(([what, body, headers]) => ({
      what,
      kind,
      there,
      ask: (client: Client, id: string) => callRoute(client, route, withId(ids, kind, id), body, headers),
    })),
  );
}

const isKey = (name: string | undefined) => name !== undefined && name in KEYS;

const addressed = routes
  .filter((route) => route.operation && !isKey(route.operation.operationName) && parametersOf(route).length > 0)
  .map((route) => [`${route.method} ${route.path}`, route] as const);

test.each(sampled(addressed, 2))(
  '%s answers for what the caller cannot see as for nothing',
  async (_address, route) => {
    expect(await differencesOf(pairsOfRoute(route))).toEqual([]);
  },
);

const mutationFields = schema.getMutationType()?.getFields() ?? {};
const mutations = (await findOperations())
  .map(({ operation }) => operation)
  .filter(({ operationName }) => operationName in mutationFields && !isKey(operationName));

/** What a member of an input names, if it names an object. */
const kindOfMember = (operation: Operation, name: string): Kind | undefined =>
  prefixOfMember(operation, name) ?? ({ hostname: 'hostname', slug: 'specSlug' } as const)[name];

/** Ids that the input of a mutation names, and those inside of it. */
function pairsOfMutation(operation: Operation): Pair[] {
  const members = Object.keys(operation.input.shape).flatMap((name) => {
    const kind = kindOfMember(operation, name);
    return kind ? [{ name, kind }] : [];
  });
  const there = members.some(({ name }) => name === 'changeRequestId') ? { ...ids, ...ids.inChangeRequest } : ids;
  const own = Object.fromEntries(members.map(({ name, kind }) => [name, there[kind]]));
  const faulty = { idempotencyKey: 'x'.repeat(300), ...(operation.versioned && { expectedVersion: 'none' }) };
  const ways: [what: string, given: object, isTargeted: boolean][] = [
    ['alone', {}, false],
    ['alone, not valid', faulty, false],
    ...(members.length > 1 ? [['with the others', own, true] as [string, object, boolean]] : []),
  ];
  const outer = members.flatMap(({ name, kind }) =>
    ways.map(([what, given, isTargeted]) => ({
      what: `${name} ${what}`,
      kind,
      there,
      ask: (client: Client, id: string) => callMutation(client, operation, ids, { ...given, [name]: id }, isTargeted),
    })),
  );
  const inner = innerIdsOf(operation).map((innerId) => ({
    what: innerId.path.join('.'),
    kind: innerId.prefix,
    there: ids,
    isInner: true as const,
    ask: (client: Client, id: string) => callMutation(client, operation, ids, withInnerId(operation, innerId, id, ids)),
  }));
  return [...outer, ...inner];
}

test.each(sampled(mutations, 2).map((operation) => [operation.operationName, operation] as const))(
  'the mutation %s answers for what the caller cannot see as for nothing',
  async (_name, operation) => {
    expect(await differencesOf(pairsOfMutation(operation))).toEqual([]);
  },
);

/** Kinds of which there is none here, and why. */
const MISSING: Record<string, string> = {
  event: 'no operation names one; subscriptions only continue after one',
  installation: 'there are no integrations yet',
  integration: 'there are no integrations yet',
  openapioperation: 'operations name the version that it is in',
  openapischema: 'operations name the version that it is in',
  translationreview: 'completed runs make them, and none completes here',
};

test('there is an object of each kind, and a caller who does not see it', async () => {
  const kinds = Object.keys(PREFIXES).filter((kind) => ids[kind as IdPrefix] === undefined);
  expect(kinds.sort()).toEqual(Object.keys(MISSING).sort());
  for (const kind of nodes) {
    const isHidden = await Promise.all(callers.map(async (caller) => !(await sees(caller, kind as IdPrefix, ids))));
    expect([kind, isHidden.includes(true)]).toEqual([kind, true]);
  }
});

test('none of these requests changed anything', async () => {
  expect(await fingerprintOf(databaseUrl)).toEqual(before);
});

test('a blocked organization does not tell more', { timeout: 300_000 }, async () => {
  const members = callers.filter(({ name }) => ['a guest', 'a reader'].includes(name));
  await app.services.db
    .updateTable('organization')
    .set({ blocked: JSON.stringify({ reason: 'It is tested' }) as never })
    .where('id', '=', organizationId)
    .execute();
  const whileBlocked = await fingerprintOf(databaseUrl);
  for (const [, route] of addressed) expect(await differencesOf(pairsOfRoute(route).slice(0, 1), members)).toEqual([]);
  for (const operation of mutations) expect(await differencesOf(pairsOfMutation(operation), members)).toEqual([]);
  expect(await fingerprintOf(databaseUrl)).toEqual(whileBlocked);
});

afterAll(() => {
  if (process.env.SHOW_MATRIX) process.stdout.write(`${compared} pairs of requests of ${callers.length} callers\n`);
});
