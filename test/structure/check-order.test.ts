import { expect, test } from 'vitest';
import { type Permission, permissions } from '../../src/domain/people/access/index.ts';
import { ROLES } from '../../src/platform/access/roles.ts';
import type { Route } from '../../src/platform/http/route.ts';
import { routes } from '../../src/routes.ts';
import type { Client, RestAnswer } from '../client.ts';
import { world } from '../world.ts';
import { callRoute, isDeletion } from './calls.ts';
import { furnish } from './furnish.ts';

const { admin, reader, outsider, anonymous, organizationId } = await world();
const ids = await furnish(admin, organizationId);

/** What a caller may get wrong, on any operation: each is a 400 for those who may call it. */
const FAULTS: [string, (by: Client, route: Route) => Promise<RestAnswer>][] = [
  ['members of another type', (by, route) => callRoute(by, route, ids, wrongBody(route))],
  ['a body that is no object', (by, route) => callRoute(by, route, ids, [1])],
  [
    'an idempotency key that is too long',
    (by, route) => callRoute(by, route, ids, undefined, { 'idempotency-key': 'x'.repeat(300) }),
  ],
];

/** Every member that the operation knows, by REST's name, with a value that none can have. */
function wrongBody({ operation, about }: Route): Record<string, unknown> {
  const names = new Map(Object.entries(about.rename ?? {}).map(([theirs, ours]) => [ours, theirs]));
  const members = about.body ? Object.keys(about.body.shape) : Object.keys(operation?.input.shape ?? {});
  return Object.fromEntries(members.map((name) => [names.get(name) ?? name, { wrong: [{}] }]));
}

const permissionOf = (route: Route): Permission =>
  (permissions as Record<string, Permission>)[route.operation?.operationName ?? ''] ?? {};

/** Routes that these faults say nothing about, and why. */
const LEFT_OUT: Record<string, string> = {
  redeliverWebhookEvent: 'nothing is delivered here',
  acceptInvite: 'it needs no token: the secret in the body decides',
  moveSiteSpace: 'an unknown member of a position is ignored, and the last position taken',
  moveSiteSection: 'an unknown member of a position is ignored, and the last position taken',
  moveSiteSectionGroup: 'an unknown member of a position is ignored, and the last position taken',
};

/** A deletion has no body, and some bodies are no JSON. */
const takesJson = ({ method, streamedBody }: Route) => method !== 'DELETE' && streamedBody === undefined;

const cases = routes
  .filter(({ operation }) => operation?.kind === 'command' && !(operation.operationName in LEFT_OUT))
  .flatMap((route) =>
    FAULTS.filter(([fault]) => takesJson(route) || fault.startsWith('an idempotency')).map(
      ([fault, call]) => [`${route.method} ${route.path}`, fault, route, call] as const,
    ),
  );

test.each(cases)('%s with %s is 401 without a token', async (_address, _fault, route, call) => {
  expect((await call(anonymous, route)).status).toBe(401);
});

const isTargeted = (route: Route) =>
  (['organization', 'space', 'collection', 'content'] as const).some((kind) => kind in permissionOf(route));
/** What is deleted by its own id alone is as good as deleted for a stranger (docs/decisions.md, Errors). */
const isIdempotentDeletion = ({ operation, path }: Route) =>
  isDeletion(operation?.operationName ?? '') && path.split('/:').length <= 2;

test.each(cases.filter(([, , route]) => isTargeted(route) && !isIdempotentDeletion(route)))(
  '%s with %s is 404 for an outsider',
  async (_address, _fault, route, call) => {
    expect((await call(outsider, route)).status).toBe(404);
  },
);

/** Whether somebody who reads everything may yet not do this. An import's space is named in the body, so it is not known here. */
function isBeyondReaders(route: Route): boolean {
  if (route.operation?.operationName === 'startImportRun') return false;
  const { space, collection, content, organization, operator } = permissionOf(route);
  const isAbove = [space, collection, content].some(
    (role) => role !== undefined && role !== 'view' && ROLES.indexOf(role) > ROLES.indexOf('read'),
  );
  return isAbove || operator === true || organization === 'admin' || organization === 'createContent';
}

test.each(cases.filter(([, , route]) => isBeyondReaders(route)))(
  '%s with %s is 403 for a reader',
  async (_address, _fault, route, call) => {
    expect((await call(reader, route)).status).toBe(403);
  },
);

test.each(cases)('%s with %s is 400 for a permitted caller', async (_address, fault, route, call) => {
  // A command that takes no member in its body has none of another type.
  const isEmpty =
    fault.startsWith('members') && Object.keys(wrongBody(route)).every((name) => route.path.includes(name));
  if (!isEmpty) expect((await call(admin, route)).status).toBe(400);
});
