import { expect, test } from 'vitest';
import type { z } from 'zod';
import { unwrap } from '../../src/platform/graphql/input.ts';
import { nodePrefixes } from '../../src/platform/graphql/node.ts';
import type { Route } from '../../src/platform/http/route.ts';
import { type IdPrefix, PREFIXES } from '../../src/platform/ids/ids.ts';
import type { Operation } from '../../src/platform/operation/operation.ts';
import { routes } from '../../src/routes.ts';
import { schema } from '../../src/schema.ts';
import { world } from '../world.ts';
import { callMutation, callRoute } from './calls.ts';
import { fingerprintOf } from './fingerprint.ts';
import { absentIds, furnish, type Ids } from './furnish.ts';
import { findOperations } from './operations.ts';
import { permissionOf } from './principals.ts';

/*
 * What the matrix (isolation-matrix.test.ts) does not ask: objects that do not exist, inputs that are not valid, and
 * ids of another organization. All of them must be answered alike.
 */

const { admin, anonymous, outsider, organizationId, otherOrganizationId, databaseUrl } = await world();
const ids = await furnish(admin, organizationId);
const operations = (await findOperations()).map(({ operation }) => operation);
const inGraph = schema.getMutationType()?.getFields() ?? {};
const mutations = operations.filter(({ kind, operationName }) => kind === 'command' && operationName in inGraph);

/** Routes that can be used without a token, and why (docs/decisions/people.md, Permissions). */
const OPEN: Record<string, string> = {
  getApiInformation: 'says what this service is, to those who have no token yet',
  downloadFile: 'the address itself is the key: it is signed and cannot be guessed',
  downloadPdf: 'the address itself is the key: it is signed and ends after an hour',
  receiveGitHook: 'providers have no token: a signature or the secret of the connection is the key',
  putUpload: 'the address itself is the key: it is signed, and expires',
  listSSOProviderLoginsInOrganization: 'sign-in pages need it before there is a token; it names no organization',
  acceptInvite: 'the secret in the body is the key: it works once, and expires',
  resolvePublishedContentByUrl: 'visitors of sites have no token; what is not published answers like what is absent',
  getPublishedContentByUrl: 'visitors of sites have no token; what is not published answers like what is absent',
  getOrganizationKeys: 'public keys, which are an empty set for an organization that does not exist',
};

/** Cases of `test.each`, each with a name to be shown. */
const byAddress = (found: Route[]) => found.map((route) => [`${route.method} ${route.path}`, route] as const);
const byName = (found: Operation[]) => found.map((operation) => [operation.operationName, operation] as const);

const guarded = routes.filter(({ operationId }) => !(operationId in OPEN));
const hasTarget = (name: string) =>
  ['organization', 'space', 'collection', 'site', 'content'].some((kind) => kind in permissionOf(name));

const before = await fingerprintOf(databaseUrl);

test.each(byAddress(guarded))(
  '%s refuses a caller without a token, whether or not its target exists',
  async (_address, route) => {
    const { status, body } = await callRoute(anonymous, route, absentIds);
    expect([status, body.error?.message]).toEqual([401, expect.stringMatching(/requires an access token/)]);
  },
);

/**
 * Open without an access token, but only to some callers: to visitors with a token of the site, and to signed hooks.
 */
const NEEDS_TOKEN = new Set(['getEmbedByUrlInSpace', 'receiveGitHook']);

test('public operations are routes, and reveal nothing about ids', async () => {
  for (const name of Object.keys(OPEN)) {
    const route = routes.find(({ operationId }) => operationId === name);
    expect([name, route !== undefined]).toEqual([name, true]);
    if (!route?.path.includes(':')) continue;
    const [known, absent] = [
      await callRoute(anonymous, route, ids, { secret: 'wrong' }),
      await callRoute(anonymous, route, absentIds, { secret: 'wrong' }),
    ];
    if (known.status === 200) expect([absent.status, absent.body]).toEqual([200, known.body]);
    else
      expect([name, known.status, absent.status]).toEqual([name, ...(NEEDS_TOKEN.has(name) ? [401, 401] : [404, 404])]);
  }
});

test.each(byName(mutations.filter(({ openToAnonymous }) => !openToAnonymous)))(
  '%s refuses a caller without a token, whether or not its target exists',
  async (_name, operation) => {
    for (const given of [ids, absentIds]) {
      const { body } = await callMutation(anonymous, operation, given);
      expect(body.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    }
  },
);

/** Root fields that read one object by its id. */
const lookups = Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap(({ name, args, type }) => {
  const prefix = Object.entries(PREFIXES).find(([, typeName]) => typeName === String(type))?.[0] as
    | IdPrefix
    | undefined; // a key
  return prefix && args.some((argument) => argument.name === 'id') ? [{ name, prefix }] : [];
});

const look = (name: string, id: string) => `{ found: ${name}(id: "${id}") { id } }`;

test.each(lookups)('the lookup $name returns nothing to outsiders or without a token', async ({ name, prefix }) => {
  for (const id of [ids[prefix], absentIds[prefix]]) {
    if (id === undefined) continue;
    expect(await outsider.graphql(look(name, id))).toEqual({ found: null });
    await expect(anonymous.graphql(look(name, id))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  }
});

test.each(nodePrefixes())('node returns no %s_… to outsiders or without a token', async (prefix) => {
  const id = nodeIdOf(prefix, ids);
  if (id) expect((await admin.graphql(look('node', id))).found).toEqual({ id });
  for (const asked of [id ?? absentIds[prefix], absentIds[prefix]]) {
    expect(await outsider.graphql(look('node', String(asked)))).toEqual({ found: null });
    await expect(anonymous.graphql(look('node', String(asked)))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  }
});

/** What lives in revisions has a node id for each of them. */
function nodeIdOf(prefix: IdPrefix, { [prefix]: id, rev }: Ids): string | undefined {
  return id && ['page', 'file', 'reusable', 'doc'].includes(prefix) ? `${id}-at-${rev}` : id;
}

/**
 * Below what is absent everything is absent; elsewhere a deletion finds nothing left to do (docs/decisions/api.md,
 * Errors).
 */
const isBelowAnother = ({ path }: Route) => path.split('/:').length > 2;

const targeted = routes.filter(({ operation }) => operation && hasTarget(operation.operationName));

test.each(byAddress(targeted.filter(({ method }) => method !== 'GET')))(
  '%s is NOT_FOUND for an outsider whose input is wrong',
  async (_address, route) => {
    const { status } = await callRoute(outsider, route, ids, { title: 1 });
    expect(status).toBe(route.method === 'DELETE' && !isBelowAnother(route) ? 204 : 404);
  },
);

/** Ids that an operation on an organization takes beside it: each must be of that organization. */
const secondary = mutations
  .filter(({ operationName }) => permissionOf(operationName).operator !== true)
  .flatMap((operation) => {
    const { shape } = operation.input;
    const members = Object.entries(shape).map(([name, schema]) => [
      name,
      unwrap(schema as z.ZodType).inner.meta()?.prefix,
    ]);
    const others = members.filter(([name, prefix]) => prefix && name !== 'organizationId');
    // Where the organization may be left out it only narrows down what the other id names.
    const target = (shape as Record<string, z.ZodType>).organizationId;
    // In transfers, it is the other organization.
    const isTarget = permissionOf(operation.operationName).target === undefined;
    return isTarget && target && unwrap(target).isRequired
      ? others.map(([member, prefix]) => ({ name: operation.operationName, operation, member, prefix }))
      : [];
  });

test.each(secondary)('$name refuses a $member of another organization', async (found) => {
  const { operation, member, prefix } = found;
  const own = { ...ids, org: otherOrganizationId };
  for (const id of [ids[prefix as IdPrefix], absentIds[prefix as IdPrefix], 'nonsense']) {
    if (id === undefined) continue;
    const { body } = await callMutation(outsider, operation, own, { [String(member)]: id });
    expect(body.errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', issues: [{ path: ['input', member] }] } },
    ]);
  }
});

test('none of these requests changed anything', async () => {
  expect(await fingerprintOf(databaseUrl)).toEqual(before);
});

test('the owner can read the tested ids', async () => {
  for (const { name, prefix } of lookups) {
    const id = ids[prefix];
    if (id) expect((await admin.graphql(look(name, id))).found).toEqual({ id });
  }
});
